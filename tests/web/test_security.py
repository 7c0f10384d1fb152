from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from ludens.web.pages import FOLDER
from ludens.web.security import UPLOAD_PATH
from ludens.web.settings import Limits


def test_every_response_forbids_inline_and_foreign_code(client: TestClient) -> None:
    for path in ("/", "/static/ludens.css", "/nowhere"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"


def test_templates_have_nothing_inline_and_nothing_from_elsewhere() -> None:
    for path in (FOLDER / "templates").glob("**/*.html"):
        text = path.read_text()
        assert not re.search(r"<script(?![^>]*\bsrc=)", text), path
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", text), path
        assert not re.search(r"(src|href)=\"(https?:)?//", text), path
        assert "|safe" not in text.replace(" ", "") or "svg|safe" in text.replace(" ", ""), path


def test_scripts_and_styles_load_nothing_from_elsewhere() -> None:
    for path in (*(FOLDER / "static").glob("**/*.js"), *(FOLDER / "static").glob("**/*.css")):
        assert not re.search(r"https?://(?!www\.w3\.org/)", path.read_text()), path


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9"])
def test_posts_from_other_sites_are_refused(client: TestClient, origin: str) -> None:
    assert client.post("/", headers={"origin": origin}).status_code == 403


def test_a_name_that_is_not_the_servers_is_refused(client: TestClient) -> None:
    assert client.get("/", headers={"host": "rebound.example"}).status_code == 421


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "["}, 421),
        ({"host": "[::1"}, 421),
        ({"origin": "http://["}, 403),
        ({"content-length": "9" * 5000}, 413),
        ({"content-length": "-1"}, 413),
    ],
)
def test_headers_that_make_no_sense_are_refused(client: TestClient, headers: dict[str, str], status: int) -> None:
    assert client.post("/", headers=headers).status_code == status


def test_a_body_that_is_too_long_is_refused(client: TestClient) -> None:
    assert client.post("/", content=b"x" * (Limits().request_bytes + 1)).status_code == 413


@pytest.mark.parametrize(
    ("path", "most"), [("/play", Limits().request_bytes), (UPLOAD_PATH, Limits().record_bytes)], ids=["play", "upload"]
)
def test_a_body_of_unknown_length_is_cut_off(client: TestClient, path: str, most: int) -> None:
    assert client.post(path, content=iter([b"x" * (most + 1)])).status_code == 413


def test_errors_are_pages_for_people_and_json_for_scripts(client: TestClient) -> None:
    assert client.get("/nowhere").json() == {"error": "there is no page /nowhere"}
    shown = client.get("/nowhere", headers={"accept": "text/html"})
    assert shown.status_code == 404
    assert "<h1>There is nothing here</h1>" in shown.text

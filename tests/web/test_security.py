from __future__ import annotations

import re
from dataclasses import replace

import pytest
from starlette.requests import HTTPConnection
from starlette.testclient import TestClient

from ludens.arena.store import Store
from ludens.web import home
from ludens.web.app import create_app
from ludens.web.pages import FOLDER
from ludens.web.requests import client_of
from ludens.web.security import POLICY, UPLOAD_PATH
from ludens.web.settings import Limits, Settings
from tests.web.conftest import ADDRESS


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
    assert "<h1>Page not found</h1>" in shown.text


def test_a_mistake_of_the_server_is_told_with_all_headers(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "entries", lambda: 1 / 0)
    with TestClient(create_app(settings), base_url=ADDRESS, raise_server_exceptions=False) as client:
        answer = client.get("/")
    assert answer.status_code == 500
    assert answer.headers["content-security-policy"] == POLICY
    assert "ZeroDivisionError" not in answer.text


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, 403),
        ({"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 200),
        ({"sec-fetch-site": "same-origin", "sec-fetch-mode": "no-cors"}, 200),
        ({}, 200),
    ],
)
def test_pages_elsewhere_can_link_here_and_nothing_else(
    client: TestClient, headers: dict[str, str], status: int
) -> None:
    assert client.get("/library/nim/picture.svg", headers=headers).status_code == status


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("192.168.7.8:8123", 200),
        ("[fe80::1]:8123", 200),
        ("my-laptop:8123", 200),
        ("my-laptop.local", 200),
        ("games.example.org", 200),
        ("rebound.example", 421),
        ("", 421),
    ],
)
def test_a_server_for_everybody_is_not_asked_by_names_that_strangers_own(
    settings: Settings, name: str, status: int
) -> None:
    everywhere = replace(settings, host="0.0.0.0", names=("Games.Example.org",))
    with TestClient(create_app(everywhere), base_url=ADDRESS) as client:
        assert client.get("/static/ludens.css", headers={"host": name}).status_code == status


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_a_client_is_an_address_or_a_network_of_ipv6(address: str, client: str) -> None:
    scope = {"type": "http", "client": (address, 1), "headers": [(b"x-forwarded-for", b"1.2.3.4")]}
    assert client_of(HTTPConnection(scope)) == client


@pytest.mark.parametrize("path", ["/play", "/play/game", "/lab/check", "/lab/tree", "/lab/examine"])
@pytest.mark.parametrize(
    "body",
    [
        rb'{"game": "mine", "rules": "(role \ud800)", "text": "(role \ud800)"}',
        b'{"game": "mine", "rules": "(role \xed\xa0\x80)", "text": "(role \xed\xa0\x80)"}',
        b'{"game": NaN, "text": Infinity}',
        b"[" * 100_000,
        b'{"game": ' + b"9" * 10_000 + b"}",
    ],
    ids=["half a pair", "half a pair in bytes", "no number", "deep", "long number"],
)
def test_what_is_no_proper_json_is_refused(client: TestClient, path: str, body: bytes) -> None:
    assert client.post(path, content=body).status_code == 400


def test_numbers_of_tournaments_have_any_length(client: TestClient, settings: Settings) -> None:
    Store(settings.data / "arena.db")
    for number in ("9" * 5_000, "-1", "x", "0"):
        assert client.get(f"/tournaments/{number}").status_code == 404
        assert client.get(f"/tournaments/{number}/table").status_code == 404

"""The Lab as a browser uses it: text in, diagnostics, trees and examinations out, within limits."""

from __future__ import annotations

import json

import pytest
from starlette.testclient import TestClient

from ludens.gdl.check import check_rules
from ludens.gdl.read import read_rules
from ludens.web.lab.pages import STARTER
from ludens.web.settings import Limits
from tests.web.sheets import COUNTDOWN

HTML = {"accept": "text/html"}


@pytest.fixture
def client(shared_client: TestClient) -> TestClient:
    return shared_client


def test_the_page_begins_with_rules_that_are_in_order(client: TestClient) -> None:
    text = client.get("/lab", headers=HTML).text
    assert "whoever takes the last one wins" in text.lower()
    assert check_rules(read_rules(STARTER.read_text(encoding="utf-8"))) == []


def test_rules_of_the_library_can_be_opened(client: TestClient) -> None:
    assert "(role xplayer)" in client.get("/lab?game=tic_tac_toe", headers=HTML).text
    assert client.get("/lab?game=nowhere").status_code == 404
    assert "only games in GDL" in client.get("/lab?game=go").json()["error"]


def test_an_error_is_underlined_and_then_corrected(client: TestClient) -> None:
    wrong = client.post("/lab/check", json={"text": COUNTDOWN.replace("(succ ?n ?m))", "(succ ?n ?m)")}).json()
    assert not wrong["playable"]
    assert wrong["problems"][0]["start"] is not None
    right = client.post("/lab/check", json={"text": COUNTDOWN}).json()
    assert right["playable"]
    assert right["outline"]["rules"] == 5
    tree = client.post("/lab/tree", json={"text": COUNTDOWN, "rule": 4}).json()
    assert "<svg" in tree["svg"]
    lines = client.post("/lab/examine", json={"text": COUNTDOWN}).text.splitlines()
    assert [json.loads(line)["part"] for line in lines][-1] == "checks"


def test_rules_with_errors_are_not_examined(client: TestClient) -> None:
    answer = client.post("/lab/examine", json={"text": "(role"}).text
    assert "errors" in json.loads(answer)["error"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"text": "x" * (Limits().rule_characters + 1)}, 413),
        ({"text": 7}, 400),
        ({}, 400),
        ([], 400),
    ],
)
def test_what_is_no_text_or_too_long_is_refused(client: TestClient, body: object, status: int) -> None:
    assert client.post("/lab/check", json=body).status_code == status
    assert client.post("/lab/examine", json=body).status_code == status


def test_a_rule_is_named_by_its_number(client: TestClient) -> None:
    assert client.post("/lab/tree", json={"text": COUNTDOWN, "rule": "x"}).status_code == 400
    assert "error" in client.post("/lab/tree", json={"text": COUNTDOWN, "rule": -1}).json()

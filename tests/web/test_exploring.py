"""Positions of recorded matches that people look into, and files of other programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import ludens
from ludens.web.replays.exploring import explore_record
from ludens.web.settings import Settings
from tests.e2e.matches import record_a_match

PGN = b'[White "Ann"]\n[Black "Bob"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return record_a_match(tmp_path / "records", "tic_tac_toe")


def look(path: Path, turn: int, *steps: dict[str, str]) -> dict[str, Any]:
    return explore_record(path, "tic_tac_toe", turn, steps, reveal=False).as_json()


def test_moves_are_tried_after_a_turn(path: Path) -> None:
    start = look(path, 0)
    assert [option["role"] for option in start["options"]] == ["xplayer"]
    assert {move["label"] for move in start["options"][0]["moves"]} == {f"{c}{r}" for c in "abc" for r in "123"}
    tried = look(path, 0, {"xplayer": "(mark 1 1)"}, {"oplayer": "(mark 2 2)"})
    assert tried["texts"] == {"oplayer": "b2"}
    assert tried["moves"] == {"xplayer": "noop", "oplayer": "(mark 2 2)"}
    assert len(tried["options"][0]["moves"]) == 7


def test_a_position_is_analysed_and_proved(path: Path) -> None:
    steps = [{"xplayer": "(mark 1 1)"}, {"oplayer": "(mark 2 1)"}]
    parts = list(explore_record(path, "tic_tac_toe", 0, steps, reveal=False).thinking(ludens.load("tic_tac_toe"), 60.0))
    assert [part["part"] for part in parts][-1] == "proof"
    assert parts[-1]["values"] == {"xplayer": 100, "oplayer": 0}
    assert {move["label"] for part in parts[:-1] for move in part["moves"]} & {"a3", "b2"}
    assert "b2" in parts[-1]["best"]["xplayer"]


def test_the_page_asks_for_positions(client: TestClient, settings: Settings) -> None:
    path = record_a_match(settings.records, "tic_tac_toe")
    address = f"/replay/record/{path.name}/explore"
    answer = client.post(address, json={"turn": 1, "steps": []}).json()
    assert len(answer["options"][0]["moves"]) == 8
    assert "error" in client.post(address, json={"turn": 0, "steps": [{"xplayer": "(mark 9 9)"}]}).json()
    assert "no" in client.post(address, json={"turn": 99}).json()["error"]
    several: list[Any] = [{"turn": "x"}, {"turn": -1}, {"turn": 0, "steps": [3]}, {"turn": 0, "steps": [{}] * 999}, []]
    for wrong in several:
        assert client.post(address, json=wrong).status_code == 400


def test_files_of_other_programs_are_opened_and_saved(client: TestClient) -> None:
    sent = client.post("/replay/upload", content=PGN)
    assert sent.status_code == 200, sent.text
    address = sent.json()["address"]
    parts = [json.loads(line) for line in client.get(f"{address}/frames").text.splitlines()]
    assert parts[0]["format"] == "pgn"
    assert parts[-2]["texts"] == {"black": "Qh4#"}
    assert parts[-1]["ok"]
    saved = client.get(f"{address}/match.pgn")
    assert "2. g4 Qh4# 0-1" in saved.text
    assert saved.headers["content-disposition"].endswith('.pgn"')
    assert client.get(f"{address}/match.sgf").status_code == 422
    assert client.get(f"{address}/match.exe").status_code == 404
    refused = client.post("/replay/upload", content=b'[White "a"]\n1. e5')
    assert refused.status_code == 422
    assert "1. e5 is not a legal move" in refused.json()["error"]

"""Replays: positions, thinking and verdict of any record; what is none, or hidden, is refused."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import ludens
from ludens import __version__
from ludens.arena.store import Store
from ludens.core import Clock, LudensError
from ludens.players import make_player
from ludens.referee import Match
from ludens.referee.record import RecordWriter
from ludens.web.bench.workbench import Workbench
from ludens.web.replays.drawn import DrawnReplays
from ludens.web.replays.frames import frames
from ludens.web.settings import Limits, Settings
from tests.web.helpers import RANDOM, begin, connected
from tests.web.sheets import COUNTDOWN

HTML = {"accept": "text/html"}


def _play(folder: Path, name: str, player: str = "random") -> Path:
    game = ludens.load(name, backend="reference")
    writer = RecordWriter(folder, __version__)
    match = Match(game, {role: make_player(player) for role in game.roles}, Clock(0.1, 1.0), seed=3)
    for event in match.events():
        writer.write(event)
    assert writer.path is not None
    return writer.path


def _lines(client: TestClient, address: str) -> list[dict[str, Any]]:
    response = client.get(address)
    assert response.status_code == 200, response.text
    return [json.loads(line) for line in response.text.splitlines()]


def test_a_match_is_replayed_and_verified(client: TestClient, settings: Settings) -> None:
    path = _play(settings.records, "tic_tac_toe")
    start, *positions, verdict = _lines(client, f"/replay/record/{path.name}/frames")
    assert (start["part"], start["game"]) == ("start", "tic_tac_toe")
    assert [frame["id"] for frame in positions] == list(range(start["turns"] + 1))
    assert all("ludens-drawing" in frame["svg"] for frame in positions)
    assert positions[-1]["goals"] == start["end"]["goals"]
    assert verdict["ok"]
    page = client.get(f"/replay/record/{path.name}", headers=HTML).text
    assert f'data-source="/replay/record/{path.name}/frames"' in page
    assert "<h1>Tic-Tac-Toe " in page
    assert path.name in client.get("/replay", headers=HTML).text
    assert client.get(f"/replay/record/{path.name}/record").content == path.read_bytes()


def test_a_replay_is_drawn_once(client: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _play(settings.records, "nim:1,2")
    first = _lines(client, f"/replay/record/{path.name}/frames")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("it is drawn again")

    monkeypatch.setattr(Workbench, "run", refuse)
    assert _lines(client, f"/replay/record/{path.name}/frames") == first


def test_the_moves_of_a_match_are_reviewed(client: TestClient, settings: Settings) -> None:
    path = _play(settings.records, "nim:1,2")
    start, *judged, end = _lines(client, f"/replay/record/{path.name}/review")
    assert (start["part"], end["part"]) == ("choices", "reviewed")
    assert len(judged) == start["number"] > 0
    assert all(one["part"] == "judgement" and one["is_exact"] for one in judged)


def test_only_so_many_replays_are_kept() -> None:
    async def answers() -> AsyncIterator[dict[str, Any]]:
        yield {"part": "verdict"}

    async def broken() -> AsyncIterator[dict[str, Any]]:
        yield {"part": "frame"}

    async def keep() -> list[bool]:
        drawn = DrawnReplays(most_bytes=80)
        for key, parts in (("a", answers()), ("b", answers()), ("broken", broken()), ("c", answers())):
            async for _ in drawn.keep(key, parts):
                pass
        return [drawn.get(key) is not None for key in ("a", "b", "broken", "c")]

    assert asyncio.run(keep()) == [False, True, False, True]


def test_what_players_thought_is_told(tmp_path: Path) -> None:
    path = _play(tmp_path, "tic_tac_toe")
    start, turn, *rest = path.read_text().splitlines()
    good = {"move": "(mark 2 2)", "value": 61.5, "visits": 10}
    odd = {"move": "(mark", "value": "high", "visits": None}
    moves = [good, odd, {"move": 3}, "nonsense"]
    thinking = {"xplayer": {"value": "nonsense", "moves": moves, "line": ["(mark 2 2)"]}, "oplayer": "nonsense"}
    path.write_text("\n".join([start, json.dumps(json.loads(turn) | {"thinking": thinking}), *rest]) + "\n")
    frame = next(part for part in frames(path, "tic_tac_toe", reveal=False) if part.get("id") == 1)
    assert frame["thinking"]["xplayer"]["moves"] == [
        good | {"spot": "cell:2:2", "text": "b2"},
        {"move": "(mark", "value": None, "visits": 0, "spot": "", "text": "(mark"},
    ]
    assert "value" not in frame["thinking"]["xplayer"]
    assert frame["thinking"]["xplayer"]["line"] == ["b2"]
    assert "oplayer" not in frame["thinking"]


@pytest.mark.slow
def test_a_match_becomes_a_film(client: TestClient, settings: Settings) -> None:
    path = _play(settings.records, "tic_tac_toe")
    answer = client.get(f"/replay/record/{path.name}/film.gif")
    assert answer.headers["content-type"] == "image/gif"
    assert answer.content.startswith(b"GIF8")
    assert "attachment" in answer.headers["content-disposition"]


def test_a_record_that_was_changed_is_told(tmp_path: Path) -> None:
    path = _play(tmp_path, "tic_tac_toe")
    lines = path.read_text().splitlines()
    end = json.loads(lines[-1])
    end["goals"] = dict.fromkeys(end["goals"], 99)
    path.write_text("\n".join([*lines[:-1], json.dumps(end)]) + "\n")
    *_, verdict = frames(path, "tic_tac_toe", reveal=False)
    assert not verdict["ok"]
    assert "goals" in verdict["differences"][0]


def test_a_record_can_be_sent_and_replayed(client: TestClient, tmp_path: Path) -> None:
    path = _play(tmp_path, "nim:1,2")
    answer = client.post("/replay/upload", content=path.read_bytes())
    assert answer.status_code == 200
    parts = _lines(client, answer.json()["address"] + "/frames")
    assert parts[0]["game"] == "nim:1,2"
    assert parts[-1]["ok"]


@pytest.mark.parametrize("body", [b"", b"hello", b'{"event": "end"}\n', b"\xff\xfe"])
def test_what_is_no_record_is_refused(client: TestClient, settings: Settings, body: bytes) -> None:
    answer = client.post("/replay/upload", content=body)
    assert answer.status_code == 422
    assert "record" in answer.json()["error"]
    assert str(settings.data) not in answer.json()["error"]
    assert not list((settings.data / "uploads").glob("*"))


def test_records_may_be_longer_than_other_requests(client: TestClient) -> None:
    limits = Limits()
    assert client.post("/replay/upload", content=b"x" * (limits.request_bytes + 1)).status_code == 422
    assert client.post("/replay/upload", content=b"x" * (limits.record_bytes + 1)).status_code == 413


@pytest.mark.parametrize(
    "game",
    [
        "./evil.py",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("/etc/passwd", "evil.kif", "openspiel:chess", 7, None)
        ),
    ],
)
def test_a_record_cannot_name_a_file_as_its_game(client: TestClient, tmp_path: Path, game: object) -> None:
    lines = _play(tmp_path, "nim:1,2").read_text().splitlines()
    start = json.loads(lines[0]) | {"game": game}
    answer = client.post("/replay/upload", content="\n".join([json.dumps(start), *lines[1:]]).encode())
    if answer.status_code == 200:
        found = client.get(answer.json()["address"])
        assert found.status_code == 422
        assert any(reason in found.json()["error"] for reason in ("library", "OpenSpiel"))
    else:
        assert answer.status_code == 422


def test_rules_that_a_client_wrote_are_found_again(client: TestClient, settings: Settings) -> None:
    match = begin(client, "countdown", {"solo": RANDOM}, rules=COUNTDOWN)
    with connected(client, match["match"]) as page:
        name = page.until("record")["name"]
    assert (settings.records / name).is_file()
    parts = _lines(client, f"/replay/record/{name}/frames")
    assert parts[0]["game"] == "countdown"
    assert parts[-1]["ok"]


def test_hidden_information_is_not_shown_before_the_end(tmp_path: Path) -> None:
    path = _play(tmp_path, "kuhn_poker")
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:-1]) + "\n")
    with pytest.raises(LudensError, match="still running"):
        list(frames(path, "kuhn_poker", reveal=False))
    assert list(frames(path, "kuhn_poker", reveal=True))


def test_the_record_of_a_match_that_is_not_over_cannot_be_saved(client: TestClient, settings: Settings) -> None:
    """It has the seed, and what everybody holds; matches of the command line are recorded where they are replayed."""
    path = _play(settings.records, "kuhn_poker")
    path.write_bytes(path.read_bytes().rpartition(b'{"event": "end"')[0])
    answer = client.get(f"/replay/record/{path.name}/record")
    assert answer.status_code == 422
    assert "still running" in answer.json()["error"]
    sent = client.post("/replay/upload", content=path.read_bytes()).json()["address"]
    assert client.get(f"{sent}/record").content == path.read_bytes()


def test_frames_do_not_tell_the_seed(tmp_path: Path) -> None:
    assert "seed" not in next(frames(_play(tmp_path, "tic_tac_toe"), "tic_tac_toe", reveal=False))


@pytest.mark.parametrize(
    "address",
    [
        "record/../../x.jsonl",
        "record/x.jsonl",
        "upload/" + "0" * 64,
        "upload/x",
        "tournament/1/x",
        f"tournament/{10**20}/x",
        "other/x",
    ],
)
def test_there_is_nothing_else_to_replay(client: TestClient, settings: Settings, address: str) -> None:
    Store(settings.data / "arena.db")

    assert client.get(f"/replay/{address}").status_code == 404

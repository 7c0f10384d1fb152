from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

import ludens
from ludens.referee.reading import read_record
from ludens.referee.verify import verify
from ludens.web.app import create_app
from ludens.web.settings import Settings
from tests.web.conftest import ADDRESS
from tests.web.helpers import HUMAN, RANDOM, begin, connected, first_move, token_of


@contextmanager
def running(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings), base_url=ADDRESS, headers={"accept": "application/json"}) as client:
        yield client


def play_some(client: TestClient, match: dict[str, Any], turns: int) -> None:
    role = match["seats"][0]["role"]
    with connected(client, match["match"], token_of(match, role)) as page:
        for _ in range(turns):
            asked = page.until("asked")
            page.send(do="move", question=asked["question"], move=first_move(asked))
        page.until("asked")


def restart_in_the_middle(settings: Settings) -> None:
    with running(settings) as client:
        matches = [
            begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM}, seed=number, undo=True)
            for number in range(10)
        ]
        for number, match in enumerate(matches):
            play_some(client, match, number % 3)
    assert not list(settings.records.glob("*.jsonl"))
    with running(settings) as client, ExitStack() as stack:
        assert len(client.get("/watch").json()["running"]) == 10
        for match in matches:
            page = stack.enter_context(connected(client, match["match"], token_of(match, "xplayer")))
            assert page.play(first_move)["finished"]
            page.until("record")
    game = ludens.load("tic_tac_toe")
    records = [read_record(path) for path in settings.records.glob("*.jsonl")]
    assert len(records) == 10
    for record in records:
        assert list(verify(record, game)) == []
        assert not record.problems
        assert [turn.id for turn in record.turns.values()] == list(range(1, len(record.turns) + 1))


@pytest.mark.slow
def test_ten_matches_go_on_after_a_restart_in_the_same_records(settings: Settings) -> None:
    restart_in_the_middle(settings)


@pytest.mark.slow
def test_ten_matches_in_processes_go_on_after_a_restart(settings: Settings) -> None:
    restart_in_the_middle(replace(settings, workers=2))


def test_what_was_played_before_a_restart_is_shown_and_can_be_taken_back(settings: Settings) -> None:
    with running(settings) as client:
        match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM}, undo=True)
        play_some(client, match, 2)
    with running(settings) as client, connected(client, match["match"], token_of(match, "xplayer")) as page:
        asked = page.until("asked")
        page.send(do="undo", question=asked["question"])
        page.send(do="all")
        position = page.until("position")
        while len(position["history"]["add"]) != 2:
            page.send(do="all")
            position = page.until("position")
        assert [entry["turn"] for entry in position["history"]["add"]] == [1, 2]


def test_a_match_whose_last_line_was_cut_off_goes_on(settings: Settings) -> None:
    with running(settings) as client:
        match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM})
        play_some(client, match, 2)
    (path,) = (settings.data / "matches" / "running" / match["match"]).glob("*.jsonl")
    path.write_bytes(path.read_bytes()[:-20])
    with running(settings) as client, connected(client, match["match"], token_of(match, "xplayer")) as page:
        assert page.play(first_move)["finished"]
        page.until("record")
    (path,) = settings.records.glob("*.jsonl")
    assert not read_record(path).problems


def test_a_finished_match_is_shown_again_after_a_restart(settings: Settings) -> None:
    with running(settings) as client:
        match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM})
        with connected(client, match["match"], token_of(match, "xplayer")) as page:
            end = page.play(first_move)
    with running(settings) as client:
        assert [found["match"] for found in client.get("/watch").json()["finished"]] == [match["match"]]
        with connected(client, match["match"]) as page:
            assert len(page.until("position")["history"]["add"]) == end["turns"]
            assert page.until("ended")["goals"] == end["goals"]


def test_only_hashes_of_tokens_are_on_disk_and_only_for_the_owner(settings: Settings) -> None:
    with running(settings) as client:
        match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM})
        file = settings.data / "matches" / "running" / match["match"] / "match.json"
        text = file.read_text()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert match["owner"] not in text
    assert token_of(match, "xplayer") not in text


@pytest.mark.slow
def test_matches_of_a_worker_that_dies_go_on_in_another(settings: Settings) -> None:
    with running(replace(settings, workers=1)) as client:
        match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM})
        play_some(client, match, 1)
        host = client.app.state.host  # type: ignore[attr-defined]
        host.find(match["match"]).crew.link.kill()
        with connected(client, match["match"], token_of(match, "xplayer")) as page:
            page.until("position")
            page.until("position")
            assert page.play(first_move)["finished"]

"""A server whose disk is full from the first, second, third, … call on that needs room: it answers all the same."""

from __future__ import annotations

import itertools

from ludens.referee.reading import read_record
from ludens.web.settings import Settings
from tests.full_disk import full_disk, no_stub_is_left
from tests.web.helpers import HUMAN, RANDOM, begin, connected, first_move, token_of
from tests.web.test_restart import play_some, running

GAME = "rock_paper_scissors"
BOTH = {"left": RANDOM, "right": RANDOM}


def test_a_full_disk_ends_one_match_and_nothing_else(settings: Settings) -> None:
    unwritten = []
    with running(settings) as client:
        other = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM})
        play_some(client, other, 1)
        for calls in itertools.count():
            with full_disk(settings.data, calls) as disk:
                answer = client.post("/play", json={"game": GAME, "seats": BOTH, "seed": 7})
                if answer.status_code == 201:
                    with connected(client, answer.json()["match"]) as page:
                        end = page.until("ended")
            assert client.get("/watch").status_code == 200
            if not disk.is_full:
                break
            if answer.status_code != 201:
                assert answer.status_code == 503
                assert str(settings.data) not in answer.text
            elif not end.get("finished"):
                assert "No space left on device" in end["message"]
                unwritten.append(answer.json()["match"])
            no_stub_is_left(settings.data / "matches")
        assert calls > 20
        assert len(unwritten) > 10
        with connected(client, other["match"], token_of(other, "xplayer")) as page:
            assert page.play(first_move)["finished"]
    with running(settings) as client:
        for match in unwritten:
            with connected(client, match) as page:
                assert page.until("ended")["finished"]
    for record in settings.records.glob("*.jsonl"):
        assert not read_record(record).problems


def test_uploads_on_a_full_disk_are_refused_until_there_is_room(settings: Settings) -> None:
    with running(settings) as client:
        match = begin(client, GAME, BOTH)
        with connected(client, match["match"]) as page:
            record = (settings.records / page.until("record")["name"]).read_bytes()
        for calls in itertools.count():
            with full_disk(settings.data / "uploads", calls) as disk:
                answer = client.post("/replay/upload", content=record)
            if not disk.is_full:
                break
            assert answer.status_code == 503
            assert not list((settings.data / "uploads").glob("*"))
        assert calls == 5
        assert client.get(answer.json()["address"]).status_code == 200

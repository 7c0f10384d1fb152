from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import ludens
from ludens.core import Clock
from ludens.players import make_player
from ludens.protocols.ggp.controller import GameController, Plan
from ludens.protocols.ggp.server import Server
from ludens.protocols.ggp.spectators import MOST_ENDED, Gallery
from ludens.referee import Event, Match, MatchStarted, TurnPlayed
from tests.protocols.ggp.peers import raw_request

GAME = ludens.load("tic_tac_toe", backend="reference")


def events_in(reply: bytes) -> list[dict[str, Any]]:
    """The data of all server-sent events in a reply."""
    head, _, body = reply.partition(b"\r\n\r\n")
    assert b"Content-type: text/event-stream" in head
    found = []
    for frame in body.decode().split("\n\n")[:-1]:
        number, kind, data = frame.split("\n")
        assert number.startswith("id: ")
        assert kind == f"event: {json.loads(data.removeprefix('data: '))['event']}"
        found.append(json.loads(data.removeprefix("data: ")))
    return found


def get(port: int, target: str, *headers: str) -> bytes:
    return raw_request(port, "\r\n".join([f"GET {target} HTTP/1.1", "Host: x", *headers, "", ""]).encode())


def conduct(gallery: Gallery, records: Path, match: str, **how: Any) -> None:
    plan = Plan(GAME, {"xplayer": "legal", "oplayer": "random"}, match, 1, play_clock=20, start_clock=20)
    GameController(plan, records, "0.0", gallery=gallery, **how).run()


def test_a_spectator_sees_a_running_match_from_its_start_to_its_end(tmp_path: Path) -> None:
    gallery = Gallery("0.0")
    replies: list[bytes] = []
    watching: list[threading.Thread] = []
    with Server(gallery.answer, "127.0.0.1", 0) as server:

        def come_late(event: Event) -> None:
            if isinstance(event, TurnPlayed) and event.id == 3:
                watching.append(threading.Thread(target=lambda: replies.append(get(server.port, "/events?match=m"))))
                watching[0].start()

        conduct(gallery, tmp_path, "m", watch=come_late)
        watching[0].join()

    told = events_in(replies[0])
    turns = [event for event in told if event["event"] == "turn"]
    assert (told[0]["event"], told[-1]["event"]) == ("start", "end")
    assert [turn["id"] for turn in turns] == list(range(1, len(turns) + 1))
    assert told[-1]["turns"] == len(turns)
    assert "(control xplayer)" in told[0]["state"]
    assert {event["match"] for event in told} == {"m"}


def test_matches_are_listed_and_can_be_read_after_their_end(tmp_path: Path) -> None:
    gallery = Gallery("0.0")
    conduct(gallery, tmp_path, "a")
    conduct(gallery, tmp_path, "b")
    with Server(gallery.answer, "127.0.0.1", 0) as server:
        listed = json.loads(get(server.port, "/matches").partition(b"\r\n\r\n")[2])
        told = events_in(get(server.port, "/events?match=b"))
        gallery.close()
        everything = events_in(get(server.port, "/events"))

    assert listed == [
        {"match": "a", "game": "tic_tac_toe", "ended": True},
        {"match": "b", "game": "tic_tac_toe", "ended": True},
    ]
    assert {event["match"] for event in told} == {"b"}
    assert [event["match"] for event in everything if event["event"] == "end"] == ["a", "b"]


def test_old_matches_are_forgotten() -> None:
    gallery = Gallery("0.0")
    players = {role: make_player("legal") for role in GAME.roles}
    events = list(Match(GAME, players, Clock(20, 20), 1).events())
    short = [event for event in events if not isinstance(event, TurnPlayed)]
    for number in range(MOST_ENDED + 5):
        for event in short:
            gallery.publish(str(number), event)

    assert [match["match"] for match in gallery.matches()] == [str(number) for number in range(5, MOST_ENDED + 5)]
    assert isinstance(short[0], MatchStarted)


def test_other_requests_are_told_what_there_is() -> None:
    with Server(Gallery("0.0").answer, "127.0.0.1", 0) as server:
        assert b" 404 " in get(server.port, "/")
        assert b" 405 " in raw_request(server.port, b"POST /events HTTP/1.0\r\nContent-Length: 0\r\n\r\n")


def test_who_comes_back_gets_only_what_is_new_and_is_not_told_to_come_again(tmp_path: Path) -> None:
    gallery = Gallery("0.0")
    conduct(gallery, tmp_path, "m")
    with Server(gallery.answer, "127.0.0.1", 0) as server:
        everything = events_in(get(server.port, "/events?match=m"))
        rest = events_in(get(server.port, "/events?match=m", f"Last-Event-ID: {len(everything) - 1}"))
        nothing = get(server.port, "/events?match=m", f"Last-Event-ID: {len(everything)}")

    assert rest == everything[-1:]
    assert nothing.startswith(b"HTTP/1.0 204 ")

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

import ludens
from ludens.core import GameError, PlayerError
from ludens.protocols.ggp.controller import GameController, Outcome, Plan
from ludens.protocols.ggp.host import PlayerHost
from ludens.protocols.ggp.messages import Percepts, Play, Start, read_message
from ludens.protocols.ggp.server import Server
from ludens.protocols.ggp.wire import Address
from ludens.referee.reading import read_record
from ludens.referee.verify import verify
from tests.protocols.ggp.peers import FAULTS, Behaviour, raw_player, saying
from tests.referee.games import Dice

GAME = ludens.load("tic_tac_toe", backend="reference")
SIMULTANEOUS = ludens.load("rock_paper_scissors", backend="reference")


def plan(seats: dict[str, Address | str], **how: Any) -> Plan:
    given = {"match_id": "m", "seed": 1, "start_clock": 20, "play_clock": 20, "ask_info": False, **how}
    return Plan(given.pop("game", GAME), seats, **given)


def conduct(records: Path, x: Address | str, o: Address | str, **how: Any) -> Outcome:
    return GameController(plan({"xplayer": x, "oplayer": o}, **how), records, "0.0").run()


def errors_of(outcome: Outcome) -> list[list[str]]:
    found: list[list[str]] = json.loads(outcome.match_json.read_text())["errors"]
    return found


@contextmanager
def our_player(player: str = "legal", most_matches: int = 1) -> Iterator[Address]:
    host = PlayerHost(
        player, name="ours", most_matches=most_matches, backend="reference", seed=1, log=lambda text: None
    )
    with Server(host.answer, "127.0.0.1", 0) as server:
        yield Address("127.0.0.1", server.port)
        host.close()


@pytest.mark.parametrize("how", [{}, {"scramble": True}, {"gdl_ii": True}, {"scramble": True, "gdl_ii": True}])
def test_our_players_play_our_controller(how: dict[str, bool], tmp_path: Path) -> None:
    with our_player("random") as x, our_player("legal") as o:
        outcome = conduct(tmp_path, x, o, ask_info=True, preview_clock=20, **how)

    assert outcome.end.reason == "terminal"
    assert outcome.end.failures == {"xplayer": 0, "oplayer": 0}
    assert outcome.names == {"xplayer": "ours", "oplayer": "ours"}
    assert not list(verify(read_record(outcome.record), GAME))
    assert {entry for turn in errors_of(outcome) for entry in turn} == {""}


def test_players_of_ours_and_of_others_may_meet(tmp_path: Path) -> None:
    with our_player() as x:
        outcome = conduct(tmp_path, x, "random")

    assert outcome.end.failures == {"xplayer": 0, "oplayer": 0}
    assert outcome.names == {"xplayer": f"127.0.0.1:{x.port}", "oplayer": "random"}
    assert read_record(outcome.record).start.players["xplayer"].startswith(f"http:url={x}")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_player_gets_random_moves_and_an_error_entry_and_the_match_goes_on(fault: str, tmp_path: Path) -> None:
    behaviour, code = FAULTS[fault]
    clocks = {"start_clock": 0.1, "play_clock": 0.1, "grace": 0.1} if code == "TO" else {}
    with raw_player(behaviour) as x:
        outcome = conduct(tmp_path, x, "legal", **clocks)

    assert outcome.end.reason == "terminal"
    assert outcome.end.failures["xplayer"] >= outcome.end.turns
    entries = [turn[0] for turn in errors_of(outcome)]
    assert {entry[:2] for entry in entries[1:]} == {code}
    assert not list(verify(read_record(outcome.record), GAME))


def test_a_player_that_nobody_runs_gets_random_moves(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = Address("127.0.0.1", taken.getsockname()[1])
    outcome = conduct(tmp_path, address, "legal", ask_info=True)

    assert {turn[0] for turn in errors_of(outcome)} == {"CE"}
    assert outcome.end.reason == "terminal"


@pytest.mark.parametrize(
    ("answer", "entry"),
    [
        ("( mark 9 9 )", "IL ( mark 9 9 )"),
        ("( MARK 1 1 )", "IL ( MARK 1 1 )"),
        ("busy", "IL busy"),
        ("( mark", "IL ( mark"),
        ("", ""),
    ],
)
def test_illegal_and_unreadable_moves_are_replaced(answer: str, entry: str, tmp_path: Path) -> None:
    with raw_player(saying(lambda message: answer)) as x:
        outcome = conduct(tmp_path, x, "legal", forfeit_after=1)

    assert errors_of(outcome)[1:] == [[entry, ""]]
    assert outcome.end.forfeited == "xplayer"


def test_a_move_may_come_over_several_lines(tmp_path: Path) -> None:
    replies = iter(["ready", "(\n  mark\n\t2 2\n)\n"])
    with raw_player(saying(lambda message: next(replies, "x"))) as x:
        outcome = conduct(tmp_path, x, "legal", forfeit_after=1)

    assert errors_of(outcome)[1] == ["", ""]
    assert read_record(outcome.record).turns[1].moves["xplayer"] == "(mark 2 2)"


def test_busy_at_the_start_does_not_stop_the_match(tmp_path: Path) -> None:
    with raw_player(saying(lambda message: "busy")) as x:
        outcome = conduct(tmp_path, x, "legal")

    assert errors_of(outcome)[0] == ["", ""]
    assert outcome.end.reason == "terminal"


def test_names_of_the_rule_sheet_are_no_moves_of_a_scrambled_match(tmp_path: Path) -> None:
    with raw_player(saying(lambda message: "( mark 2 2 )")) as x:
        outcome = conduct(tmp_path, x, "legal", scramble=True, forfeit_after=1)

    assert errors_of(outcome)[1][0].startswith("IL ( mark 2 2 )")
    assert outcome.end.forfeited == "xplayer"


def test_players_are_told_in_the_way_of_gdl_ii_if_asked_for(tmp_path: Path) -> None:
    told: list[Percepts] = []

    def answer(message: str) -> str:
        found = read_message(message)
        if isinstance(found, Play) and isinstance(found.news, Percepts):
            told.append(found.news)
            return {1: "( mark 1 1 )", 2: "noop", 3: "( mark 1 3 )"}.get(len(told), "stop")
        return "ready"

    with raw_player(saying(answer)) as x:
        conduct(tmp_path, x, "legal", gdl_ii=True, forfeit_after=1)

    assert told[:3] == [
        Percepts(0, None),
        Percepts(1, "(mark 1 1)", ("(does xplayer (mark 1 1))", "(does oplayer noop)")),
        Percepts(2, "noop", ("(does xplayer noop)", "(does oplayer (mark 1 2))")),
    ]


def test_clocks_are_told_and_all_players_are_asked_at_once(tmp_path: Path) -> None:
    starts: list[Start] = []

    def answer(message: str) -> str:
        found = read_message(message)
        if isinstance(found, Start):
            starts.append(found)
        return "rock"

    behaviours: list[Behaviour] = [saying(answer), saying(answer)]
    with ExitStack() as stack:
        seats: dict[str, Address | str] = {
            role: stack.enter_context(raw_player(behave))
            for role, behave in zip(SIMULTANEOUS.roles, behaviours, strict=True)
        }
        GameController(plan(seats, game=SIMULTANEOUS, start_clock=7, play_clock=3), tmp_path, "0.0").run()

    assert {found.role for found in starts} == set(SIMULTANEOUS.roles)
    assert {(found.match, found.start_clock, found.play_clock) for found in starts} == {("m", 7, 3)}


def test_what_cannot_be_conducted_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    here = Address("localhost", 9147)
    with pytest.raises(PlayerError, match="one role"):
        conduct(tmp_path, here, Address("127.0.0.1", 9147))
    with pytest.raises(PlayerError, match="no player"):
        conduct(tmp_path, here, "nobody")
    with pytest.raises(GameError, match="GDL"):
        GameController(plan({"a": "random", "b": "random"}, game=Dice()), tmp_path, "0.0")

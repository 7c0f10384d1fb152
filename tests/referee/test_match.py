from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import cast

import pytest

import ludens
from ludens.core import Clock, Deadline, Decision, Game, GameError, Player, Role, Thinking, View
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.players import make_player
from ludens.referee import Event, Match, MatchEnded, MatchStarted, RecordWriter, TurnPlayed

CLOCK = Clock(play=20.0, start=20.0)


class Crashing(Player):
    name = "crashing"
    description = "raises an exception whenever it is asked"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        raise ZeroDivisionError("on purpose")


class Cheating(Player):
    name = "cheating"
    description = "answers with a move that no game has"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        return Decision("(win at once)")


class Silent(Player):
    name = "silent"
    description = "never answers"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        threading.Event().wait()
        raise AssertionError("unreachable")


def play(game: str, first: Player, second: Player, clock: Clock = CLOCK, seed: int = 1) -> list[Event]:
    loaded = ludens.load(game)
    players = dict(zip(loaded.roles, (first, second), strict=True))
    return list(Match(loaded, players, clock, seed).events())


def turns(events: list[Event]) -> list[TurnPlayed]:
    return [event for event in events if isinstance(event, TurnPlayed)]


def ended(events: list[Event]) -> MatchEnded:
    assert isinstance(events[-1], MatchEnded)
    return events[-1]


def test_a_match_starts_goes_on_and_ends() -> None:
    events = play("tic_tac_toe", make_player("random"), make_player("legal"))

    assert isinstance(events[0], MatchStarted)
    assert [turn.parent for turn in turns(events)] == list(range(len(events) - 2))
    assert ended(events).turns == len(events) - 2
    assert ended(events).finished
    assert sum(ended(events).goals.values()) == 100


def test_the_same_seed_gives_the_same_match() -> None:
    def moves(seed: int) -> list[dict[str, str]]:
        events = play("tic_tac_toe", make_player("random"), make_player("random"), seed=seed)
        return [dict(turn.joint_move) for turn in turns(events)]

    assert moves(3) == moves(3)
    assert moves(3) != moves(4)


@pytest.mark.parametrize(("player", "kind"), [(Crashing(), "crash"), (Cheating(), "illegal")])
def test_a_failing_player_gets_random_legal_moves_and_is_counted(player: Player, kind: str) -> None:
    events = play("tic_tac_toe", player, make_player("legal"))

    failures = [failure for turn in turns(events) for failure in turn.failures]
    assert {failure.kind for failure in failures} == {kind}
    assert {failure.role for failure in failures} == {"xplayer"}
    assert ended(events).failures == {"xplayer": len(failures), "oplayer": 0}
    assert ended(events).finished


def test_a_silent_player_is_late_and_the_match_goes_on() -> None:
    events = play("rock_paper_scissors", Silent(), make_player("random"), Clock(play=0.05))

    assert ended(events).finished
    assert {failure.kind for turn in turns(events) for failure in turn.failures} == {"late"}


def test_players_are_asked_only_when_they_have_a_choice() -> None:
    events = play("tic_tac_toe", make_player("legal"), make_player("legal"))

    assert all(len(turn.decisions) <= 1 for turn in turns(events))


def test_every_role_needs_a_player() -> None:
    with pytest.raises(GameError, match="no player for role 'oplayer'"):
        Match(ludens.load("tic_tac_toe"), {"xplayer": make_player("legal")}, CLOCK, 1)


def test_a_game_without_legal_moves_is_a_clear_error() -> None:
    rules = "(role a) (init p) (<= (legal a stop) (true q)) (<= (next p) (true p)) (<= terminal (true q)) (goal a 0)"
    match = Match(ReferenceGame(read_rules(rules), "stuck"), {"a": make_player("legal")}, CLOCK, 1)

    with pytest.raises(GameError, match="nobody has a legal move in a state that is not terminal"):
        list(match.events())


class Odd(Player):
    name = "odd"
    description = "breaks the contract in some way"

    def __init__(self, fault: str) -> None:
        super().__init__()
        self.fault = fault

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        if self.fault == "start":
            raise OSError("not today")
        if self.fault == "slow start":
            threading.Event().wait()

    def choose(self, view: View, deadline: Deadline) -> Decision:
        if self.fault == "text":
            return cast("Decision", str(view.legal_moves[0]))
        if self.fault == "exit":
            raise SystemExit
        extra = {"what": object()} if self.fault == "details" else {}
        return Decision(view.legal_moves[0], Thinking(extra=extra))

    def stop(self) -> None:
        if self.fault == "stop":
            raise OSError("cannot stop")


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("start", "crash"),
        ("slow start", "late"),
        ("text", "crash"),
        ("exit", "crash"),
        ("details", "crash"),
        ("stop", ""),
    ],
)
def test_a_player_that_breaks_the_contract_costs_only_itself(fault: str, kind: str, tmp_path: Path) -> None:
    clock = Clock(play=0.5, start=0.5) if fault == "slow start" else CLOCK
    events = play("tic_tac_toe", Odd(fault), make_player("legal"), clock)
    writer = RecordWriter(tmp_path, "0.0")
    for event in events:
        writer.write(event)

    assert isinstance(events[0], MatchStarted)
    failures = [*events[0].failures, *(failure for turn in turns(events) for failure in turn.failures)]
    assert {failure.kind for failure in failures} == ({kind} if kind else set())
    assert ended(events).failures == {"xplayer": len(failures), "oplayer": 0}
    assert ended(events).finished


def test_the_limit_of_turns_stops_a_match() -> None:
    game = ludens.load("tic_tac_toe")
    players = {role: make_player("legal") for role in game.roles}

    events = list(Match(game, players, CLOCK, 1, max_turns=2).events())

    assert (ended(events).turns, ended(events).finished) == (2, False)


def test_the_record_has_every_turn_on_disk_as_it_is_played(tmp_path: Path) -> None:
    game = ludens.load("tic_tac_toe")
    players = {role: make_player("random") for role in game.roles}
    writer = RecordWriter(tmp_path, "0.0")
    for count, event in enumerate(Match(game, players, CLOCK, 5).events(), start=1):
        writer.write(event)
        assert writer.path is not None
        assert len(writer.path.read_text().splitlines()) == count

    assert writer.path is not None
    lines = [json.loads(line) for line in writer.path.read_text().splitlines()]
    assert lines[0]["players"]["xplayer"] == {"name": "random", "options": {}}
    assert (lines[0]["seed"], lines[0]["game"], len(lines[0]["rules_sha256"])) == (5, "tic_tac_toe", 64)
    assert lines[-1]["event"] == "end"
    state = game.initial_state()
    for line in lines[1:-1]:
        state = state.play(line["moves"])
    assert state.is_terminal
    assert dict(state.goals) == lines[-1]["goals"]

"""People do not wait for players that are still starting."""

from __future__ import annotations

import threading

import ludens
from ludens.core import Clock, Deadline, Decision, Game, Player, Role, View
from ludens.players.human import HumanPlayer, Question
from ludens.referee import Event, Match, MatchStarted, PlayerFailed, TurnPlayed

CLOCK = Clock(play=20.0, start=20.0)


class Slow(Player):
    """Starts when it is let, and then plays the first move."""

    name = "slow"
    description = "starts when it is let"

    def __init__(self, error: str = "") -> None:
        super().__init__()
        self.may_start = threading.Event()
        self.has_started = False
        self.error = error

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        assert self.may_start.wait(20.0)
        self.has_started = True
        if self.error:
            raise RuntimeError(self.error)

    def choose(self, view: View, deadline: Deadline) -> Decision:
        assert self.has_started
        return Decision(view.legal_moves[0])


def person_against(player: Slow, game: str = "tic_tac_toe", *, first: bool = True) -> tuple[Match, list[bool]]:
    """A match of a person who answers with the first move, and whether the other had started at each question."""
    loaded = ludens.load(game, backend="interpreter")
    person, had_started = HumanPlayer(), []

    def ask(question: Question) -> None:
        had_started.append(player.has_started)
        player.may_start.set()
        question.answer(question.view.legal_moves[0])

    person.connect(ask)
    players = (person, player) if first else (player, person)
    return Match(loaded, dict(zip(loaded.roles, players, strict=True)), CLOCK, seed=1), had_started


def turns(events: list[Event]) -> list[TurnPlayed]:
    return [event for event in events if isinstance(event, TurnPlayed)]


def test_a_person_is_asked_while_the_other_player_is_starting() -> None:
    player = Slow()
    match, had_started = person_against(player)
    events = list(match.events())
    assert had_started[0] is False
    assert not any(turn.failures for turn in turns(events))
    assert match.state.is_terminal


def test_a_joint_move_asks_the_person_at_once_and_the_other_when_it_is_ready() -> None:
    player = Slow()
    match, had_started = person_against(player, "rock_paper_scissors")
    events = list(match.events())
    assert had_started[0] is False
    assert set(turns(events)[0].decisions) == set(match.game.roles)


def test_the_other_player_is_waited_for_if_it_begins() -> None:
    player = Slow()
    threading.Timer(0.1, player.may_start.set).start()
    match, had_started = person_against(player, first=False)
    events = list(match.events())
    assert all(had_started)
    assert not any(turn.failures for turn in turns(events))


def test_a_start_that_fails_behind_a_person_is_reported_when_the_player_is_asked() -> None:
    match, _ = person_against(Slow("no board"))
    events = list(match.events())
    started = next(event for event in events if isinstance(event, MatchStarted))
    failures = [event for event in events if isinstance(event, PlayerFailed)]
    assert started.failures == ()
    assert [(failure.role, failure.turn) for failure in failures] == [(match.game.roles[1], 2)]
    assert "at the start: RuntimeError: no board" in failures[0].message
    assert turns(events)[1].failures[0] == failures[0]

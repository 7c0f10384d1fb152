"""Players begin on the interpreter, and go on with the compiled game once it has arrived."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

import ludens
from ludens.core import Clock, Deadline, Decision, Game, Observation, Player, Role
from ludens.gdl.game import GdlGame
from ludens.gdl.reference import ReferenceGame
from ludens.players import make_player


class Coming(ReferenceGame):
    """An interpreted game whose compiled form arrives when a test says so."""

    arrived: GdlGame | None = None

    def compiled(self, seconds: float = math.inf) -> GdlGame:
        return self.arrived or self


def coming(name: str) -> tuple[Coming, GdlGame]:
    compiled = ludens.load(name, backend="circuit")
    assert isinstance(compiled, GdlGame)
    return Coming(compiled.sheet, compiled.name), compiled


PLAYERS: Mapping[str, str] = {
    "mcts:native=false": "connect_four:4,4",
    "mcts:mast=true": "connect_four:4,4",
    "alphabeta": "connect_four:4,4",
    "flat": "connect_four:4,4",
    "decomposition": "connect_four:4,4",
    "auto": "connect_four:4,4",
    "single": "hanoi:3",
    "ismcts": "kuhn_poker@gdl",
    "pimc": "kuhn_poker@gdl",
}


def choose(player: Player, game: Game, role: Role, turns: int) -> list[Decision]:
    """The player's decisions in a match in which all others take their first move."""
    state, found = game.initial_state(), []
    for turn in range(1, turns + 1):
        if state.is_terminal:
            break
        joint_move = {other: moves[0] for other in game.roles if (moves := state.legal_moves(other))}
        legal = state.legal_moves(role)
        if len(legal) > 1:
            found.append(player.choose(state.view(role), Deadline(0.3)))
            assert found[-1].move in legal
            joint_move[role] = found[-1].move
        resolved = state.chance_outcomes(joint_move)[0].joint_move
        state = state.play(resolved)
        public = None if game.hidden else resolved
        player.observe(Observation(turn, state.view(role), joint_move.get(role), public, state.percepts(role)))
        if isinstance(game, Coming) and turn == 1:
            game.arrived = ARRIVED[game.rules_text]
    return found


ARRIVED: dict[str, GdlGame] = {}


@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_goes_on_with_the_compiled_game(name: str) -> None:
    game, compiled = coming(PLAYERS[name])
    ARRIVED[game.rules_text] = compiled
    player = make_player(name)
    player.start(game, game.roles[0], 1, Clock(0.3, 1.0))

    assert choose(player, game, game.roles[0], 5)
    player.stop()


def test_the_statistics_of_the_root_are_carried_over() -> None:
    game, compiled = coming("connect_four:4,4")
    player = make_player("mcts:native=false,iterations=40")
    waiting = game.compiled
    player.start(game, "red", 1, Clock(0.3, 1.0))
    view = game.initial_state().view("red")
    before = player.choose(view, Deadline(math.inf)).thinking
    game.arrived = compiled
    player._load(math.inf)  # type: ignore[attr-defined]  # its thread has found nothing to load
    after = player.choose(view, Deadline(math.inf)).thinking
    player.stop()

    assert waiting() is compiled
    visits = {report.move: report.visits for report in before.moves}
    assert all(report.visits >= visits[report.move] for report in after.moves)
    assert sum(report.visits for report in after.moves) >= sum(visits.values()) + 40


def test_a_slow_playout_is_given_up_at_the_deadline() -> None:
    game, _ = coming("connect_four:4,4")
    player = make_player("mcts")
    player.start(game, "red", 1, Clock(0.3, 0.0))
    deadline = Deadline(100.0)
    deadline.cancel()

    assert player.choose(game.initial_state().view("red"), deadline).thinking.iterations == 0
    player.stop()

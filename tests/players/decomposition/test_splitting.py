"""Games that fall into subgames during play: found from the position, and solved by combinatorial values."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from ludens.analysis.report import report
from ludens.analysis.subgames.residual import find_residual
from ludens.core import Clock, Deadline, State, random_joint_move
from ludens.players.decomposition.player import DecompositionPlayer
from ludens.players.decomposition.solve import InOnePieceError, solve_by_parts
from ludens.players.minimax.solve import Solver
from tests.analysis.games import compiled
from tests.players.decomposition.splitting_sheets import clobber, domineering

FEW = 8
MANY = 400


def random_position(seed: int) -> State:
    """A position of Domineering or Clobber on a random board, after some random moves."""
    rng = Random(seed)
    if rng.random() < 0.5:
        cells = [(x, y) for x in range(5) for y in range(4) if rng.random() < 0.85]
        state = compiled(domineering(cells or [(0, 0)])).initial_state()
    else:
        rows = ["".join(rng.choice("xo") if rng.random() < 0.8 else "." for _ in range(6)) for _ in range(3)]
        state = compiled(clobber(["xo", *rows])).initial_state()
    for _ in range(rng.randint(2, 6)):
        if not state.is_terminal:
            state = state.play(random_joint_move(state, rng))
    return state


def check_position(seed: int) -> str:
    """Compare a position solved by parts with plain search; returns how it was solved."""
    state = random_position(seed)
    if state.is_terminal:
        return "over"
    try:
        found = solve_by_parts(state, 60.0)
    except InOnePieceError:
        return "whole"
    plain = Solver(state, 60.0).solve()
    assert found.bounds == plain.bounds, seed
    assert {role: set(moves) for role, moves in found.best.items()} == {
        role: set(moves) for role, moves in plain.best.items()
    }, seed
    return "values" if "combinatorial values" in found.note else "parts"


def test_positions_that_split_have_the_values_of_plain_search() -> None:
    solved = Counter(map(check_position, range(FEW)))

    assert solved["values"] >= 2


@pytest.mark.slow
def test_many_positions_that_split_have_the_values_of_plain_search() -> None:
    solved = Counter(map(check_position, range(FEW, FEW + MANY)))

    assert solved["values"] > MANY // 4


def test_what_can_no_longer_change_is_settled() -> None:
    game = compiled(domineering([(x, y) for x in range(3) for y in range(2)]))
    state = game.initial_state().play({"left": "(place (c 1 0) (c 1 1))", "right": "noop"})

    residual = find_residual(game, state)

    assert len(residual.settled) == 2  # the cells in the middle
    assert residual.moves == 4  # upright on either side, and noop of each role
    assert residual.state(state).facts == residual.game.initial_state().facts


def test_a_position_is_reported_with_the_values_of_its_subgames() -> None:
    game = compiled(domineering([(x, y) for x in range(5) for y in range(2)]))
    state = game.initial_state().play({"left": "(place (c 2 0) (c 2 1))", "right": "noop"})

    found = report(game, state=state)

    assert report(game).subgames == 1
    assert found.subgames == 2
    assert [part.value for part in found.parts if part.value] == ["±1", "±1"]
    assert "normal play" in " ".join(found.notes)


def test_the_player_looks_again_when_the_board_splits() -> None:
    """Two squares of four cells are left; Right has played in one of them, and Left wins by playing in the other."""
    game = compiled(domineering([(x, y) for x in range(5) for y in range(2)]))
    state = game.initial_state().play({"left": "(place (c 2 0) (c 2 1))", "right": "noop"})
    state = state.play({"left": "noop", "right": "(place (c 0 0) (c 1 0))"})
    player = DecompositionPlayer()
    player.start(game, "left", 1, Clock(60.0, 60.0))

    decision = player.choose(state.view("left"), Deadline(60.0))
    player.stop()

    assert "combinatorial values" in decision.thinking.note
    assert decision.move in {"(place (c 3 0) (c 3 1))", "(place (c 4 0) (c 4 1))"}
    assert "the position has 2 subgames" in player.why

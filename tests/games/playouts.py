"""Random playouts in which every state keeps what GDL asks of well-formed rules."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ludens.gdl.reference import ReferenceGame, ReferenceState
from ludens.gdl.terms import Term, arguments
from tests.thorough import part_of

MAX_STEPS = 5000
"""A playout that is longer than this counts as one that never ends."""


def check_random_playouts(game: ReferenceGame, playouts: int, seed: int = 0) -> None:
    """Play at random and assert that the game ends, that each role can move until then, and what it is worth.

    Fluents have to be among those that ``base`` names and moves among those that ``input`` names. At the end
    each role has exactly one goal value from 0 to 100. `make test` plays a quarter of the playouts.
    """
    fluents: set[Term] = {arguments(fact)[0] for fact in game.program.ask(game.program.static, ("base", 1))}
    inputs = set(game.program.ask(game.program.static, ("input", 2)))
    for state in random_states(game, part_of(playouts), seed):
        assert not state.facts - fluents, f"not in base: {sorted(map(str, state.facts - fluents))}"
        if state.is_terminal:
            _check_goals(state)
        else:
            _check_legal_moves(state, inputs)


def random_states(game: ReferenceGame, playouts: int, seed: int = 0) -> Iterator[ReferenceState]:
    """Every state of some random playouts from first to last; each playout ends with a terminal state."""
    rng = Random(seed)
    for _ in range(playouts):
        state = game.initial_state()
        yield state
        steps = 0
        while not state.is_terminal:
            assert steps < MAX_STEPS, f"{game.name} goes on for more than {MAX_STEPS} steps"
            state = state.play({role: rng.choice(state.legal_moves(role)) for role in game.roles})
            yield state
            steps += 1


def _check_goals(state: ReferenceState) -> None:
    for role in state.game.roles:
        values = state.goal_values(role)
        assert len(values) == 1, f"{role} has the goal values {values} in\n{state}"
        assert 0 <= values[0] <= 100


def _check_legal_moves(state: ReferenceState, inputs: set[Term]) -> None:
    for role in state.game.roles:
        moves = state.legal_moves(role)
        assert moves, f"{role} has no legal move in\n{state}"
        who = state.game.read(role)
        undeclared = [move for move in moves if ("input", who, move.term) not in inputs]
        assert not undeclared, f"not in input: {role} {', '.join(undeclared)}"

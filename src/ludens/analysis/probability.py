"""The probability that a query holds at the end of a match: exact, from all positions, or estimated by matches."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from ludens.core import (
    GameError,
    JointMove,
    Role,
    State,
    TooManyOutcomesError,
    compiled_state,
    joint_moves,
    play_randomly,
)
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame
from ludens.core.interval import wilson
from ludens.gdl.game import GdlState

Query = Callable[[State], bool]
"""Returns whether something holds in a terminal state."""
Policy = Callable[[State], Mapping[Role, Mapping[str, float]]]
"""Returns the probabilities of each role's moves in a state."""

MOST_POSITIONS = 500_000
MOST_SWEEPS = 100_000
CONVERGED = 1e-13
PLAYOUTS_AT_ONCE = 8_192
MOST_MOVES = 10_000


@dataclass(frozen=True, slots=True)
class Probability:
    """A probability, exact or estimated."""

    value: float
    low: float
    """The value itself if it is exact, else a 95 % confidence interval."""
    high: float
    exact: bool
    positions: int = 0
    """Positions visited, if it is exact."""
    playouts: int = 0
    """Matches played, if it is an estimate."""

    def as_json(self) -> dict[str, Any]:
        """The probability as JSON values."""
        return {
            "probability": self.value,
            "low": self.low,
            "high": self.high,
            "exact": self.exact,
            "positions": self.positions,
            "playouts": self.playouts,
        }


class TooManyPositions(Exception):  # noqa: N818 - a signal, not an error
    """There are more positions than the budget allows."""


@dataclass(slots=True)
class _Position:
    """A position with its joint moves."""

    goals: Mapping[Role, int] | None
    """Whether the query holds, if the position is terminal."""
    holds: float
    chooser: Role | None
    """The only role with a choice; None if no role or several have one."""
    moves: list[tuple[float, list[tuple[float, int]]]]
    """For each joint move its probability under the policy, and its successors with their probabilities."""


def exact_probability(
    state: State, query: Query, *, best: bool = False, policy: Policy | None = None, seconds: float = 60.0
) -> Probability:
    """The probability that ``query`` holds at the end if all choose uniformly, by a policy, or optimally.

    Raises `TooManyPositions` if that takes longer than the budget, and `GameError` for optimal play with simultaneous
    choices or hidden information.
    """
    positions = _positions(state, query, policy, time.monotonic() + seconds)
    if best:
        if state.game.hidden:
            raise GameError(f"{state.game.name} has hidden information, so positions have no best moves")
        _choose_best(positions, state.game.roles)
    value = _sweep(positions, [position.holds for position in positions])[0]
    return Probability(value, value, value, exact=True, positions=len(positions))


def _positions(state: State, query: Query, policy: Policy | None, due: float) -> list[_Position]:
    """All reachable positions, the given one first, each after one of its predecessors."""
    numbers: dict[object, int] = {_key(state): 0}
    states = [state]
    found: list[_Position] = []
    while len(found) < len(states):
        if len(states) > MOST_POSITIONS or time.monotonic() > due:
            raise TooManyPositions
        here = states[len(found)]
        if here.is_terminal:
            found.append(_Position(here.goals, float(query(here)), None, []))
            continue
        moves = []
        for share, joint_move in _choices(here, policy):
            outcomes = []
            try:
                possible = here.chance_outcomes(joint_move)
            except TooManyOutcomesError:
                raise TooManyPositions from None
            for outcome in possible:
                after = here.play(outcome.joint_move)
                number = numbers.setdefault(_key(after), len(states))
                if number == len(states):
                    states.append(after)
                outcomes.append((outcome.probability, number))
            moves.append((share, outcomes))
        choosing = [role for role in here.game.roles if len(here.legal_moves(role)) > 1]
        found.append(_Position(None, 0.0, choosing[0] if len(choosing) == 1 else None, moves))
    return found


def _key(state: State) -> object:
    """A key that differs for states that policies can distinguish, even if the position is the same."""
    if isinstance(state, GdlState) and state.game.hidden:
        return state, tuple(tuple(view.percepts for view in _history(state, role)) for role in state.game.roles)
    return state


def _history(state: GdlState, role: Role) -> Sequence[Any]:
    view = state.view(role)
    history: Sequence[Any] = getattr(view, "history", ())
    return history


def _choices(state: State, policy: Policy | None) -> list[tuple[float, JointMove]]:
    if policy is None:
        joint = list(joint_moves(state))
        return [(1 / len(joint), joint_move) for joint_move in joint]
    chances = policy(state)
    found: list[tuple[float, JointMove]] = []
    for joint_move in joint_moves(state):
        share = math.prod(chances[role].get(move, 0.0) if role in chances else 1.0 for role, move in joint_move.items())
        if share:
            found.append((share, joint_move))
    return found


def _sweep(positions: Sequence[_Position], values: list[float]) -> list[float]:
    """Back up values until they converge."""
    for _ in range(MOST_SWEEPS):
        change = 0.0
        for number in range(len(positions) - 1, -1, -1):
            position = positions[number]
            if not position.moves:
                continue
            value = math.fsum(
                share * probability * values[after]
                for share, outcomes in position.moves
                if share
                for probability, after in outcomes
            )
            change = max(change, abs(value - values[number]))
            values[number] = value
        if change < CONVERGED:
            break
    return values


def _choose_best(positions: Sequence[_Position], roles: Sequence[Role]) -> None:
    """Let every role that has a choice maximise its goal; equally good moves are equally likely."""
    values = {role: [float((position.goals or {}).get(role, 0)) for position in positions] for role in roles}
    for _ in range(MOST_SWEEPS):
        change = 0.0
        for number in range(len(positions) - 1, -1, -1):
            position = positions[number]
            if not position.moves:
                continue
            if position.chooser is None and len(position.moves) > 1:
                raise GameError("several roles choose at once, so there is no best move; use the policy random")
            worth = [_worth(outcomes, values[position.chooser or roles[0]]) for _, outcomes in position.moves]
            best = max(worth)
            chosen = [value > best - 1e-9 for value in worth]
            position.moves[:] = [
                (float(is_best) / sum(chosen), outcomes)
                for is_best, (_, outcomes) in zip(chosen, position.moves, strict=True)
            ]
            for role in roles:
                value = math.fsum(share * _worth(outcomes, values[role]) for share, outcomes in position.moves if share)
                change = max(change, abs(value - values[role][number]))
                values[role][number] = value
        if change < CONVERGED:
            return


def _worth(outcomes: Sequence[tuple[float, int]], values: Sequence[float]) -> float:
    return math.fsum(probability * values[after] for probability, after in outcomes)


def estimated_probability(
    state: State, query: Query, seconds: float, seed: int, goal: tuple[Role, int] | None = None
) -> Probability:
    """An estimate from random matches, played for ``seconds``; on batches if the query is a ``goal``."""
    state = compiled_state(state)
    due = time.monotonic() + seconds
    hits = playouts = 0
    if goal is not None and isinstance(state.game, BatchGame):
        batch = Batch(state.game, PLAYOUTS_AT_ONCE, seed=seed)
        batch.set_states([state])
        column = state.game.roles.index(goal[0])
        while not playouts or time.monotonic() < due:
            found = batch.playouts()
            playouts += int(found.ended.sum())
            hits += int(np.count_nonzero(found.goals[found.ended, column] == goal[1]))
            if not found.ended.any():
                break
    else:
        rng = Random(seed)
        while not playouts or time.monotonic() < due:
            playouts += 1
            hits += query(play_randomly(state, rng, MOST_MOVES))
    if not playouts:
        raise GameError(f"{state.game.name}: no match ended, so there is nothing to estimate from")
    share = wilson(hits, playouts)
    return Probability(share.mean, share.low, share.high, exact=False, playouts=playouts)

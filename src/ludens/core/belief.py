"""Belief states in games with hidden information: complete states that fit a role's own moves and percepts.

A belief is a set of weighted states. After each turn every state is replaced by those of its successors in which the
role would have perceived the same; others are assumed to move at random. As long as there are few states the belief is
exact, beyond that it is a sample (a particle filter). If all sampled states turn out to be wrong, the belief is
resampled from earlier and earlier turns, and at last by depth-first search for any history that fits.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Sequence
from hashlib import blake2b
from random import Random
from typing import Self

from ludens.core.clock import Deadline
from ludens.core.errors import GameError, TooManyOutcomesError
from ludens.core.game import Game, JointMove, Move, Outcome, Role, State, View

BELIEF_SIZE = 120
"""States of a belief."""
SPARE = 3
"""How many times more successors are generated than a belief keeps."""
MAX_SUCCESSORS = 400
"""Up to so many successors of a state are all tried; of more, some are sampled."""
SAMPLED_SUCCESSORS = 24
"""The number of sampled successors."""
RETRIES = 6
"""How often an empty belief is resampled from earlier turns."""
MAX_STEPS = 200_000
"""States that the search for a fitting history visits before it gives up."""


class OwnHistory(tuple[tuple[Move | None, tuple[str, ...]], ...]):
    """What a role did and perceived, turn by turn. As text it reads ``check → bet``; its hash is the same in all
    processes."""

    __slots__ = ()

    @property
    def digest(self) -> bytes:
        """A hash of 128 bits."""
        turns = ("\0".join((move or "", *percepts)) for move, percepts in self)
        return blake2b("\n".join(turns).encode(), digest_size=16).digest()

    def __hash__(self) -> int:
        return int.from_bytes(self.digest[:7], "big")

    def __str__(self) -> str:
        return " · ".join(filter(None, itertools.starmap(_turn_text, self)))


def _turn_text(move: Move | None, percepts: tuple[str, ...]) -> str:
    perceived = ", ".join(sorted(percepts))
    return f"{move or ''} → {perceived}" if perceived else move or ""


class PerceptView(View):
    """The view of a role that receives its percepts and nothing else.

    Views of one match are a chain: `after` gives the next one. Beliefs are computed when somebody asks for a sample.
    """

    _twin: PerceptView | None = None

    def __init__(self, game: Game, role: Role, initial: State, legal_moves: Sequence[Move] | None = None) -> None:
        self.game = game
        self.role = role
        self.previous: PerceptView | None = None
        """The view before the last turn; None at the beginning."""
        self.move: Move | None = None
        """The role's own move in the last turn, as it was chosen."""
        self.percepts: tuple[str, ...] = ()
        """What the role perceived of the last turn."""
        self.received_moves = legal_moves
        """The role's legal moves; None if it did not receive them."""
        self._states: dict[State, float] = {initial: 1.0}
        """The belief state; empty until it is computed."""

    def after(self, move: Move | None, percepts: Sequence[str], legal_moves: Sequence[Move] | None = None) -> Self:
        """The view after a turn; ``legal_moves`` default to those of the belief, whose states all have the same."""
        view = type(self).__new__(type(self))
        view.game, view.role, view.previous = self.game, self.role, self
        view.move, view.percepts = move, tuple(percepts)
        view.received_moves, view._states = legal_moves, {}
        return view

    def on(self, game: Game) -> PerceptView:
        """The same view in another form of the game (`Game.compiled`)."""
        if self.game is game:
            return self
        if self._twin is None or self._twin.game is not game:
            if self.previous is None:
                self._twin = PerceptView(game, self.role, game.initial_state(), self.received_moves)
            else:
                self._twin = self.previous.on(game).after(self.move, self.percepts, self.received_moves)
        return self._twin

    @property
    def legal_moves(self) -> Sequence[Move]:
        """The moves that the role can choose from now."""
        if self.received_moves is None:
            self.received_moves = next(iter(self.belief(Random(0)))).legal_moves(self.role)
        return self.received_moves

    @property
    def history(self) -> list[PerceptView]:
        """All views from the beginning to this one."""
        found = [self]
        while found[-1].previous is not None:
            found.append(found[-1].previous)
        return found[::-1]

    @property
    def information(self) -> Hashable:
        """The role's own moves and percepts so far."""
        return OwnHistory((view.move, view.percepts) for view in self.history)

    def sample(self, rng: Random) -> State:
        """A state of the belief, drawn by its weight."""
        states = self.belief(rng)
        return rng.choices(list(states), list(states.values()))[0]

    def belief(self, rng: Random) -> dict[State, float]:
        """The belief state: states that the role considers possible, with their weights, computed at the first call.

        Raises `GameError` if no history fits.
        """
        if not self._states:
            self._fill(rng)
        return self._states

    def _fill(self, rng: Random) -> None:
        chain = self.history
        start = max(n for n, view in enumerate(chain) if view._states)
        for attempt in range(RETRIES):
            first = max(0, start - (2**attempt - 1))
            for before, view in itertools.pairwise(chain[first:]):
                view._states = view._successors(before._states, rng, BELIEF_SIZE << attempt)
                if not view._states:
                    break
            if self._states:
                return
            if first == 0:
                break
        self._states = {self._search(chain, rng): 1.0}

    def _successors(self, before: dict[State, float], rng: Random, size: int) -> dict[State, float]:
        """The states that fit after one more turn, from those of the belief before it."""
        found: dict[Hashable, tuple[State, float]] = {}
        most = max(2, SPARE * size // len(before))
        for state, weight in before.items():
            for share, after in self._fitting_successors(state, rng, most):
                new = weight * share
                kept, old = found.get(after.position, (after, 0.0))
                if old and rng.random() * (old + new) < new:  # of histories with one position, one is kept at random
                    kept = after
                found[after.position] = kept, old + new
        states = dict(found.values())
        if len(states) > size:
            return _resample(states, size, rng)
        total = math.fsum(states.values())
        return {state: weight / total for state, weight in states.items()}

    def _fitting_successors(self, state: State, rng: Random, most: int) -> list[tuple[float, State]]:
        """Successors of a state that fit the role's move and percepts, at most ``most`` of them, drawn at random, with
        their shares of all that were tried."""
        options = list(_continuations(state, self.role, self.move, rng))
        if len(options) > most:
            rng.shuffle(options)
        found: list[tuple[float, State]] = []
        tried = 0.0
        for share, joint_move in options:
            tried += share
            after = state.play(joint_move)
            if self._fits(after):
                found.append((share, after))
                if len(found) == most:
                    break
        return [(share / tried, after) for share, after in found]

    def _fits(self, state: State) -> bool:
        if tuple(state.percepts(self.role)) != self.percepts:
            return False
        if self.received_moves is None:
            return True
        return list(state.legal_moves(self.role)) == list(self.received_moves)

    def _search(self, chain: Sequence[PerceptView], rng: Random) -> State:
        """Any state that fits, by depth-first search from the beginning, in random order."""
        levels = [iter(sorted(chain[0]._states, key=lambda _: rng.random()))]
        for _ in range(MAX_STEPS):
            Deadline.check_thread()
            state = next(levels[-1], None)
            if state is None:
                levels.pop()
                if not levels:
                    break
            elif len(levels) == len(chain):
                return state
            else:
                levels.append(_shuffle_successors(chain[len(levels)], state, rng))
        what = f"found no history that fits the percepts of {self.role} in {MAX_STEPS:,} steps"
        raise GameError(f"{self.game.name}: {what}")


def _shuffle_successors(view: PerceptView, state: State, rng: Random) -> Iterator[State]:
    found = [after for _, after in view._fitting_successors(state, rng, MAX_SUCCESSORS)]
    rng.shuffle(found)
    return iter(found)


def _continuations(state: State, role: Role, move: Move | None, rng: Random) -> Iterator[tuple[float, JointMove]]:
    """Resolved joint moves with a given move of one role, and their shares; drawn at random if they are many."""
    choices = {other: moves for other in state.game.roles if (moves := state.legal_moves(other))}
    if move is not None:
        if move not in choices.get(role, ()):
            return
        choices[role] = [move]
    elif role in choices:
        return
    if not choices:
        return
    count = math.prod(map(len, choices.values()))
    if count <= MAX_SUCCESSORS:
        joint_moves = [dict(zip(choices, chosen, strict=True)) for chosen in itertools.product(*choices.values())]
        outcomes = _all_outcomes(state, joint_moves)
        if outcomes is not None:
            yield from ((outcome.probability / count, outcome.joint_move) for outcome in outcomes)
            return
    for _ in range(SAMPLED_SUCCESSORS):
        drawn = {other: rng.choice(moves) for other, moves in choices.items()}
        yield 1 / SAMPLED_SUCCESSORS, state.resolve(drawn, rng)


def _all_outcomes(state: State, joint_moves: Sequence[JointMove]) -> list[Outcome] | None:
    """All outcomes of chance for some joint moves; None if there are too many."""
    if not state.game.chance:
        return [Outcome(1.0, joint_move) for joint_move in joint_moves]
    found: list[Outcome] = []
    for joint_move in joint_moves:
        try:
            found += state.chance_outcomes(joint_move, MAX_SUCCESSORS - len(found))
        except TooManyOutcomesError:
            return None
    return found


def _resample(states: dict[State, float], size: int, rng: Random) -> dict[State, float]:
    """``size`` states drawn by their weights, by systematic resampling."""
    step = math.fsum(states.values()) / size
    at = step * rng.random()
    passed = 0.0
    found: dict[State, float] = {}
    for state, weight in sorted(states.items(), key=lambda _: rng.random()):
        passed += weight
        while at < passed:
            found[state] = found.get(state, 0.0) + 1 / size
            at += step
    return found

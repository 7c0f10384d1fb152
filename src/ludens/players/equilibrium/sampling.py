"""Games too large to enumerate: external-sampling regret minimisation, and an estimate of their size."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from random import Random

from ludens.core import Game, GameError, LudensError, Move, Role, State
from ludens.players.equilibrium.policy import Policy, information_text

_DEEPEST = 10_000
"""Turns after which a match counts as endless."""


class _Set:
    """Regrets and the sum of strategies of an information set."""

    __slots__ = ("moves", "regrets", "sums")

    def __init__(self, moves: tuple[Move, ...]) -> None:
        self.moves = moves
        self.regrets = [0.0] * len(moves)
        self.sums = [0.0] * len(moves)

    def strategy(self) -> list[float]:
        """By regret matching."""
        positive = [max(0.0, regret) for regret in self.regrets]
        total = sum(positive)
        return [regret / total for regret in positive] if total > 0 else [1 / len(self.moves)] * len(self.moves)


class SamplingSolver:
    """External-sampling CFR: one role tries all its moves, everything else is drawn.

    It needs memory for the information sets it has met, and none for histories.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self._game = game
        self._rng = Random(seed)
        self._sets: dict[tuple[Role, Hashable], _Set] = {}
        self.iterations = 0
        """Iterations made so far."""

    @property
    def sets(self) -> int:
        """Information sets met so far."""
        return len(self._sets)

    def run(self, seconds: float) -> None:
        """Iterate for some time, at least once."""
        due = time.monotonic() + seconds
        while True:
            for role in self._game.roles:
                self._walk(self._game.initial_state(), role, 0)
            self.iterations += 1
            if time.monotonic() >= due:
                return

    def _walk(self, state: State, own: Role, turn: int) -> float:
        """The value of a state for a role that tries all its moves; the others' are drawn."""
        if state.is_terminal:
            return float(state.goals[own])
        if state.is_race or turn > _DEEPEST:
            raise GameError(f"{self._game.name}: races and endless matches have no equilibrium here")
        joint_move: dict[Role, Move] = {}
        for role in self._game.roles:
            moves = state.legal_moves(role)
            if moves and role != own:
                joint_move[role] = self._draw(state, role, tuple(moves))
        moves = tuple(state.legal_moves(own))
        if not joint_move and not moves:
            return float(state.goals[own])
        if len(moves) < 2:
            forced = {own: moves[0]} if moves else {}
            return self._walk(self._after(state, joint_move | forced), own, turn + 1)
        here = self._set_at(state, own, moves)
        strategy = here.strategy()
        values = [self._walk(self._after(state, joint_move | {own: move}), own, turn + 1) for move in moves]
        expected = sum(share * value for share, value in zip(strategy, values, strict=True))
        for n, value in enumerate(values):
            here.regrets[n] += value - expected
        return expected

    def _after(self, state: State, joint_move: dict[Role, Move]) -> State:
        return state.sample(joint_move, self._rng)

    def _set_at(self, state: State, role: Role, moves: tuple[Move, ...]) -> _Set:
        key = role, state.view(role).information
        found = self._sets.get(key)
        if found is None:
            found = self._sets[key] = _Set(moves)
        return found

    def _draw(self, state: State, role: Role, moves: tuple[Move, ...]) -> Move:
        """A move of another role, by its strategy, which is added to its mean."""
        if len(moves) == 1:
            return moves[0]
        here = self._set_at(state, role, moves)
        strategy = here.strategy()
        for n, share in enumerate(strategy):
            here.sums[n] += share
        return self._rng.choices(here.moves, strategy)[0]

    def policy(self) -> Policy:
        """The mean strategy so far."""
        sets: dict[Role, dict[str, dict[Move, float]]] = {role: {} for role in self._game.roles}
        for (role, information), found in self._sets.items():
            total = sum(found.sums)
            shares = [share / total for share in found.sums] if total > 0 else found.strategy()
            sets[role][information_text(information)] = dict(zip(found.moves, shares, strict=True))
        return Policy(self._game.name, self._game.rules_hash, sets, {}, None, self.iterations)


@dataclass(frozen=True, slots=True)
class Size:
    """The estimated size of a game's tree."""

    histories: float
    sets: float
    """A lower bound, on average, of the number of information sets."""


def estimate_size(game: Game, seconds: float, seed: int = 1) -> Size:
    """Estimate the number of histories by random descents (Knuth), and bound that of information sets by how many were
    met once and twice (Chao)."""
    rng = Random(seed)
    due = time.monotonic() + seconds
    total, descents = 0.0, 0
    met: Counter[tuple[Role, Hashable]] = Counter()
    while descents == 0 or time.monotonic() < due:
        state, weight = game.initial_state(), 1.0
        for _ in range(_DEEPEST):
            total += weight
            choices = {
                role: moves for role in game.roles if not state.is_terminal and (moves := state.legal_moves(role))
            }
            if not choices:
                break
            joint_move = {role: rng.choice(list(moves)) for role, moves in choices.items()}
            for role, moves in choices.items():
                weight *= len(moves)
                if len(moves) > 1:
                    met[role, state.view(role).information] += 1
            if game.chance:
                try:
                    weight *= max(1, len(state.chance_outcomes(joint_move, 10_000)))
                except LudensError:
                    weight *= 10_000
            state = state.sample(joint_move, rng)
        descents += 1
    times = Counter(met.values())
    return Size(total / descents, len(met) + times[1] * (times[1] - 1) / (2 * (times[2] + 1)))

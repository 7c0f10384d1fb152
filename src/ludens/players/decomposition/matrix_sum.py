"""Boards on which two roles move at once, in parallel, with goals that are sums: a matrix game for each board.

Proved here before it is used: every combination of a role's actions in the subgames is a move, the clock alone ends the
game, the goals of the two roles have a constant total, and the first role's goal is a sum of one term for each subgame.
Then a role that plays an optimal mixed strategy in every subgame, independently, guarantees the sum of their values,
and so does the other: the value of the game is that sum, and each subgame is solved alone, tick by tick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod

import numpy as np

from ludens.analysis.gates.supports import members
from ludens.analysis.subgames.local import ILLEGAL, LocalGame
from ludens.analysis.subgames.positions import Subgames
from ludens.players.minimax.matrix import TOLERANCE, solve_matrix
from ludens.players.space.space import Flags, Values

MOST_OUTCOMES = 50_000
"""The most combinations of outcomes of subgames for which it is checked that goals are sums."""


class NoMatrixSumError(Exception):
    """The game is not such a sum; the message says why."""


class MatrixSum:
    """The subgames as matrix games, solved from the first listed positions on. Raises `NoMatrixSumError`."""

    def __init__(self, subgames: Subgames, pulse: Callable[[], None]) -> None:
        whole = subgames.whole
        if len(whole.circuit.roles) != 2 or all(len(phase.choosers) < 2 for phase in whole.phases):
            raise NoMatrixSumError("two roles do not move at once")
        if not all(moves.is_product() for moves in whole.moves):
            raise NoMatrixSumError("not every combination of actions is a move")
        if not subgames.ends.is_ended_by_clock():
            raise NoMatrixSumError("the subgames decide when the game is over")
        self._subgames = subgames
        self._pulse = pulse
        self._ticks = self._find_ticks()
        self._known: dict[tuple[float, ...], float] = {}
        reached = [self._reach(local) for local in subgames.locals]
        self.total = 0
        """The sum of the two roles' goals."""
        self._base = 0
        terms = self._split_goals([own[-1] for own in reached])
        self._values = [
            self._induct(local, own, term) for local, own, term in zip(subgames.locals, reached, terms, strict=True)
        ]
        self.matrices = sum(int(own.sum()) for each in reached for own in each[:-1])
        """The number of matrix games."""

    def value(self, positions: Sequence[int]) -> float:
        """The first role's goal from a tick and a position in each subgame on."""
        step = self._ticks.index(positions[0])
        parts = zip(self._values, positions[1:], strict=True)
        return self._base + float(sum(own[step][number] for own, number in parts))

    def best_moves(self, positions: Sequence[int]) -> tuple[int, list[int]] | None:
        """The role that chooses alone, and its best moves by number; None if the roles choose at once, or none does."""
        step = self._ticks.index(positions[0])
        whole = self._subgames.whole
        number = whole.clock.phase(positions[0])
        choosers = whole.phases[number].choosers
        if len(choosers) != 1 or step == len(self._ticks) - 1:
            return None
        (role,) = choosers
        turn = next(turn for turn in whole.turns if (turn.phase, turn.role) == (number, role))
        best = (1 << len(turn.moves)) - 1
        for local, own, position in zip(self._subgames.locals, self._values, positions[1:], strict=True):
            here = 0
            phase = local.phases[number]
            for combination, after in zip(phase.joint, local.transitions[number], strict=True):
                target = int(after[position])
                if target != ILLEGAL and abs(own[step + 1][target] - own[step][position]) < TOLERANCE:
                    here |= phase.actions[role][combination[role]].moves
            best &= here
        return role, [turn.moves[place] for place in members(best)]

    def _find_ticks(self) -> list[int]:
        """The ticks from the first listed positions to the end."""
        subgames = self._subgames
        clock = subgames.whole.clock
        found = [subgames.first_tick]
        while not subgames.ends.is_terminal((subgames.tick_values[found[-1]], *(0 for _ in subgames.locals))):
            after = clock.after(found[-1])
            if after in found:
                raise NoMatrixSumError("the clock does not end the game")
            found.append(after)
        return found

    def _reach(self, local: LocalGame) -> list[Flags]:
        """For each tick the positions of a subgame that can be reached."""
        now = np.zeros(len(local), np.bool_)
        now[0] = True
        found = [now]
        for tick in self._ticks[:-1]:
            now = np.zeros(len(local), np.bool_)
            for after in local.transitions[self._subgames.whole.clock.phase(tick)]:
                targets = after[found[-1]]
                now[targets[targets != ILLEGAL]] = True
            found.append(now)
        return found

    def _split_goals(self, last: Sequence[Flags]) -> list[Values]:
        """The term of each subgame in the first role's goal, for each of its positions at the end."""
        subgames = self._subgames
        tick = subgames.tick_values[self._ticks[-1]]
        outcomes = [
            sorted({local.values[position] for position in np.flatnonzero(own).tolist()})
            for local, own in zip(subgames.locals, last, strict=True)
        ]
        if prod(map(len, outcomes)) > MOST_OUTCOMES:
            raise NoMatrixSumError("there are too many outcomes to check that goals are sums")
        goals = {values: subgames.ends.goal_values(2, (tick, *values)) for values in product(*outcomes)}
        first = next(iter(goals))
        self._base, self.total = goals[first][0], sum(goals[first])
        terms: list[dict[int, int]] = []
        for part, own in enumerate(outcomes):
            terms.append({v: goals[(*first[:part], v, *first[part + 1 :])][0] - self._base for v in own})
        for values, (one, other) in goals.items():
            if one + other != self.total:
                raise NoMatrixSumError("the roles do not share a constant total")
            if one != self._base + sum(term[value] for term, value in zip(terms, values, strict=True)):
                raise NoMatrixSumError("the goals are not sums over the subgames")
        return [
            np.array([float(term.get(value, 0)) for value in local.values])
            for local, term in zip(subgames.locals, terms, strict=True)
        ]

    def _induct(self, local: LocalGame, reached: Sequence[Flags], last: Values) -> list[Values]:
        """The value of each position of a subgame at each tick, where it can be reached."""
        found = [last]
        for tick, own in zip(reversed(self._ticks[:-1]), reversed(reached[:-1]), strict=True):
            number = self._subgames.whole.clock.phase(tick)
            legal = local.legal[number]
            after = np.array(local.transitions[number]).reshape(len(legal[0]), len(legal[1]), len(local))
            now = np.zeros(len(local))
            for position in np.flatnonzero(own).tolist():
                self._pulse()
                rows = [n for n, where in enumerate(legal[0]) if where[position]]
                columns = [n for n, where in enumerate(legal[1]) if where[position]]
                if not rows or not columns:
                    raise NoMatrixSumError("a role cannot move in a nonterminal state")
                now[position] = self._solve(found[-1][after[np.ix_(rows, columns, [position])][:, :, 0]])
            found.append(now)
        return found[::-1]

    def _solve(self, payoffs: Values) -> float:
        key = (*payoffs.shape, *payoffs.ravel().tolist())
        if key not in self._known:
            self._known[key] = solve_matrix(payoffs).value
        return self._known[key]

"""Expand positions of any game, one by one, through the `State` contract alone."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from ludens.core import Game, GameError, Move, State, joint_moves
from ludens.gdl.game import GdlState
from ludens.players.space.space import IDLE, Expansion, JointMoves, Key, Numbers, Space

MOST_OUTCOMES = 1_000
"""Outcomes of chance that a joint move may have; more raise `TooManyOutcomesError`."""


def may_go_on(state: State) -> bool:
    """True if the roles that must move can: in GDL all of them, in Python games at least one."""
    able = (bool(state.legal_moves(role)) for role in state.game.roles)
    return all(able) if isinstance(state, GdlState) else any(able)


class ContractSpace(Space):
    """Positions are the states themselves; moves are numbered in the order of their first occurrence."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._moves: list[list[Move]] = [[] for _ in game.roles]
        self._numbers: list[dict[Move, int]] = [{} for _ in game.roles]

    def key(self, state: State) -> Key:
        """The state."""
        return state

    def move(self, role: int, number: int) -> Move:
        """The move with this number; an empty text for a role that does not move."""
        return "" if number == IDLE else self._moves[role][number]

    def expand(self, keys: Sequence[Key]) -> Expansion:
        """All children, for every outcome of chance. Raises `GameError` for races."""
        first, first_child = [0], [0]
        moves: list[list[int]] = []
        children: list[State] = []
        probabilities: list[float] = []
        states = [key for key in keys if isinstance(key, State)]
        for state in states:
            if state.is_race:
                raise GameError(f"{state.game.name}: the winner of a race depends on speed, so positions have no value")
            for joint_move in joint_moves(state):
                self.pulse()
                for outcome in state.chance_outcomes(joint_move, MOST_OUTCOMES):
                    children.append(state.play(outcome.joint_move))
                    probabilities.append(outcome.probability)
                first_child.append(len(children))
                moves.append([self._number(role, joint_move.get(name)) for role, name in enumerate(self.roles)])
            first.append(len(moves))
        mobility = self._counts(children)
        alone = len(children) == len(moves)
        joint = JointMoves(
            self._counts(states),
            np.array(first, np.int64),
            np.array(moves, np.int32).reshape(len(moves), len(self.roles)),
            None if alone else np.array(first_child, np.int64),
            None if alone else np.array(probabilities),
        )
        terminal = np.array([child.is_terminal for child in children], np.bool_)
        stuck = np.array([not may_go_on(child) for child in children], np.bool_) & ~terminal
        goals = self._table([child.goals[role] for child in children for role in self.roles])
        return Expansion(joint, children, terminal | stuck, goals, mobility, stuck=stuck)

    def _number(self, role: int, move: Move | None) -> int:
        if move is None:
            return IDLE
        numbers = self._numbers[role]
        if move not in numbers:
            numbers[move] = len(numbers)
            self._moves[role].append(move)
        return numbers[move]

    def _counts(self, states: Sequence[State]) -> Numbers:
        return self._table([len(state.legal_moves(role)) for state, role in itertools.product(states, self.roles)])

    def _table(self, numbers: Sequence[int]) -> Numbers:
        return np.array(numbers, np.int32).reshape(-1, len(self.roles))

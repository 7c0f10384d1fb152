"""One match that a caller plays move by move, shared by the environments of other libraries."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from ludens.adapters.encoding import Bits, Encoding
from ludens.core import BEST_GOAL, Move, Role, settle_race

LONGEST = 10_000
"""The default number of turns after which a match is cut off."""


class ConductedMatch:
    """A match with moves as numbers. The seed determines chance."""

    def __init__(self, encoding: Encoding, seed: int | None, longest: int) -> None:
        self.encoding = encoding
        self._rng = Random(seed)
        self._longest = longest
        self.state = encoding.game.initial_state()
        """The position."""
        self.turns = 0
        """Turns played."""

    @property
    def is_cut_off(self) -> bool:
        """True if the match was cut off."""
        return self.turns >= self._longest and not self.state.is_terminal

    @property
    def is_over(self) -> bool:
        """True if the match has ended or was cut off."""
        return self.state.is_terminal or self.is_cut_off

    def deciders(self) -> list[Role]:
        """The roles that have a choice; those that can move, if none has one."""
        if self.is_over:
            return []
        legal = {role: len(self.state.legal_moves(role)) for role in self.encoding.game.roles}
        return [role for role, count in legal.items() if count > 1] or [role for role, count in legal.items() if count]

    def observe(self, role: Role) -> dict[str, Bits]:
        """The role's observation, and the mask of its legal actions."""
        return {
            "observation": self.encoding.observe(self.state, role),
            "action_mask": self.encoding.mask(self.state, role),
        }

    def play(self, actions: Mapping[Role, int]) -> None:
        """Play one turn; a role without an action plays a random legal move."""
        state = self.state
        joint_move: dict[Role, Move] = {}
        for role in self.encoding.game.roles:
            moves = state.legal_moves(role)
            if moves:
                named = role in actions
                joint_move[role] = self.encoding.move(state, role, actions[role]) if named else self._rng.choice(moves)
        self.state = state.sample(settle_race(state, joint_move, self._rng), self._rng)
        self.turns += 1

    def random_action(self, role: Role) -> int:
        """The number of a random legal move."""
        return self._rng.choice([number for number, legal in enumerate(self.observe(role)["action_mask"]) if legal])

    def rewards(self) -> dict[Role, float]:
        """The goals as numbers from 0 to 1, once the match has ended by the rules; 0 before."""
        goals = self.state.goals if self.state.is_terminal else dict.fromkeys(self.encoding.game.roles, 0)
        return {role: goals[role] / BEST_GOAL for role in self.encoding.game.roles}

"""Expand positions of compiled games with chance: a child for every outcome of a joint move."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludens.core import GameError, TooManyOutcomesError
from ludens.core.batch_game import BatchGame, ChanceSource
from ludens.players.space.compiled import CompiledSpace, joint_moves
from ludens.players.space.contract import MOST_OUTCOMES
from ludens.players.space.space import Expansion, Flags, JointMoves, Key, Values


class ChanceSpace(CompiledSpace):
    """Positions as packed bits, with a child for every outcome of chance."""

    def __init__(self, game: BatchGame) -> None:
        super().__init__(game, game.move_roles)
        self._weights: list[Values] = []
        for source in game.chance_sources:
            weights = source.weights.copy()
            if source.idle is not None:
                weights[source.idle] = 0
            self._weights.append(weights)

    def expand(self, keys: Sequence[Key]) -> Expansion:
        """All children, for every outcome of chance. Raises `GameError` where the rules give it no weights."""
        packed = self._packed(keys)
        players = len(self.roles)
        found = self._expander.at(packed)
        if found.stuck.any():
            raise GameError(f"{self.game.name}: the rules give chance no weights, or contradictory ones")
        moves, counts = found.moves, found.counts
        joint = joint_moves(moves[:players], counts[:, :players])
        position = np.repeat(np.arange(len(packed)), np.diff(joint.first))
        drawn = [_draws(source, joint) for source in self.game.chance_sources]
        sizes = np.stack(
            [np.where(draws, own[position], 1) for draws, own in zip(drawn, counts[:, players:].T, strict=True)], axis=1
        )
        if (sizes.prod(axis=1, dtype=np.float64) > MOST_OUTCOMES).any():
            raise TooManyOutcomesError(f"a joint move has more than {MOST_OUTCOMES:,} outcomes")
        outcomes = sizes.prod(axis=1, dtype=np.int64)
        first_child = np.concatenate([np.zeros(1, np.int64), np.cumsum(outcomes)])
        which = np.repeat(np.arange(len(position)), outcomes)
        left = np.arange(len(which)) - first_child[which]
        probabilities = np.ones(len(which))
        columns = [joint.moves[which]]
        for number, weights in enumerate(self._weights):
            own = counts[:, players + number]
            starts = np.cumsum(own) - own
            left, choice = np.divmod(left, sizes[which, number])
            column = moves[players + number][starts[position][which] + choice]
            columns.append(column[:, None])
            totals = np.add.reduceat(weights[moves[players + number]], starts)
            shares = weights[column] / np.maximum(totals, 1)[position][which]
            probabilities *= np.where(drawn[number][which], shares, 1.0)
        if len(which) > len(position):
            joint = JointMoves(joint.counts, joint.first, joint.moves, first_child, probabilities)
        return self._expansion(joint, packed[position][which], np.concatenate(columns, axis=1))


def _draws(source: ChanceSource, joint: JointMoves) -> Flags:
    """For each joint move whether chance decides something."""
    if source.uses is None or source.owner is None:
        return np.ones(len(joint.moves), np.bool_)
    if not source.uses.any():  # the owner may be ``random``, which has no move in joint moves
        return np.zeros(len(joint.moves), np.bool_)
    found: Flags = source.uses[joint.moves[:, source.owner]]
    return found

"""Expanding positions of compiled games with chance: a child for every way in which a joint move can end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludens.compiler.batch.batch import Batch
from ludens.compiler.batch.game import CircuitGame
from ludens.core import GameError, TooManyOutcomesError
from ludens.gdl.core_form import NOTHING
from ludens.players.space.compiled import CompiledSpace, joint_moves
from ludens.players.space.contract import MOST_OUTCOMES
from ludens.players.space.space import Expansion, Flags, JointMoves, Key, Numbers, Values


@dataclass(frozen=True, slots=True)
class _Source:
    """A role of the circuit that nobody plays."""

    weights: Values
    """Of each of its moves; `NOTHING` has none."""
    owner: int
    """The role in whose moves it draws a random variable."""
    used: Flags | None
    """In which of the owner's moves; None for the role ``random``, which always draws."""

    def draws(self, joint: JointMoves) -> Flags:
        """In which joint moves something is drawn."""
        if self.used is None or not self.used.any():  # the owner may be ``random``, which is not in joint moves
            return np.full(len(joint.moves), self.used is None)
        found: Flags = self.used[joint.moves[:, self.owner]]
        return found


def is_drawn_at_once(game: CircuitGame) -> bool:
    """False if the role ``random`` has random variables in its own moves, which are drawn after it has moved."""
    return not any(
        chance.variable in game.random_variables.within(move.term)
        for chance in game.circuit.chance
        if chance.owner is not None and chance.owner >= game.circuit.players
        for move in game.move_texts[chance.owner]
    )


class ChanceSpace(CompiledSpace):
    """Positions as packed bits, with chance resolved in every way."""

    def __init__(self, game: CircuitGame) -> None:
        super().__init__(game)
        circuit = game.circuit
        self._sources: list[_Source] = []
        for moves, chance in zip(game.move_texts[circuit.players :], circuit.chance, strict=True):
            weights = np.array(chance.weights, np.float64)
            weights[[move.term == NOTHING for move in moves]] = 0
            used = None
            if chance.owner is not None:
                own = (game.random_variables.within(move.term) for move in game.move_texts[chance.owner])
                used = np.array([chance.variable in variables for variables in own], np.bool_)
            self._sources.append(_Source(weights, chance.owner or 0, used))

    def _some_moves(self, batch: Batch) -> Numbers:
        return np.stack([batch.legal(role).argmax(axis=1) for role in self.game.move_roles], axis=1)

    def expand(self, keys: Sequence[Key]) -> Expansion:
        """All children, with chance resolved in every way. Raises `GameError` where the rules give it no weights."""
        packed = self._packed(keys)
        players = len(self.roles)
        moves, counts = self._choices(packed, self.game.move_roles)
        joint = joint_moves(moves[:players], counts[:, :players])
        position = np.repeat(np.arange(len(packed)), np.diff(joint.first))
        drawn = [source.draws(joint) for source in self._sources]
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
        for number, source in enumerate(self._sources):
            own = counts[:, players + number]
            starts = np.cumsum(own) - own
            left, choice = np.divmod(left, sizes[which, number])
            column = moves[players + number][starts[position][which] + choice]
            columns.append(column[:, None])
            totals = np.add.reduceat(source.weights[moves[players + number]], starts)
            shares = source.weights[column] / np.maximum(totals, 1)[position][which]
            probabilities *= np.where(drawn[number][which], shares, 1.0)
        if len(which) > len(position):
            joint = JointMoves(joint.counts, joint.first, joint.moves, first_child, probabilities)
        return self._expansion(joint, packed[position][which], np.concatenate(columns, axis=1))

    def _check(self, batch: Batch) -> None:
        if batch.stuck.any():
            raise GameError(f"{self.game.name}: the rules give chance no weights, or contradictory ones, to draw by")

"""Positions of a compiled game as packed bits, thousands at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import State
from ludens.core.batch_game import BatchGame
from ludens.core.block import LANES
from ludens.players.one_role.conserved import ConservedNumber, conserved_numbers, implied_literals
from ludens.players.one_role.space import (
    LONGEST_PLAYOUT,
    STUCK,
    Flags,
    Keys,
    Layer,
    Numbers,
    Playouts,
    Positions,
    Space,
)
from ludens.players.one_role.tokens import find_tokens
from ludens.players.packed.relaxation import RelaxedRules, goal_parts, relax
from ludens.players.packed.transport import Tokens
from ludens.players.space.expander import Expander, Found


class CompiledSpace(Space):
    """Positions as rows of packed bits.

    Keys are 64-bit hashes if a state has more fluents than that, so among n positions two collide with a probability of
    about n²/2⁶⁵: 3 in a million for ten million positions.
    """

    lanes = LANES

    def __init__(self, game: BatchGame, seed: int) -> None:
        self.game, self._seed = game, seed
        self.texts = game.move_texts[0]
        self.best_goal = max(game.goal_values[0], default=0)
        self.counting = game.counting_fluents
        """The fluents that count steps and do not affect legal moves or other fluents."""
        self.features = np.flatnonzero(~self.counting)
        """The numbers of the other fluents."""
        self._nearness = game.nearness(0, self.best_goal)
        self._expander = Expander(game, game.roles, seed)
        self._multipliers = np.random.default_rng(2011).integers(1, 2**63, 4_096, np.uint64) | np.uint64(1)
        self._width = game.packed_width
        self._not_counting = np.packbits(~self.counting, bitorder="little")

    @cached_property
    def relaxed_rules(self) -> RelaxedRules | None:
        """The relaxed rules for the best goal; None if there are none."""
        return relax(self.game, self.best_goal) if isinstance(self.game, CircuitRules) else None

    @cached_property
    def guiding_rules(self) -> RelaxedRules | None:
        """The same with conditions that random play suggests, which prove nothing."""
        if not isinstance(self.game, CircuitRules):
            return None
        return relax(self.game, self.best_goal, implied_literals(self.game, self._conserved, self._parts))

    @cached_property
    def tokens(self) -> Tokens | None:
        """The tokens that the goal puts in their places; None if it does not or demands something else, too."""
        if not isinstance(self.game, CircuitRules) or not self._parts:
            return None
        return find_tokens(self.game, self._conserved, self._parts)

    @cached_property
    def _parts(self) -> list[int]:
        """The literals whose conjunction is the best goal."""
        return goal_parts(self.game.circuit, self.best_goal) if isinstance(self.game, CircuitRules) else []

    @cached_property
    def _conserved(self) -> list[ConservedNumber]:
        assert isinstance(self.game, CircuitRules)
        return conserved_numbers(self.game, self._parts, self._seed)

    def layer(self, states: Sequence[State]) -> Layer:
        """States as packed bits."""
        return self.game.pack(states)

    def examine(self, layer: Layer) -> Positions:
        """A layer with terminal flags and goals."""
        return _positions(self._expander.at(layer))

    def moves(self, layer: Layer) -> tuple[Numbers, Numbers]:
        """Every legal move of every position."""
        found = self._expander.at(layer)
        return np.repeat(np.arange(len(layer)), found.counts[:, 0]), found.moves[0].astype(np.int64)

    def play(self, layer: Layer, moves: Numbers) -> Positions:
        """The positions after one legal move in each."""
        return _positions(self._expander.after(layer, moves[:, None].astype(np.int32)))

    def keys(self, layer: Layer, *, count: bool) -> Keys:
        """The fluents, or those that do not count steps, as one number."""
        words = -(-self._width // 8)
        padded = np.zeros((len(layer), words * 8), np.uint8)
        padded[:, : self._width] = layer if count else layer & self._not_counting
        columns = padded.view(np.uint64)
        keys = np.zeros(len(layer), np.uint64)
        for n in range(words):
            # Each step is a bijection of the word, so states of one word do not collide.
            keys = (keys ^ columns[:, n]) * self._multipliers[n % len(self._multipliers)]
            keys ^= keys >> np.uint64(32)
        keys *= np.uint64(0x9E3779B97F4A7C15)
        keys ^= keys >> np.uint64(29)
        return np.where(keys == 0, np.uint64(1), keys)

    def playouts(self, layer: Layer) -> Playouts:
        """A random playout from each position, at most `MOST_LANES`."""
        batch = self._expander.batch(layer)
        given_up = np.zeros(len(batch), np.bool_)
        steps: list[Numbers] = []
        while len(steps) < LONGEST_PLAYOUT:
            moves = batch.random_moves()[:, 0].astype(np.int64)
            over = batch.terminal | given_up
            stuck = (moves == STUCK) & ~over
            if stuck.any():
                batch.restart(stuck)
                given_up |= stuck
                continue
            if over.all():
                break
            steps.append(np.where(over, STUCK, moves)[: len(layer)])
            batch.advance(moves[:, None])
        ends = _positions(self._expander.read(batch, batch.packed_states[: len(layer)]))
        ended = ends.terminal & ~given_up[: len(layer)]
        line = np.stack(steps, axis=1) if steps else np.empty((len(layer), 0), np.int64)
        return Playouts(np.where(ended, ends.goals, STUCK), np.where(ended, self.scores(ends), STUCK), line)

    def bytes_each(self) -> int:
        """The packed bits."""
        return self._width

    def observation(self, layer: Layer) -> Flags:
        """Which of the `features` are true in each position."""
        dense = np.unpackbits(layer, axis=1, count=len(self.counting), bitorder="little")
        return dense[:, self.features].view(np.bool_)

    def scores(self, positions: Positions) -> NDArray[np.float64]:
        """The current goal, plus less than 1 for nearness to the best goal."""
        found = positions.goals.astype(np.float64)
        if self._nearness is not None:
            bits = np.unpackbits(positions.layer, axis=1, count=len(self.counting), bitorder="little")
            found += 0.99 * self._nearness(bits)
        return found


def _positions(found: Found) -> Positions:
    return Positions(found.packed, found.terminal, found.goals[:, 0].astype(np.int64))

"""States that random play reaches, many lanes at once, and the examples among them that decide facts about a game.

What play comes across is a proof that it happens. What it does not come across proves nothing; the states are evidence
from which `ludens.compiler.batch.facts.proofs` guesses what always holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.batch.facts.effort import Effort
from ludens.compiler.batch.game import CircuitGame
from ludens.compiler.circuit.signals import Words, bits_of, pack
from ludens.compiler.native.truth_tables import LANES, WORDS

BEST_GOAL = 100
MOST_STATES = 64
"""Snapshots of all lanes that are kept."""
MOST_BYTES = 1 << 25
"""Memory for these snapshots."""
STEPS = 400
"""Joint moves of each lane, if there is time."""

Counts = NDArray[np.intp]


@dataclass
class Sample:
    """What random play came across."""

    together: tuple[int, tuple[int, ...]] | None = None
    """A turn, counted from 0, and the roles that have a choice in it, if there was one with several."""
    again: tuple[int, int] | None = None
    """A turn and a role that has a choice in it and in the next, if there was one."""
    sums: set[int] = field(default_factory=set)
    """The sums of all roles' goals in terminal states."""
    states: list[tuple[Words, Counts]] = field(default_factory=list)
    """Snapshots: a row for each fluent and a bit for each lane; and the turn of each lane."""


class LanePlay:
    """Random play of `LANES` matches at once; those that are over begin again."""

    def __init__(self, game: CircuitGame, seed: int = 1) -> None:
        self._game = game
        circuit = game.circuit
        self._random = np.random.default_rng(seed)
        initial = np.array(circuit.initial, np.bool_)
        self._initial: Words = np.where(initial[:, None], np.uint64(2**64 - 1), np.uint64(0)) * np.ones(
            (1, WORDS), np.uint64
        )
        self._fluents = self._initial.copy()
        self._turns: Counts = np.zeros(LANES, np.intp)
        self._chooser: Counts = np.full(LANES, -1, np.intp)
        """The role that had the only choice in the state before, -1 if there was none."""
        self._kept_steps = 1 + MOST_BYTES // max(1, 8 * self._fluents.size)
        self._steps = 0
        self.sample = Sample()

    def run(self, effort: Effort, *, for_together: bool = False) -> Sample:
        """Play on as long as the effort goes, or until two roles have a choice at once if that is all one wants."""
        while self._steps < STEPS and not (for_together and self.sample.together) and not effort.is_spent:
            self.step()
        return self.sample

    def step(self) -> None:
        """One joint move in every lane."""
        circuit, sample = self._game.circuit, self.sample
        if len(sample.states) < min(MOST_STATES, self._kept_steps) and (self._steps < 32 or self._steps % 8 == 0):
            sample.states.append((self._fluents.copy(), self._turns.copy()))
        self._steps += 1
        found = self._game.evaluate_state.lanes(self._fluents)
        over = bits_of(found[:1])[0].astype(np.bool_)
        if over.any():
            self._note_goals(found[1 : 1 + len(circuit.goals)], over)
        first = 1 + len(circuit.goals)
        done = []
        counts = np.zeros((len(circuit.roles), LANES), np.intp)
        for role, moves in enumerate(circuit.moves):
            legal = found[first : first + len(moves)]
            first += len(moves)
            bits = bits_of(legal)
            counts[role] = bits.sum(axis=0, dtype=np.intp)
            done.append(self._choose(bits))
        going = ~over & (counts > 0).all(axis=0)
        self._note_choices(counts[: circuit.players] > 1, going)
        after = self._game.evaluate_move.lanes(np.concatenate([self._fluents, *done]))
        mask = pack(going[None])
        self._fluents = (after & mask) | (self._initial & ~mask)
        self._turns = np.where(going, self._turns + 1, 0)

    def _choose(self, bits: NDArray[np.uint8]) -> Words:
        """A random one of the legal moves in each lane."""
        some = bits & self._random.integers(0, 2, bits.shape, np.uint8)
        bits = np.where(some.any(axis=0), some, bits)
        order = self._random.permutation(len(bits))
        done = np.zeros(bits.shape, np.bool_)
        if len(bits):
            done[order[bits[order].argmax(axis=0)], np.arange(LANES)] = True
        return pack(done & (bits > 0))

    def _note_choices(self, choices: NDArray[np.bool_], going: NDArray[np.bool_]) -> None:
        sample = self.sample
        choosing = choices.sum(axis=0)
        several = going & (choosing > 1)
        if sample.together is None and several.any():
            lane = min(np.flatnonzero(several), key=lambda lane: self._turns[lane])
            roles = tuple(np.flatnonzero(choices[:, lane]).tolist())
            sample.together = int(self._turns[lane]), roles
        chooser = np.where(choosing == 1, choices.argmax(axis=0), -1)
        again = going & (chooser >= 0) & (chooser == self._chooser)
        if sample.again is None and again.any():
            first = int(np.flatnonzero(again)[0])
            sample.again = int(self._turns[first]) - 1, int(chooser[first])
        self._chooser = np.where(going, chooser, -1)

    def _note_goals(self, rows: Words, over: NDArray[np.bool_]) -> None:
        circuit = self._game.circuit
        bits = bits_of(rows)[:, over] if len(rows) else np.zeros((0, int(over.sum())), np.uint8)
        total = np.zeros(int(over.sum()), np.intp)
        for role in range(circuit.players):
            own = [n for n, goal in enumerate(circuit.goals) if goal.role == role]
            values = np.array([goal.value if goal.value <= BEST_GOAL else 0 for goal in circuit.goals], np.intp)[own]
            holding = bits[own]
            total += np.where(holding.sum(axis=0) == 1, values @ holding, 0)
        self.sample.sums.update(np.unique(total).tolist())

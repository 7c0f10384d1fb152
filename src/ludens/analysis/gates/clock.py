"""The clock of a game: fluents that change independently of moves, such as turns and step counters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

import numpy as np
import numpy.typing as npt

from ludens.analysis.budget import Pulse, no_pulse
from ludens.analysis.gates.lanes import evaluate
from ludens.analysis.gates.supports import Bits, Supports, bits_of, members
from ludens.compiler.circuit.circuit import Circuit

MOST_TICKS = 4_000
"""A clock with more ticks than this is ignored."""


@dataclass(frozen=True, slots=True)
class GameClock:
    """The fluents that change independently of moves, and their values from the initial state on."""

    fluents: Bits
    """The fluents that depend on no move."""
    ticks: tuple[Bits, ...]
    """Which of them are true after 0, 1, 2, … joint moves."""
    back_to: int
    """The tick that follows the last one."""
    read: Bits
    """The clock's fluents that moves and other fluents depend on: whose turn it is."""
    kept: Bits
    """The clock's fluents by which ticks differ; all of `fluents` but where `relevant` removed some."""

    def relevant(self, circuit: Circuit, supports: Supports) -> GameClock:
        """The clock whose ticks differ only by what moves, fluents outside the clock, goals or the end depend on."""
        kept = self.read | supports.of(circuit.terminal)
        for goal in circuit.goals:
            kept |= supports.of(goal.literal)
        kept &= self.fluents
        while more := _union(supports.of(circuit.next[n]) for n in members(kept)) & ~kept:
            kept |= more
        seen: dict[Bits, int] = {}
        tick = 0
        while self.ticks[tick] & kept not in seen:
            seen[self.ticks[tick] & kept] = len(seen)
            tick = self.after(tick)
        return replace(self, ticks=tuple(seen), back_to=seen[self.ticks[tick] & kept], kept=kept)

    def tick_of(self, bits: npt.NDArray[np.bool_]) -> int | None:
        """The tick of a state, given by its fluents; None if the clock never comes to it."""
        now = sum(1 << n for n in members(self.kept) if bits[n])
        return self.ticks.index(now) if now in self.ticks else None

    def after(self, tick: int) -> int:
        """The tick that follows a tick."""
        return tick + 1 if tick + 1 < len(self.ticks) else self.back_to

    @property
    def phases(self) -> tuple[Bits, ...]:
        """The distinct values of the fluents in `read`."""
        return tuple(dict.fromkeys(tick & self.read for tick in self.ticks))

    def phase(self, tick: int) -> int:
        """The number of a tick's phase."""
        return self.phases.index(self.ticks[tick] & self.read)


def find_clock(circuit: Circuit, supports: Supports, pulse: Pulse = no_pulse) -> GameClock:
    """The clock of a game; empty if there is none."""
    fluents = _autonomous(circuit, supports)
    followed = _ticks(circuit, list(members(fluents)), pulse)
    if followed is None:
        fluents, followed = 0, ([0], 0)
    read = 0
    for n, literal in enumerate(circuit.next):
        if not fluents >> n & 1:
            read |= supports.of(literal)
    for moves in circuit.moves:
        for _, _, legal in moves:
            read |= supports.of(legal)
    return GameClock(fluents, tuple(followed[0]), followed[1], read & fluents, fluents)


def _union(sets: Iterable[Bits]) -> Bits:
    return reduce(or_, sets, 0)


def _autonomous(circuit: Circuit, supports: Supports) -> Bits:
    """The largest set of fluents whose next values depend on nothing outside the set."""
    found = bits_of(range(len(circuit.fluents)))
    while True:
        left = bits_of(n for n in members(found) if not supports.of(circuit.next[n]) & ~found)
        if left == found:
            return found
        found = left


def _ticks(circuit: Circuit, fluents: Sequence[int], pulse: Pulse) -> tuple[list[Bits], int] | None:
    """The values from the initial state until they repeat, and the repeated tick; None if that takes too long."""
    now = bits_of(n for n in fluents if circuit.initial[n])
    seen: dict[Bits, int] = {}
    while now not in seen:
        pulse()
        if len(seen) >= MOST_TICKS:
            return None
        seen[now] = len(seen)
        inputs = {circuit.fluent_inputs[n] >> 1: now >> n & 1 for n in fluents}
        values = evaluate(circuit.gates, [circuit.next[n] for n in fluents], inputs, 1, circuit.loops)
        now = bits_of(n for n, value in zip(fluents, values, strict=True) if value)
    return list(seen), seen[now]

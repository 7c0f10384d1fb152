"""The subgames of a game with all their positions, and the end over their concepts.

Component 0 is the clock; the subgames follow, including irrelevant ones, since a role may wait in them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from ludens.analysis.gates.lanes import evaluate
from ludens.analysis.gates.supports import Bits, members
from ludens.analysis.subgames.concepts import EndFormulas, end_formulas
from ludens.analysis.subgames.local import LocalGame
from ludens.analysis.subgames.parts import Decomposition
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import State


class Subgames:
    """The subgames of a game from one of its states on. Raises `GameError` if they cannot be listed."""

    def __init__(
        self,
        game: CircuitRules,
        whole: Decomposition,
        state: State | None = None,
        pulse: Callable[[], None] = lambda: None,
    ) -> None:
        self.game = game
        self.whole = whole
        """The decomposition of the game."""
        bits = game.bits_of(state or game.initial_state())
        clock = tuple(members(self.whole.clock.fluents))
        self.first_tick = self.whole.clock.tick_of(bits) or 0
        """The tick of the state from which positions are listed."""
        parts = self.whole.parts
        self.ends: EndFormulas = end_formulas(
            self.whole.circuit, self.whole.supports, [clock, *(part.numbers for part in parts)]
        )
        """The end and the goals."""
        self.locals = [
            LocalGame(self.whole, part, concepts, bits, pulse)
            for part, concepts in zip(parts, self.ends.concepts[1:], strict=True)
        ]
        """The subgames with all their positions."""

    @cached_property
    def free(self) -> bool:
        """Whether one role chooses at a time, and each of its moves acts in at most one subgame; the others' only
        moves are always legal."""
        return self._take_turns and not any(moves.shared_moves() for moves in self.whole.moves)

    @cached_property
    def parallel(self) -> bool:
        """Whether one role chooses at a time, and combines its actions in the subgames freely; the others' only moves
        are always legal."""
        return self._take_turns and all(moves.is_product() for moves in self.whole.moves)

    @property
    def _take_turns(self) -> bool:
        whole = self.whole
        return not any(len(phase.choosers) > 1 for phase in whole.phases) and not any(
            parts
            for turn in whole.turns
            if turn.role not in whole.phases[turn.phase].choosers
            for parts in turn.conditions
        )

    @cached_property
    def tick_values(self) -> list[Bits]:
        """For each tick of the clock the concepts that hold, as bits."""
        circuit, clock = self.whole.circuit, self.whole.clock
        inputs = {
            circuit.fluent_inputs[n] >> 1: sum((tick >> n & 1) << place for place, tick in enumerate(clock.ticks))
            for n in members(clock.fluents)
        }
        values = [0] * len(clock.ticks)
        for number, concept in enumerate(self.ends.concepts[0]):
            holds = (1 << len(values)) - 1
            for lanes in evaluate(circuit.gates, concept, inputs, len(values), circuit.loops):
                holds &= lanes
            for tick in members(holds):
                values[tick] |= 1 << number
        return values

    def positions(self, state: State) -> tuple[int, ...] | None:
        """The tick and the number of the position in each subgame; None if the state cannot be reached."""
        bits = self.game.bits_of(state)
        tick = self.whole.clock.tick_of(bits)
        if tick is None:
            return None
        numbers = [local.number(bits) for local in self.locals]
        if any(number is None for number in numbers):
            return None
        return (tick, *(number for number in numbers if number is not None))

    def passes(self, phase: int, role: int) -> list[int]:
        """The moves of a role in a phase that touch no subgame."""
        for turn, moves in zip(self.whole.turns, self.whole.moves, strict=True):
            if (turn.phase, turn.role) == (phase, role):
                touched = 0
                for mask in moves.touched.values():
                    touched |= mask
                return [turn.moves[place] for place in members(moves.everything & ~touched)]
        return []

    def __len__(self) -> int:
        return sum(map(len, self.locals))

"""What decomposing a game yields: its components, and how they are played together."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from ludens.analysis.gates.clock import GameClock
from ludens.analysis.gates.phases import Phase
from ludens.analysis.gates.supports import Supports
from ludens.analysis.gates.touches import Turn
from ludens.analysis.subgames.ends import EndRules
from ludens.analysis.subgames.partition import MovesOf, Partition
from ludens.compiler.circuit.circuit import Circuit
from ludens.gdl.terms import Term
from ludens.gdl.write import kif


class Kind(StrEnum):
    """What a component is."""

    GAME = "game"
    """A subgame that the end or a goal depends on."""
    CONTROL = "control"
    """Whose turn it is: changes independently of moves, and decides what is legal."""
    COUNTER = "counter"
    """Changes independently of moves, and affects at most the end and the goals."""
    NOOP = "noop"
    """Moves that do nothing."""
    IRRELEVANT = "irrelevant"
    """A subgame that neither the end nor a goal depends on, or fluents that never change."""


class Composition(StrEnum):
    """How subgames are played together."""

    CHOICE = "choice"
    """Each move acts in one subgame of the role's choice."""
    PARALLEL = "parallel"
    """Each move acts in all subgames."""
    SERIAL = "serial"
    """One subgame after the other."""
    MIXED = "mixed"
    """Some moves act in several subgames, but not all combinations exist."""


@dataclass(frozen=True, slots=True)
class Component:
    """Fluents that depend on each other, and the moves that touch them."""

    kind: Kind
    numbers: tuple[int, ...]
    """The fluents, as the circuit numbers them."""
    fluents: tuple[Term, ...]
    """The fluents as terms."""
    moves: tuple[tuple[str, str], ...]
    """Role and move."""

    def as_json(self) -> dict[str, Any]:
        """The component as JSON values."""
        return {
            "kind": str(self.kind),
            "fluents": [kif(fluent) for fluent in self.fluents],
            "moves": sorted({move for _, move in self.moves}),
        }


@dataclass(frozen=True)
class Decomposition:
    """A game as independent components."""

    circuit: Circuit
    supports: Supports
    """What the literals of the circuit depend on."""
    clock: GameClock
    phases: tuple[Phase, ...]
    turns: tuple[Turn, ...]
    defaults: tuple[tuple[int, ...], ...]
    """For each phase the next values of fluents after moves that do not affect them."""
    ends: EndRules | None
    """None if the rules of goals and the end have too many instances."""
    partition: Partition
    components: tuple[Component, ...]
    composition: Composition
    note: str = ""
    """Why the game stays whole, if it does."""

    @cached_property
    def moves(self) -> tuple[MovesOf, ...]:
        """The effects of the moves of each turn in each group."""
        return tuple(MovesOf(turn, self.phases[turn.phase], self.partition) for turn in self.turns)

    @property
    def games(self) -> tuple[Component, ...]:
        """The subgames."""
        return tuple(part for part in self.components if part.kind is Kind.GAME)

    @property
    def clock_rows(self) -> tuple[Component, ...]:
        """The components of the clock."""
        return tuple(part for part in self.components if part.numbers and part not in self.parts)

    @property
    def parts(self) -> tuple[Component, ...]:
        """All components that moves touch: subgames and irrelevant components."""
        return tuple(part for part in self.components if part.numbers and not self.clock.fluents >> part.numbers[0] & 1)

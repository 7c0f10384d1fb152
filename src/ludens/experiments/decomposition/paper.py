"""Figures reported by Zhao, Schiffel and Thielscher in "Decomposition of Multi-Player Games" (2009)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NimRow:
    """A column of the paper's table: four heaps, and seconds in Fluxplayer."""

    heaps: tuple[int, ...]
    misere: bool
    normal_search: float
    decomposition_search: float

    @property
    def game(self) -> str:
        """The name in the library."""
        return f"nim:{','.join(map(str, self.heaps))}" + (",misere" if self.misere else "")


NIM = (
    NimRow((1, 5, 4, 2), False, 0.4, 0.01),
    NimRow((2, 2, 10, 10), False, 3.5, 0.01),
    NimRow((11, 12, 15, 25), False, 6607, 0.07),
    NimRow((12, 12, 20, 20), True, 10797, 0.06),
)


@dataclass(frozen=True, slots=True)
class SequenceGame:
    """A game of figure 4, and the number of turn-move sequences that the paper's subgame search kept, of all."""

    title: str
    game: str
    """The name in the library."""
    depth: int
    """The depth of the counts."""
    kept: int
    every: int


SEQUENCES = (
    SequenceGame("Double-Tictactoe", "double_tic_tac_toe", 9, 912, 58_242_432),
    SequenceGame("Double-Crisscross2", "double_criss_cross", 6, 10_448, 15_864_465),
)
"""Figure 4 itself is a drawing of times without numbers, so only these counts can be compared with ours."""

"""Quick forms: positions of a page as plain values, in which histories are searched much faster than on tables.

In games with secret places, worlds are found by playing turns again that a player did not see. A page that offers a
quick form (`Rule.quick_form`) lets the search play them on thousands of positions. Every world that is returned was
played again on tables, so a mistake in the quick form costs worlds but does not make wrong ones.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from ludens.core import Move, Role
from ludens.tabletop.table import Table


@dataclass(frozen=True, slots=True)
class QuickTurn:
    """What a player knows about a turn of the match."""

    role: Role
    """The player that observed it."""
    mover: Role
    """The player that acted."""
    move: Move | None
    """The move, if it was the observer's own."""
    percepts: tuple[str, ...]
    """What the observer perceived."""
    is_over: bool
    """True if the play was over afterwards."""


History = tuple[Hashable, Sequence[Move]]
"""A position, and the moves of the turns after it."""
LATE, LATE_TURNS, MORE = 0.5, 12, 0.3
"""How often moves of the last turns are replaced, how many turns these are, and the chance of one more move."""


class QuickForm(ABC):
    """Positions of a page as hashable values. One player acts in each turn, and nothing is left to chance."""

    FITTING: ClassVar[float] = 30.0
    """The weight of positions in which a turn would fit."""

    @abstractmethod
    def first(self, table: Table) -> Hashable:
        """The position of a table."""

    @abstractmethod
    def replies(self, position: Hashable, turn: QuickTurn) -> tuple[Sequence[Move], int]:
        """The moves of the player to act after which the observer would have perceived the same, and the number of all
        its moves."""

    @abstractmethod
    def play(self, position: Hashable, move: Move, turn: QuickTurn) -> Hashable | None:
        """The position after a move; None if the move is not allowed, or the observer would have perceived something
        else."""

    def nearness(self, position: Hashable, turn: QuickTurn) -> float:
        """A weight above 0 that is larger the more of a later turn is true in a position already.

        It guides the search for a history when no particle has survived the turn. Forms may refine it.
        """
        if turn.move is None:
            fits = bool(self.replies(position, turn)[0])
        else:
            fits = self.play(position, turn.move, turn) is not None
        return self.FITTING if fits else 1.0

    # The same in many positions: forms in machine code override these

    def replies_in(self, positions: Sequence[Hashable], turn: QuickTurn) -> Sequence[tuple[Sequence[Move], int]]:
        """`replies` in each position."""
        return [self.replies(position, turn) for position in positions]

    def play_in(
        self, positions: Sequence[Hashable], moves: Sequence[Move], turn: QuickTurn
    ) -> Sequence[Hashable | None]:
        """`play` in each position, with a move for each."""
        return [self.play(position, move, turn) for position, move in zip(positions, moves, strict=True)]

    def nearness_in(self, positions: Sequence[Hashable], turn: QuickTurn) -> Sequence[float]:
        """`nearness` of each position."""
        return [self.nearness(position, turn) for position in positions]

    def classes_in(self, positions: Sequence[Hashable]) -> Sequence[Hashable]:
        """What is hidden in each position and remains so for long, such as which pieces are left.

        Some positions of each class are kept, however unlikely.
        """
        return [None] * len(positions)

    def change_in(
        self, histories: Sequence[History], turns: Sequence[QuickTurn], goal: QuickTurn | None, rng: Random
    ) -> Sequence[tuple[Sequence[Move], bool]]:
        """Histories of some turns with other moves of the other player, and whether they fit.

        With ``goal``, the move of one turn more is added; changes that end nearer to it may be kept even if it does not
        fit yet.
        """
        found: list[tuple[Sequence[Move], bool]] = []
        for start, moves in histories:
            changed = self._change(start, moves, turns if goal is None else [*turns, goal], rng)
            found.append((moves, False) if changed is None else (changed, True))
        return found

    def _change(
        self, start: Hashable, moves: Sequence[Move], turns: Sequence[QuickTurn], rng: Random
    ) -> list[Move] | None:
        """One history with some moves replaced; None if it does not fit."""
        replaced = draw_late([number for number in range(len(moves)) if turns[number].move is None], rng)
        at, found = start, list[Move]()
        for number, turn in enumerate(turns):
            move = turn.move
            if move is None and number < len(moves) and number not in replaced:
                move = moves[number]
            after = None if move is None else self.play(at, move, turn)
            if after is None and turn.move is None and replaced and number >= replaced[0]:
                fitting, _ = self.replies(at, turn)
                if fitting:
                    move = rng.choice(fitting)
                    after = self.play(at, move, turn)
            if after is None or move is None:
                return None
            found.append(move)
            at = after
        return found if found != list(moves) else None


def draw_late(turns: Sequence[int], rng: Random) -> list[int]:
    """One or more of the turns, mostly of the last ones."""
    if rng.random() < LATE:
        turns = turns[-LATE_TURNS:]
    count = 1
    while count < len(turns) and rng.random() < MORE:
        count += 1
    return sorted(rng.sample(turns, min(count, len(turns))))

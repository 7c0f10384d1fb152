"""Tables: the value and the distance of every position of a game, in memory or in a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludens.core import Game, GameError, Move, PlayerError, Role, State
from ludens.core.files import write_file
from ludens.players.learning.files import check_game
from ludens.players.packed.retrograde import UNKNOWN, Outcome, Retrograde

_MAGIC = b"ludens table 1\n"
_LONGEST_HEADER = 1 << 26
_ENDLESS = 2**16 - 1
"""The distance of positions from which play never ends."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a table knows about a position."""

    goals: tuple[float, ...]
    """The goal of each role under perfect play; where play never ends, those of a draw."""
    margin: int
    """The first role's goal, less the second's."""
    distance: int | None
    """Joint moves to the end: winners hurry and losers delay; in draws, the fewest that give nothing away.

    None if play never ends.
    """


@dataclass(frozen=True, slots=True)
class Rating:
    """A move, and what the table knows about the position after it."""

    move: Move
    entry: Entry
    after: State


@dataclass(frozen=True, slots=True)
class Tally:
    """The positions of a table with the same value."""

    goals: tuple[int, ...] | None
    """The goal of each role; None if play never ends."""
    positions: int
    longest: int | None
    """The largest distance."""


class Table:
    """All positions of a game after one of its states, in the order of their bytes."""

    def __init__(
        self,
        header: dict[str, Any],
        rows: NDArray[np.uint8],
        values: NDArray[np.uint8],
        distances: NDArray[np.uint16],
    ) -> None:
        self._header, self._rows, self._values, self._distances = header, rows, values, distances
        self.game = str(header["game"])
        """The name of the game."""
        self.moves = int(header["moves"])
        """Moves from one position to another."""
        self.roles: tuple[Role, ...] = tuple(map(str, header["roles"]))
        """The roles that play."""
        self._outcomes = [Outcome(tuple(map(int, goals))) for goals in header["outcomes"]]
        self._places = {str(text): place for place, text in enumerate(header["fluents"])}
        if any(len(outcome.goals) != len(self.roles) for outcome in self._outcomes):
            raise ValueError("each outcome has a goal for each role")

    def __len__(self) -> int:
        return len(self._rows)

    def row(self, state: State) -> bytes:
        """A position as the bytes of its fluents; those that never change are left out."""
        bits = np.zeros(8 * self._rows.shape[1], np.uint8)
        bits[[self._places[text] for text in str(state).split("\n") if text in self._places]] = 1
        return np.packbits(bits, bitorder="little").tobytes()

    def entry(self, state: State) -> Entry | None:
        """What is known about a position; None if the table does not have it."""
        row, low, high = self.row(state), 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self._rows[middle].tobytes() < row:
                low = middle + 1
            else:
                high = middle
        if low == len(self) or self._rows[low].tobytes() != row:
            return None
        number = int(self._values[low])
        if number == UNKNOWN:
            return Entry(self.endless_goals, 0, None)
        outcome = self._outcomes[number]
        return Entry(outcome.goals, outcome.margin, int(self._distances[low]))

    def rate_moves(self, state: State, role: Role) -> list[Rating]:
        """Every move of the role that chooses in a state, as far as the table has the positions after them."""
        others = {each: moves[0] for each in self.roles if each != role and (moves := state.legal_moves(each))}
        found = []
        for move in state.legal_moves(role):
            after = state.play({**others, role: move})
            if (entry := self.entry(after)) is not None:
                found.append(Rating(move, entry, after))
        return found

    def keeping_moves(self, state: State) -> dict[Role, tuple[Move, ...]]:
        """The moves that keep the value, for the role that chooses; empty if none does."""
        chooser = next((role for role in self.roles if len(state.legal_moves(role)) > 1), None)
        if chooser is None or state.is_terminal:
            return {}
        ratings = self.rate_moves(state, chooser)
        best = max(self.preference(rating.entry, chooser)[0] for rating in ratings)
        return {chooser: tuple(each.move for each in ratings if self.preference(each.entry, chooser)[0] == best)}

    def preference(self, entry: Entry, role: Role) -> tuple[int, int]:
        """What a role prefers is larger: the better value, then the nearer win or the later loss."""
        margin = entry.margin if role == self.roles[0] else -entry.margin
        distance = entry.distance or 0
        return margin, -distance if margin > 0 else distance if margin < 0 else 0

    @property
    def endless_goals(self) -> tuple[float, ...]:
        """What endless play counts: as a draw, half of the points for each of two roles, nothing for one."""
        drawn = next((outcome.goals for outcome in self._outcomes if outcome.margin == 0), None)
        if drawn is not None or len(self.roles) == 1:
            return drawn or (0,)
        totals = {sum(outcome.goals) for outcome in self._outcomes}
        return (totals.pop() / 2,) * 2 if len(totals) == 1 else (0, 0)

    def tally(self) -> list[Tally]:
        """How many positions have which value, the best for the first role first."""
        counts = np.bincount(self._values, minlength=UNKNOWN + 1)
        found = [
            Tally(outcome.goals, int(counts[number]), int(self._distances[self._values == number].max(initial=0)))
            for number, outcome in sorted(enumerate(self._outcomes), key=lambda item: -item[1].margin)
        ]
        endless = [Tally(None, int(counts[UNKNOWN]), None)] if counts[UNKNOWN] else []
        return [each for each in found if each.positions] + endless

    def check(self, path: Path, game: Game) -> None:
        """Raise `PlayerError` if the table of a file is for another game, or for other rules."""
        check_game(path, self._header, game)

    def write(self, path: Path) -> None:
        """Write the table to a file."""
        header = json.dumps(self._header, ensure_ascii=False).encode() + b"\n"
        parts = [np.ascontiguousarray(part).tobytes() for part in (self._rows, self._values)]
        distances = np.ascontiguousarray(self._distances, "<u2").tobytes()
        write_file(path, b"".join([_MAGIC, header, *parts, distances]))


def table_of(found: Retrograde, game: Game) -> Table:
    """The table of an evaluated game."""
    fluents = found.fluents
    header = {
        "game": game.name,
        "rules_sha256": game.rules_hash,
        "roles": list(game.roles),
        "fluents": fluents,
        "outcomes": [outcome.goals for outcome in found.outcomes],
        "positions": len(found),
        "moves": found.edges,
    }
    words = found.states.astype("<u8", copy=False)
    # Words with their bytes reversed are in the order of the bytes.
    order = np.lexsort([words[:, n].byteswap() for n in reversed(range(words.shape[1]))])
    width = max(1, -(-len(fluents) // 8))
    rows = np.empty((len(found), width), np.uint8)
    rows[:] = words[order].view(np.uint8)[:, :width]
    distances = found.distances[order]
    if distances.max() >= _ENDLESS:
        raise GameError(f"{game.name} has perfect play of {distances.max():,} moves; tables keep {_ENDLESS - 1:,}")
    kept = np.where(distances < 0, _ENDLESS, distances).astype(np.uint16)
    return Table(header, rows, found.values[order], kept)


def read_table(path: Path) -> Table:
    """Open the table in a file; its positions stay there until they are looked up. Raises `PlayerError`."""
    try:
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                raise PlayerError(f"{path} is not a table; `ludens solve GAME --table FILE` writes one")
            header = json.loads(file.readline(_LONGEST_HEADER))
            begin = file.tell()
        count, width = int(header["positions"]), max(1, -(-len(header["fluents"]) // 8))
        if count < 1 or path.stat().st_size != begin + count * (width + 3):
            raise ValueError("its size is wrong")
        content = np.memmap(path, np.uint8, "r", begin)
        rows, values = content[: count * width].reshape(count, width), content[count * width : count * (width + 1)]
        distances = content[count * (width + 1) :].view("<u2")
        if ((values >= len(header["outcomes"])) & (values != UNKNOWN)).any():
            raise ValueError("it has values that are not in its list")
        return Table(header, rows, values, distances)
    except OSError as error:
        raise PlayerError(f"{path}: {error.strerror}") from None
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise PlayerError(f"{path} is damaged: {error}") from None


def best_ratings(table: Table, ratings: Sequence[Rating], role: Role) -> list[Rating]:
    """The moves that a role prefers to all others."""
    best = max(table.preference(rating.entry, role) for rating in ratings)
    return [rating for rating in ratings if table.preference(rating.entry, role) == best]

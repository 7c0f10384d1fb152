"""Drawing states as text: the board if the fluents have one, and the other fluents below it.

A board is found from the rules, not declared: fluents such as ``(cell ?x ?y ?content)`` whose two coordinates fill a
grid, with at most one content for each square. A further argument may distinguish several boards.
"""

from __future__ import annotations

import itertools
import math
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple, TypeAlias

from ludens.core import random_joint_move
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import Term, arguments, signature, sort_key
from ludens.gdl.write import kif

BLANKS = {"b", "blank", "empty", "e", "nil", "none", "free", "dirt", "off"}
"""What rule sheets call a square with nothing on it."""
_MAX_SIDE = 40
_MAX_BOARDS = 9
_MIN_FILLED = 0.45
"""The share of a rectangle that must be squares: some rule sheets for draughts know only the dark half."""
_SAMPLE_STEPS = 150


@dataclass(frozen=True, slots=True)
class Grid:
    """Which arguments of which fluent are what on a board."""

    fluent: Signature
    x: int
    """The argument that is the column."""
    y: int
    """The argument that is the row."""
    boards: int | None
    """The argument that distinguishes several boards."""
    columns: tuple[Term, ...]
    rows: tuple[Term, ...]
    """From the bottom up."""
    names: tuple[Term, ...]
    """The boards' names, if there are several."""
    squares: frozenset[tuple[Term, ...]]
    """Every (board, column, row) that a fluent can be about."""

    @property
    def content(self) -> list[int]:
        """The arguments that say what is on a square."""
        return [n for n in range(self.fluent[1]) if n not in (self.x, self.y, self.boards)]

    def square(self, fact: Term) -> tuple[Term, ...]:
        """Board, column and row of a fact."""
        values = arguments(fact)
        board = values[self.boards] if self.boards is not None else ""
        return (board, values[self.x], values[self.y])


Labels: TypeAlias = tuple[Sequence[str], Sequence[str]]
"""Names of columns and of rows, from the bottom up; either may be empty for those of the rules."""


class BoardPainter:
    """Draws the states of one game; ``labels`` are names at the edges of boards, by fluent."""

    def __init__(self, game: GdlGame, labels: Mapping[str, Labels] | None = None) -> None:
        self._labels = labels or {}
        initial = game.initial_state().facts
        known = initial | (game.declared_fluents() or sample_fluents(game).fluents)
        self.grids = find_grids(initial, known)
        self._symbols = {grid: _symbols(grid, known, game.roles) for grid in self.grids}

    def draw(self, state: GdlState) -> str:
        """The state as text."""
        return self.draw_facts(state.facts)

    def draw_facts(self, facts: Collection[Term]) -> str:
        """Some fluents as text, such as those that a role knows."""
        drawn = {grid.fluent for grid in self.grids}
        boards = [text for grid in self.grids for text in self._draw_grid(grid, facts)]
        rest = sorted((fact for fact in facts if signature(fact) not in drawn), key=sort_key)
        lines = _side_by_side(boards)
        lines += filter(None, dict.fromkeys(map(self._legend, self.grids)))
        lines += _wrap([kif(fact) for fact in rest])
        return "\n".join(lines)

    def _draw_grid(self, grid: Grid, facts: Iterable[Term]) -> list[list[str]]:
        contents: dict[tuple[Term, ...], list[Term]] = defaultdict(list)
        for fact in facts:
            if signature(fact) == grid.fluent:
                contents[grid.square(fact)].append(fact)
        return [self._draw_board(grid, name, contents) for name in grid.names]

    def _draw_board(self, grid: Grid, name: Term, contents: dict[tuple[Term, ...], list[Term]]) -> list[str]:
        symbols = self._symbols[grid]
        columns, rows = self._labels.get(grid.fluent[0], ((), ()))
        columns = columns if len(columns) == len(grid.columns) else list(map(kif, grid.columns))
        rows = rows if len(rows) == len(grid.rows) else list(map(kif, grid.rows))
        width = max(1, *(len(symbol) for symbol in symbols.values()), *map(len, columns))
        margin = max(map(len, rows))
        lines = [kif(name)] if len(grid.names) > 1 else []
        for row, label in reversed(list(zip(grid.rows, rows, strict=True))):
            cells = []
            for column in grid.columns:
                square = (name, column, row)
                found = [symbols.get(_content(grid, fact), "?") for fact in contents.get(square, ())]
                symbol = "/".join(found) if found else "." if square in grid.squares else " "
                cells.append(symbol.ljust(width))
            lines.append(f"{label:>{margin}} | " + " ".join(cells).rstrip())
        lines.append(" " * margin + " +-" + "-" * ((width + 1) * len(grid.columns) - 1))
        lines.append(" " * margin + "   " + " ".join(column.ljust(width) for column in columns).rstrip())
        return lines

    def _legend(self, grid: Grid) -> str:
        parts = []
        for content, symbol in self._symbols[grid].items():
            text = " ".join(map(kif, content))
            if symbol not in (text, "."):
                parts.append(f"{symbol} {text}")
        if len(grid.squares) < len(grid.columns) * len(grid.rows) * len(grid.names):
            parts.append("blank: not a square")
        return f"  ({', '.join(parts)})" if parts else ""


def find_grids(initial: Iterable[Term], known: Iterable[Term]) -> list[Grid]:
    """The boards that fluents lie on; the largest first.

    Fluents with contents count before bare pairs of coordinates, which are often something else.
    """
    by_signature: dict[Signature, list[Term]] = defaultdict(list)
    for fact in known:
        if isinstance(fact, tuple) and len(fact) >= 3:
            by_signature[signature(fact)].append(fact)
    at_start: dict[Signature, list[Term]] = defaultdict(list)
    for fact in initial:
        at_start[signature(fact)].append(fact)
    grids = [
        grid for sign, facts in by_signature.items() if (grid := _best_grid(sign, facts, at_start[sign])) is not None
    ]
    with_content = [grid for grid in grids if grid.content]
    in_use = [grid for grid in with_content if at_start[grid.fluent]]
    chosen = in_use or with_content or [grid for grid in grids if not _is_function(at_start[grid.fluent])]
    return sorted(chosen, key=lambda grid: (-len(grid.squares), grid.fluent))


def _best_grid(sign: Signature, facts: Sequence[Term], start: Sequence[Term]) -> Grid | None:
    """The largest grid that a fluent's arguments form; several boards only if one does not suffice."""
    pairs = list(itertools.combinations(range(sign[1]), 2))
    single = [grid for x, y in pairs if (grid := _grid(sign, x, y, None, facts, start))]
    several = [
        grid
        for x, y in pairs
        for board in range(sign[1])
        if board not in (x, y) and (grid := _grid(sign, x, y, board, facts, start))
    ]
    return max(single or several, key=lambda grid: (len(grid.squares), -grid.x - grid.y), default=None)


def _is_function(facts: Sequence[Term]) -> bool:
    """True if the last argument is decided by the others: a number of things for each name, not squares of a board."""
    return len({arguments(fact)[:-1] for fact in facts}) == len(facts)


def _grid(
    sign: Signature, x: int, y: int, board: int | None, facts: Sequence[Term], start: Sequence[Term]
) -> Grid | None:
    """The grid that a choice of arguments gives, if it is one."""
    columns, rows = _axis(facts, x), _axis(facts, y)
    names = _axis(facts, board) if board is not None else ("",)
    sides_fit = 2 <= len(columns) <= _MAX_SIDE and 2 <= len(rows) <= _MAX_SIDE
    if not sides_fit or (board is not None and not 2 <= len(names) <= _MAX_BOARDS):
        return None
    if not (looks_like_axis(list(map(kif, columns))) and looks_like_axis(list(map(kif, rows)))):
        return None
    if kif(rows[0]).isalpha() and kif(columns[0]).isdecimal():
        # People letter the columns and number the rows, whichever argument comes first.
        x, y, columns, rows = y, x, rows, columns
    empty = Grid(sign, x, y, board, columns, rows, names, frozenset())
    grid = replace(empty, squares=frozenset(empty.square(fact) for fact in facts))
    if len(grid.squares) < _MIN_FILLED * len(columns) * len(rows) * len(names):
        return None
    occupied = [grid.square(fact) for fact in start]
    return grid if len(set(occupied)) == len(occupied) else None


def _axis(facts: Sequence[Term], position: int) -> tuple[Term, ...]:
    return tuple(sorted({arguments(fact)[position] for fact in facts}, key=sort_key))


def looks_like_axis(texts: Sequence[str]) -> bool:
    """True for consecutive numbers, single letters, or a letter followed by a number."""
    if all(text.isdecimal() for text in texts):
        numbers = sorted(map(int, texts))
        return numbers[-1] - numbers[0] < 2 * len(numbers)
    return all(len(text) == 1 and text.isalpha() for text in texts) or all(
        text[:1].isalpha() and text[1:].isdecimal() for text in texts
    )


class Sample(NamedTuple):
    """Fluents that were true in random play."""

    fluents: frozenset[Term]
    is_whole: bool
    """False if the time was over."""


def sample_fluents(game: GdlGame, seconds: float = math.inf) -> Sample:
    """The fluents of some random playouts, since many rule sheets do not declare theirs; within some CPU seconds."""
    rng, until = Random(0), time.thread_time() + seconds
    found: set[Term] = set()
    initial = state = game.initial_state()
    for _ in range(_SAMPLE_STEPS):
        if time.thread_time() > until:
            return Sample(frozenset(found), is_whole=False)
        joint_move = random_joint_move(state, rng)
        if len(joint_move) < len(game.roles):
            if state.facts == initial.facts:
                break
            state = initial
            continue
        state = state.sample(joint_move, rng)
        found |= state.facts
    return Sample(frozenset(found), is_whole=True)


def _content(grid: Grid, fact: Term) -> tuple[Term, ...]:
    return tuple(arguments(fact)[n] for n in grid.content)


def _symbols(grid: Grid, known: Iterable[Term], roles: Sequence[str]) -> dict[tuple[Term, ...], str]:
    """A short sign for everything that can be on a square.

    Where the content says whose a piece is, the first of two roles has capitals, as in chess diagrams.
    """
    contents = sorted({_content(grid, fact) for fact in known if signature(fact) == grid.fluent}, key=str)
    words = {content: owner_and_piece(content, roles) for content in contents}
    blanks = {content: "." for content, word in words.items() if len(word) == 1 and word[0].lower() in BLANKS}
    owned = len(roles) == 2 and all(
        len(word) == 2 and word[0] in roles for content, word in words.items() if content not in blanks
    )
    if owned and len(blanks) < len(contents):
        letters = _letters(sorted({word[1] for content, word in words.items() if content not in blanks}))
        signs = {
            content: letters[word[1]].upper() if word[0] == roles[0] else letters[word[1]].lower()
            for content, word in words.items()
            if content not in blanks
        }
        return blanks | signs
    columns = [_letters(sorted({kif(content[n]) for content in contents})) for n in range(len(grid.content))]
    return {content: "".join(columns[n][kif(part)] for n, part in enumerate(content)) or "#" for content in contents}


def owner_and_piece(content: tuple[Term, ...], roles: Sequence[str]) -> tuple[str, ...]:
    """The words of a content; one such as ``white_king`` counts as two."""
    words = tuple(map(kif, content))
    if len(words) == 1 and words[0].partition("_")[0] in roles and "_" in words[0]:
        owner, _, piece = words[0].partition("_")
        return owner, piece
    return words


def _letters(words: Sequence[str]) -> dict[str, str]:
    """A sign for each word: the word itself if all are short, else a letter of it that no other has, else a prefix."""
    signs: dict[str, str] = {}
    short = all(len(word) <= 2 or word.lower() in BLANKS for word in words)
    for word in words:
        if word.lower() in BLANKS:
            signs[word] = "."
        elif short:
            signs[word] = word
        else:
            taken = set(signs.values())
            candidates = (*word.lower(), *(word[:length] for length in range(2, len(word) + 1)))
            signs[word] = next((sign for sign in candidates if sign not in taken), word)
    return signs


def _side_by_side(boards: list[list[str]]) -> list[str]:
    if sum(max(map(len, board)) + 4 for board in boards) > 100:
        return [line for board in boards for line in board]
    widths = [max(map(len, board)) for board in boards]
    height = max(map(len, boards), default=0)
    padded = [[""] * (height - len(board)) + board for board in boards]
    return [
        "    ".join(line.ljust(width) for line, width in zip(lines, widths, strict=True)).rstrip()
        for lines in zip(*padded, strict=True)
    ]


def _wrap(texts: Sequence[str], width: int = 100) -> list[str]:
    lines: list[str] = []
    for text in texts:
        if lines and len(lines[-1]) + len(text) + 2 <= width:
            lines[-1] += "  " + text
        else:
            lines.append(text)
    return lines

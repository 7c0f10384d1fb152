"""Fluents that lie on a grid: boards of squares, hexagons and points, and overlays by other fluents."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ludens.drawing.fluents.hexagons import LEFT, lean_of
from ludens.drawing.fluents.known import Known, Situation, readable_name
from ludens.drawing.fluents.square_names import SquareNames
from ludens.drawing.looks.grounds import TERRAINS
from ludens.drawing.looks.pieces import has_face
from ludens.drawing.model import Board, Body, Piece, Place, Wall
from ludens.drawing.palette import PIECE_COLOURS
from ludens.drawing.words import is_chess, known_colour
from ludens.gdl.board import BLANKS, Grid
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import Term, arguments, signature, sort_key
from ludens.gdl.write import kif

ROW_HEIGHT = 0.866
"""The distance between rows of hexagons that are 1 wide."""
ACROSS = frozenset({"across", "horizontal", "h", "flat"})
UPRIGHT = frozenset({"upright", "vertical", "v"})
_STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}
_STEPS |= {"west": (-1, 0), "east": (1, 0), "north": (0, 1), "south": (0, -1)}
_STEPS |= {"northwest": (-1, 1), "northeast": (1, 1), "southwest": (-1, -1), "southeast": (1, -1)}
_DIRECTIONS = {word: word for word in _STEPS}
_DIRECTIONS |= {"n": "north", "s": "south", "e": "east", "w": "west"}
_DIRECTIONS |= {"nw": "northwest", "ne": "northeast", "sw": "southwest", "se": "southeast"}
_GRAPH_SHARE = 0.8
"""Boards that fill less of their rectangle may be points connected by lines."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """A fluent whose facts lie on a grid without being one: a walker, a wall, the last move."""

    sign: Signature
    x: int
    y: int
    kind: str
    """``walkers``, ``marks``, ``blocks``, ``walls``, or ``sides``: walls at one side of squares."""
    facing: int | None = None
    """The argument that is a direction."""


class GridPart:
    """One fluent's boards."""

    def __init__(self, known: Known, grid: Grid, overlays: Sequence[Overlay]) -> None:
        self._known = known
        self.grid = grid
        """Where the board is in the fluents."""
        self.plain = known.plain
        """Makes fluents plain, as the grid describes them."""
        self._overlays = overlays
        self.fluents = frozenset({grid.fluent, *(overlay.sign for overlay in overlays)})
        facts = known.facts[grid.fluent]
        self._contents = {self._content(fact) for fact in facts}
        self._given = {(word,) for word in known.hints.pieces}
        grounds = self._grounds_of_words()
        is_full = bool(grounds) and len({grid.square(fact) for fact in known.later.get(grid.fluent, ())}) == len(
            grid.squares
        )
        self._blanks = (self._find_blanks() | (grounds if is_full else set())) - self._given
        self._dots = grounds - self._blanks - self._given
        """Contents of most squares, beside which others are empty: they are drawn small."""
        known.namer.read_initials({word for content in self._contents - self._blanks for word in content})
        known.namer.short_chess |= {("wk",), ("bk",)} <= self._contents
        self._lean = lean_of(known, grid) if not known.picture and not known.hints.look else ""
        self._drops = self._find_drops()
        self._drops_at_edge = bool(self._drops) and self._are_squares_named()
        self._names = SquareNames(grid, known.hints, is_lettered=not self._drops)
        self._boards = {name: self._empty(name) for name in grid.names}
        self._spot_of = {tuple(map(kif, square)): self._spot(square) for square in grid.squares}

    def _find_blanks(self) -> set[tuple[str, ...]]:
        """The contents that mean an empty square, by their names; but if most squares have another letter at first,
        ``b`` is a colour beside it."""
        blanks = _blanks(self._contents)
        start = Counter(map(self._content, self._known.start.get(self.grid.fluent, ())))
        content, count = next(iter(start.most_common(1)), ((), 0))
        is_letter = len(content) == 1 and len(content[0]) == 1 and content[0].isalpha()
        if blanks == {("b",)} and content not in blanks and is_letter and count > len(self.grid.squares) / 2:
            return {content}
        return blanks

    def _grounds_of_words(self) -> set[tuple[str, ...]]:
        """The content of most squares, if it would be drawn as letters, which would hide the rest."""
        start = Counter(map(self._content, self._known.start.get(self.grid.fluent, ())))
        return {
            content
            for content, count in start.most_common(1)
            if any(len(word) > 1 and not word.isdecimal() for word in content)
            and count > len(self.grid.squares) / 2
            and not has_face(self._known.namer.piece(content))
        }

    # The empty board

    def _empty(self, name: Term) -> Board:
        grid, hints = self.grid, self._known.hints
        places = []
        shape = self._shape()
        squares = [square for square in grid.squares if square[0] == name]
        for square in sorted(squares, key=lambda square: (sort_key(square[2]), sort_key(square[1]))):
            x, y = self._coordinates(square, shape)
            places.append(Place(self._spot(square), x, y, self._names.square(square)))
        has_edges = shape != "hexes" and not self._names.are_numbers
        columns = (
            tuple((float(n), self._names.column(column)) for n, column in enumerate(grid.columns)) if has_edges else ()
        )
        rows = tuple((self._row_at(row), kif(row)) for row in grid.rows) if has_edges else ()
        return Board(
            grid.fluent[0],
            shape,
            tuple(places),
            {},
            columns,
            rows,
            lines=tuple(self._lines()) if shape == "points" else (),
            title=kif(name) if len(grid.names) > 1 else self._title(),
            look=hints.look or self._natural_look(),
            blocks=hints.blocks,
            is_named=self._names.are_numbers,
            edges=_edges(hints.edges),
        )

    def _title(self) -> str:
        """The number of a board among several: 2 for ``cell2``."""
        name = self.grid.fluent[0]
        stem = name.rstrip("0123456789")
        others = [sign for sign in self._known.facts if sign[0] != name and sign[0].rstrip("0123456789") == stem]
        return f"board {name.removeprefix(stem)}" if others and stem != name else ""

    def _shape(self) -> str:
        if self._known.picture == "hex" or self._lean:
            return "hexes"
        grid = self.grid
        is_sparse = len(grid.squares) < _GRAPH_SHARE * len(grid.columns) * len(grid.rows) * len(grid.names)
        if self._known.picture == "graph" or (not self._known.picture and is_sparse):
            return "points" if any(True for _ in self._lines()) else "squares"
        return "squares"

    def _row_at(self, row: Term) -> float:
        index = self.grid.rows.index(row)
        return float(len(self.grid.rows) - 1 - index if self._known.hints.rows == "down" else index)

    def _coordinates(self, square: Sequence[Term], shape: str) -> tuple[float, float]:
        x, y = float(self.grid.columns.index(square[1])), self._row_at(square[2])
        if shape == "hexes":
            lean = -0.5 if (self._known.hints.lean or self._lean) == LEFT else 0.5
            return x + y * lean, round(y * ROW_HEIGHT, 3)
        return x, y

    def _spot(self, square: Sequence[Term]) -> str:
        return ":".join([self.grid.fluent[0], *(kif(part) for part in square if part != "")])

    def _lines(self) -> Iterator[tuple[str, str]]:
        """Lines between places that facts of the rules name together, as in ``(joined a 1 a 4)``."""
        for rule in self._known.game.sheet.rules:
            words = arguments(rule.head)
            if rule.body or len(words) < 4 or len(words) % 2:
                continue
            squares = [("", words[n], words[n + 1]) for n in range(0, len(words), 2)]
            if all(square in self.grid.squares for square in squares):
                for here, there in itertools.pairwise(squares):
                    yield self._spot(here), self._spot(there)

    def _natural_look(self) -> str:
        """The look suggested by the names of contents."""
        kinds = {self._known.namer.piece(content).kind for content in self._contents if content not in self._blanks}
        if is_chess(kinds):
            return "chess"
        if kinds and kinds <= {"man", "king", "queen"} and "man" in kinds:
            return "checkers"
        return ""

    def _find_drops(self) -> dict[str, str]:
        """The clickable columns, if first moves name only a column."""
        named = {kif(arguments(move)[0]) for move in self._known.moves if len(arguments(move)) == 1}
        columns = {kif(column) for column in self.grid.columns}
        if len(named) < 2 or not named <= columns or len(self.grid.names) > 1:
            return {}
        return {column: f"{self.grid.fluent[0]}:column:{column}" for column in columns}

    def _are_squares_named(self) -> bool:
        """True if the rules also have moves with two or more arguments, which may name squares."""
        rules = self._known.game.sheet.rules
        moves = [arguments(rule.head)[1] for rule in rules if signature(rule.head) == ("legal", 2)]
        return any(len(arguments(move)) > 1 for move in moves if isinstance(move, tuple))

    # One state

    def _content(self, fact: Term) -> tuple[str, ...]:
        return tuple(kif(arguments(fact)[n]) for n in self.grid.content)

    def panels(self, now: Situation) -> list[Board]:
        """The boards with their contents."""
        contents: dict[str, list[Piece]] = {}
        terrain: dict[str, str] = {}
        for fact in now.certain.get(self.grid.fluent, ()):
            content = self._content(fact)
            if content not in self._given and len(content) == 1 and content[0].lower() in TERRAINS:
                terrain[self._spot(self.grid.square(fact))] = content[0].lower()
            elif content not in self._blanks:
                contents.setdefault(self._spot(self.grid.square(fact)), []).append(self._piece(content))
        unsure = self._unsure(now)
        marked: set[str] = set()
        for overlay in self._overlays:
            if overlay.kind == "walkers":
                for spot, piece in self._walkers(overlay, now):
                    contents.setdefault(spot, []).append(piece)
            elif overlay.kind == "marks":
                marked.update(spot for spot, _ in self._walkers(overlay, now))
            elif overlay.kind == "blocks":
                marked.update(self._block_spots(overlay, now))
        walls = (*self._walls(now), *self._sides(now))
        boards = []
        for board in self._boards.values():
            bodies = _bodies(board, contents) if board.look == "traffic" else ()
            inside = {spot: tuple(pieces) for spot, pieces in contents.items()} if not bodies else {}
            places = tuple(replace(place, note=terrain.get(place.spot, place.note)) for place in board.places)
            filled = replace(
                board, places=places, contents=inside, unsure=unsure, marked=frozenset(marked), walls=walls
            )
            boards.append(replace(filled, bodies=bodies, drops=self._drops, drops_at_edge=self._drops_at_edge))
        return boards

    def _piece(self, content: tuple[str, ...]) -> Piece:
        name = self.grid.fluent[0]
        if content in self._dots:
            return replace(self._known.namer.piece(content), kind="dot")
        if content:
            return self._known.namer.piece(content)
        return Piece(readable_name(name), self._known.hints.pieces.get(name, "disc"))

    def _block_spots(self, overlay: Overlay, now: Situation) -> Iterator[str]:
        """The squares of blocks that facts point at, counted from 1."""
        size = self._known.hints.blocks or 1
        blocks = {(int(words[overlay.x]), int(words[overlay.y])) for words in now.words(overlay.sign)}
        for board in self._boards.values():
            for place in board.places:
                if (int(place.x) // size + 1, int(place.y) // size + 1) in blocks:
                    yield place.spot

    def _unsure(self, now: Situation) -> frozenset[str]:
        certain = set(now.certain.get(self.grid.fluent, ()))
        possible = (fact for fact in now.possible.get(self.grid.fluent, ()) if fact not in certain)
        return frozenset(self._spot(self.grid.square(fact)) for fact in possible)

    def _walkers(self, overlay: Overlay, now: Situation) -> Iterator[tuple[str, Piece]]:
        hint = self._known.hints.pieces.get(overlay.sign[0], "")
        for fact in now.certain.get(overlay.sign, ()):
            words = arguments(fact)
            square = ("", words[overlay.x], words[overlay.y])
            others = [kif(word) for n, word in enumerate(words) if n not in (overlay.x, overlay.y)]
            piece = self._known.namer.piece(others or [overlay.sign[0]])
            if overlay.facing is not None:
                word = kif(words[overlay.facing]).lower()
                named = self._known.namer.piece([w for w in others if w.lower() != word] or [overlay.sign[0]])
                way = _DIRECTIONS[word]
                piece = replace(named, name=f"{named.name} {way}", kind=f"arrow {way}")
            yield self._spot(square), replace(piece, kind=hint or piece.kind)

    def _walls(self, now: Situation) -> Iterator[Wall]:
        """Walls and lines between squares: existing ones, and those that a first move could place."""
        for overlay in self._overlays:
            if overlay.kind != "walls":
                continue
            there = {tuple(map(kif, arguments(fact))) for fact in now.certain.get(overlay.sign, ())}
            offered = {tuple(map(kif, arguments(move))) for move in self._known.moves if len(arguments(move)) == 3}
            walls = there | {words for words in offered if words[0] in ACROSS | UPRIGHT}
            for words in sorted(walls, key=lambda words: (words in there, words)):
                yield self._wall(overlay, words, words in there)

    def _sides(self, now: Situation) -> Iterator[Wall]:
        """Walls at one side of squares, named by the fluent: ``(blocked_east 3 4)``."""
        for overlay in self._overlays:
            if overlay.kind == "sides":
                dx, dy = _STEPS[side_of(overlay.sign[0])]
                for fact in now.certain.get(overlay.sign, ()):
                    square = ("", arguments(fact)[overlay.x], arguments(fact)[overlay.y])
                    x, y = self._coordinates(square, self._shape())
                    x, y, across, up = x + dx / 2, y + dy / 2, abs(dy) / 2, abs(dx) / 2
                    name = f"{readable_name(overlay.sign[0])} at {self._names.square(square)}"
                    yield Wall("", x - across, y - up, x + across, y + up, True, name)

    def _wall(self, overlay: Overlay, words: tuple[str, ...], is_there: bool) -> Wall:
        hints = self._known.hints
        columns = [kif(column) for column in self.grid.columns]
        x, y = int(words[overlay.x]) - int(columns[0]), int(words[overlay.y]) - int(kif(self.grid.rows[0]))
        across = words[0] in ACROSS
        length = hints.wall_length or 1
        # Lines of dots and boxes are the lower and left sides of squares; longer walls lie above and right of theirs.
        after = 0.5 if length > 1 else -0.5
        if across:
            ends = (x - 0.5, y + after, x - 0.5 + length, y + after)
        else:
            ends = (x + after, y - 0.5, x + after, y - 0.5 + length)
        trim = 0.08 if length > 1 else 0.0
        begin_x, begin_y = ends[0] + (trim if across else 0), ends[1] + (0 if across else trim)
        end_x, end_y = ends[2] - (trim if across else 0), ends[3] - (0 if across else trim)
        label = f"{' '.join(words)}, {'there' if is_there else 'free'}"
        return Wall(self._wall_spot(words), begin_x, begin_y, end_x, end_y, is_there, label)

    @staticmethod
    def _wall_spot(words: Sequence[str]) -> str:
        return ":".join(["wall", *words])

    # Facts and moves

    def spot_of(self, fact: Term) -> str:
        """The square of a plain fact; empty if it is not one of the board's fluent."""
        return self._spot(self.grid.square(fact)) if signature(fact) == self.grid.fluent else ""

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The squares of a move, or its column, wall, or the square that a direction leads to."""
        if any(overlay.kind == "walls" for overlay in self._overlays) and words and words[0] in ACROSS | UPRIGHT:
            return (self._wall_spot(words),)
        if name == "castle":
            return self._castling(words, now)
        if squares := self._squares_in(words):
            return squares
        if self._drops and len(words) == 1:
            return (self._drops[words[0]],) if words[0] in self._drops else ()
        direction = next((word for word in words if word.lower() in _DIRECTIONS), None)
        return self._target_spot(direction, [word for word in words if word != direction], now) if direction else ()

    def _castling(self, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The squares of the king's castling move."""
        steps = 2 if "kingside" in words else -2
        board = next(iter(self._boards.values()))
        at = {(place.x, place.y): place.spot for place in board.places}
        for fact in now.certain.get(self.grid.fluent, ()):
            piece = self._known.namer.piece(self._content(fact))
            if piece.kind == "king" and piece.seat >= 0 and self._known.roles[piece.seat] == now.mover:
                x, y = self._coordinates(self.grid.square(fact), board.shape)
                target = at.get((x + steps, y))
                return (self._spot(self.grid.square(fact)), target) if target else ()
        return ()

    def _squares_in(self, words: Sequence[str]) -> tuple[str, ...]:
        grid = self.grid
        board = kif(grid.names[0])
        squares: list[str] = []
        n = 0
        while n < len(words):
            if grid.boards is not None and (square := self._square_of(words[n : n + 3])) in self._spot_of:
                board = square[0]
                squares.append(self._spot_of[square])
                n += 3
                continue
            pair = words[n : n + 2] if grid.x < grid.y else words[n : n + 2][::-1]
            if len(pair) == 2 and (spot := self._spot_of.get((board, *pair))) is not None:
                squares.append(spot)
                n += 2
            else:
                n += 1
        return tuple(squares)

    def _square_of(self, three: Sequence[str]) -> tuple[str, ...]:
        """Board, column and row of words in the order in which the fluent names them."""
        grid = self.grid
        order = sorted((grid.boards or 0, grid.x, grid.y))
        words = dict(zip(order, three, strict=False))
        return tuple(words.get(n, "") for n in (grid.boards or 0, grid.x, grid.y))

    def _target_spot(self, direction: str, subject: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The square that a move with a direction leads to, from the thing it names or the role's own piece."""
        dx, dy = _STEPS[_DIRECTIONS[direction.lower()]]
        squares = list(self._moving_squares(subject, now))
        if not squares:
            return ()
        board = next((one for one in self._boards.values() if squares[0] in {place.spot for place in one.places}), None)
        if board is None:
            return ()
        places = {place.spot: place for place in board.places}
        squares = [spot for spot in squares if spot in places]
        at = {(place.x, place.y): place.spot for place in board.places}
        front = max((places[spot] for spot in squares), key=lambda place: place.x * dx + place.y * dy)
        target = at.get((front.x + dx, front.y + dy))
        source = (_body_spot(board.key, subject[0]) if board.look == "traffic" else front.spot,) if subject else ()
        return (*source, target) if target else source

    def _moving_squares(self, subject: Sequence[str], now: Situation) -> Iterator[str]:
        own: list[str] = []
        for overlay in self._overlays:
            for spot, piece in self._walkers(overlay, now) if overlay.kind == "walkers" else ():
                if (
                    not subject
                    and overlay.facing is None
                    and (now.role is None or self._known.roles[piece.seat] == now.role)
                ):
                    yield spot
        for fact in now.certain.get(self.grid.fluent, ()):
            content = self._content(fact)
            piece = self._known.namer.piece(content)
            if set(subject) & set(content) or (not subject and piece.kind.startswith("person")):
                yield self._spot(self.grid.square(fact))
            elif not subject and piece.seat >= 0 and self._known.roles[piece.seat] == now.mover:
                own.append(self._spot(self.grid.square(fact)))
        if len(own) == 1:  # of several pieces nobody knows which one a direction is meant for
            yield own[0]


def is_direction(domain: Iterable[str]) -> bool:
    """True if all words are directions, several of them."""
    words = {word.lower() for word in domain}
    return len(words) > 1 and words <= set(_DIRECTIONS)


def side_of(name: str) -> str:
    """The direction at the end of a fluent's name, such as ``east`` for ``blockedEast``; empty if there is none."""
    last = re.split(r"[_-]|(?<=[a-z])(?=[A-Z])", name)[-1].lower()
    return last if last in _STEPS and 0 in _STEPS[last] and last != name.lower() else ""


def _edges(words: str) -> tuple[str, ...]:
    """The colours of the four edges; none unless there are four."""
    colours = tuple(map(known_colour, words.split()))
    return colours if len(colours) == 4 else ()


def _blanks(contents: Iterable[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """The contents that mean an empty square; ``b`` means black if there is also a ``w``."""
    words = {content[0].lower() for content in contents if len(content) == 1}
    is_black = "w" in words and (words == {"w", "b"} or bool(words & (BLANKS - {"b", "e", "off"})))
    empty = BLANKS - {"b"} if is_black else BLANKS
    return {content for content in contents if len(content) == 1 and content[0].lower() in empty}


def _bodies(board: Board, contents: dict[str, list[Piece]]) -> tuple[Body, ...]:
    """Things that cover several squares, one for each kind."""
    covered: dict[str, list[Place]] = {}
    pieces: dict[str, Piece] = {}
    for place in board.places:
        for piece in contents.get(place.spot, ()):
            covered.setdefault(piece.kind, []).append(place)
            pieces[piece.kind] = piece
    colours = {kind: PIECE_COLOURS[n % len(PIECE_COLOURS)] for n, kind in enumerate(sorted(covered))}
    pieces = {kind: replace(piece, colour=piece.colour or colours[kind]) for kind, piece in pieces.items()}
    return tuple(
        Body(_body_spot(board.key, kind), pieces[kind], tuple((place.x, place.y) for place in places))
        for kind, places in sorted(covered.items())
    )


def _body_spot(key: str, word: str) -> str:
    return f"{key}:{word}"

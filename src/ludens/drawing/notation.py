"""Moves as people write them: ``c2-c4`` instead of ``(move c 2 c 4)``; ``Nf3`` or ``8x15`` if the card says how.

Nothing here depends on a game: which arguments of a move are places is what the drawing found out, what stands there is
what it draws, and the card has the letters of pieces and the words (`ludens.games.cards.Notation`). Distinct legal
moves have distinct texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ludens.core import Game, GameError, LudensError, Move, Role, State, View
from ludens.drawing.drawing import clicks
from ludens.drawing.fluents.reader import GdlReader
from ludens.drawing.model import Board, Piece
from ludens.drawing.move_reading import find_move
from ludens.drawing.readers import reader_of
from ludens.drawing.sight import observer, visible_facts, visible_table
from ludens.games.card_lookup import card_of
from ludens.games.cards import Notation
from ludens.games.endings import read_conditions
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.query import Conditions
from ludens.gdl.terms import Variable, arguments, functor, signature

_PLAIN = frozenset({"move", "place", "mark", "put", "drop", "play", "step", "go"})
"""Verbs that say no more than the places do."""
_SYMBOL = re.compile(r"\(|[^\s()]+")
_SQUARE = re.compile(r"([A-Za-z]+)(\d+)")
_MOST = 2_000
"""Legal moves; where there are more, all are written in the words of the rules, at once."""
_GOES, _TAKES = "\N{EN DASH}", "x"


@dataclass(frozen=True, slots=True)
class _Square:
    """A place of a board, as drawn."""

    name: str
    pieces: tuple[Piece, ...]

    @property
    def column(self) -> str:
        """The letters of its name; all of it if it is not a letter and a number."""
        found = _SQUARE.fullmatch(self.name)
        return found[1] if found else self.name

    @property
    def row(self) -> str:
        """The number in its name."""
        found = _SQUARE.fullmatch(self.name)
        return found[2] if found else self.name


@dataclass(frozen=True, slots=True)
class _Parts:
    """A move taken apart."""

    verb: str
    path: tuple[_Square, ...]
    """The places that it names, in order."""
    words: tuple[str, ...]
    """What is left."""


class MoveWriter:
    """Writes the moves of one game, and reads what people type."""

    def __init__(self, game: Game) -> None:
        card = card_of(game)
        self._game = game
        self._card = card.notation if card is not None else Notation()

    def texts(self, seen: View | State, role: Role | None = None) -> dict[Move, str]:
        """The text of each legal move of a role, which a view need not name; no two are the same."""
        role = role or observer(seen)
        moves = _legal(seen, role)
        written = (
            self._written(seen, role, moves) if len(moves) <= _MOST else {move: plain_text(move) for move in moves}
        )
        for other in (plain_text, str):  # where two texts are the same, what the rules say
            counts = Counter(written.values())
            written = {move: text if counts[text] == 1 else other(move) for move, text in written.items()}
        return written

    def text(self, before: State, role: Role, move: Move, after: State | None = None) -> str:
        """A move in a state; with the state after it also whether it gives check."""
        seen = before.view(role) if self._game.hidden else before
        text = self.texts(seen, role).get(move) or self._written(seen, role, [move])[move]
        return text + ("" if after is None else self._sign(after))

    def line(self, state: State, moves: Sequence[Move]) -> list[str]:
        """The moves of a line of play; from the first one that cannot be followed on in the words of the rules."""
        texts: list[str] = []
        try:
            for move in moves:
                made = _joint_move(state, move)
                if made is None:
                    break
                role, joint_move = made
                after = state.play(joint_move)
                texts.append(self.text(state, role, move, after))
                state = after
        except LudensError:  # chance has a say
            pass
        return [*texts, *map(plain_text, moves[len(texts) :])]

    def read(self, text: str, seen: View | State, role: Role | None = None) -> Move | None:
        """The legal move that a person means, in this notation, in full (``e2-e4``) or as the rules write it; None if
        it is none, or could be several."""
        role = role or observer(seen)
        moves = _legal(seen, role)
        texts, parts = self.texts(seen, role), self._parts(seen, role, moves)
        full = {move: _full(parts[move], _GOES, [parts[move].verb]) for move in moves}
        short = {move: _full(parts[move], _GOES, []) for move in moves}
        return find_move(text, [{move: move for move in moves}, texts, full, short, {m: plain_text(m) for m in moves}])

    # Writing

    def _written(self, seen: View | State, role: Role | None, moves: Sequence[Move]) -> dict[Move, str]:
        parts = self._parts(seen, role, moves)
        return {move: self._card.words.get(move) or self._write(move, parts, role) for move in moves}

    def _write(self, move: Move, parts: Mapping[Move, _Parts], role: Role | None) -> str:
        found = parts[move]
        if not found.path:
            return plain_text(move)
        takes = self._takes(found, role)
        if self._card.style == "short":
            return self._short(move, parts, takes, role)
        join = self._card.joins.get(found.verb) or (_TAKES if takes else _GOES)
        is_said = found.verb in self._card.joins or found.verb.lower() in _PLAIN or self._only_verb == found.verb
        words = [self._card.words.get(word, word) for word in found.words]
        return _full(_Parts(found.verb, found.path, tuple(words)), join, [] if is_said else [found.verb])

    def _short(self, move: Move, parts: Mapping[Move, _Parts], takes: bool, role: Role | None) -> str:
        """The piece, as much of where it came from as is needed, and where it goes: ``Nbd2``, ``exd5``, ``e8=Q``."""
        found = parts[move]
        start, end = found.path[0], found.path[-1]
        letter = self._letter(start, role)
        origin = ""
        if len(found.path) > 1 and not letter:
            takes = takes or start.column != end.column  # what it takes may stand beside its way
            origin = start.column if takes else ""
        elif len(found.path) > 1:
            rivals = {
                other.path[0]
                for other in parts.values()
                if len(other.path) > 1
                and other.path[-1] == end
                and other.path[0] != start
                and self._letter(other.path[0], role) == letter
            }
            if rivals:
                is_alone = start.column not in {rival.column for rival in rivals}
                is_alone_in_row = start.row not in {rival.row for rival in rivals}
                origin = start.column if is_alone else start.row if is_alone_in_row else start.name
        words = "".join(self._card.words.get(word, f" {word}") for word in found.words)
        return f"{letter}{origin}{_TAKES if takes else ''}{end.name}{words}"

    def _letter(self, square: _Square, role: Role | None) -> str:
        piece = _own_piece(square, self._seat(role)) or (square.pieces[-1] if square.pieces else None)
        return "" if piece is None else self._card.pieces.get(piece.kind, piece.kind[:1].upper())

    def _takes(self, found: _Parts, role: Role | None) -> bool:
        """True if a piece of somebody else stands where a move ends."""
        seat = self._seat(role)
        owners = {piece.seat for piece in found.path[-1].pieces}
        return len(found.path) > 1 and any(owner >= 0 and owner != seat for owner in owners)

    def _seat(self, role: Role | None) -> int:
        return self._game.roles.index(role) if role in self._game.roles else -1

    @cached_property
    def _only_verb(self) -> str:
        """The verb of all moves with arguments, if there is only one; it says nothing then."""
        if not isinstance(self._game, GdlGame):
            return ""
        heads = [rule.head for rule in self._game.sheet.rules if signature(rule.head) == ("legal", 2)]
        moves = [arguments(head)[1] for head in heads]
        if any(isinstance(move, Variable) for move in moves):
            return ""
        verbs = {functor(move) for move in moves if arguments(move)}
        return verbs.pop() if len(verbs) == 1 else ""

    # Taking apart

    def _parts(self, seen: View | State, role: Role | None, moves: Sequence[Move]) -> dict[Move, _Parts]:
        try:
            squares = self._squares(seen, role)
            paths = clicks(self._game, _seen_by(seen, role), moves)
        except GameError:  # it cannot be drawn
            squares, paths = {}, {}
        return {move: _take_apart(move, paths.get(move, ()), squares) for move in moves}

    def _squares(self, seen: View | State, role: Role | None) -> dict[str, _Square]:
        reader = reader_of(self._game)
        if isinstance(reader, GdlReader):
            picture = reader.picture(visible_facts(seen), role)
        else:
            picture = reader.picture(visible_table(seen), role, ())
        boards = [panel for panel in picture.panels if isinstance(panel, Board)]
        return {
            place.spot: _Square(place.name.replace(" ", ","), board.contents.get(place.spot, ()))
            for board in boards
            if not board.drops or board.drops_at_edge
            for place in board.places
            if " " not in place.name or place.name.split() == place.spot.split(":")[1:]
        }

    # Signs

    def _sign(self, after: State) -> str:
        if self._conditions is None or not isinstance(after, GdlState):
            return ""
        try:
            check, mate = self._conditions.solutions(after)
        except GameError:
            return ""
        return "#" if mate else "+" if check else ""

    @cached_property
    def _conditions(self) -> Conditions | None:
        """The conditions for check and mate."""
        if not self._card.check or not isinstance(self._game, GdlGame):
            return None
        return Conditions(self._game, [read_conditions(text) for text in (self._card.check, self._card.mate)])


@lru_cache(maxsize=16)
def writer_of(game: Game) -> MoveWriter:
    """The writer of a game's moves; few are kept, since each holds its game."""
    return MoveWriter(game)


def plain_text(move: Move) -> str:
    """A move in the words of the rules."""
    is_term = move.startswith("(") and move.endswith(")")
    return move[1:-1].replace("_", " ") if is_term else move


def is_wait(before: State, role: Role, move: Move) -> bool:
    """True for a forced move without arguments of a game in GDL, such as ``noop``: nobody wants to read it."""
    is_bare = isinstance(before.game, GdlGame) and not move.startswith("(")
    return is_bare and role in before.game.roles and len(before.legal_moves(role)) == 1


def _legal(seen: View | State, role: Role | None) -> Sequence[Move]:
    if isinstance(seen, View):
        return seen.legal_moves
    return seen.legal_moves(role) if role is not None else ()


def _seen_by(seen: View | State, role: Role | None) -> View | State:
    """What the spots of moves are found from: which pieces are meant may depend on whose moves they are."""
    return seen.view(role) if isinstance(seen, State) and role is not None and not seen.game.hidden else seen


def _joint_move(state: State, move: Move) -> tuple[Role, dict[Role, Move]] | None:
    """The role that makes a move, and the joint move, if the others have no choice."""
    legal = {role: state.legal_moves(role) for role in state.game.roles}
    movers = [role for role, moves in legal.items() if move in moves]
    choosing = [role for role in movers if len(legal[role]) > 1] or movers
    if len(choosing) != 1:
        return None
    others = {role: moves[0] for role, moves in legal.items() if role != choosing[0] and len(moves) == 1}
    return choosing[0], {**others, choosing[0]: move}


def _own_piece(square: _Square, seat: int) -> Piece | None:
    return next((piece for piece in reversed(square.pieces) if piece.seat == seat >= 0), None)


def _take_apart(move: Move, spots: Sequence[str], squares: Mapping[str, _Square]) -> _Parts:
    if not spots or any(spot not in squares for spot in spots):
        return _Parts(plain_text(move), (), ())
    path = tuple(squares[spot] for spot in spots)
    if not move.startswith("("):
        is_path = move.split() == [square.name for square in path] and len(path) > 1
        return _Parts("", path, ()) if is_path else _Parts(move, (), ())
    verb, *words = _words(move)
    for spot in spots:
        rest = _without(words, spot.split(":")[1:])
        if rest is None:  # the move names places in other words
            return _Parts(plain_text(move), (), ())
        words = rest
    return _Parts(verb, path, tuple(words))


def _words(move: Move) -> list[str]:
    """The verb and the words of a move, without the functors of terms within it."""
    symbols = _SYMBOL.findall(move)
    return [symbol for n, symbol in enumerate(symbols) if symbol != "(" and (n < 2 or symbols[n - 1] != "(")]


def _without(words: list[str], taken: Sequence[str]) -> list[str] | None:
    """The words without those of a place, in either order; None if they do not name it."""
    for order in (list(taken), list(taken)[::-1]):
        for start in range(len(words) - len(order) + 1):
            if words[start : start + len(order)] == order:
                return words[:start] + words[start + len(order) :]
    return None


def _full(parts: _Parts, join: str, verbs: Iterable[str]) -> str:
    """A move with all its places and words."""
    places = join.join(square.name for square in parts.path)
    return " ".join(filter(None, [*verbs, places, *parts.words])).replace("_", " ")

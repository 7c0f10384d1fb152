"""Draw views, and map moves to clicks on the drawing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ludens.core import Game, Move, OpenView, Role, State, View
from ludens.drawing.alt_text import describe
from ludens.drawing.compose import compose, without_spots
from ludens.drawing.fluents.known import is_number
from ludens.drawing.fluents.reader import GdlReader
from ludens.drawing.hints import hints_for
from ludens.drawing.marks import deciding_spots
from ludens.drawing.model import Board, Facts, Panel, Picture, Piece, Row
from ludens.drawing.readers import Reader, reader_of
from ludens.drawing.scenes.raster import to_gif, to_png
from ludens.drawing.scenes.scene import Scene
from ludens.drawing.scenes.svg import to_svg
from ludens.drawing.sight import Seen, observer, open_state, visible_facts, visible_table
from ludens.drawing.words import shown_names

_MOST_CHOICES = 24
"""The maximum number of moves that are drawn as signs."""
_MOST_NUMBERS = 120
"""The same of moves that differ only in a number."""


@dataclass(frozen=True)
class Drawing:
    """A position as a picture."""

    scene: Scene
    """Its shapes."""
    text: str
    """A text alternative, line by line."""

    @property
    def width(self) -> float:
        """The width in units of the drawing, which are pixels at its natural size."""
        return self.scene.width

    @property
    def height(self) -> float:
        """The height in units of the drawing."""
        return self.scene.height

    @cached_property
    def svg(self) -> str:
        """The drawing as a self-contained SVG."""
        return to_svg(self.scene)

    def png(self, *, scale: float = 1.0, dark: bool = False) -> bytes:
        """The drawing in pixels. Raises `GameError` without Pillow."""
        return to_png(self.scene, scale=scale, dark=dark)

    @cached_property
    def inline(self) -> str:
        """The drawing as an SVG for a page that has `ludens.drawing.STYLE` among its style sheets."""
        return to_svg(self.scene, style=False)


def draw(
    game: Game,
    seen: Seen,
    *,
    role: Role | None = None,
    last: Iterable[Move] = (),
    clickable: bool = True,
    captions: bool = True,
    by_place: bool = False,
) -> Drawing:
    """Draw what a view shows.

    ``seen`` is a role's view; several views, of which only their common content is drawn; or a State, which is drawn
    completely. ``role`` sits at the lower edge (by default the role of the view). ``last`` are moves whose places are
    marked; in games with hidden information the caller passes only those that the role knows. Without ``clickable``
    nothing can be clicked, and without ``captions`` panels of text are left out, if there are others. With ``by_place``
    every place can be clicked, also on boards whose columns are clicked as a whole. Raises `GameError` for games that
    are neither GDL nor tabletop.
    """
    reader = reader_of(game)
    role = role or observer(seen)
    if isinstance(reader, GdlReader):
        picture = reader.picture(visible_facts(seen), role)
        if _is_over(seen):  # rules often still name a role to move after the end
            picture = replace(picture, to_move=())
    else:
        moves = seen.legal_moves if isinstance(seen, View) else ()
        picture = reader.picture(visible_table(seen), role, moves)
    if choices := _choices(reader, seen):
        picture = replace(picture, panels=(*picture.panels, choices))
    if not captions:
        things = tuple(panel for panel in picture.panels if not isinstance(panel, Facts))
        picture = replace(picture, to_move=(), panels=things or picture.panels)
    if by_place:
        picture = replace(picture, panels=tuple(map(_without_drops, picture.panels)))
    names = role_names(game)
    picture = replace(picture, to_move=tuple(names.get(name, name) for name in picture.to_move))
    if isinstance(reader, GdlReader) and (deciding := deciding_spots(reader, _state_of(seen))):
        picture = replace(picture, panels=tuple(_mark(panel, deciding) for panel in picture.panels))
    spots = frozenset(spot for path in clicks(game, seen, last).values() for spot in path)
    scene = compose(picture, turned=_is_turned(reader, role), last=spots)
    scene = replace(scene, label=_label(game, picture))
    if not clickable:
        scene = replace(scene, shapes=without_spots(scene.shapes))
    return Drawing(scene, describe(picture))


def role_names(game: Game) -> dict[Role, str]:
    """The names of the roles as they are drawn: Connect Four's ``black`` is drawn yellow, and so it is called."""
    return shown_names(game.roles, hints_for(game)[0].colours)


def _state_of(seen: Seen) -> State | None:
    """The state, if all of it is seen."""
    match seen:
        case State():
            return seen
        case OpenView():
            return open_state(seen)
        case _:
            return None


def _mark(panel: Panel, spots: frozenset[str]) -> Panel:
    return replace(panel, marked=panel.marked | spots) if isinstance(panel, Board) else panel


def _without_drops(panel: Panel) -> Panel:
    return replace(panel, drops={}) if isinstance(panel, Board) else panel


def _is_over(seen: Seen) -> bool:
    """True if no role has a move: in GDL every role always has one until the end."""
    if isinstance(seen, State):
        return seen.is_terminal
    return isinstance(seen, View) and not seen.legal_moves


def film(drawings: Iterable[Drawing], *, seconds: float = 0.8) -> bytes:
    """Drawings one after the other as a GIF that repeats. Raises `GameError` without Pillow or drawings."""
    return to_gif([drawing.scene for drawing in drawings], seconds=seconds)


def clicks(game: Game, seen: Seen, moves: Iterable[Move]) -> dict[Move, tuple[str, ...]]:
    """The spots to click for each move, in order; none for moves that are chosen from a list.

    Moves with the same spots differ in something that the board does not show, such as the kind of a promotion.
    """
    reader = reader_of(game)
    moves = list(moves)
    if not moves:
        return {}
    if isinstance(reader, GdlReader):
        spots = reader.clicks(moves, visible_facts(seen), observer(seen))
        without = {move for move in moves if not spots[move]}
        signs = set(_without_place(reader, seen)) & without if without else set()
        return spots | {move: (_sign_spot(move),) for move in moves if move in signs}
    return reader.clicks(moves, visible_table(seen), observer(seen))


def _without_place(reader: GdlReader, seen: Seen) -> list[Move]:
    """The moves of a role that are on no board, if they are few enough to be drawn as signs."""
    if not isinstance(seen, View) or len(seen.legal_moves) < 2:
        return []
    spots = reader.clicks(seen.legal_moves, visible_facts(seen), observer(seen))
    moves = [move for move in seen.legal_moves if not spots[move]]
    return moves if len(moves) <= (_MOST_NUMBERS if _are_numbers(moves) else _MOST_CHOICES) else []


def _are_numbers(moves: Sequence[Move]) -> bool:
    """True if moves differ only in a number at their end: ``(bid 1)``, ``(bid 2)``."""
    words = [move.strip("()").split() for move in moves]
    return len({tuple(most) for *most, _ in words}) == 1 and all(is_number(last) for *_, last in words)


def _sign_spot(move: Move) -> str:
    return f"move:{move}"


def _choices(reader: Reader, seen: Seen) -> Row | None:
    """The moves that are on no board, as signs to click."""
    if not isinstance(reader, GdlReader) or not isinstance(seen, View):
        return None
    moves = _without_place(reader, seen)
    if not moves:
        return None
    title = f"{seen.role} may"
    shown = [move.strip("()") for move in moves]
    if len(moves) > 1 and _are_numbers(moves):
        title += f": {shown[0].rpartition(' ')[0]}"
        shown = [text.rpartition(" ")[2] for text in shown]
    pieces = tuple(
        Piece(move.strip("()"), text, spot=_sign_spot(move)) for move, text in zip(moves, shown, strict=True)
    )
    return Row("choices", title, pieces, "words")


def _is_turned(reader: Reader, role: Role | None) -> bool:
    """True if the board is drawn from the other side, for the second of two roles if the card says so."""
    roles = reader.game.roles
    return reader.hints.turned and len(roles) == 2 and role == roles[1]


def _label(game: Game, picture: Picture) -> str:
    return ", ".join(filter(None, (game.name, picture.turn)))

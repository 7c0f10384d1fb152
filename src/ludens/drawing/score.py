"""How readable drawings of a game's positions are: a measure that needs no eye.

Counted over the first position and some of a random playout: labels that overlap, text too small to read, fluents that
no drawing shows, facts that are shown only as words, and moves that cannot be made by clicking.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from ludens.core import Game, GameError, State, random_joint_move
from ludens.drawing.compose import compose
from ludens.drawing.drawing import clicks, draw
from ludens.drawing.fluents.reader import GdlReader
from ludens.drawing.fluents.rest import RestPart
from ludens.drawing.readers import reader_of
from ludens.drawing.scenes.scene import READABLE, Group, Scene, Shape, Text
from ludens.drawing.sight import FactsSeen
from ludens.gdl.board import sample_fluents
from ludens.gdl.game import GdlState
from ludens.gdl.terms import Term, signature

_SAMPLES = (0, 3, 8)
"""The turns of the playout whose positions are drawn."""
_OVERLAP = 0.2
"""Two labels overlap if they share this part of the smaller one."""
_WIDE, _HIGH = 0.55, 0.75
"""The width of a letter and the height of capitals, as parts of the font size."""


@dataclass(frozen=True, slots=True)
class DrawingScore:
    """Faults of a game's drawings; 0 everywhere is perfect."""

    positions: int
    """The number of positions drawn."""
    overlaps: int
    """Pairs of labels that overlap."""
    small: int
    """Labels of less than 9 pixels."""
    hidden: int
    """Fluents that change nothing in any of the drawings."""
    fluents: int
    """Fluents of these positions."""
    worded: int
    """Facts that are shown only as words below the board."""
    facts: int
    """Facts of these positions."""
    unclickable: int
    """Moves that have to be chosen from a list."""
    signs: int
    """Moves that are made by clicking a sign with words instead of a place."""
    shared: int
    """Moves whose places are also those of another move, so that a further choice is needed."""
    moves: int
    """Moves of these positions, without those that are forced."""

    @property
    def is_good(self) -> bool:
        """True if nothing overlaps, is too small or hidden, and nine of ten moves can be clicked."""
        return not (self.overlaps or self.small or self.hidden) and self.unclickable <= self.moves / 10

    def as_json(self) -> dict[str, int | bool]:
        """The score as a JSON object."""
        return {name: getattr(self, name) for name in self.__slots__} | {"good": self.is_good}


def score_drawing(game: Game, seed: int = 1) -> DrawingScore:
    """Score the drawings of a game. Raises `GameError` if it is not a GDL game."""
    reader = reader_of(game)
    if not isinstance(reader, GdlReader):
        raise GameError(f"{game.name} is not a game in GDL: only their drawings are scored")
    overlaps = small = worded = facts = unclickable = signs = shared = moves = 0
    states = list(_sample(game, seed))
    possible = reader.game.declared_fluents() or sample_fluents(reader.game).fluents
    shown: set[tuple[str, int]] = set()
    fluents: set[tuple[str, int]] = set()
    in_words = {sign for part in reader.parts if isinstance(part, RestPart) for sign in part.fluents}
    for state in states:
        assert isinstance(state, GdlState)
        drawing = draw(game, state)
        texts = [box for box in _texts(drawing.scene.shapes) if box.text.strip()]
        overlaps += sum(_is_overlap(a, b) for a, b in itertools.combinations(texts, 2))
        small += sum(box.size < READABLE for box in texts)
        present = {signature(fact) for fact in state.facts}
        fluents |= present
        shown |= {sign for sign in present - shown if _is_shown(reader, state, sign, possible)}
        facts += len(state.facts)
        worded += sum(signature(fact) in in_words for fact in state.facts)
        for role in game.roles:
            legal = state.legal_moves(role)
            if len(legal) > 1 and not state.is_terminal:
                spots = _spots(draw(game, state.view(role)).scene.shapes)
                paths = clicks(game, state.view(role), legal)
                moves += len(legal)
                unclickable += sum(not path or not set(path) <= spots for path in paths.values())
                signs += sum(path[:1] == (f"move:{move}",) for move, path in paths.items())
                times = Counter(path for path in paths.values() if path)
                shared += sum(count for count in times.values() if count > 1)
    hidden = len(fluents - shown)
    return DrawingScore(
        len(states), overlaps, small, hidden, len(fluents), worded, facts, unclickable, signs, shared, moves
    )


def _sample(game: Game, seed: int) -> Iterator[State]:
    rng = Random(seed)
    state = game.initial_state()
    for turn in range(max(_SAMPLES) + 1):
        if turn in _SAMPLES:
            yield state
        if state.is_terminal:
            return
        state = state.sample(random_joint_move(state, rng), rng)


def _is_shown(reader: GdlReader, state: GdlState, sign: tuple[str, int], possible: frozenset[Term]) -> bool:
    """True if the drawing of a position is another one without a fluent, or with everything that it can say."""
    without = frozenset(fact for fact in state.facts if signature(fact) != sign)
    everything = state.facts | {fact for fact in possible if signature(fact) == sign}
    scene = _scene(reader, state.facts)
    return scene != _scene(reader, without) or scene != _scene(reader, everything)


def _scene(reader: GdlReader, facts: frozenset[Term]) -> Scene:
    seen = FactsSeen(facts, facts)
    return compose(reader.picture(seen, None), turned=False, last=frozenset())


@dataclass(frozen=True, slots=True)
class _Box:
    """A text where it is drawn."""

    text: str
    left: float
    top: float
    width: float
    height: float
    size: float


def _texts(
    shapes: Sequence[Shape], x: float = 0.0, y: float = 0.0, scale: float = 1.0, turn: float = 0.0
) -> Iterator[_Box]:
    """All texts with their boxes; of turned ones only their place is exact."""
    for shape in shapes:
        if isinstance(shape, Text):
            size = shape.size * scale
            width, height = len(shape.text) * size * _WIDE, size * _HIGH
            shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor]
            at_x, at_y = _moved(shape.x * scale, shape.y * scale, turn)
            yield _Box(shape.text, x + at_x - shift * width, y + at_y - height / 2, width, height, size)
        elif isinstance(shape, Group):
            at_x, at_y = _moved(shape.x * scale, shape.y * scale, turn)
            yield from _texts(shape.shapes, x + at_x, y + at_y, scale * shape.scale, turn + shape.turn)


def _moved(x: float, y: float, degrees: float) -> tuple[float, float]:
    angle = math.radians(degrees)
    return x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)


def _is_overlap(a: _Box, b: _Box) -> bool:
    across = min(a.left + a.width, b.left + b.width) - max(a.left, b.left)
    down = min(a.top + a.height, b.top + b.height) - max(a.top, b.top)
    return across > 0 and down > 0 and across * down > _OVERLAP * min(a.width * a.height, b.width * b.height)


def _spots(shapes: Sequence[Shape]) -> set[str]:
    found: set[str] = set()
    for shape in shapes:
        if isinstance(shape, Group):
            found |= {shape.spot} | _spots(shape.shapes)
    return found - {""}

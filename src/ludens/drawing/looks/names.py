"""Names of the places of a graph, where they hide neither each other nor the places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludens.drawing.model import Place
from ludens.drawing.scenes.scene import READABLE, Text, fit_size

_LARGEST = 11.0
_LETTER, _HEIGHT = 0.58, 0.8
"""The width of a letter and the height of a line, as parts of the font size."""
_PLACE = 0.3
"""Half the width of what stands on a place, in units."""
_SIDES = ((0.0, 0.55, "middle"), (0.0, -0.55, "middle"), (0.4, 0.0, "start"), (-0.4, 0.0, "end"))
"""Where a name may stand beside its place, the best first: shift in units, and anchor."""
_LEAST_SHARED = 2
"""Letters that are worth leaving out."""
_START = {"start": 0.0, "middle": 0.5, "end": 1.0}

Box = tuple[float, float, float, float]
"""Left, top, right and lower edge."""


def place_names(places: Sequence[Place], where: Mapping[str, tuple[float, float]], unit: float) -> list[Text]:
    """The names of places, without what they all begin with. A name for which there is no room is left out: it is the
    place's label all the same."""
    names = short_names([place.name for place in places])
    half = _PLACE * unit
    taken = [(x - half, y - half, x + half, y + half) for x, y in where.values()]
    found: list[Text] = []
    for place, name in zip(places, names, strict=True):
        size = max(READABLE, fit_size(name, unit * 1.4, _LARGEST))
        for across, down, anchor in _SIDES:
            x, y = where[place.spot]
            text = Text(x + across * unit, y + down * unit, name, size, "muted", anchor)
            box = _box(text)
            if not any(_overlap(box, other) for other in taken):
                taken.append(box)
                found.append(text)
                break
    return found


def short_names(names: Sequence[str]) -> list[str]:
    """Names without the words or letters that all of them begin with, if something is left of each."""
    first, last = min(names), max(names)
    shared = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    if shared < _LEAST_SHARED or shared == len(first):
        return list(names)
    return [name[shared:].strip(" _-") or name for name in names]


def _box(text: Text) -> Box:
    width, height = len(text.text) * text.size * _LETTER, text.size * _HEIGHT
    left = text.x - _START[text.anchor] * width
    return left, text.y - height / 2, left + width, text.y + height / 2


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]

from __future__ import annotations

import itertools
import math

import pytest

from ludens.drawing.looks.names import place_names, short_names
from ludens.drawing.model import Place
from ludens.drawing.scenes.scene import READABLE


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["node1", "node2", "node12"], ["1", "2", "12"]),
        (["north gate", "north wall"], ["gate", "wall"]),
        (["a", "b"], ["a", "b"]),
        (["road", "roadside"], ["road", "roadside"]),
        (["same", "same"], ["same", "same"]),
    ],
)
def test_names_are_written_without_what_they_share(names: list[str], short: list[str]) -> None:
    assert short_names(names) == short


@pytest.mark.parametrize("gap", [20.0, 40.0, 90.0])
def test_names_of_places_hide_neither_each_other_nor_places(gap: float) -> None:
    words = [f"{letter}{number}terrace" for letter in "abcdef" for number in range(6)]
    places = [Place(f"at:{word}", 0.0, 0.0, word) for word in words]
    where = {place.spot: (gap * (n % 6), gap * (n // 6)) for n, place in enumerate(places)}
    texts = place_names(places, where, 36.0)
    assert all(text.size >= READABLE for text in texts)
    assert len(texts) == len(places) if gap == 90.0 else len(texts) < len(places)
    for one, other in itertools.combinations(texts, 2):
        far = abs(one.y - other.y) >= one.size * 0.75
        apart = abs(one.x - other.x) >= min(len(one.text), len(other.text)) * one.size * 0.55
        assert far or apart
    assert all(math.dist((text.x, text.y), at) > 9 for text in texts for at in where.values())

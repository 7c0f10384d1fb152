"""What tests of drawings share: what can be clicked on one, and positions of random play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from ludens.core import Game, State, random_joint_move
from ludens.drawing import Drawing
from ludens.drawing.scenes.scene import Group, Shape, Text


def spots(drawing: Drawing) -> set[str]:
    """All places that can be clicked."""
    return {shape.spot for shape in walk(drawing.scene.shapes) if isinstance(shape, Group) and shape.spot}


def labels(drawing: Drawing) -> set[str]:
    """What all places and pieces are called."""
    return {shape.label for shape in walk(drawing.scene.shapes) if isinstance(shape, Group)}


def backs(drawing: Drawing) -> int:
    """How many cards lie face down."""
    return sum(isinstance(shape, Group) and shape.label == "face down" for shape in walk(drawing.scene.shapes))


def words(drawing: Drawing) -> list[str]:
    """All texts that are drawn."""
    return [shape.text for shape in walk(drawing.scene.shapes) if isinstance(shape, Text)]


def playout(game: Game, seed: int, most: int) -> Iterator[State]:
    """The states of a random playout, from the first one on."""
    rng = Random(seed)
    state = game.initial_state()
    yield state
    for _ in range(most):
        joint_move = {} if state.is_terminal else random_joint_move(state, rng)
        if not joint_move:
            return
        state = state.sample(joint_move, rng)
        yield state


def walk(shapes: Sequence[Shape]) -> Iterator[Shape]:
    """All shapes, those within groups behind their group."""
    for shape in shapes:
        yield shape
        if isinstance(shape, Group):
            yield from walk(shape.shapes)

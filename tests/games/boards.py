"""Boards of tests: drawn as text, as a mapping that plain Python can compute with, and as facts."""

from __future__ import annotations

from collections.abc import Mapping

from ludens.gdl.reference import ReferenceGame, ReferenceState
from ludens.gdl.terms import Term

Board = dict[tuple[int, int], str]
"""What is on each cell, by column and row; 1 1 is at the bottom left."""


def drawn(picture: str, contents: Mapping[str, str]) -> Board:
    """The board that a picture shows, top row first, a space between cells; ``.`` is ``b``, the blank."""
    rows = [line.split() for line in picture.strip().splitlines()]
    return {
        (x, y): "b" if mark == "." else contents[mark]
        for y, row in enumerate(reversed(rows), start=1)
        for x, mark in enumerate(row, start=1)
    }


def state_of(game: ReferenceGame, board: Board, control: str, *others: Term) -> ReferenceState:
    """The state with this board in which ``control`` is to move."""
    facts: list[Term] = [("cell", str(x), str(y), content) for (x, y), content in board.items()]
    return game.state([*facts, ("control", control), *others])


def board_of(state: ReferenceState) -> Board:
    """The board of a state."""
    return {(int(str(x)), int(str(y))): str(content) for x, y, content in _arguments(state, "cell")}


def control_of(state: ReferenceState) -> str:
    """The role that is to move."""
    ((role,),) = _arguments(state, "control")
    return str(role)


def _arguments(state: ReferenceState, name: str) -> list[tuple[Term, ...]]:
    return [fact[1:] for fact in state.facts if isinstance(fact, tuple) and fact[0] == name]

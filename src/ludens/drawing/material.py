"""Pieces that were taken, and what the pieces of each role are worth, if the card gives values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ludens.core import Game, GameError, State
from ludens.drawing.drawing import role_names
from ludens.drawing.fluents.reader import GdlReader
from ludens.drawing.hints import hints_for
from ludens.drawing.model import Board
from ludens.drawing.readers import reader_of
from ludens.drawing.sight import visible_facts


def material(game: Game, state: State) -> list[dict[str, Any]]:
    """For each role the pieces that it has lost by kind, and its lead over the strongest other; empty if the card has
    no values, or if pieces are hidden."""
    values = {kind: float(value) for kind, value in hints_for(game)[0].values.items()}
    if not values or game.hidden:
        return []
    first, now = _pieces(game, game.initial_state(), values), _pieces(game, state, values)
    worth = [
        sum(values[kind] * count for (owner, kind), count in now.items() if owner == seat) for seat in _seats(game)
    ]
    names = role_names(game)
    return [
        {
            "role": role,
            "name": names[role],
            "lost": [
                [kind, lost]
                for kind in sorted(values, key=lambda kind: -values[kind])
                if (lost := first[seat, kind] - now[seat, kind]) > 0
            ],
            "lead": max(0.0, worth[seat] - max(worth[:seat] + worth[seat + 1 :], default=0.0)),
        }
        for seat, role in enumerate(game.roles)
    ]


def _seats(game: Game) -> range:
    return range(len(game.roles))


def _pieces(game: Game, state: State, values: Mapping[str, float]) -> Counter[tuple[int, str]]:
    """The number of pieces of each owner and kind on the boards."""
    reader = reader_of(game)
    try:
        panels = reader.picture(visible_facts(state), None).panels if isinstance(reader, GdlReader) else ()
    except GameError:
        return Counter()
    return Counter(
        (piece.seat, piece.kind)
        for board in panels
        if isinstance(board, Board)
        for pieces in board.contents.values()
        for piece in pieces
        if piece.seat >= 0 and piece.kind in values
    )

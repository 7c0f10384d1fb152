"""Pieces of two sides as numbers: the kind, negative for the side that moves second."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.tabletop import Assortment, Element, Table


def add_pieces(table: Table, players: Sequence[str], names: Sequence[str]) -> dict[int, Element]:
    """Put the pieces of both sides on a table, by their codes; the first side's are in capitals."""
    pieces = {
        side * kind: Element(name if side > 0 else name.lower(), code=side * kind, player=player)
        for side, player in zip((1, -1), players, strict=True)
        for kind, name in enumerate(names)
        if name
    }
    table.add(Assortment("pieces", pieces.values(), endless=True))
    return pieces


def codes_of(pieces: dict[int, Element]) -> dict[tuple[Element, ...], int]:
    """The possible contents of a square, as numbers; 0 is empty."""
    return {(): 0} | {(piece,): code for code, piece in pieces.items()}

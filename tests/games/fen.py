"""Chess positions in FEN, the notation that published positions come in, as fluents of the rule sheet."""

from __future__ import annotations

from collections.abc import Iterator

from ludens.gdl.terms import Term

FILES = "abcdefgh"
KINDS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
SIDES = {"k": "kingside", "q": "queenside"}


def facts_of_fen(fen: str, step: int = 0) -> frozenset[Term]:
    """The fluents of a position after ``step`` moves. Move counters of FEN are ignored."""
    placement, control, castling, en_passant, *_ = fen.split()
    facts: set[Term] = {
        ("control", "white" if control == "w" else "black"),
        ("step", str(step)),
        *_cells(placement),
    }
    for letter in castling.replace("-", ""):
        facts.add(("can_castle", _owner(letter), SIDES[letter.lower()]))
    if en_passant != "-":
        facts.add(("en_passant", en_passant[0]))
    return frozenset(facts)


def _cells(placement: str) -> Iterator[Term]:
    for rank, row in zip("87654321", placement.split("/"), strict=True):
        column = 0
        for letter in row:
            if letter.isdigit():
                column += int(letter)
            else:
                yield "cell", FILES[column], rank, _owner(letter), KINDS[letter.lower()]
                column += 1


def _owner(letter: str) -> str:
    return "white" if letter.isupper() else "black"

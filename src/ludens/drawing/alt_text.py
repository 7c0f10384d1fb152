"""Text alternatives of pictures, line by line, for screen readers."""

from __future__ import annotations

from collections import Counter

from ludens.drawing.model import Board, CardTable, Facts, Panel, Picture, Row, Scores, Seat


def describe(picture: Picture) -> str:
    """Describe everything that a picture shows."""
    lines = [picture.turn] if picture.turn else []
    return "\n".join(lines + [line for panel in picture.panels for line in _panel(panel)])


def _panel(panel: Panel) -> list[str]:
    match panel:
        case Board():
            return _board(panel)
        case Row():
            return [f"{panel.title}: {', '.join(piece.name for piece in panel.pieces)}"]
        case Scores():
            return [
                f"{what} of {name}: {value}"
                for what, values in panel.rows
                for name, value in zip(panel.names, values, strict=True)
                if value
            ]
        case Facts():
            return [*filter(None, [panel.title]), *panel.lines]
        case CardTable():
            lines = [line for seat in panel.seats for line in _seat(seat)]
            return [*lines, *panel.notes, *(line for row in panel.middle for line in _panel(row))]


def _seat(seat: Seat) -> list[str]:
    """What a role has: its numbers, its card in the trick, its hands and piles."""
    notes = [*seat.notes, *([f"played {seat.played.name}"] if seat.played else []), *(["to move"] * seat.is_next)]
    lines = [f"{seat.name}: {', '.join(notes)}"] if notes else []
    return [*lines, *(line for row in seat.rows for line in _panel(row))]


def _board(board: Board) -> list[str]:
    """The places of each kind of piece."""
    where: dict[str, list[str]] = {}
    for place in board.places:
        for piece in board.contents.get(place.spot, ()):
            where.setdefault(piece.name, []).append(place.name)
    title = f"{board.title}: " if board.title else ""
    return [f"{title}{name} on {', '.join(_count_places(places))}" for name, places in sorted(where.items())]


def _count_places(places: list[str]) -> list[str]:
    counts = Counter(places)
    return [f"{place} ({count})" if count > 1 else place for place, count in counts.items()]

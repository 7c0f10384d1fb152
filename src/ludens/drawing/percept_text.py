"""What a player perceives, in words for people: moves of others, things that came to light, announcements."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ludens.core import Game, Move, Role
from ludens.drawing.notation import plain_text
from ludens.tabletop import TabletopGame
from ludens.tabletop.hidden.percepts import AT

_UNSEEN_OUTCOME = " = ?"


@dataclass(frozen=True, slots=True)
class Told:
    """The percepts of one turn."""

    moves: list[tuple[Role, Move]]
    """Moves of roles, as far as they were seen."""
    sentences: list[str]
    """Everything else."""


def told(game: Game, percepts: Sequence[str]) -> Told:
    """Percepts in words. What a move says is not said again, and things at one place share a sentence."""
    places: Collection[str] = game.inventory.named["place"] if isinstance(game, TabletopGame) else ()
    moves: list[tuple[Role, Move]] = []
    there: dict[str, list[str]] = {}
    announced: list[str] = []
    for percept in percepts:
        role, colon, move = percept.partition(": ")
        element, at, place = percept.rpartition(AT)
        if colon and role in game.roles:
            moves.append((role, move.removesuffix(_UNSEEN_OUTCOME)))
        elif at and place in places:
            there.setdefault(place, []).append(element)
        else:
            announced.append(plain_text(percept))
    said = {word for _, move in moves for word in move.split()}
    seen = {place: [element for element in elements if element not in said] for place, elements in there.items()}
    return Told(moves, [_sentence(game, elements, place) for place, elements in seen.items() if elements] + announced)


def _sentence(game: Game, elements: Sequence[str], place: str) -> str:
    """Where things are now: ``2H, 4S are in the hand of player1``."""
    area, _, owner = place.rpartition(" ")
    where = f"in the {area} of {owner}" if area and owner in game.roles else f"at {place}"
    return f"{', '.join(elements)} {'are' if len(elements) > 1 else 'is'} {where}"

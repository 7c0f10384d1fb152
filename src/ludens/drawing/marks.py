"""What decides a position: the squares of a winning line, or of a check, found from the proof of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ludens.core import BEST_GOAL, GameError, State
from ludens.drawing.fluents.reader import GdlReader
from ludens.drawing.model import Board
from ludens.drawing.sight import FactsSeen
from ludens.games.card_lookup import card_of
from ludens.games.endings import read_conditions
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.query import Conditions
from ludens.gdl.reference import ReferenceState
from ludens.gdl.rules import Holds
from ludens.gdl.terms import Term, arguments, is_ground, signature
from ludens.gdl.why import Reason, explain

_MOST = 12
"""A longer proof is no line that anybody sees."""


def deciding_spots(reader: GdlReader, state: State | None) -> frozenset[str]:
    """The spots of pieces by which a role has won, or is in check; none if nothing or too much is to be seen."""
    if not isinstance(state, GdlState) or state.game.hidden:
        return frozenset()
    try:
        fact = _winning(state) if state.is_terminal else _checking(state)
        facts = frozenset(_fluents(explain(state, fact), state)) if fact is not None else frozenset()
    except GameError:
        return frozenset()
    picture = reader.picture(FactsSeen(facts, facts), None)
    boards = [panel for panel in picture.panels if isinstance(panel, Board)]
    spots = frozenset(spot for board in boards for spot, pieces in board.contents.items() if pieces)
    return spots if 1 < len(spots) <= _MOST else frozenset()


def _winning(state: GdlState) -> Term | None:
    """The fact that a single role has won."""
    winners = [role for role, goal in state.goals.items() if goal == BEST_GOAL]
    if len(winners) != 1 or len(state.game.roles) < 2:
        return None
    return state.game.read(f"(goal {winners[0]} {BEST_GOAL})")


def _checking(state: GdlState) -> Term | None:
    """The condition for check on the card, if it is a single fact that holds."""
    atom = _check_of(state.game)
    if atom is None:
        return None
    facts = state.relation(signature(atom)) if isinstance(state, ReferenceState) else None
    if facts is None:  # not derived with the state
        return atom if _conditions(state.game, atom).solutions(state)[0] else None
    return atom if atom in facts else None


@lru_cache(maxsize=16)
def _check_of(game: GdlGame) -> Term | None:
    card = card_of(game)
    if card is None or not card.notation.check:
        return None
    match read_conditions(card.notation.check):
        case (Holds(atom),) if is_ground(atom):
            return atom
        case _:
            return None


@lru_cache(maxsize=16)
def _conditions(game: GdlGame, atom: Term) -> Conditions:
    return Conditions(game, [[Holds(atom)]])


def _fluents(reason: Reason, state: GdlState) -> Iterator[Term]:
    """The fluents of the state that a proof uses."""
    if reason.holds and reason.text.startswith("(true "):
        yield arguments(state.game.read(reason.text))[0]
    for part in reason.because:
        yield from _fluents(part, state)

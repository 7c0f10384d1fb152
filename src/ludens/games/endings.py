"""Why a match is over, in words: from the game's card where it has a phrase, else from the rules' own names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ludens.core import GameError, State
from ludens.games.card_lookup import card_of
from ludens.gdl.game import GdlState
from ludens.gdl.logic.clauses import Clause, clauses
from ludens.gdl.logic.relation_graph import STATIC, RelationGraph
from ludens.gdl.query import solutions
from ludens.gdl.read import read_rules
from ludens.gdl.rules import Condition, Distinct, Holds, Not
from ludens.gdl.terms import Term, Variable, signature, substitute
from ludens.gdl.write import kif
from ludens.tabletop.state import TabletopState

_MOST_PARTS = 3
"""Causes with more parts are too long to explain anything."""
_PLACE = re.compile(r"\{(\w+)\}")


def cause_of_end(state: State) -> str:
    """A clause such as ``black has four in a row`` for a terminal state; empty if the cause is unknown."""
    if isinstance(state, TabletopState):
        return state.reason
    if not isinstance(state, GdlState) or not state.is_terminal:
        return ""
    if state.is_repeated:
        return f"the position occurred for the {_ordinal(state)} time"
    card = card_of(state.game)
    try:
        phrase = None if card is None else _card_phrase(state, card.endings)
        return _from_rules(state) if phrase is None else phrase
    except GameError:
        return ""


def _ordinal(state: GdlState) -> str:
    times = 0 if state.past is None else state.past.rule.times
    return {2: "second", 3: "third", 4: "fourth", 5: "fifth"}.get(times, f"{times}th")


def read_conditions(text: str) -> tuple[Condition, ...]:
    """The conditions in a key of a card's ``[endings]``. Raises `GdlError`."""
    return read_rules(f"(<= ending {text})", syntax="kif").rules[0].body


def _card_phrase(state: GdlState, phrases: Mapping[str, str]) -> str | None:
    """The first phrase whose conditions hold, for each way in which they do; None if none holds."""
    matches = solutions(state, [read_conditions(conditions) for conditions in phrases]) if phrases else []
    for phrase, ways in zip(phrases.values(), matches, strict=True):
        if ways:
            return _join_words(_fill_places(phrase, values) for values in ways)
    return None


def _fill_places(phrase: str, values: Mapping[Variable, Term]) -> str:
    names = {variable.name: kif(value) for variable, value in values.items()}
    return _PLACE.sub(lambda place: names.get(place[1], place[0]), phrase)


def _from_rules(state: GdlState) -> str:
    """The shortest rule of ``terminal`` that holds: ``the game ended with (line black)``."""
    everything = list(clauses(state.game.sheet.rules, state.game.sheet.source))
    phases = RelationGraph(everything).phases
    ends = [clause for clause in everything if clause.head == "terminal"]
    matches = solutions(state, [_conditions(clause) for clause in ends])
    causes: list[list[str]] = []
    for clause, ways in zip(ends, matches, strict=True):
        changing = [
            (atom, negated)
            for atoms, negated in ((clause.positive, False), (clause.negative, True))
            for atom in atoms
            if phases.get(signature(atom), STATIC) != STATIC
        ]
        causes += [[_literal(substitute(atom, values), negated) for atom, negated in changing] for values in ways]
    short = [cause for cause in causes if 0 < len(cause) <= _MOST_PARTS]
    shortest: list[str] = min(short, key=len, default=[])
    return f"the game ended with {_join_words(shortest)}" if shortest else ""


def _conditions(clause: Clause) -> Sequence[Condition]:
    positive = [Holds(atom) for atom in clause.positive]
    differing = [Distinct(left, right) for left, right in clause.distinct]
    return [*positive, *differing, *(Not(Holds(atom)) for atom in clause.negative)]


def _literal(atom: Term, negated: bool) -> str:
    shown = atom[1] if isinstance(atom, tuple) and signature(atom) == ("true", 1) else atom
    text = kif(shown)
    if negated:
        return f"(not {text})"
    return text if text.startswith("(") else f"({text})"


def _join_words(parts: Iterable[str]) -> str:
    """``this, that and the other``, each once."""
    *others, last = dict.fromkeys(parts)
    return f"{', '.join(others)} and {last}" if others else last

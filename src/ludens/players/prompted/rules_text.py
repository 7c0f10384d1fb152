"""The rules of a game in words: from its card, from the docstring of a page in Python, or from the rules in GDL."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ludens import tabletop
from ludens.core import Game, Role
from ludens.games.card_lookup import card_of
from ludens.games.cards import Card
from ludens.games.library import split_name
from ludens.games.set_up import origin_of
from ludens.gdl.game import GdlGame
from ludens.gdl.rules import And, Condition, Distinct, Holds, Not, Or, Rule
from ludens.gdl.terms import Term, Variable, arguments, functor
from ludens.gdl.write import kif
from ludens.tabletop import TabletopGame

_OMITTED = frozenset({"role", "init", "base", "input"})
"""Relations that the other parts of a prompt show."""
_FACTS_SHOWN = 24
"""Facts of one relation that are listed."""
_VARIABLES = "Words with a question mark stand for anything; the same word is the same thing within one sentence."


@dataclass(frozen=True, slots=True)
class RulesText:
    """A game in words, part by part."""

    title: str
    rules: tuple[str, ...]
    """Paragraphs, the most important first."""
    notation: str
    """How moves are written; empty if only examples can show it."""


def describe_rules(game: Game, role: Role) -> RulesText:
    """The rules of a game in words, for the player of a role."""
    card = card_of(game)
    if card is not None and card.rules:
        return RulesText(card.title, tuple(_from_card(card, game)), card.moves or _notation(game, role))
    title = card.title if card is not None else game.name
    match game:
        case GdlGame():
            return RulesText(title, tuple(_from_rules(game)), _notation(game, role))
        case TabletopGame():
            title = card.title if card is not None else game.rule.name
            return RulesText(title, (*_from_page(type(game.rule)), *_parameters("", game)), "")
        case _:
            return RulesText(title, (), "")


def _from_card(card: Card, game: Game) -> Iterator[str]:
    yield card.rules
    if card.end:
        yield f"The end: {card.end}"
    if card.scoring:
        yield f"Scoring: {card.scoring}"
    yield from _parameters(card.parameters, game)


def _parameters(known: str, game: Game) -> Iterator[str]:
    """What parameters mean, and those of this game."""
    name = origin_of(game.rules_text) if isinstance(game, GdlGame) else ""
    _, chosen, _ = split_name(name or game.name)
    if known:
        yield f"Parameters: {known}"
    if chosen or known:
        yield f"Parameters of this game: {chosen or 'the defaults'}"


def _from_page(kind: type[tabletop.Rule]) -> Iterator[str]:
    """What a page in Python says about its rules: the docstrings of its file and of its class."""
    own = [one for one in kind.__mro__ if issubclass(one, tabletop.Rule) and one is not tabletop.Rule]
    texts = [sys.modules[kind.__module__].__doc__, next((one.__doc__ for one in own if one.__doc__), None)]
    yield from dict.fromkeys(inspect.cleandoc(text) for text in texts if text)


def _from_rules(game: GdlGame) -> Iterator[str]:
    """Every rule of a rule sheet as a sentence: what may be played, the end and the goals before the rest."""
    by_relation: dict[str, list[Rule]] = {}
    for rule in game.sheet.rules:
        by_relation.setdefault(functor(rule.head), []).append(rule)
    yield _VARIABLES
    for relation in ("legal", "terminal", "goal", "next", "sees"):
        if found := by_relation.pop(relation, []):
            yield "\n".join(_sentence(rule) for rule in found)
    for relation, found in by_relation.items():
        if relation in _OMITTED:
            continue
        if facts := [kif(rule.head) for rule in found if not rule.body]:
            more = f" and {len(facts) - _FACTS_SHOWN} more" if len(facts) > _FACTS_SHOWN else ""
            yield f"Always true: {', '.join(facts[:_FACTS_SHOWN])}{more}."
        if clauses := [_sentence(rule) for rule in found if rule.body]:
            yield "\n".join(clauses)


def _sentence(rule: Rule) -> str:
    """A rule as a sentence."""
    head = rule.head
    match functor(head), arguments(head):
        case "legal", (role, move):
            said = f"{_who(role)} may play {kif(move)}"
        case "next", (fluent,):
            said = f"After a turn {kif(fluent)} is true"
        case "terminal", ():
            said = "The match is over"
        case "goal", (role, value):
            said = f"{_who(role)} gets {kif(value)} of 100 points"
        case "sees", (role, percept):
            said = f"{_who(role)} sees {kif(percept)}"
        case _:
            said = f"{kif(head)} holds"
    return f"{said} if {_all(rule.body)}." if rule.body else f"{said}."


def _who(role: Term) -> str:
    return f"Role {kif(role)}" if isinstance(role, Variable) else kif(role)


def _all(conditions: Sequence[Condition]) -> str:
    return " and ".join(map(_condition, conditions))


def _condition(condition: Condition) -> str:
    match condition:
        case Holds(atom):
            return _atom(atom)
        case Distinct(left, right):
            return f"{kif(left)} differs from {kif(right)}"
        case Not(Holds(atom)) if functor(atom) == "true":
            return f"{kif(arguments(atom)[0])} is not true"
        case Not(inner):
            return f"it does not hold that {_condition(inner)}"
        case Or(conditions):
            return f"either {' or '.join(map(_condition, conditions))}"
        case And(conditions):
            return f"({_all(conditions)})"


def _atom(atom: Term) -> str:
    match functor(atom), arguments(atom):
        case "true", (fluent,):
            return f"{kif(fluent)} is true"
        case "does", (role, move):
            return f"{kif(role)} plays {kif(move)}"
        case "role", (role,):
            return f"{kif(role)} is a role"
        case "terminal", ():
            return "the match is over"
        case "legal", (role, move):
            return f"{kif(role)} may play {kif(move)}"
        case _:
            return f"{kif(atom)} holds"


def _notation(game: Game, role: Role) -> str:
    """The forms of a role's moves, as the rules for them have it."""
    if not isinstance(game, GdlGame):
        return ""
    forms = dict.fromkeys(kif(move) for move in _move_terms(game.sheet.rules, game.role_terms[role]))
    if not forms:
        return ""
    words = " or ".join(forms)
    return f"{words}; words with a question mark stand for names of these rules" if "?" in words else words


def _move_terms(rules: Iterable[Rule], role: Term) -> Iterator[Term]:
    for rule in rules:
        if functor(rule.head) != "legal" or len(arguments(rule.head)) != 2:
            continue
        who, move = arguments(rule.head)
        if who == role or isinstance(who, Variable):
            yield move

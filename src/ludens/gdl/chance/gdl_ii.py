"""From the stochastic dialect (seed 003) to GDL-II: chance becomes moves of the role ``random``.

In each state ``random`` has one move for every way in which the random variables that somebody may use there can turn
out. GDL-II draws its moves uniformly, so an event of weight w is offered w times, with the numbers 1 to w. If the rules
have a role ``random`` already, each of its moves is offered together with every one of these ways. Where the rules hide
nothing, percepts tell everybody what was done, as the Referee of seed 003 does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace

from ludens.core import GameError
from ludens.gdl.chance.dialect import Dialect, dialect_of
from ludens.gdl.chance.outcomes import RANDOM_ROLE
from ludens.gdl.chance.without_variables import Names, OpenMove, Rewriting, list_sources, map_atoms
from ludens.gdl.rules import Distinct, Holds, Not, Rule, RuleSheet, atoms
from ludens.gdl.terms import Term, Variable, arguments, functor, signature

MOST_COPIES = 10_000
"""The limit of copies of events, which express weights."""

_WANTED = Names(
    wrapped="by_chance", drawn="drawn", done="done", weight="weight", player="player", plain="legal_without_chance"
)


def to_gdl_ii(sheet: RuleSheet) -> tuple[Rule, ...]:
    """The rules of the same game in GDL-II. Raises `GameError` if that cannot be written.

    A legal move with random variables is wrapped: ``(roll die)`` becomes ``(by_chance (roll die) die)``, and what was
    done in the end, ``(done role (roll 3))``, is what the other rules ask for.
    """
    if Dialect.STOCHASTIC not in dialect_of(sheet):
        raise GameError("the rules have no random variables, so there is nothing to write in another way")
    mixed = any(rule.head == ("role", RANDOM_ROLE) for rule in sheet.rules)
    taken = set(_words(sheet))
    names = Names(**{field.name: _free(getattr(_WANTED, field.name), taken) for field in fields(Names)})
    rewriting = Rewriting(sheet, names, all_done=mixed)
    sources = [(role, variable) for role, variable in list_sources(sheet) if role != RANDOM_ROLE]
    draw = _Draw(names, sources, {word: _free(word, taken) for word in _Draw.WORDS}, mixed=mixed)
    if any(move.role == RANDOM_ROLE for move in rewriting.open_moves):
        raise GameError("the moves of the role 'random' are drawn themselves, so they cannot have random variables")
    found = [*rewriting.rules, *draw.rules(rewriting.open_moves)]
    found = [_rename_legal(rule, draw.allowed) for rule in found] if mixed else [Rule(("role", RANDOM_ROLE)), *found]
    found += [*draw.moves(), *draw.copies(_weights(sheet))]
    if not any(signature(rule.head) == ("sees", 2) for rule in sheet.rules):
        watcher, role, move = Variable("watcher"), Variable("role"), Variable("move")
        percept_rule = Rule(
            ("sees", watcher, (_free("did", taken), role, move)),
            (Holds((names.player, watcher)), Holds((names.done, role, move))),
        )
        found.append(percept_rule)
    return tuple(dict.fromkeys(found))


class _Draw:
    """The moves of ``random``."""

    WORDS = ("draw", "event", "live", "option", "copies", "nothing", "allowed")

    def __init__(self, names: Names, sources: list[tuple[Term, Term]], words: dict[str, str], *, mixed: bool) -> None:
        self._names = names
        self._sources = sources
        self._words = words
        self._own = (Variable("own"),) if mixed else ()
        """The variable for other moves of ``random``, if the rules already have that role."""

    @property
    def allowed(self) -> str:
        """The new name of ``legal`` for moves of ``random`` other than draws."""
        return self._words["allowed"]

    def moves(self) -> Iterator[Rule]:
        """The legal moves of ``random``, and of the others where it has some of its own."""
        word = self._words
        move = (word["draw"], *self._own, *self._draw_variables())
        offered = [Holds((self.allowed, RANDOM_ROLE, own)) for own in self._own]
        for (who, what), unknown in zip(self._sources, self._draw_variables(), strict=True):
            offered.append(Holds((word["option"], who, what, unknown)))
        yield Rule(("legal", RANDOM_ROLE, move), tuple(offered))
        if self._own:
            role, other = Variable("role"), Variable("move")
            yield Rule(("legal", role, other), (Holds((self.allowed, role, other)), Distinct(role, RANDOM_ROLE)))
            yield Rule((self._names.done, RANDOM_ROLE, *self._own), (Holds(("does", RANDOM_ROLE, move)),))

    def _draw_variables(self) -> list[Variable]:
        """A variable for the draw from each source."""
        return [Variable(f"drawn{n}") for n in range(1, len(self._sources) + 1)]

    def rules(self, moves: Iterable[OpenMove]) -> Iterator[Rule]:
        """The rules for possible draws, and for what was drawn."""
        word, names = self._words, self._names
        for move in moves:
            for variable in move.variables:
                yield Rule((word["live"], move.role, variable), move.rule.body, move.rule.span)
        role, variable, value = Variable("role"), Variable("variable"), Variable("event")
        weight, number = Variable("weight"), Variable("number")
        yield Rule(
            (word["option"], role, variable, (word["event"], value, number)),
            (
                Holds((word["live"], role, variable)),
                Holds((names.weight, variable, weight, value)),
                Holds((word["copies"], weight, number)),
            ),
        )
        drawn = self._draw_variables()
        for (who, what), unknown in zip(self._sources, drawn, strict=True):
            live = Holds((word["live"], who, what))
            yield Rule((word["option"], who, what, word["nothing"]), (Holds((names.player, who)), Not(live)))
            together = tuple((word["event"], value, number) if other == unknown else other for other in drawn)
            does = Holds(("does", RANDOM_ROLE, (word["draw"], *self._own, *together)))
            yield Rule((names.drawn, who, what, value), (does,))

    def copies(self, weights: Sequence[int]) -> Iterator[Rule]:
        """How often an event of each weight is offered."""
        if sum(weights) > MOST_COPIES:
            raise GameError(
                f"weights up to {weights[-1]:,} would need {sum(weights):,} copies of events, more than {MOST_COPIES:,}"
            )
        for weight in weights:
            for number in range(1, weight + 1):
                yield Rule((self._words["copies"], str(weight), str(number)))


def _rename_legal(rule: Rule, name: str) -> Rule:
    """A rule with another name for ``legal``."""

    def change(atom: Term) -> Term:
        return (name, *arguments(atom)) if signature(atom) == ("legal", 2) else atom

    return replace(rule, head=change(rule.head), body=tuple(map_atoms(condition, change) for condition in rule.body))


def _weights(sheet: RuleSheet) -> list[int]:
    """The weights that events can have: if a rule does not say it, any number in the rules may be one."""
    found = [arguments(rule.head)[1] for rule in sheet.rules if signature(rule.head) == ("random", 3)]
    words = _words(sheet) if any(isinstance(weight, Variable) for weight in found) else map(str, found)
    return sorted({int(word) for word in words if word.isascii() and word.isdecimal() and len(word) < 9})


def _words(sheet: RuleSheet) -> Iterator[str]:
    """All names in the rules."""
    for rule in sheet.rules:
        yield from _names_in(rule.head)
        for condition in rule.body:
            for holds, _ in atoms(condition):
                yield from _names_in(holds.atom)


def _names_in(term: Term) -> Iterator[str]:
    if not isinstance(term, Variable):
        yield functor(term)
        for part in arguments(term):
            yield from _names_in(part)


def _free(name: str, taken: set[str]) -> str:
    """A name that does not occur yet."""
    lower = {word.lower() for word in taken}
    while name in lower:
        name = f"{name}_"
    taken.add(name)
    return name

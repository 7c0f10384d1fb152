"""The fluents of a game, and the domains of their arguments."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Protocol

from ludens.core import Role, random_joint_move
from ludens.drawing.fluents.plain import Plain
from ludens.drawing.hints import Hints
from ludens.drawing.model import Panel
from ludens.drawing.words import Namer
from ludens.gdl.board import Sample, sample_fluents
from ludens.gdl.game import GdlGame
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import Term, arguments, signature, sort_key
from ludens.gdl.write import kif

_LATER = 6


@dataclass(frozen=True, slots=True)
class Situation:
    """The visible facts of one state by fluent, and the observer."""

    certain: Mapping[Signature, Sequence[Term]]
    """The facts of each fluent, in order."""
    possible: Mapping[Signature, Sequence[Term]]
    """The same of facts that may be true."""
    role: Role | None
    mover: Role | None
    """The role whose moves are meant if they do not say so: the observer, or otherwise the role to move."""

    @classmethod
    def of(cls, certain: Iterable[Term], possible: Iterable[Term], role: Role | None, mover: Role | None) -> Situation:
        """Sorts facts."""
        return cls(by_fluent(certain), by_fluent(possible), role, mover)

    def words(self, sign: Signature) -> list[tuple[str, ...]]:
        """The arguments of a fluent's facts, as text."""
        return [tuple(map(kif, arguments(fact))) for fact in self.certain.get(sign, ())]


class Part(Protocol):
    """A group of fluents that are drawn together."""

    fluents: frozenset[Signature]
    """The fluents it draws."""

    def panels(self, now: Situation) -> Sequence[Panel]:
        """The panels to draw."""

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The spots for a move with this name and arguments; empty if it does not belong to this part."""


class FluentPart:
    """Base class of parts for one fluent; some also draw others."""

    def __init__(self, known: Known, sign: Signature, beside: Signature | None = None) -> None:
        self._known = known
        self._sign = sign
        self.fluents = frozenset(filter(None, (sign, beside)))


class Known:
    """The fluents of one game, after some CPU seconds of random play at most."""

    def __init__(self, game: GdlGame, hints: Hints, picture: str, seconds: float = math.inf) -> None:
        start = game.initial_state()
        declared = game.declared_fluents()
        sample = Sample(declared, is_whole=True) if declared else sample_fluents(game, seconds)
        all_facts = start.facts | sample.fluents
        self.plain = Plain(all_facts)
        """Makes facts and moves of this game plain."""
        facts = {self.plain(fact) for fact in all_facts}
        self.is_declared = bool(declared)
        """True if the rules list their fluents."""
        self.is_whole = sample.is_whole
        """False if the time for random play was over."""
        self.game = game
        self.hints = hints
        self.picture = picture
        """``grid``, ``hex``, ``graph``, ``track`` or ``cards`` if the card says so."""
        self.roles = game.roles
        self.namer = Namer(game.roles, hints.colours, hints.pieces)
        self.facts = by_fluent(facts)
        """All facts that can be true, as far as is known."""
        self.start = by_fluent(map(self.plain, start.facts))
        """The facts of the initial state."""
        self.moves = [self.plain(move.term) for role in game.roles for move in start.legal_moves(role)]
        """The first moves."""

    @cached_property
    def later(self) -> dict[Signature, list[Term]]:
        """The facts of a position some random turns later."""
        rng, state = Random(0), self.game.initial_state()
        for _ in range(_LATER):
            if state.is_terminal:
                break
            state = state.sample(random_joint_move(state, rng), rng)
        return by_fluent(map(self.plain, state.facts))

    def domain(self, sign: Signature, n: int) -> list[str]:
        """The domain of an argument, in order."""
        values = {arguments(fact)[n] for fact in self.facts.get(sign, ())}
        return [kif(value) for value in sorted(values, key=sort_key)]

    def is_role(self, sign: Signature, n: int) -> bool:
        """True if an argument is always a role."""
        return set(self.domain(sign, n)) <= set(self.roles)

    def is_number(self, sign: Signature, n: int) -> bool:
        """True if an argument is always a number."""
        return all(is_number(value) for value in self.domain(sign, n))

    def span(self, sign: Signature, n: int) -> int:
        """The range of a numeric argument, inclusive."""
        numbers = [int(value) for value in self.domain(sign, n)]
        return max(numbers) - min(numbers) + 1

    def is_unique(self, sign: Signature, within: Sequence[int]) -> bool:
        """True if in the initial state some arguments of the fluent determine the others."""
        keys = Counter(tuple(arguments(fact)[n] for n in within) for fact in self.start.get(sign, ()))
        return all(count == 1 for count in keys.values())

    def words_of_moves(self) -> set[str]:
        """All words in the first moves."""
        return {kif(word) for move in self.moves for word in arguments(move)}

    def fluents_named(self, part: str) -> list[Signature]:
        """The fluents that the card assigns to this kind of part."""
        return [sign for sign in self.facts if self.hints.parts.get(sign[0]) == part]


def by_fluent(facts: Iterable[Term]) -> dict[Signature, list[Term]]:
    """Facts in order, by their fluent."""
    groups: dict[Signature, list[Term]] = defaultdict(list)
    for fact in sorted(facts, key=sort_key):
        groups[signature(fact)].append(fact)
    return dict(groups)


def is_number(word: str) -> bool:
    """True for a decimal number of at most 8 digits."""
    return word.isascii() and word.isdecimal() and len(word) < 9


def readable_name(name: str) -> str:
    """A readable form of a name of the rules."""
    return name.replace("_", " ")

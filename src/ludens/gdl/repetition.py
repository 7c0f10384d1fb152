"""The end of a match by repetition, which GDL cannot express: a state remembers the positions that led to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ludens.gdl.terms import Term, arguments, functor


@dataclass(frozen=True, slots=True)
class Repetition:
    """The rule that a match ends when a position occurs for the ``times``-th time, with the goals that hold there."""

    times: int
    counters: tuple[str, ...] = ()
    """Names of fluents that count turns, which are no part of the position. Where the first one is 0, something has
    happened that cannot be undone, so that no position from before can occur again."""

    def position(self, facts: frozenset[Term]) -> frozenset[Term]:
        """The fluents that make up the position."""
        return frozenset(fact for fact in facts if functor(fact) not in self.counters)

    def counts(self, facts: frozenset[Term]) -> dict[str, int]:
        """The value of each counter that there is."""
        return {str(functor(fact)): int(str(arguments(fact)[0])) for fact in facts if functor(fact) in self.counters}


@dataclass(frozen=True, slots=True)
class Past:
    """The positions of a match that may occur again."""

    rule: Repetition
    times: Mapping[frozenset[Term], int]
    """How often each occurred."""
    is_over: bool
    """True if the last of them ends the match."""

    @classmethod
    def beginning(cls, rule: Repetition, facts: frozenset[Term]) -> Past:
        """The past of the first state of a match."""
        return cls(rule, {rule.position(facts): 1}, is_over=rule.times <= 1)

    def after(self, facts: frozenset[Term]) -> Past:
        """The past one turn later."""
        counts = self.rule.counts(facts)
        if self.rule.counters and counts.get(self.rule.counters[0]) == 0:
            return Past.beginning(self.rule, facts)
        position = self.rule.position(facts)
        number = self.times.get(position, 0) + 1
        return Past(self.rule, {**self.times, position: number}, number >= self.rule.times)

    def last_times(self, facts: frozenset[Term], turns: int) -> Iterator[frozenset[Term]]:
        """The fluents of states up to some turns after one with these facts that would end the match."""
        counts = self.rule.counts(facts)
        for position, number in self.times.items():
            if number == self.rule.times - 1:
                for turn in range(1, turns + 1):
                    yield position | {(name, str(count + turn)) for name, count in counts.items()}

"""What is known of a game for certain: each fact is yes, no or unknown, with the reason.

A fact is proved from the rules or declared by them. Random play can only find an example: it proves that something
happens, never that it does not. Whoever uses a fact treats *unknown* as the general case:

    if game.facts.simultaneous.possible:
        ...  # two roles may have a choice in one state
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Protocol


class Answer(StrEnum):
    """Whether something holds."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Fact:
    """An answer and why it is right."""

    answer: Answer
    reason: str
    """One sentence without a full stop, such as ``both roles have two legal moves in the initial state``."""

    @property
    def possible(self) -> bool:
        """True unless the answer is no: what to assume if being wrong must do no harm."""
        return self.answer is not Answer.NO

    @property
    def certain(self) -> bool:
        """True if the answer is yes."""
        return self.answer is Answer.YES

    def __str__(self) -> str:
        return f"{self.answer} ({self.reason})"


def yes(reason: str) -> Fact:
    """Something that holds."""
    return Fact(Answer.YES, reason)


def no(reason: str) -> Fact:
    """Something that does not hold."""
    return Fact(Answer.NO, reason)


def unknown(reason: str) -> Fact:
    """Something that may hold."""
    return Fact(Answer.UNKNOWN, reason)


def declared(value: bool) -> Fact:
    """What the rules say themselves."""
    return Fact(Answer.YES if value else Answer.NO, "declared by the rules")


NAMES = ("simultaneous", "alternating", "chance", "hidden", "zero_sum", "role_symmetry")
"""All facts, in the order in which they are shown."""


class Declares(Protocol):
    """What every game declares."""

    @property
    def roles(self) -> tuple[str, ...]:
        """All roles."""

    @property
    def chance(self) -> bool:
        """True if some outcomes are drawn at random."""

    @property
    def hidden(self) -> bool:
        """True if some role may not see the whole state."""


class Facts:
    """The facts about one game. Each is computed when it is first asked for, and kept.

    A *choice* of a role is a state that is not terminal and gives it more than one legal move. This class knows what
    every game declares; games whose rules can be examined have a subclass.
    """

    def __init__(self, game: Declares) -> None:
        self._game = game

    @cached_property
    def simultaneous(self) -> Fact:
        """Whether two roles have a choice in one state that play can reach."""
        return no(ONE_ROLE) if len(self._game.roles) == 1 else unknown(NOT_EXAMINED)

    @property
    def may_be_simultaneous(self) -> bool:
        """What `simultaneous` says is possible, for those who cannot wait for a proof: True where that takes long."""
        return self.simultaneous.possible

    @cached_property
    def alternating(self) -> Fact:
        """Whether roles take turns: in no state do two roles have a choice, and none has one in two states in a row.

        A role may have no choice in its turn, or in any number of turns. With one role, the answer is no.
        """
        if len(self._game.roles) == 1:
            return no(ONE_ROLE)
        if self.simultaneous.certain:
            return no("two roles may have a choice in one state")
        return unknown(NOT_EXAMINED)

    @cached_property
    def chance(self) -> Fact:
        """Whether some outcomes are drawn at random."""
        return declared(self._game.chance)

    @cached_property
    def hidden(self) -> Fact:
        """Whether some role may not see the whole state."""
        return declared(self._game.hidden)

    @cached_property
    def zero_sum(self) -> Fact:
        """Whether the goals of all roles add up to the same number in every terminal state that play can reach."""
        return unknown(NOT_EXAMINED)

    @cached_property
    def role_symmetry(self) -> Fact:
        """Whether the rules treat all roles alike.

        For any two roles there is then a one-to-one mapping of roles, fluents and moves onto themselves that takes one
        role to the other and leaves legal moves, their effects, the end and the goals as they are. The initial state is
        left aside: somebody has to begin. `ludens.analysis.facts` looks for such mappings.
        """
        return yes(ONE_ROLE) if len(self._game.roles) == 1 else unknown(NOT_EXAMINED)

    def knowing(self, **found: Fact) -> Facts:
        """The same facts, some of them replaced by what was found out elsewhere."""
        facts = copy(self)
        facts.__dict__.update(found)
        return facts

    def __iter__(self) -> Iterator[tuple[str, Fact]]:
        """All facts by their names; what is not known yet is computed."""
        return ((name, getattr(self, name)) for name in NAMES)

    def as_json(self) -> dict[str, dict[str, str]]:
        """All facts as plain values: ``{"simultaneous": {"answer": "no", "reason": …}, …}``."""
        return {name: {"answer": str(fact.answer), "reason": fact.reason} for name, fact in self}


ONE_ROLE = "there is one role"
NOT_EXAMINED = "not examined"

"""Facts about a game in GDL that its text and a few random matches show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Protocol

from ludens.core import GameError, Role, State, random_joint_move
from ludens.core.facts import ONE_ROLE, Declares, Fact, Facts, no, unknown, yes
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term
from ludens.gdl.turn_taking import Turns, find_turns

PLAYED = 40
"""Joint moves of a random match in which an example is looked for."""
NOT_COMPILED = "the text of the rules does not show it; the compiled rules may"


class DeclaresRules(Declares, Protocol):
    """A game in GDL, as far as its facts need it."""

    @property
    def sheet(self) -> RuleSheet:
        """Its rules."""

    @property
    def role_terms(self) -> Mapping[Role, Term]:
        """The term of each role."""

    def initial_state(self) -> State:
        """The state in which every match begins."""


class GdlFacts(Facts):
    """The facts about a game in GDL. Backends that know more than the text override what is examined."""

    _game: DeclaresRules

    def __init__(self, game: DeclaresRules) -> None:
        super().__init__(game)

    @cached_property
    def simultaneous(self) -> Fact:
        """The text of the rules is looked at first."""
        return self._plain_simultaneous or self._examine_simultaneous()

    @property
    def may_be_simultaneous(self) -> bool:
        """False only where `simultaneous` is no and that is known already, or plain within a fraction of a second."""
        if "simultaneous" in self.__dict__:
            return self.simultaneous.possible
        return self._plain_simultaneous is None

    @property
    def _plain_simultaneous(self) -> Fact | None:
        """That roles never choose at once, if it is plain without play and proofs."""
        return self._textual_simultaneous

    @property
    def _textual_simultaneous(self) -> Fact | None:
        if len(self._game.roles) == 1:
            return no(ONE_ROLE)
        return None if self._turns is None else no(f"proved from the text: {self._turns.reason}")

    @cached_property
    def alternating(self) -> Fact:
        """Known from the text if control always passes to another role."""
        if len(self._game.roles) == 1:
            return no(ONE_ROLE)
        if self._turns is not None and self._turns.always_pass:
            return yes(f"proved from the text: {self._turns.functor} always passes to another role")
        if self.simultaneous.certain:
            return no("two roles may have a choice in one state")
        if self.simultaneous.possible:
            return unknown("it is not known whether two roles may have a choice in one state")
        return self._examine_alternating()

    @cached_property
    def _turns(self) -> Turns | None:
        return find_turns(self._game.sheet, [self._game.role_terms[role] for role in self._game.roles])

    def _examine_simultaneous(self) -> Fact:
        """Look for an example in a random match."""
        game, rng = self._game, Random(0)
        try:
            state = game.initial_state()
            for turn in range(PLAYED):
                choosing = [role for role in game.roles if len(state.legal_moves(role)) > 1]
                if len(choosing) > 1:
                    return yes(f"{listed(choosing)} have a choice {in_turn(turn)}")
                joint_move = random_joint_move(state, rng)
                if len(joint_move) < len(game.roles):
                    break
                state = state.sample(joint_move, rng)
        except GameError as error:
            return unknown(f"a random match failed: {error}")
        return unknown(NOT_COMPILED)

    def _examine_alternating(self) -> Fact:
        return unknown(NOT_COMPILED)


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them: ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def in_turn(number: int) -> str:
    """Where a turn is, counted from 0."""
    return "in the initial state" if number == 0 else f"in turn {number + 1} of a random match"

"""A player's own tables: complete worlds that it takes for possible, on which it may try out actions and undo them.

The paper gives players doAction, doSimulateAction, undoSimulateAction, getChoices and getEval, and lets them shuffle
the unknown at any time; here these are the match itself, `OwnTable.simulate`, `OwnTable.undo`, `OwnTable.choices`,
`OwnTable.evaluation` and `Tables.reshuffle`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from ludens.core import IllegalMoveError, JointMove, Move, Role, View
from ludens.tabletop.guess import Guess, Guesser
from ludens.tabletop.randomness import draw_and_do
from ludens.tabletop.state import TabletopState
from ludens.tabletop.view import TableView


class OwnTable:
    """One table to try out things on."""

    def __init__(self, state: TabletopState, rng: Random) -> None:
        self._game = state.game
        self._table = state.table.copy()
        self._rng = rng
        self._marks: list[int] = []

    @property
    def state(self) -> TabletopState:
        """How the table lies now, as a State."""
        return TabletopState(self._game, self._table.copy())

    def choices(self) -> Mapping[Role, Sequence[Move]]:
        """The moves of everybody who may act now."""
        state = self.state
        return {role: moves for role in self._game.roles if (moves := state.legal_moves(role))}

    def simulate(self, joint_move: JointMove) -> None:
        """Do what the roles would do, chance drawn at random, on this table only."""
        scratch = self._table.copy()
        done = []
        for role, move in joint_move.items():
            found = self._game.choices(scratch, role).get(move)
            if found is None:
                raise IllegalMoveError(f"{move!r} is not a legal move of {role} on this table")
            done.append((role, *found))
        self._marks.append(self._table.mark())
        self._game.advance(self._table, done, lambda action: draw_and_do(action, self._table, self._rng))

    def undo(self) -> None:
        """Take back the last `simulate`."""
        if not self._marks:
            raise IllegalMoveError("there is nothing to undo on this table")
        self._table.roll_back(self._marks.pop())

    def evaluation(self) -> Mapping[Role, int]:
        """What the position is worth for each role: the result, or a hint from the scores."""
        return self.state.goals


class Tables:
    """Any number of guesses of one player, kept in agreement with all it sees.

    Call `observe` with every new view. What was revealed is swapped into its place on each table; a table that cannot
    be repaired is drawn anew.
    """

    def __init__(self, count: int, rng: Random) -> None:
        self._count = count
        self._rng = rng
        self._guesses: list[Guess] = []
        self._guesser: Guesser | None = None
        self._open: TabletopState | None = None
        self.repaired = 0
        """How many tables were repaired so far, those that needed no change included."""
        self.resampled = 0
        """How many could not be repaired and were drawn anew."""

    def observe(self, view: View) -> None:
        """Take in what the player knows now."""
        if not isinstance(view, TableView):
            state = view.sample(self._rng)
            assert isinstance(state, TabletopState)
            self._open = state
            return
        guesser = view.guesser
        if not self._guesses:
            self._guesses = [guesser.fresh(self._rng) for _ in range(self._count)]
        else:
            self._guesses = [self._kept(guesser, guess) for guess in self._guesses]
        self._guesser = guesser

    def _kept(self, guesser: Guesser, guess: Guess) -> Guess:
        repaired = guesser.repaired(guess, self._rng)
        if repaired is None:
            self.resampled += 1
            return guesser.fresh(self._rng)
        self.repaired += 1
        return repaired

    def reshuffle(self) -> None:
        """Guess everything anew."""
        if self._guesser is not None:
            self._guesses = [self._guesser.fresh(self._rng) for _ in range(self._count)]

    @property
    def states(self) -> list[TabletopState]:
        """The tables as States, one for each; in games without secrets all are the position itself."""
        if self._open is not None:
            return [self._open] * self._count
        if self._guesser is None:
            return []
        return [self._guesser.world(guess) for guess in self._guesses]

    def table(self, number: int) -> OwnTable:
        """One of the tables, to simulate on; changes to it are the caller's alone."""
        return OwnTable(self.states[number], self._rng)

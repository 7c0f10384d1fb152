"""A player's own tables: complete worlds that it takes for possible, on which it may try out actions and undo them.

The paper gives players doAction, doSimulateAction, undoSimulateAction, getChoices and getEval, and lets them shuffle
the unknown at any time; here these are the match itself, `OwnTable.simulate`, `OwnTable.undo`, `OwnTable.choices`,
`OwnTable.evaluation` and `Tables.reshuffle`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from ludens.core import GameError, IllegalMoveError, JointMove, Move, Role, View, Worlds
from ludens.tabletop.guess import Guess, Guesser
from ludens.tabletop.randomness import draw_and_do
from ludens.tabletop.state import TabletopState
from ludens.tabletop.view import GuessingView


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


class Tables(Worlds):
    """Any number of guesses of one player, kept in agreement with all it sees.

    Call `observe` with every new view. What was revealed is swapped into its place on each table; a table that cannot
    be repaired is drawn anew. That happens when a table is wanted, so that those that nobody asks for cost nothing.
    """

    def __init__(self, count: int, rng: Random) -> None:
        self._count = count
        self._rng = rng
        self._guesses: list[tuple[Guess, Guesser] | None] = [None] * count
        """Each guess with the guesser that it was made or repaired by."""
        self._guesser: Guesser | None = None
        self._open: TabletopState | None = None
        self._turn = 0
        self.repaired = 0
        """How many tables were repaired so far, those that needed no change included."""
        self.resampled = 0
        """How many could not be repaired and were drawn anew."""

    def observe(self, view: View) -> None:
        """Take in what the player knows now."""
        if isinstance(view, GuessingView):
            self._guesser = view.guesser
            return
        state = view.sample(self._rng)
        assert isinstance(state, TabletopState)
        self._open = state

    def reshuffle(self) -> None:
        """Guess everything anew."""
        self._guesses = [None] * self._count

    def draw(self) -> TabletopState:
        """The tables one after the other, again and again."""
        self._turn = (self._turn + 1) % self._count
        return self._state(self._turn)

    @property
    def states(self) -> list[TabletopState]:
        """The tables as States, one for each; in games without secrets all are the position itself."""
        return [self._state(number) for number in range(self._count)]

    def table(self, number: int) -> OwnTable:
        """One of the tables, to simulate on; changes to it are the caller's alone."""
        return OwnTable(self._state(number), self._rng)

    def _state(self, number: int) -> TabletopState:
        if self._open is not None:
            return self._open
        guesser = self._guesser
        if guesser is None:
            raise GameError("tables are empty until their player has seen something: call observe first")
        kept = self._guesses[number]
        if kept is None or kept[1] is not guesser:
            kept = self._guesses[number] = (self._guess(guesser, kept), guesser)
        return guesser.world(kept[0])

    def _guess(self, guesser: Guesser, kept: tuple[Guess, Guesser] | None) -> Guess:
        if kept is None:
            return guesser.fresh(self._rng)
        repaired = guesser.repaired(kept[0], self._rng)
        if repaired is None:
            self.resampled += 1
            return guesser.fresh(self._rng)
        self.repaired += 1
        return repaired

"""Sampled tables of a player: complete states that it considers possible, on which it can simulate and undo actions.

The paper gives players doAction, doSimulateAction, undoSimulateAction, getChoices and getEval, and lets them shuffle
the unknown at any time; here these are the match itself, `OwnTable.simulate`, `OwnTable.undo`, `OwnTable.choices`,
`OwnTable.evaluation` and `Tables.reshuffle`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from ludens.core import GameError, IllegalMoveError, JointMove, Move, Role, View, Worlds
from ludens.tabletop.actions.randomness import draw_and_do
from ludens.tabletop.hidden.determinisation import Determinisation, Sampler
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.hidden.view import SamplingView
from ludens.tabletop.hidden.weighing import Weighing
from ludens.tabletop.state import TabletopState


class OwnTable:
    """One table for simulations."""

    def __init__(self, state: TableState, rng: Random) -> None:
        self._game = state.game
        self._table = state.table.copy()
        self._rng = rng
        self._marks: list[int] = []

    @property
    def state(self) -> TabletopState:
        """The table as it is now, as a State."""
        return TabletopState(self._game, self._table.copy())

    def choices(self) -> Mapping[Role, Sequence[Move]]:
        """The moves of everybody who may act now."""
        state = self.state
        return {role: moves for role in self._game.roles if (moves := state.legal_moves(role))}

    def simulate(self, joint_move: JointMove) -> None:
        """Play a joint move on this table only, chance drawn at random."""
        scratch = self._table.copy()
        done = []
        for role, move in joint_move.items():
            choice = self._game.choices(scratch, role).get(move)
            if choice is None:
                raise IllegalMoveError(f"{move!r} is not a legal move of {role} on this table")
            done.append((role, *choice))
        self._marks.append(self._table.mark())
        self._game.advance(self._table, done, lambda action: draw_and_do(action, self._table, self._rng))

    def undo(self) -> None:
        """Take back the last `simulate`."""
        if not self._marks:
            raise IllegalMoveError("there is nothing to undo on this table")
        self._table.roll_back(self._marks.pop())

    def evaluation(self) -> Mapping[Role, int]:
        """The value of the position for each role: the result, or an estimate from the scores."""
        return self.state.goals


class Tables(Worlds):
    """Sampled tables of one player, kept consistent with all it sees.

    Call `observe` with every new view. What was revealed is swapped into its place on each table; a table that cannot
    be repaired is resampled. Both happen on demand, so unused tables cost nothing.
    """

    def __init__(self, count: int, rng: Random) -> None:
        self._count = count
        self._rng = rng
        self._samples: list[tuple[Determinisation, Sampler] | None] = [None] * count
        """Each sample with the sampler that drew or repaired it."""
        self._sampler: Sampler | None = None
        self._weighing: Weighing | None = None
        self._open: TabletopState | None = None
        self._belief: SamplingView | None = None
        """The view, if its worlds are particles."""
        self._worlds: dict[int, tuple[TableState, SamplingView]] = {}
        """The particles that were drawn, each with the view that it fits."""
        self._shown: tuple[Sampler, TableState] | None = None
        """The table that rollouts begin with, and the sampler that drew it."""
        self._turn = 0
        self.repaired = 0
        """How many tables were repaired, including those that needed no change."""
        self.resampled = 0
        """How many could not be repaired and were resampled."""
        self._partial = 0

    @property
    def partial(self) -> int:
        """How many tables were drawn so far that contradict something which the player perceived."""
        return self._partial

    def observe(self, view: View) -> None:
        """Update the player's knowledge."""
        if isinstance(view, SamplingView) and not view.has_belief:
            if view.sampler is not self._sampler:
                self._sampler, self._belief, self._weighing = view.sampler, None, None
            return
        if isinstance(view, SamplingView):
            self._belief = view
            return
        state = view.sample(self._rng)
        assert isinstance(state, TabletopState)
        self._open = state

    def _has_model(self, sampler: Sampler) -> bool:
        return self.models_opponents and sampler.state.game.has_model

    def prepare(self) -> None:
        """Find particles."""
        if self._belief is not None:
            self._belief.sample(self._rng)

    def reshuffle(self) -> None:
        """Resample all tables."""
        self._worlds = {}
        self._samples = [None] * self._count

    def draw(self) -> TableState:
        """The next table, in rotation."""
        self._turn = (self._turn + 1) % self._count
        return self._state(self._turn)

    @property
    def has_rollouts(self) -> bool:
        """True if the rule has them, and others are to be modelled."""
        return self.models_opponents and self._sampler is not None and self._sampler.state.game.has_rollouts

    def rollouts(self, moves: Sequence[Move]) -> Sequence[Sequence[float]]:
        """By the rule. It gets a sampled table, so that it cannot know more than the player."""
        sampler = self._sampler
        assert sampler is not None
        if self._shown is None or self._shown[0] is not sampler:
            self._shown = sampler, sampler.world(sampler.draw(self._rng))
        world = self._shown[1]
        return world.game.rollouts(world.table, sampler.role, moves, self._rng)

    @property
    def states(self) -> list[TableState]:
        """The tables as States, one for each; in games without secrets all are the position itself."""
        return [self._state(number) for number in range(self._count)]

    def table(self, number: int) -> OwnTable:
        """A copy of one of the tables, to simulate on."""
        return OwnTable(self._state(number), self._rng)

    def _state(self, number: int) -> TableState:
        if self._open is not None:
            return self._open
        if self._belief is not None:
            return self._particle(number, self._belief)
        sampler = self._sampler
        if sampler is None:
            raise GameError("there are no tables before the first view: call observe first")
        kept = self._samples[number]
        if kept is None or kept[1] is not sampler:
            kept = self._samples[number] = (self._refresh(sampler, kept), sampler)
        return sampler.world(kept[0])

    def _draw(self, sampler: Sampler) -> Determinisation:
        misses = sampler.misses
        drawn = sampler.draw(self._rng)
        self._partial += sampler.misses - misses
        return drawn

    def _particle(self, number: int, view: SamplingView) -> TableState:
        """A particle: the one that was drawn before, played on, as long as it fits."""
        kept = self._worlds.get(number)
        if kept is None or kept[1] is not view:
            world = None if kept is None else view.follow(kept[0], self._rng)
            if kept is not None:
                self.repaired += world is not None
                self.resampled += world is None
            if world is None:
                drawn = view.sample(self._rng)
                assert isinstance(drawn, TabletopState)
                world = drawn
                self._partial += not world.has_history
            kept = self._worlds[number] = (world, view)
        return kept[0]

    def _refresh(self, sampler: Sampler, kept: tuple[Determinisation, Sampler] | None) -> Determinisation:
        if self._has_model(sampler):
            if self._weighing is None:
                self._weighing = Weighing(sampler)
            return self._weighing.draw(sampler, self._rng)
        if kept is None:
            return self._draw(sampler)
        repaired = sampler.repair(kept[0], self._rng)
        if repaired is None:
            self.resampled += 1
            return self._draw(sampler)
        self.repaired += 1
        return repaired

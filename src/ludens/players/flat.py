"""Flat Monte-Carlo: random playouts after every legal move, then the move with the best average (seed 001)."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from ludens.core import (
    Clock,
    Deadline,
    Decision,
    Game,
    Move,
    MoveReport,
    NativePlayouts,
    Option,
    Player,
    Role,
    State,
    Thinking,
    View,
    random_joint_move,
    with_move,
)
from ludens.players.search.leaves import TWIN_OPTION, SharedPlayouts


@dataclass(slots=True)
class _Tally:
    """The results of the playouts after one move."""

    move: Move
    total: float = 0.0
    playouts: int = 0

    @property
    def average(self) -> float:
        return self.total / self.playouts if self.playouts else 0.0


class FlatPlayer(Player):
    """Runs random playouts after each move in turn until time is up, then plays the move with the best average."""

    name = "flat"
    description = "flat Monte-Carlo: the move with the best average over random playouts"
    options = (
        Option("playouts", 0, "playouts per move; 0: as many as the clock allows", 0, 1_000_000),
        Option("depth", 500, "steps after which a playout is cut off and scored by the current goals", 1, 100_000),
        TWIN_OPTION,
    )

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Seed the playouts and run one, so that one-time work of the game does not cost the first move's time."""
        self._longest_margin = clock.play / 2
        self._role = role
        self._rng = Random(seed)
        self._slowest_step = 0.0
        deadline = Deadline(clock.start / 2)
        self._game = game
        self._native = SharedPlayouts(game, self._rng, str(self.settings[TWIN_OPTION.name]))
        self._native.get(clock.start / 4)
        state = game.initial_state()
        for _ in range(int(self.settings["depth"])):
            if state.is_terminal or deadline.remaining() <= 0:
                break
            state = self._step(state, "")

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The move with the highest average goal over its playouts; ties are broken at random."""
        began = time.monotonic()
        self._slowest_step /= 2  # decays, so that one hiccup of the machine does not count for ever
        self.channel.publish(Decision(view.legal_moves[0]))
        tallies = [_Tally(move) for move in view.legal_moves]
        self._form = self._game.compiled(0.0)
        native = self._native.get()
        if native is None:
            states = self._playouts(view, tallies, deadline)
        else:
            states = self._native_playouts(native, view, tallies, deadline)
        self._rng.shuffle(tallies)
        tallies.sort(key=lambda tally: tally.average, reverse=True)
        thinking = self._thinking(tallies, states, time.monotonic() - began)
        return Decision(tallies[0].move, thinking)

    def _thinking(self, tallies: Sequence[_Tally], states: int, seconds: float) -> Thinking:
        playouts = sum(tally.playouts for tally in tallies)
        return Thinking(
            note=f"{playouts:,} playouts, {states:,} states, expects {tallies[0].average:.0f}",
            iterations=playouts,
            seconds=seconds,
            value=tallies[0].average,
            moves=tuple(MoveReport(tally.move, tally.average, tally.playouts) for tally in tallies),
            backend=self._form.backend,
            extra={"states": states},
        )

    def _playouts(self, view: View, tallies: list[_Tally], deadline: Deadline) -> int:
        """Run playouts after each move in turn; returns the number of states visited."""
        states = 0
        limit = int(self.settings["playouts"]) or 1_000_000_000
        began = time.monotonic()
        game = self._form
        for _ in range(limit):
            if self.channel.wants_thinking():
                best_first = sorted(tallies, key=lambda tally: tally.average, reverse=True)
                self.publish_search(self._thinking(best_first, states, time.monotonic() - began), view.legal_moves)
            for tally in tallies:
                state = game.convert(view.sample(self._rng))
                first = tally.move
                for _ in range(int(self.settings["depth"])):
                    if deadline.remaining() < self._margin():
                        return states
                    started = time.monotonic()
                    state = self._step(state, first)
                    finished = state.is_terminal
                    self._slowest_step = max(self._slowest_step, time.monotonic() - started)
                    states += 1
                    first = ""
                    if finished:
                        break
                tally.total += state.goals[self._role]
                tally.playouts += 1
        return states

    def _native_playouts(self, native: NativePlayouts, view: View, tallies: list[_Tally], deadline: Deadline) -> int:
        """The same in machine code: all moves at once, in as many samples as there are lanes for."""
        moves = [tally.move for tally in tallies]
        count = max(1, native.width // len(moves))
        limit = int(self.settings["playouts"]) or 1_000_000_000
        number = self._game.roles.index(self._role)
        before, done = native.turns, 0
        while done < limit and (not done or deadline.remaining() >= self._margin()):
            started = time.monotonic()
            count = min(count, limit - done)
            samples = [view.sample(self._rng) for _ in range(count)]
            goals = native.play_out_moves(samples, self._role, moves, 1, int(self.settings["depth"]))
            for tally, own in zip(tallies, goals[..., number].reshape(len(moves), -1).tolist(), strict=True):
                ended = [goal for goal in own if not math.isnan(goal)]
                tally.total += sum(ended)
                tally.playouts += len(ended)
            done += count
            self._slowest_step = max(self._slowest_step, time.monotonic() - started)
        return native.turns - before

    def _step(self, state: State, own_move: Move) -> State:
        """The state after a random joint move, or one with ``own_move`` for this role."""
        joint_move = (
            with_move(state, self._role, own_move, self._rng) if own_move else random_joint_move(state, self._rng)
        )
        return state.sample(joint_move, self._rng)

    def _margin(self) -> float:
        """Seconds to keep in reserve: twice the slowest recent step, since a step cannot be interrupted."""
        return min(2 * self._slowest_step, self._longest_margin)

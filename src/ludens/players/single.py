"""A player for games with one role: it searches for the best line, then plays it."""

from __future__ import annotations

import math
import time
from contextlib import suppress
from random import Random

from ludens.core import (
    Clock,
    Deadline,
    Decision,
    Game,
    Move,
    Option,
    OutOfTimeError,
    Player,
    PlayerError,
    Role,
    State,
    Thinking,
    View,
)
from ludens.players.one_role.solver import Solver, space_of

START_SHARE = 0.75
"""The share of the start clock that is used for searching."""


class _UntilCompiled(Deadline):
    """A deadline that ends early when the compiled game has arrived."""

    def __init__(self, whole: Deadline, game: Game) -> None:
        super().__init__(math.inf)
        self._whole, self._game = whole, game

    def remaining(self) -> float:
        """Seconds left on the interpreter."""
        return self._whole.remaining() if self._game.compiled(0.0) is self._game else 0.0


class SinglePlayer(Player):
    """Searches, from the start clock on, until the best goal is found or proved, and plays the best line so far."""

    name = "single"
    description = (
        "for one role: breadth-first, A*, greedy, depth-first, beam and nested Monte-Carlo search, then plays the plan"
    )
    options = (
        Option("shortest", False, "once the best goal is found, search on for the fewest moves"),
        Option("level", 2, "level of nested Monte-Carlo search", 1, 4),
        Option("memory", 1_000, "memory for the searches in megabytes", 10, 100_000),
    )

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Search from the initial state for most of the start clock, interpreted until the compiled game arrives."""
        began = time.monotonic()
        if len(game.roles) != 1 or game.chance or game.hidden:
            what = "chance" if game.chance else "hidden information" if game.hidden else f"{len(game.roles)} roles"
            raise PlayerError(
                f"player 'single' plays games with one role and no chance, but {game.name} has {what}: "
                "choose another player"
            )
        self._role = role
        self._rng = Random(seed)
        self._loaded = self._game = game
        self._space = space_of(game, seed)
        self._plan: dict[State, tuple[int, tuple[Move, ...]]] = {}
        """For positions on the best lines: the goal that they lead to, and the moves to the end."""
        self._solver = self._begin(game.initial_state())
        if math.isfinite(clock.start):
            deadline = Deadline(START_SHARE * clock.start - (time.monotonic() - began))
            self._search(_UntilCompiled(deadline, game))
            if self._swap() and not self._solver.is_finished:
                self._solver = self._begin(self._game.initial_state())
                self._search(deadline)

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The next move of the plan; as long as it may be improved, searches for a better one first."""
        began = time.monotonic()
        self._swap()
        state = self._game.convert(view.sample(self._rng))
        goal, line = self._plan.get(state, (-1, ()))
        self.channel.publish(Decision(line[0] if line else view.legal_moves[0]))
        if state != self._solver.root and not (self._solver.is_finished and state in self._plan):
            self._solver = self._begin(state)
        if not self._solver.is_finished:
            self._search(deadline)
        goal, line = self._plan.get(state, (-1, ()))
        move = line[0] if line else self._rng.choice(view.legal_moves)
        return Decision(move, self._thinking(goal, line, time.monotonic() - began))

    def _swap(self) -> bool:
        """Search the compiled game from now on, if it has just arrived; the plan so far is kept."""
        faster = self._loaded.compiled(0.0)
        if faster is self._game:
            return False
        self._game = faster
        self._space = space_of(faster, self._rng.randrange(2**32))
        self._plan = {faster.convert(state): plan for state, plan in self._plan.items()}
        return True

    def _begin(self, root: State) -> Solver:
        settings = self.settings
        solver = Solver(
            self._space,
            root,
            level=int(settings["level"]),
            megabytes=int(settings["memory"]),
            shortest=bool(settings["shortest"]),
            seed=self._rng.randrange(2**32),
        )
        goal, line = self._plan.get(root, (-1, ()))
        if line:
            solver.incumbent.offer(goal, line, "plan")
        return solver

    def _search(self, deadline: Deadline) -> None:
        """Search on, and adopt the best line found as the plan."""
        began = time.monotonic()

        def report() -> None:
            if self.channel.wants_thinking():
                best = self._solver.incumbent
                thinking = self._thinking(best.goal, best.line, time.monotonic() - began)
                self.channel.report(thinking)
                if best.line:
                    self.channel.publish(Decision(best.line[0], thinking))

        with suppress(OutOfTimeError), deadline.enforced():
            self._solver.run(deadline, report)
        best = self._solver.incumbent
        state = self._solver.root
        if best.goal < 0 or self._plan.get(state) == (best.goal, best.line):
            return
        self._plan[state] = best.goal, best.line
        for n, move in enumerate(best.line[:-1], start=1):
            state = state.play({self._role: move})
            self._plan[state] = best.goal, best.line[n:]

    def _thinking(self, goal: int, line: tuple[Move, ...], seconds: float) -> Thinking:
        best = self._solver.incumbent
        proved = ", fewest moves" if best.length_proved else ", proved" if best.goal_proved else ""
        found = f"goal {goal} in {len(line)} moves{proved}" if line else "no line to the end found"
        return Thinking(
            note=f"{found}, {self._solver.states:,} states",
            iterations=self._solver.states,
            seconds=seconds,
            depth=len(line),
            value=float(goal) if line else None,
            line=line,
            backend=self._game.backend,
            extra={"source": best.source, "states": dict(self._solver.states_by_search())},
        )

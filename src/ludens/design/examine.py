"""Examines a game within some CPU seconds: random play, strong play, the use of moves, the use of rules."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from random import Random

from ludens.analysis.symmetry import are_roles_alike
from ludens.compiler.backends import make_game
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import CpuDeadline, Game, GameError, LudensError, OutOfTimeError, State
from ludens.core.batch_game import BatchGame
from ludens.core.interval import wilson
from ludens.design.allowance import Allowance, compile_within
from ludens.design.contests import alone, doubling, without
from ludens.design.coverage import watch_rules
from ludens.design.drama import drama_of
from ludens.design.examined import Examined, Perfect
from ludens.design.random_play import RandomPlay, play_randomly
from ludens.design.strong_play import LEAST_LEAVES, Table, find_strength, play_series
from ludens.design.usage import usage_of_kinds, usage_of_things
from ludens.gdl.game import GdlGame, GdlState
from ludens.players.decomposition.solve_state import solve_state

SECONDS = 60.0
"""CPU seconds for a small game."""
_MATCHES, _WANTED = 120, 40
"""Matches of strong play at most, and those that the strength is chosen for."""
_LADDER_STEPS, _LADDER_MATCHES, _RESTRICTED_MATCHES = 3, 48, 32
_SOLVABLE = 20_000
"""Operations of a circuit above which no proof is tried."""
_SOLVER_MEGABYTES = 64
_COMPILER_SECONDS = 20.0
"""Seconds, not of this process, that the compiler gets at least."""
_PAIRS = 400
_RANDOM, _SOLVING, _STRONG, _RESTRICTED, _LADDER, _RULES = 0.2, 0.1, 0.3, 0.1, 0.15, 0.15
"""The shares of the time."""

Progress = Callable[[str], None]


class Examination:
    """One examination. `seen` has what was found so far, also if it is interrupted."""

    def __init__(
        self, game: Game, seconds: float = SECONDS, *, seed: int = 0, progress: Progress = lambda _: None
    ) -> None:
        self.allowance = Allowance(seconds)
        self._seed, self._progress = seed, progress
        self._original = game
        self._is_ready = isinstance(game, BatchGame)
        self._patience = max(_COMPILER_SECONDS, seconds)
        self.seen = Examined(game, RandomPlay(game.roles))

    def run(self) -> Examined:
        """Examine the game; a part that fails is noted, and the others go on."""
        self._compile()
        self._step("random play", self._play_randomly)
        self._step("perfect play", self._solve)
        self._step("seats", self._compare_seats)
        self._step("strong play", self._play_strongly)
        self._step("rules that fire", self._watch)
        self._progress("done")
        return self.seen

    def _step(self, name: str, part: Callable[[], None]) -> None:
        self._progress(f"{name} ({self.allowance.spent:.0f} of {self.allowance.seconds:.0f} CPU s)")
        try:
            part()
        except OutOfTimeError:
            self.seen.notes.append(f"{name}: out of time")
        except LudensError as error:
            self.seen.notes.append(f"{name}: {str(error).partition(chr(10))[0]}")

    def _compile(self) -> None:
        self._progress("compiling")
        before = _children_seconds()
        game = compile_within(self._original, self._patience)
        self.allowance.charge(min(_children_seconds() - before, self.allowance.left / 2))  # play comes first
        if game is self._original and isinstance(game, GdlGame) and not isinstance(game, BatchGame):
            self.seen.notes.append("the rules were not compiled in time; everything ran on the interpreter")
            game = make_game(game.sheet, game.name, "interpreter")
        self.seen.game = game

    def _play_randomly(self) -> None:
        play_randomly(self.seen.game, self.allowance.part(_RANDOM), self._seed, self.seen.play)
        self._look_at_goals()
        self._look_at_interaction(self.allowance.part(_RANDOM / 10))

    def _look_at_goals(self) -> None:
        """Final states for which the rules give no goal, or several."""
        faults: Counter[str] = Counter()
        finals = [state for state in self.seen.play.finals if isinstance(state, GdlState)]
        for state in finals:
            for role in state.game.roles:
                values = state.goal_values(role)
                if len(values) != 1:
                    faults[f"{role} gets {'no goal' if not values else 'several goals'} at the end"] += 1
        self.seen.finals, self.seen.faulty_goals = len(finals), dict(faults)

    def _look_at_interaction(self, deadline: CpuDeadline) -> None:
        rng, changed, pairs = Random(self._seed), 0, 0
        with deadline.enforced():
            for _, state in self.seen.play.probes[:_PAIRS]:
                if deadline.remaining() <= 0:
                    break
                found = _changes_options(state, rng)
                if found is not None:
                    pairs += 1
                    changed += found
        if pairs:
            self.seen.interaction, self.seen.interaction_sample = wilson(changed, pairs), pairs

    def _solve(self) -> None:
        game = self.seen.game
        if game.hidden or game.chance or not isinstance(game, BatchGame) or game.operations > _SOLVABLE:
            return
        seconds = min(self.allowance.left, _SOLVING * self.allowance.seconds)
        found = solve_state(game.initial_state(), seconds, _SOLVER_MEGABYTES, by_parts=False)
        self.seen.perfect = Perfect(dict(found.bounds), found.exact)

    def _compare_seats(self) -> None:
        """Whether all seats are alike; with turns, whoever begins makes the difference."""
        game = self.seen.game
        if isinstance(game, CircuitRules) and len(game.roles) > 1 and game.facts.simultaneous.possible:
            self.seen.seats_alike = game.operations <= _SOLVABLE and are_roles_alike(game, from_start=True)

    def _play_strongly(self) -> None:
        seen, roles = self.seen, self.seen.game.roles
        if seen.play.matches and not seen.play.lengths:
            return  # no match ever ends
        table = Table(seen.game, Random(self._seed))
        try:
            limit = self.allowance.part(_STRONG)
            seen.leaves = find_strength(table, limit.remaining() / _WANTED, limit)
            if seen.leaves < LEAST_LEAVES:
                seen.notes.append(
                    f"seats, drama, dominant moves: searches of {seen.leaves} leaves a move are too weak to judge them "
                    "(more --seconds give more)"
                )
            strengths = dict.fromkeys(roles, seen.leaves)
            try:
                play_series(table, lambda _: strengths, _MATCHES, limit, into=seen.strong)
            finally:
                told = seen.strong if seen.leaves >= LEAST_LEAVES else []
                seen.stories += [story for match in told if (story := drama_of(match)) is not None]
                seen.kinds, seen.things = usage_of_kinds(seen.strong), usage_of_things(seen.strong)
            self._play_restricted(table)
            self._progress(f"skill ladder ({self.allowance.spent:.0f} of {self.allowance.seconds:.0f} CPU s)")
            climb = alone if len(roles) == 1 else doubling
            first = max(4, seen.leaves >> _LADDER_STEPS)
            seen.ladder = climb(table, first, _LADDER_STEPS, _LADDER_MATCHES, self.allowance.part(_LADDER))
        finally:
            table.close()

    def _play_restricted(self, table: Table) -> None:
        candidates = [usage.name for usage in self.seen.kinds if usage.is_dominant]
        limit = self.allowance.part(_RESTRICTED)
        for number, kind in enumerate(candidates):
            self._progress(f"play without {kind}")
            part = CpuDeadline(limit.remaining() / (len(candidates) - number))
            self.seen.restricted[kind] = without(table, kind, self.seen.leaves, _RESTRICTED_MATCHES, part)

    def _watching_seconds(self) -> float:
        """What is left, but some in any case: it was put aside for this."""
        return max(self.allowance.left, _RULES / 2 * self.allowance.seconds)

    def _watch(self) -> None:
        lines = [match.joint_moves for match in self.seen.strong]
        patience = 0.0 if self._is_ready else self._patience
        before = _children_seconds()
        self.seen.coverage = watch_rules(self.seen.game, lines, self._watching_seconds, self._seed, patience)
        self.allowance.charge(_children_seconds() - before)
        if self.seen.coverage.note:
            self.seen.notes.append(self.seen.coverage.note)


def _children_seconds() -> float:
    used = os.times()
    return used.children_user + used.children_system


def _changes_options(state: State, rng: Random) -> bool | None:
    """Whether two choices of a role leave another role with different moves; None if nobody has a choice."""
    roles = state.game.roles
    choosing = [role for role in roles if len(state.legal_moves(role)) > 1]
    if not choosing or len(roles) < 2:
        return None
    role = rng.choice(choosing)
    joint = {one: rng.choice(moves) for one in roles if (moves := state.legal_moves(one))}
    first, second = rng.sample(list(state.legal_moves(role)), 2)
    try:
        after = [state.sample({**joint, role: move}, Random(0)) for move in (first, second)]
    except GameError:
        return None
    others = [one for one in roles if one != role]
    options = [[frozenset(found.legal_moves(other)) for other in others] for found in after]
    return options[0] != options[1] or after[0].is_terminal != after[1].is_terminal

"""Dynamic checks: problems that only random matches show."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random

from ludens.core import BEST_GOAL, JointMove, LudensError, Role
from ludens.gdl.chance.outcomes import RANDOM_ROLE
from ludens.gdl.check.codes import problem
from ludens.gdl.check.context import Context
from ludens.gdl.check.walk import subterms
from ludens.gdl.game import GdlGame, GdlMove, GdlState
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.rules import RuleSheet
from ludens.gdl.source import GdlError, Problem
from ludens.gdl.terms import Term, arguments, functor, signature
from ludens.gdl.write import kif

MAX_PROBLEMS = 3
"""The most problems of one kind in a report."""


@dataclass(frozen=True, slots=True)
class SimulationReport:
    """The results of random playouts of a game."""

    problems: tuple[Problem, ...]
    """What went wrong, by code; each kind a few times at most."""
    playouts: int
    """How many playouts were begun."""
    finished: int
    """How many of them reached a terminal state."""
    states: int
    """How many states were visited, terminal ones included."""
    mean_length: float
    """The average number of joint moves in finished playouts; 0 if there are none."""
    mean_goals: Mapping[Role, float]
    """The average goal value of each role in finished playouts; empty if there are none."""


def simulate(
    game: GdlGame,
    playouts: int,
    max_steps: int = 1000,
    seed: int = 0,
    on_playout: Callable[[int], None] | None = None,
) -> SimulationReport:
    """Play random matches and check every state on the way; ``on_playout`` receives the number of finished ones."""
    simulation = _Simulation(game, max_steps, Random(seed))
    for number in range(playouts):
        simulation.play_out(number)
        if on_playout is not None:
            on_playout(number + 1)
    return simulation.report(playouts)


@dataclass(frozen=True, slots=True)
class _Moment:
    """A point of a playout, as problems name it."""

    playout: int
    step: int
    last: JointMove | None

    def __str__(self) -> str:
        if self.last is None:
            return "in the initial state"
        moves = ", ".join(f"{role}: {move}" for role, move in self.last.items())
        return f"in playout {self.playout} after step {self.step} ({moves})"


class _StuckError(Exception):
    """A playout cannot continue; the problem is already reported."""


class _Simulation:
    def __init__(self, game: GdlGame, max_steps: int, rng: Random) -> None:
        self.game = game
        self.max_steps = max_steps
        self.rng = rng
        self.found: dict[tuple[str, str], Problem] = {}
        self.count: Counter[str] = Counter()
        self.states = 0
        self.lengths: list[int] = []
        self.goals: dict[Role, list[int]] = defaultdict(list)
        context = Context(game.sheet)
        self.chance = context.chance
        self.base, self.inputs = self._declared_terms(context)

    def _declared_terms(self, context: Context) -> tuple[set[Term], set[tuple[Role, Term]]]:
        """The fluents of ``base`` and the moves of ``input``; empty where the rules have none."""
        if not context.heads_of("base", 1) and not context.heads_of("input", 2):
            return set(), set()
        try:
            facts = ReferenceGame(_as_initial_state(self.game.sheet), self.game.name).initial_state().facts
        except LudensError as error:
            self.note("GDL420", f"base and input cannot be computed: {_short_message(error)}")
            return set(), set()
        base = {arguments(fact)[0] for fact in facts if functor(fact) == "base"}
        inputs = [arguments(fact) for fact in facts if functor(fact) == "input"]
        return base, {(kif(role), move) for role, move in inputs}

    def note(self, code: str, message: str, about: str = "", hint: str = "") -> None:
        """Add a problem, unless it is already reported or there are enough of its kind."""
        if (code, about) not in self.found and self.count[code] < MAX_PROBLEMS:
            self.count[code] += 1
            self.found[code, about] = problem(code, message, hint=hint)

    def play_out(self, number: int) -> None:
        moment = _Moment(number, 0, None)
        goals: dict[Role, int] = {}
        try:
            state = self.game.initial_state()
            for step in range(self.max_steps + 1):
                self.visit(state, moment)
                if state.is_terminal:
                    self.finish(state, moment, goals)
                    return
                self.compare_goals(state, moment, goals)
                if step == self.max_steps:
                    break
                joint_move = self.choose(state, moment)
                moment = _Moment(number, step + 1, joint_move)
                state = state.sample(joint_move, self.rng)
            self.note("GDL402", f"playout {number} was not over after {self.max_steps} steps")
        except _StuckError:
            return
        except (LudensError, RecursionError) as error:
            self.note("GDL420", f"the rules cannot be evaluated {moment}: {_short_message(error)}")

    def visit(self, state: GdlState, moment: _Moment) -> None:
        self.states += 1
        for fluent in sorted(map(kif, state.facts - self.base)) if self.base else ():
            self.note("GDL410", f"{fluent} is true {moment}, but not among the fluents of base", fluent)

    def choose(self, state: GdlState, moment: _Moment) -> dict[Role, GdlMove]:
        """A random joint move; leaves the playout if a role has none."""
        joint_move = {}
        for role in self.game.roles:
            moves = state.legal_moves(role)
            if not moves:
                self.note("GDL401", f"role {role} has no legal move {moment}", role)
                raise _StuckError
            self.check_moves(role, moves, moment)
            joint_move[role] = self.rng.choice(moves)
        if RANDOM_ROLE in self.game.role_terms and not state.legal_moves(RANDOM_ROLE):
            self.note("GDL401", f"role {RANDOM_ROLE} has no legal move {moment}", RANDOM_ROLE)
            raise _StuckError
        return joint_move

    def check_moves(self, role: Role, moves: Iterable[GdlMove], moment: _Moment) -> None:
        for move in moves if self.inputs else ():
            # A move with a random variable is never done as it stands, so input need not have it.
            if (role, move.term) not in self.inputs and not any(map(self.chance.matches, subterms(move.term))):
                message = f"{move} is legal for {role} {moment}, but not among the moves of input"
                self.note("GDL411", message, f"{role} {move}")

    def compare_goals(self, state: GdlState, moment: _Moment, goals: dict[Role, int]) -> None:
        """Goal values before the end are unique and never fall, says the specification; many games differ."""
        for role in self.game.roles:
            values = state.goal_values(role)
            if len(values) != 1:
                code = "GDL407" if values else "GDL406"
                self.note(code, f"role {role} has {_format_goals(values)} {moment}, before the game is over", role)
                continue
            self.check_fall(role, values[0], moment, goals)
            goals[role] = values[0]

    def check_fall(self, role: Role, value: int, moment: _Moment, goals: Mapping[Role, int]) -> None:
        before = goals.get(role, value)
        if value < before:
            self.note("GDL408", f"the goal value of {role} falls from {before} to {value} {moment}", role)

    def finish(self, state: GdlState, moment: _Moment, goals: Mapping[Role, int]) -> None:
        self.lengths.append(moment.step)
        if moment.step == 0:
            self.note("GDL412", "the game is over before the first move", hint="terminal should not hold there")
        for role in self.game.roles:
            values = state.goal_values(role)
            if not values:
                self.note("GDL403", f"role {role} has no goal value {moment}, where the game is over", role)
            elif len(values) > 1:
                self.note("GDL404", f"role {role} has {_format_goals(values)} {moment}, where the game is over", role)
            elif not 0 <= values[0] <= BEST_GOAL:
                message = f"role {role} has goal value {values[0]} {moment}, which is not from 0 to 100"
                self.note("GDL405", message, role)
            else:
                self.check_fall(role, values[0], moment, goals)
                self.goals[role].append(values[0])

    def report(self, playouts: int) -> SimulationReport:
        finished = len(self.lengths)
        for role in self.game.roles if finished else ():
            if BEST_GOAL not in self.goals[role]:
                message = f"role {role} never had goal value 100 in {finished} finished playouts"
                self.note("GDL409", message, role, "every role should be able to win; more playouts may show it")
        return SimulationReport(
            problems=tuple(found for _, found in sorted(self.found.items())),
            playouts=playouts,
            finished=finished,
            states=self.states,
            mean_length=sum(self.lengths) / finished if finished else 0.0,
            mean_goals={role: sum(values) / len(values) for role, values in self.goals.items() if values},
        )


def _format_goals(values: Iterable[int]) -> str:
    shown = " and ".join(map(str, values))
    return f"goal values {shown}" if shown else "no goal value"


def _short_message(error: Exception) -> str:
    """The message of an error, without an excerpt of the rules."""
    return error.problems[0].message if isinstance(error, GdlError) else str(error)


def _as_initial_state(sheet: RuleSheet) -> RuleSheet:
    """The rules with what they declare as the initial state, so that any reasoner can be asked for it."""
    rules = []
    for rule in sheet.rules:
        if signature(rule.head) in (("base", 1), ("input", 2)):
            rules.append(replace(rule, head=("init", rule.head)))
        elif functor(rule.head) != "init":
            rules.append(rule)
    return replace(sheet, rules=tuple(rules))

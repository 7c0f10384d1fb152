"""What a rule makes of a table: choices, turns, the end and goals. `ludens.tabletop.game` adds the states."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, SupportsFloat, TypeVar

from ludens.core import BEST_GOAL, Game, LudensError, Move, Role
from ludens.core.facts import ONE_ROLE, Fact, Facts, declared, no, yes
from ludens.tabletop.actions.basic import Action
from ludens.tabletop.actions.each import Each
from ludens.tabletop.actions.result import FinishPlay, expected_goals
from ludens.tabletop.errors import RuleError
from ludens.tabletop.material.at_hand import AT_HAND
from ludens.tabletop.material.equipment import Dice, Score
from ludens.tabletop.material.inventory import Inventory
from ludens.tabletop.quick_form import QuickForm
from ludens.tabletop.rule import Rule, check_names
from ludens.tabletop.table import ACTOR, ANNOUNCED, FORGOTTEN, LAST, NEXT, RECENT, REFUSED, RESULT, STAGE, Table
from ludens.tabletop.turns import Arc, Method, Stage, TurnGraph
from ludens.tabletop.twin import AnyTwin, StonesTwin, Twin

SETUP = "setup"
"""The stage in which chance sets up the table."""
Choices = Mapping[Move, tuple[Action, str]]
"""A player's actions by their texts, each with the stage that follows."""
_Result = TypeVar("_Result")


class RuleGame(Game):
    """A game whose rules are a `Rule`, without its states: all that a table needs to be played on."""

    def __init__(self, rule: Rule, name: str = "", source: Path | None = None) -> None:
        self.rule = rule
        """The rules."""
        self.name = name or rule.name
        self.roles = tuple(rule.players)
        self.source = source
        """The file that the rules were loaded from; None if they are in a module."""
        self.inventory = Inventory(self.roles, rule.partners)
        """The equipment."""
        self.inventory.game = self
        blank = Table(self.inventory)
        self._call(rule.equipment, blank)
        self.graph = TurnGraph(rule, self._call(rule.turns))
        """The turn graph."""
        self.inventory.private, self.inventory.secrets = frozenset(rule.private), frozenset(rule.secrets)
        self.hidden = self.inventory.is_hidden or bool(rule.private or rule.secrets)
        setup = self._check_setup(blank)
        has_dice = any(isinstance(marker, Dice) for marker in self.inventory.markers)
        is_drawn = setup is not None and setup.has_chance
        self.chance = rule.chance if rule.chance is not None else has_dice or is_drawn
        self.scored = tuple(
            tuple(
                marker.index for marker in self.inventory.markers if isinstance(marker, Score) and marker.owner == name
            )
            for name in self.roles
        )
        """For each player the numbers of its scores."""
        self.first = self._first_table(blank, setup, is_drawn)
        """The table at the beginning."""
        self.messages = rule.messages
        self.has_sensible_playouts = type(rule).sensible_action is not Rule.sensible_action
        self.has_shortcuts = type(rule).shortcut is not Rule.shortcut
        """True if the rule plays many turns of a playout at once."""
        self.has_playout = type(rule).playout is not Rule.playout
        """True if the rule has playouts of its own."""
        self.has_own_playouts = self.has_playout or self.has_sensible_playouts or self.has_shortcuts
        twin = self.twin
        self.has_twin = isinstance(twin, StonesTwin) or (twin is not None and not self.has_own_playouts)
        self.has_ready_twin = self.has_twin and not isinstance(twin, Twin)

    def _check_setup(self, blank: Table) -> Action | None:
        setup = self._call(self.rule.setup, blank, at=blank)
        if setup is not None and not isinstance(setup, Action):
            raise RuleError(f"{self._method_name('setup')} must return one action or None, not {setup!r}")
        return setup

    def _first_table(self, blank: Table, setup: Action | None, is_drawn: bool) -> Table:
        begin = self.graph.start(self.rule.starting_player)
        table = blank.copy()
        for seat in range(len(self.roles)):
            for place, lying in zip(self.inventory.places, table.contents, strict=True):
                if self.inventory.sees[place.index] >> seat & 1:
                    for element in lying:
                        table.known[seat] |= element.bit
        if setup is not None and is_drawn:
            dealer = self.rule.starting_player
            arc = Arc(dealer, lambda _: [setup], setup.goes_to or begin)
            self.graph.stages[SETUP] = Stage(SETUP, (arc,))
            begin = SETUP
        elif setup is not None:
            self._call(setup.do, table, at=table)
            begin = setup.goes_to or begin
        table.play_state[STAGE] = begin
        table.play_state[LAST] = FORGOTTEN
        table.play_state[RECENT] = ()
        return table.copy()

    @property
    def rules_text(self) -> str:  # type: ignore[override]
        """The file with the rules."""
        path = self.source or Path(inspect.getfile(type(self.rule)))
        return path.read_text(encoding="utf-8")

    @cached_property
    def facts(self) -> TabletopFacts:
        """What the stages and the rule declare."""
        return TabletopFacts(self)

    # For states

    def stage(self, table: Table) -> Stage:
        """The stage that a table is in."""
        return self.graph[table.play_state[STAGE]]

    def choices(self, table: Table, role: Role) -> Choices:
        """The actions of a player; changes the table temporarily, so nobody else may use it."""
        stage = self.stage(table)
        found: dict[Move, tuple[Action, str]] = {}
        table.play_state[ACTOR] = role
        for arc in stage.arcs:
            if arc.player != role:
                continue
            for action in self.list_actions(arc.method, table, stage):
                text = action.name or action.text(table)
                if text in found:
                    check_names(found, text, self.rule, f"stage {stage.name!r}")
                found[text] = (action, action.goes_to or arc.goes_to)
        return found

    def list_actions(self, method: Method | str, table: Table, stage: Stage) -> Sequence[Action]:
        """The actions that a method of the rule lists, checked."""
        assert callable(method)  # the turn graph has bound it
        actions = self._call(method, table, at=table, stage=stage.name)
        if type(actions) is Each:
            actions = self._call(list, actions, at=table, stage=stage.name)
        if isinstance(actions, list | tuple) and all(isinstance(action, Action) for action in actions):
            return actions
        wrong = (
            next((one for one in actions if not isinstance(one, Action)), None)
            if isinstance(actions, list | tuple)
            else actions
        )
        name = self._method_name(getattr(method, "__name__", "?"))
        raise RuleError(
            f"{name} in stage {stage.name!r} must return a list of actions ([Pass()] if there is nothing to do), "
            f"not {'a list with ' if isinstance(actions, list | tuple) else ''}{wrong!r}"
        )

    def advance(self, table: Table, done: Sequence[tuple[Role, Action, str]], do: Callable[[Action], object]) -> None:
        """Do the actions of a turn, check for the end of the play, and go to the next stage; all can be undone."""
        state = table.play_state
        write = table.write
        for entry in (RECENT, ANNOUNCED, REFUSED):
            if state[entry]:
                write(state, entry, ())
        following = ""
        for role, action, goes_to in done:
            write(state, ACTOR, role)
            write(state, LAST, action)
            self._call(do, action, at=table)
            following = state[NEXT] or goes_to
        if state[NEXT] is not None:
            write(state, NEXT, None)
        if state[RESULT] is None:
            result = self._call(self.rule.result, table, at=table)
            if result is not None:
                if not isinstance(result, FinishPlay):
                    raise RuleError(
                        f"{self._method_name('result')} must return FinishPlay(…) while the play is over "
                        f"and None while it goes on, not {result!r}"
                    )
                self._call(result.do, table, at=table)
        write(state, LAST, FORGOTTEN)
        write(state, STAGE, self.graph[following].name)

    def rule_playout(self, table: Table, rng: Random) -> Sequence[float] | None:
        """The goals of a playout by the rule's own `playout`; None if the rule has none."""
        if not self.has_playout:
            return None
        scratch = table.copy()
        scratch.play_state[ACTOR] = self.stage(table).players[0]
        return self._check_goals(self._call(self.rule.playout, scratch, rng, at=scratch), "playout")

    @cached_property
    def has_rollouts(self) -> bool:
        """True if the rule plays out many positions at once."""
        return type(self.rule).rollouts is not Rule.rollouts

    def rollouts(self, table: Table, role: Role, moves: Sequence[Move], rng: Random) -> Sequence[Sequence[float]]:
        """The goals of a role in many playouts after each of its moves, by the rule's `rollouts`."""
        scratch = table.copy()
        scratch.play_state[ACTOR] = role
        found: Sequence[Sequence[float]] = self._call(self.rule.rollouts, scratch, moves, rng, at=scratch)
        counts = {len(row) for row in found}
        if len(found) != len(moves) or len(counts) != 1 or 0 in counts:
            raise RuleError(f"{self._method_name('rollouts')} must return as many goals for each of {len(moves)} moves")
        if not all(min(row) >= 0 and max(row) <= BEST_GOAL for row in found):
            raise RuleError(f"{self._method_name('rollouts')} must return goals from 0 to 100")
        return found

    @cached_property
    def has_model(self) -> bool:
        """True if the rule has a model of how players choose."""
        return type(self.rule).likelihood is not Rule.likelihood

    def likelihood(self, table: Table, move: Move, moves: Sequence[Move]) -> float:
        """How likely the player to act is to choose a move, by the rule's model."""
        given: object = self._call(self.rule.likelihood, table, move, moves, at=table)
        if not isinstance(given, SupportsFloat) or not 0 <= float(given) <= 1:
            raise RuleError(f"{self._method_name('likelihood')} must return a probability, not {given!r}")
        return float(given)

    @cached_property
    def twin(self) -> AnyTwin | None:
        """The rule's twin; None if it has none."""
        return self._call(self.rule.twin)

    @cached_property
    def quick_form(self) -> QuickForm | None:
        """The rule's quick form; None if it has none."""
        return self._call(self.rule.quick_form)

    @cached_property
    def has_prospects(self) -> bool:
        """True if the rule evaluates unfinished plays."""
        return type(self.rule).prospects is not Rule.prospects

    def prospects(self, table: Table) -> tuple[float, ...]:
        """The expected goal of each player, 0 to 100."""
        found = self._call(self.rule.prospects, table, at=table)
        missing = [role for role in self.roles if role not in found]
        if missing:
            raise RuleError(f"{self._method_name('prospects')} has no number for {missing[0]}")
        return expected_goals([found[role] for role in self.roles])

    def promising(self, table: Table, role: Role, moves: Sequence[Move]) -> Sequence[Move]:
        """The moves that a search tries."""
        if type(self.rule).promising is Rule.promising or len(moves) < 2:
            return moves
        table.play_state[ACTOR] = role
        found = self._call(self.rule.promising, table, moves, at=table)
        if not found or not set(found) <= set(moves):
            raise RuleError(f"{self._method_name('promising')} must return some of the moves, not {found!r}")
        return found

    def priority(self, table: Table, role: Role, action: Action) -> int:
        """The priority of an action in a race."""
        return self._call(self.rule.priority, table, role, action, at=table)

    def is_possible(self, table: Table) -> bool:
        """False if the rule excludes the table."""
        return self._call(self.rule.possible, table, at=table)

    def goals_of(self, points: Mapping[Role, float]) -> tuple[int, ...]:
        """The goals for points."""
        return self._check_goals(self._call(self.rule.goals, points), "goals")

    def unrounded_goals(self, points: Mapping[Role, float]) -> tuple[float, ...] | None:
        """The goals for points before rounding, in proportion to them; None if the rule has no range of points."""
        if not self.rule.points_range or type(self.rule).goals is not Rule.goals:
            return None
        low, high = self.rule.points_range
        return tuple(BEST_GOAL * (min(max(points[role], low), high) - low) / (high - low) for role in self.roles)

    def _check_goals(self, given: object, method: str) -> tuple[Any, ...]:
        goals = tuple(given) if isinstance(given, Iterable) else ()
        if len(goals) != len(self.roles) or not all(
            isinstance(goal, int | float | SupportsFloat) and 0 <= float(goal) <= BEST_GOAL for goal in goals
        ):
            raise RuleError(f"{self._method_name(method)} must return a number from 0 to 100 for each player")
        return goals

    # Errors

    def _method_name(self, name: str) -> str:
        return f"{type(self.rule).__name__}.{name}()"

    def call(self, method: Callable[..., _Result], *arguments: Any, at: Table) -> _Result:
        """What a function that plays on a table returns; errors of the rule are reported with its line."""
        return self._call(method, *arguments, at=at)

    def _call(
        self, method: Callable[..., _Result], *arguments: Any, at: Table | None = None, stage: str = ""
    ) -> _Result:
        """What a method of the rule returns, called with a table at hand; errors that it raises are reported with the
        line of the rule."""
        before, AT_HAND.table = AT_HAND.table, at
        try:
            return method(*arguments)
        except RuleError as error:
            line = self._error_line(error)
            if not line or str(error).endswith(line):
                raise
            raise RuleError(f"{error}{line}") from error
        except LudensError:
            raise
        except Exception as error:
            name = self._method_name(getattr(method, "__name__", "?"))
            where = f" in stage {stage!r}" if stage else ""
            problem = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise RuleError(f"{name}{where} failed{self._error_line(error)}: {problem}") from error
        finally:
            AT_HAND.table = before

    def _error_line(self, error: BaseException) -> str:
        """The line of the rule's file that raised an error."""
        file = str(self.source or sys.modules[type(self.rule).__module__].__file__)
        lines = []
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == file:
                lines.append(trace.tb_lineno)
            trace = trace.tb_next
        return f" at {Path(file).name}:{lines[-1]}" if lines else ""


class TabletopFacts(Facts):
    """What the rule of a game in Python declares. What its methods do is code, which nobody proves anything about."""

    _game: RuleGame

    @cached_property
    def simultaneous(self) -> Fact:
        """Whether several players may act in one stage of the turn graph."""
        if len(self._game.roles) == 1:
            return no(ONE_ROLE)
        together = next((stage for stage in self._game.graph.stages.values() if len(stage.players) > 1), None)
        if together is None:
            return no("declared: each stage of the turn graph has one player")
        return yes(f"declared: {len(together.players)} players act in the stage {together.name!r}")

    @cached_property
    def zero_sum(self) -> Fact:
        """Whether the rule says so, of two players."""
        return declared(True) if self._game.rule.zero_sum and len(self._game.roles) == 2 else super().zero_sum

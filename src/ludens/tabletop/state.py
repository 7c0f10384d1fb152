"""One position of a tabletop game, as an immutable State of the contract."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from ludens.core import BEST_GOAL, IllegalMoveError, JointMove, Move, OpenView, Role, TooManyOutcomesError, View
from ludens.core import Outcome as ChanceOutcome
from ludens.tabletop import drawing
from ludens.tabletop.actions.basic import Action
from ludens.tabletop.actions.randomness import (
    SEPARATOR,
    Outcome,
    all_outcomes,
    do_with_text,
    draw_and_do,
    outcomes_text,
)
from ludens.tabletop.actions.result import PlayResult
from ludens.tabletop.errors import RuleError
from ludens.tabletop.hidden.percepts import LazyTurn, Turn, percepts_of
from ludens.tabletop.hidden.redoing import redo
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.hidden.view import TableView
from ludens.tabletop.knowledge import viewers
from ludens.tabletop.light_table import LightTable
from ludens.tabletop.material.equipment import PUBLIC, SECRET, Dice, Place
from ludens.tabletop.playouts import play_on
from ludens.tabletop.rule_game import Choices, RuleGame
from ludens.tabletop.table import ACTOR, REFUSED, RESULT, Table
from ludens.tabletop.watched import Read

Done = tuple[Role, Action, str]
"""A player, its action, and the stage that follows."""


class TabletopState(TableState):
    """One position: an immutable table."""

    __slots__ = ("_choices", "_hash", "_key")

    def __init__(self, game: RuleGame, table: Table, last: Turn | LazyTurn | None = None) -> None:
        super().__init__(game, table, last)
        self._choices: dict[Role, Choices] = {}
        self._key: tuple[Any, ...] | None = None
        self._hash = 0

    @property
    def is_terminal(self) -> bool:
        """True if the match is over."""
        return self.table.play_state[RESULT] is not None

    @property
    def stage(self) -> str:
        """The stage of the turn graph."""
        return self.table.stage

    def actions(self, role: Role) -> Choices:
        """A role's actions by their texts, each with the stage that follows. Raises `RuleError` if nobody can act."""
        known = self._choices.get(role)
        if known is None:
            known = self._choices[role] = self._find_choices(role)
            if not known and not self.is_terminal and role in self.game.stage(self.table).players:
                self._check_somebody_can_act()
        return known

    def _find_choices(self, role: Role) -> Choices:
        if self.is_terminal or role not in self.game.stage(self.table).players:
            return {}
        return self.game.choices(self.table.copy(), role)

    def places_read(self, role: Role) -> tuple[Place, ...]:
        """The places that not everybody sees where the rule looks to list the role's actions; without secret ones."""
        known: tuple[Place, ...] | None = self.kept.get(("places read", role))
        if known is None:
            scratch = self.table.copy()
            scratch.reads = set()
            if not self.is_terminal and role in self.game.stage(self.table).players:
                self.game.choices(scratch, role)
            places = {read[0] if isinstance(read, tuple) else read for read in scratch.reads}
            known = self.kept["places read", role] = tuple(
                place for place in places if isinstance(place, Place) and place.visibility not in (PUBLIC, SECRET)
            )
        return known

    def turn_reads(self) -> tuple[int, frozenset[Dice]]:
        """The elements, as bits, and the dice, not open to all, that the rule looked at while it did the last turn."""
        turn = self.turn
        if turn is None:
            return 0, frozenset()
        if "reads" not in self.kept:
            again = turn.before.copy()
            again.reads = set()
            redo(self.game, again, turn.done, turn.goes_to, turn.outcomes)
            self.kept["reads"] = self._concealed(again.reads, turn.before)
        found: tuple[int, frozenset[Dice]] = self.kept["reads"]
        return found

    def _concealed(self, reads: set[Read], before: Table) -> tuple[int, frozenset[Dice]]:
        """What was looked at in a turn and is not open to all."""
        everybody = (1 << len(self.game.roles)) - 1
        elements = 0
        for place, element in (read for read in reads if isinstance(read, tuple)):
            if place.visibility != PUBLIC or any(
                viewers(table, element, place) != everybody for table in (before, self.table)
            ):
                elements |= element.bit
        return elements, frozenset(read for read in reads if isinstance(read, Dice) and read.visibility != PUBLIC)

    def _check_somebody_can_act(self) -> None:
        stage = self.game.stage(self.table)
        if not any(self._choices.get(role) or self._find_choices(role) for role in stage.players):
            rule = type(self.game.rule).__name__
            raise RuleError(
                f"{rule}: nobody can act in stage {stage.name!r}, and the play is not over; offer Pass(), "
                "or end the play in result()"
            )

    def legal_moves(self, role: Role) -> Sequence[Move]:
        """All legal moves of the role; empty if it is idle or the play over."""
        return tuple(self.actions(role))

    def promising_moves(self, role: Role) -> Sequence[Move]:
        """The moves of the role that a search tries, by the rule."""
        return self.game.promising(self.table.copy(), role, self.legal_moves(role))

    @property
    def goals(self) -> Mapping[Role, int]:
        """The goal of each role; before the end, as the scores stand."""
        result: PlayResult | None = self.table.play_state[RESULT]
        roles = self.game.roles
        if result is not None and result.goals is not None:
            return dict(zip(roles, result.goals, strict=True))
        if result is not None and result.points is not None:
            points = result.points
        else:
            points = self._scores()
            if not any(self.game.scored):
                return dict.fromkeys(roles, BEST_GOAL // len(roles) if len(roles) > 1 else 0)
        return dict(zip(roles, self.game.goals_of(dict(zip(roles, points, strict=True))), strict=True))

    @property
    def points(self) -> Mapping[Role, float]:
        """The raw score of each role: as the play ended, or as the scores stand."""
        result: PlayResult | None = self.table.play_state[RESULT]
        if result is not None and result.points is not None:
            return dict(zip(self.game.roles, result.points, strict=True))
        if any(self.game.scored):
            return dict(zip(self.game.roles, self._scores(), strict=True))
        return self.goals

    @property
    def reason(self) -> str:
        """Why the play is over, for people; empty if it is not, or if the rule gives no reason."""
        result: PlayResult | None = self.table.play_state[RESULT]
        return "" if result is None else result.reason

    def _scores(self) -> tuple[float, ...]:
        values = self.table.values
        return tuple(sum(values[marker] for marker in own) for own in self.game.scored)

    @property
    def refused(self) -> tuple[Role, str] | None:
        """Whose last move the rules refused and why; None if it was carried out."""
        return self.table.play_state[REFUSED] or None

    # Playing

    def play(self, joint_move: JointMove) -> TabletopState:
        """The state after a joint move whose chance is resolved."""
        done, texts = self._parse_joint_move(joint_move)
        return self._advance(done, lambda table: partial(self._do_with_outcome, table, iter(texts)), joint_move)

    def _do_with_outcome(self, table: Table, texts: Any, action: Action) -> list[Outcome]:
        outcome = next(texts)
        if not action.has_chance:
            action.do(table)
            return []
        if not outcome:
            raise IllegalMoveError(f"{action.text(table)!r} involves chance; resolve it with State.resolve first")
        try:
            return do_with_text(action, table, outcome)
        except RuleError as error:
            raise IllegalMoveError(f"{action.text(table)!r} cannot have this outcome: {error}") from None

    def resolve(self, joint_move: JointMove, rng: Random) -> JointMove:
        """The joint move with the outcome of chance appended to each move."""
        done, texts = self._parse_joint_move(joint_move)
        if not any(action.has_chance for _, action, _ in done):
            return joint_move
        scratch = self.table.copy()
        resolved = dict(joint_move)
        for (role, action, _), text in zip(done, texts, strict=True):
            scratch.play_state[ACTOR] = role
            if text:
                self.game.call(do_with_text, action, scratch, text, at=scratch)
                continue
            drawn = self.game.call(draw_and_do, action, scratch, rng, at=scratch)
            if drawn:
                resolved[role] = f"{joint_move[role]}{SEPARATOR}{outcomes_text(action, drawn)}"
        return resolved

    def sample(self, joint_move: JointMove, rng: Random) -> TabletopState:
        """The state after a joint move, chance resolved by ``rng``."""
        done, _ = self._parse_joint_move(joint_move)
        return self._advance(done, lambda table: lambda action: draw_and_do(action, table, rng), joint_move)

    def play_out(self, rng: Random, most: int) -> Sequence[float]:
        """The goals of a random playout; by the rule's own playout, if it has one.

        If the rule has prospects, playouts end after its horizon with that evaluation. Goals in proportion to points
        are not rounded: a search would not see that a small blind is lost, if a goal is worth two chips.
        """
        if not self.is_terminal:
            known = self.game.rule_playout(self.table, rng)
            if known is not None:
                return known
        return self._play_out_on(LightTable.of(self.table), rng, most)

    def play_out_after(self, joint_move: JointMove, rng: Random, most: int) -> Sequence[float]:
        """The same after a joint move, without making its state."""
        if self.game.has_playout:
            return super().play_out_after(joint_move, rng, most)
        table = LightTable.of(self.table)
        done, _ = self._parse_joint_move(joint_move)
        self.game.advance(table, done, lambda action: draw_and_do(action, table, rng))
        table.end_turn()
        return self._play_out_on(table, rng, most)

    def _play_out_on(self, table: LightTable, rng: Random, most: int) -> Sequence[float]:
        play_on(self.game, table, rng, min(most, self.game.rule.horizon) if self.game.has_prospects else most)
        if self.game.has_prospects and table.play_state[RESULT] is None:
            return self.game.prospects(table)
        last = TabletopState(self.game, table)
        if last.is_terminal and (exact := self.game.unrounded_goals(last.points)) is not None:
            return exact
        return tuple(map(float, last.goals.values()))

    def chance_outcomes(self, joint_move: JointMove, limit: int = 10_000) -> Sequence[ChanceOutcome]:
        """All ways in which chance can resolve the joint move."""
        done, texts = self._parse_joint_move(joint_move)
        drawn = [role for (role, action, _), text in zip(done, texts, strict=True) if action.has_chance and not text]
        if not drawn:
            return super().chance_outcomes(joint_move, limit)
        if len(drawn) > 1:
            raise TooManyOutcomesError(f"{self.game.name}: chance decides several moves at once")
        scratch = self.table.copy()
        found: list[ChanceOutcome] = []
        for (role, action, _), text in zip(done, texts, strict=True):
            scratch.play_state[ACTOR] = role
            if role not in drawn:
                self._do_with_outcome(scratch, iter([text]), action)
                continue
            for probability, outcomes in all_outcomes(action, scratch, limit):
                if len(found) == limit:
                    raise TooManyOutcomesError(f"more than {limit} outcomes")
                resolved = f"{joint_move[role]}{SEPARATOR}{outcomes_text(action, outcomes)}"
                found.append(ChanceOutcome(probability, {**joint_move, role: resolved}))
            break
        return tuple(found)

    def _parse_joint_move(self, joint_move: JointMove) -> tuple[list[Done], list[str]]:
        """The actions of a joint move in the order of roles, and the outcome of chance in each, as text."""
        stage = self.game.stage(self.table)
        done: list[Done] = []
        texts: list[str] = []
        for role in stage.players if len(stage.players) > 1 else joint_move:
            move = joint_move.get(role)
            choices = self.actions(role) if role in self.game.inventory.seats else {}
            if move is None:
                if choices and stage.joint:
                    raise IllegalMoveError(f"{role} must move in stage {stage.name!r}")
                continue
            found = choices.get(move)
            outcome = ""
            if found is None:
                name, separator, outcome = move.partition(SEPARATOR)
                found = choices.get(name) if separator else None
                if found is None or not found[0].has_chance:
                    raise IllegalMoveError(f"{move!r} is not a legal move of {role} in stage {stage.name!r}")
            done.append((role, *found))
            texts.append(outcome)
        if len(done) != len(joint_move) or not done or (stage.is_race and len(done) > 1):
            whose = "of one of" if stage.is_race else "of"
            raise IllegalMoveError(
                f"{dict(joint_move)!r} is not the move {whose} {', '.join(stage.players)} in stage {stage.name!r}"
                + (" (the match is over)" if self.is_terminal else "")
            )
        return done, texts

    def _advance(self, done: list[Done], doing: Any, joint_move: JointMove) -> TabletopState:
        table = self.table.copy()
        do = doing(table)
        game = self.game
        if not (game.hidden or game.chance):
            game.advance(table, done, do)
            return TabletopState(game, table)
        outcomes: list[list[Outcome]] = []
        game.advance(table, done, lambda action: outcomes.append(do(action)))
        if not game.hidden:
            return TabletopState(game, table)
        acted = tuple((role, action, joint_move[role]) for role, action, _ in done)
        turn = Turn(acted, tuple(outcomes), tuple([one[2] for one in done]), self.table, self._last, self.kept)
        table.forget_changes()
        return TabletopState(game, table, turn)

    # Races

    @property
    def is_race(self) -> bool:
        """True if one of several players gets its action here."""
        return not self.is_terminal and self.game.stage(self.table).is_race

    def race_winner(self, answers: Mapping[Role, Move], waiting: Collection[Role]) -> Role | None:
        """The answer with the highest priority, and among these the first; None while a higher one may come."""
        best, best_priority = None, 0
        for role, move in answers.items():
            priority = self._priority(role, self.actions(role)[move][0])
            if best is None or priority > best_priority:
                best, best_priority = role, priority
        for role in waiting:
            if any(self._priority(role, action) > best_priority for action, _ in self.actions(role).values()):
                return None
        return best

    def _priority(self, role: Role, action: Action) -> int:
        return self.game.priority(self.table, role, action)

    # What players know

    def percepts(self, role: Role) -> Sequence[str]:
        """What the role perceived of the last turn."""
        return percepts_of(self.table, self.turn, role)

    def view(self, role: Role) -> View:
        """What the role may know."""
        if not self.game.hidden:
            return OpenView(self, role)
        return TableView(self, role)

    # Values

    @property
    def position(self) -> Hashable:
        """What lies where, and the stage."""
        return self._identity() if self.game.hidden else self

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, TabletopState) or self.game is not other.game or self._identity() != other._identity():
            return False
        return not self.game.hidden or self._knows_as(other)

    def _knows_as(self, other: TabletopState) -> bool:
        """Whether all players know the same in both states."""
        return all(self.view(role).information == other.view(role).information for role in self.game.roles)

    def __hash__(self) -> int:
        self._identity()
        return self._hash

    def _identity(self) -> tuple[Any, ...]:
        if self._key is None:
            self._key = self.table.key()
            self._hash = hash(self._key)
        return self._key

    def __reduce__(self) -> tuple[object, ...]:
        history = self.history if self.game.hidden else [self]
        first = history[0].table
        moves = [dict(state.turn.joint_move) for state in history[1:] if state.turn is not None]
        return restore_state, (self.game, None if first is self.game.first else first, moves)

    def __str__(self) -> str:
        return drawing.draw(self.table)


def restore_state(game: RuleGame, first: Table | None, moves: Sequence[JointMove]) -> TabletopState:
    """Unpickle a state: the one after some joint moves on its first known table."""
    state = TabletopState(game, game.first if first is None else first)
    for joint_move in moves:
        state = state.play(joint_move)
    return state

"""Games of OpenSpiel as games of ludens: ``ludens.load("openspiel:kuhn_poker")``.

OpenSpiel has chance nodes. Here they are states in which the first role has the only move ``chance``, which is resolved
to ``chance: OUTCOME`` like every move that the rules leave to chance.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any

import pyspiel

from ludens.core import (
    BEST_GOAL,
    Answer,
    Fact,
    Facts,
    Game,
    GameError,
    IllegalMoveError,
    JointMove,
    Move,
    OpenView,
    Outcome,
    Role,
    State,
    StateView,
    View,
)
from ludens.core.belief import PerceptView

CHANCE = "chance"
"""The move that stands for chance."""
_Type = pyspiel.GameType
_FAILURES = (pyspiel.SpielError, LookupError, RuntimeError, ValueError)
"""The exceptions that OpenSpiel raises."""
_UNSAFE = {"morpion_solitaire"}
"""Games that crash the process when a position is copied (OpenSpiel 2.0)."""


def load(text: str) -> OpenSpielGame:
    """The game of OpenSpiel with a name, and parameters in its notation: ``hex(board_size=5)``.

    Raises `GameError` if there is none, or if its kind is not supported.
    """
    if text.partition("(")[0] in _UNSAFE:
        raise GameError(f"{text} crashes inside OpenSpiel when a position is copied")
    try:
        source = pyspiel.load_game(text)
    except _FAILURES as error:
        reason = str(error).split("\n", 1)[0]
        raise GameError(f"OpenSpiel cannot load {text!r}: {reason} (pyspiel.registered_names() lists all)") from None
    kind = source.get_type()
    if kind.chance_mode == _Type.ChanceMode.SAMPLED_STOCHASTIC:
        raise GameError(f"{text} samples chance inside OpenSpiel, beyond the Referee's control")
    if kind.dynamics == _Type.Dynamics.MEAN_FIELD or kind.action_structs_only:
        raise GameError(f"{text} is not a game of individual players with numbered actions")
    return OpenSpielGame(source, text)


class OpenSpielGame(Game):
    """A game whose rules are OpenSpiel's."""

    def __init__(self, source: Any, text: str) -> None:
        kind = source.get_type()
        self.source = source
        """OpenSpiel's game object."""
        self.name = f"openspiel:{text}"
        self.roles = tuple(f"player{number}" for number in range(source.num_players()))
        self.chance = kind.chance_mode != _Type.ChanceMode.DETERMINISTIC
        self.hidden = kind.information == _Type.Information.IMPERFECT_INFORMATION
        self.rules_text = str(source)
        self._lowest, self._highest = source.min_utility(), source.max_utility()
        self.provides_information = bool(kind.provides_information_state_string)
        """True if OpenSpiel provides information sets; otherwise percepts define them."""
        self.provides_observation = bool(kind.provides_observation_string)
        """True if OpenSpiel provides observations."""
        if self.hidden and not (self.provides_information or self.provides_observation):
            raise GameError(f"{text} has hidden information, but OpenSpiel provides no observations")

    @cached_property
    def facts(self) -> OpenSpielFacts:
        """The facts that OpenSpiel declares."""
        return OpenSpielFacts(self)

    def initial_state(self) -> OpenSpielState:
        """The initial state."""
        return OpenSpielState(self, self.source.new_initial_state())

    def goal(self, value: float) -> int:
        """A return as a goal: the lowest possible one is 0, the highest 100."""
        span = self._highest - self._lowest
        share = (value - self._lowest) / span if span > 0 else 0.5
        return round(BEST_GOAL * min(1.0, max(0.0, share)))

    def __reduce__(self) -> tuple[object, ...]:
        return load, (self.name.partition(":")[2],)


class OpenSpielFacts(Facts):
    """The facts of a game that OpenSpiel declares."""

    _game: OpenSpielGame

    @cached_property
    def simultaneous(self) -> Fact:
        """By its dynamics."""
        dynamics = self._game.source.get_type().dynamics
        return Fact(Answer.YES if dynamics == _Type.Dynamics.SIMULTANEOUS else Answer.NO, "declared by OpenSpiel")

    @cached_property
    def zero_sum(self) -> Fact:
        """By its utility; with two players whose returns are each other's negative, goals add up to 100."""
        source = self._game.source
        is_even = source.num_players() == 2 and source.min_utility() == -source.max_utility()
        if is_even and source.get_type().utility == _Type.Utility.ZERO_SUM:
            return Fact(Answer.YES, "declared by OpenSpiel")
        return Fact(Answer.UNKNOWN, "not declared by OpenSpiel")


class OpenSpielState(State):
    """A position, held by OpenSpiel and never modified."""

    game: OpenSpielGame

    def __init__(self, game: OpenSpielGame, node: Any, before: tuple[OpenSpielState, JointMove] | None = None) -> None:
        self.game = game
        self.node = node
        """OpenSpiel's state object; do not modify it."""
        self._before = before

    @property
    def is_terminal(self) -> bool:
        """True if the match is over."""
        return bool(self.node.is_terminal())

    @cached_property
    def _actions(self) -> Mapping[Role, Mapping[Move, int]]:
        """The legal actions of each role by their texts."""
        node, roles = self.node, self.game.roles
        if node.is_terminal():
            return {}
        if node.is_chance_node():
            return {roles[0]: {CHANCE: -1}}
        if node.is_simultaneous_node():
            return {role: _actions_by_text(node, player) for player, role in enumerate(roles)}
        player = node.current_player()
        return {roles[player]: _actions_by_text(node, player)}

    def legal_moves(self, role: Role) -> Sequence[Move]:
        """The legal moves of a role, in OpenSpiel's notation."""
        return tuple(self._actions.get(role, ()))

    @property
    def goals(self) -> Mapping[Role, int]:
        """The returns, scaled from the lowest possible (0) to the highest (100)."""
        return {role: self.game.goal(value) for role, value in self.points.items()}

    @property
    def points(self) -> Mapping[Role, float]:
        """OpenSpiel's returns."""
        return dict(zip(self.game.roles, self.node.returns(), strict=True))

    def play(self, joint_move: JointMove) -> OpenSpielState:
        """The state after a joint move in which nothing is left to chance."""
        child = self.node.clone()
        if self.node.is_chance_node():
            child.apply_action(self._outcome_number(joint_move))
        elif self.node.is_simultaneous_node():
            # A player without actions still has an entry in the list, which is ignored.
            numbers = [self._number(role, joint_move) if self._actions[role] else 0 for role in self.game.roles]
            child.apply_actions(numbers)
        else:
            role = self.game.roles[self.node.current_player()] if not self.is_terminal else ""
            child.apply_action(self._number(role, joint_move))
        if len(joint_move) != sum(1 for moves in self._actions.values() if moves):
            raise IllegalMoveError(f"{dict(joint_move)!r} has a move for a role that is not to move")
        return OpenSpielState(self.game, child, (self, dict(joint_move)) if self.game.hidden else None)

    def _number(self, role: Role, joint_move: JointMove) -> int:
        number = self._actions.get(role, {}).get(joint_move.get(role, ""))
        if number is None:
            raise IllegalMoveError(f"{joint_move.get(role)!r} is not a legal move of {role or 'anybody: it is over'}")
        return number

    def _outcome_number(self, joint_move: JointMove) -> int:
        move = joint_move.get(self.game.roles[0], "")
        number = {text: number for number, text, _ in self._outcomes}.get(move)
        if number is None:
            raise IllegalMoveError(f"{move!r} is not an outcome of chance here; play the result of State.resolve")
        return number

    @cached_property
    def _outcomes(self) -> list[tuple[int, Move, float]]:
        names = _make_distinct([self.node.action_to_string(number) for number, _ in self.node.chance_outcomes()])
        pairs = zip(self.node.chance_outcomes(), names, strict=True)
        return [(number, f"{CHANCE}: {name}", chance) for (number, chance), name in pairs]

    def chance_outcomes(self, joint_move: JointMove, limit: int = 10_000) -> Sequence[Outcome]:
        """The outcomes of chance at a chance node."""
        if self.is_terminal or not self.node.is_chance_node():
            return super().chance_outcomes(joint_move, limit)
        role = self.game.roles[0]
        return [Outcome(chance, {role: text}) for _, text, chance in self._outcomes if chance > 0]

    # Information of players

    def percepts(self, role: Role) -> Sequence[str]:
        """The role's observation by OpenSpiel; empty in games with perfect information."""
        if not self.game.hidden:
            return ()
        player = self.game.roles.index(role)
        if self.game.provides_observation:
            return (self.node.observation_string(player),)
        return (self.node.information_state_string(player),)

    def view(self, role: Role) -> View:
        """The role's view."""
        return OpenSpielView(self, role) if self.game.hidden else OpenView(self, role)

    def percept_view(self, role: Role) -> PerceptView:
        """The role's percepts from the beginning."""
        if self._before is None:
            return PerceptView(self.game, role, self, self.legal_moves(role))
        before, joint_move = self._before
        move = CHANCE if before.node.is_chance_node() and role in joint_move else joint_move.get(role)
        return before.percept_view(role).after(move, self.percepts(role), self.legal_moves(role))

    # Values

    @cached_property
    def _history(self) -> tuple[int, ...]:
        return tuple(self.node.history())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenSpielState) and self.game is other.game and self._history == other._history

    def __hash__(self) -> int:
        return hash(self._history)

    def __str__(self) -> str:
        return str(self.node)


class OpenSpielView(StateView):
    """One role's view of a position in a game with hidden information."""

    _state: OpenSpielState

    @property
    def information(self) -> Hashable:
        """OpenSpiel's information set, or all percepts of the role."""
        if self._state.game.provides_information:
            return str(self._state.node.information_state_string(self._state.game.roles.index(self.role)))
        return self._state.percept_view(self.role).information

    def sample(self, rng: Random) -> State:
        """A state consistent with the view: sampled by OpenSpiel if it can, otherwise from the role's belief."""
        game, player = self._state.game, self._state.game.roles.index(self.role)
        try:
            return OpenSpielState(game, self._state.node.resample_from_infostate(player, rng.random))
        except _FAILURES:  # not supported, or not here: before the deal some games look for cards not dealt yet
            return self._state.percept_view(self.role).sample(rng)


def _actions_by_text(node: Any, player: int) -> dict[Move, int]:
    numbers = node.legal_actions(player)
    return dict(
        zip(_make_distinct([node.action_to_string(player, number) for number in numbers]), numbers, strict=True)
    )


def _make_distinct(texts: Sequence[str]) -> list[str]:
    """The texts, with a number appended to each repeated one."""
    seen: dict[str, int] = {}
    distinct = []
    for text in texts:
        seen[text] = seen.get(text, 0) + 1
        distinct.append(text if seen[text] == 1 else f"{text} #{seen[text]}")
    return distinct

"""Rule: the base class of the rules of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from ludens.core import GameError, Move, Option, OptionValue, PlayerError
from ludens.core.own_code import classes_in
from ludens.tabletop.actions.basic import Action
from ludens.tabletop.actions.result import FinishPlay, goals_by_rank, goals_in_range
from ludens.tabletop.errors import RuleError
from ludens.tabletop.quick_form import QuickForm
from ludens.tabletop.table import Table
from ludens.tabletop.twin import AnyTwin

STARTING_PLAYER = "starting_player"
PLAYERS = "players"


class Rule:
    """The rules of a game.

    A subclass has a name, players, `equipment`, `turns`, methods that list actions, and `result`. Each of these
    methods gets a `Table`, asks it, and returns actions; none of them changes it.
    """

    name: ClassVar[str] = ""
    """The title of the game."""
    players: Sequence[Any] = ()
    """The names of the players; or a range of player counts, then the names are player1, player2 and so on."""
    options: ClassVar[tuple[Option, ...]] = ()
    """What can be chosen before a play; the choices are in ``self.settings``."""
    partners: Sequence[Sequence[str]] = ()
    """Players who play together, side by side: ``(("North", "South"), ("East", "West"))``."""
    chance: bool | None = None
    """True if the game has chance; by default derived from dice and `setup`."""
    messages: bool = False
    """True if players may send each other messages."""
    secrets: Sequence[str] = ()
    """Attributes of the table that no player may know, such as past positions of a board that is not seen."""
    private: Sequence[str] = ()
    """Attributes of players that each player knows only of itself, such as its failed attempts."""
    horizon: int = 20
    """Turns of a random playout, in rules with `prospects`."""
    zero_sum: bool = False
    """True if the goals add up to 100 whenever two players play; `check_game` tests it."""
    points_range: Sequence[float] = ()
    """The least and the most points; goals are proportional to them. Without it, goals follow from the ranking."""

    def __init__(self, **settings: OptionValue) -> None:
        seats = type(self).players
        self.players = self._names(seats, settings)
        own = [option for option in self.options if option.name not in (PLAYERS, STARTING_PLAYER)]
        self.all_options: tuple[Option, ...] = (*self._player_option(seats), *own, self._start_option())
        """The options of the rule and those that every rule has."""
        known = {option.name: option for option in self.all_options}
        for name, value in settings.items():
            if name not in known:
                raise RuleError(f"{self.name} has no option {name!r} (options: {', '.join(known)})")
            try:
                known[name].check(value)
            except PlayerError as error:
                raise RuleError(f"{self.name}: {error}") from None
        self.settings: dict[str, Any] = {name: option.default for name, option in known.items()} | settings
        """The value of every option."""
        self.starting_player: str = str(self.settings[STARTING_PLAYER])
        """Who begins."""

    # Written by authors

    def equipment(self, table: Table) -> None:
        """Put boards, cards, dice and scores on the table with ``table.add``."""
        raise NotImplementedError

    def turns(self) -> Sequence[Any]:
        """The turn graph, such as ``alternate(self.players, self.move)``."""
        raise NotImplementedError

    def setup(self, table: Table) -> Action | None:
        """The action that sets up the table: deal, place pieces. None if there is nothing to do."""
        return None

    def result(self, table: Table) -> FinishPlay | None:
        """How the play ends after the action of ``table.current_player``; None if it continues."""
        return None

    def priority(self, table: Table, player: str, action: Action) -> int:
        """In a race: the highest wins, and among equals the first to answer."""
        return 0

    def possible(self, table: Table) -> bool:
        """True if the position can come up in a play; rejects impossible samples of what a player does not see."""
        return True

    def playout(self, table: Table, rng: Random) -> Sequence[float]:
        """The goals of a random playout for each player in order, 0 to 100: for rules with playouts much faster than
        by their actions, or that know which actions make no sense. ``table.current_player`` is to act."""
        raise NotImplementedError

    def sensible_action(self, table: Table, actions: Sequence[Action], rng: Random) -> Action:
        """The action that ``table.current_player``, a sensible player, chooses in a playout. Without it, playouts are
        random."""
        raise NotImplementedError

    def shortcut(self, table: Table, rng: Random) -> Action | None:
        """In a playout, an action that stands for many turns of sensible players, such as all tricks of a hand; None if
        the next turn is played by `sensible_action`, or at random. Nobody but playouts does it."""
        return None

    def promising(self, table: Table, moves: Sequence[str]) -> Sequence[str]:
        """Those of the moves of ``table.current_player`` that a search tries: for turns with many moves, of which it
        can only try a few. It must not depend on what the player does not see."""
        return moves

    def rollouts(self, table: Table, moves: Sequence[str], rng: Random) -> Sequence[Sequence[float]]:
        """The goals of ``table.current_player``, 0 to 100, in many playouts after each of some of its moves: for rules
        that can play out hundreds at once. What the player does not see is drawn anew for each playout, by what others
        did. All moves get equally many playouts, each with the luck of those of the other moves at the same place."""
        raise NotImplementedError

    def likelihood(self, table: Table, move: str, moves: Sequence[str]) -> float:
        """The probability that ``table.current_player`` chooses one of its moves, by what it sees: a model of sensible
        opponents, by which sampled worlds are weighed. Without it, all moves are equally likely."""
        raise NotImplementedError

    def prospects(self, table: Table) -> Mapping[str, float]:
        """An evaluation of an unfinished play for each player; a lead of 1 means about three wins in four.
        For rules with long playouts: they end after `horizon` turns with this evaluation."""
        raise NotImplementedError

    def twin(self) -> AnyTwin | None:
        """Rules in GDL, or an engine, that play as this page does, for playouts in machine code; None if there are
        none. Called once, after `equipment`."""
        return None

    def quick_form(self) -> QuickForm | None:
        """Positions as plain values, in which worlds of games with secret places are found faster; None if there is no
        such form. Called once, after `equipment`."""
        return None

    def goals(self, points: Mapping[str, float]) -> Sequence[int]:
        """What points are worth, 0 to 100 for each player in order."""
        if self.points_range:
            low, high = self.points_range
            return goals_in_range([points[name] for name in self.players], low, high)
        return goals_by_rank(points, self.players)

    # Options

    @classmethod
    def from_parameters(cls, parameters: Sequence[str]) -> Rule:
        """The rule with options as written after a colon: ``size=9,line=exactly five``, or values in order."""
        plain = cls()
        known = {option.name: option for option in plain.all_options}
        order = list(known)
        settings: dict[str, OptionValue] = {}
        for number, parameter in enumerate(parameters):
            name, equals, text = parameter.partition("=")
            name = name.strip().lower().replace("-", "_").replace(" ", "_")
            if not equals:
                name, text = (order[number] if number < len(order) else "", parameter)
            option = known.get(name)
            if option is None:
                raise RuleError(f"{cls.name} has no option for {parameter!r} (options: {', '.join(known)})")
            settings[name] = _parse_option(cls.name, option, text.strip())
        return cls(**settings)

    @classmethod
    def _names(cls, seats: Sequence[Any], settings: Mapping[str, OptionValue]) -> tuple[str, ...]:
        if isinstance(seats, str):
            raise RuleError(
                f"{cls.__name__}.players is one text; for a single player, write ({seats!r},) with the comma"
            )
        if not isinstance(seats, range):
            names = tuple(map(str, seats))
            if len(set(names)) < len(names):
                raise RuleError(f"{cls.__name__}.players has a name twice: {', '.join(names)}")
            return names
        count = settings.get(PLAYERS, seats[0])
        wanted = count if isinstance(count, int) and count in seats else seats[0]
        return tuple(f"player{number + 1}" for number in range(wanted))

    def _player_option(self, seats: Sequence[Any]) -> tuple[Option, ...]:
        if not isinstance(seats, range):
            return ()
        return (Option(PLAYERS, seats[0], "how many players there are", seats[0], seats[-1]),)

    def _start_option(self) -> Option:
        if not self.players:
            raise RuleError(f"{type(self).__name__} names no players")
        return Option(STARTING_PLAYER, self.players[0], "who begins", choices=tuple(self.players))


def _parse_option(rule: str, option: Option, text: str) -> OptionValue:
    if option.choices:
        tidy = {choice.lower().replace("-", " ").replace("_", " "): choice for choice in option.choices}
        text = tidy.get(text.lower().replace("-", " ").replace("_", " "), text)
    try:
        return option.parse(text)
    except PlayerError as error:
        raise RuleError(f"{rule}: {error}") from None


def check_names(moves: Mapping[Move, Any], text: Move, rule: Rule, where: str) -> None:
    """Raise `RuleError` if there already is a move of this name."""
    if text in moves:
        raise RuleError(
            f"{type(rule).__name__}: two actions in {where} are called {text!r}; tell them apart with .named()"
        )


@cache
def rule_class(path: Path) -> type[Rule]:
    """The rule in a Python file, the last that it defines, loaded once in a process."""
    rules = classes_in(path, Rule, "rule", GameError)
    if not rules:
        raise GameError(f"{path} defines no rule: a class that is a subclass of ludens.tabletop.Rule")
    return rules[-1]

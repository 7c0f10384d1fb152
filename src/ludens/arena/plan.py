"""The plan of a tournament: games, players, clocks and format."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import yaml

from ludens.arena.results.sprt import Sprt
from ludens.arena.specification import Format
from ludens.core import LudensError

MOST = 1_000
"""The maximum number of games or players of a plan."""
_LARGEST_FILE = 1_000_000
_LONGEST_QUOTE, _LARGEST_NUMBER = 200, 10**18
"""Limits on what a message quotes of a plan: characters, and the size of numbers."""


class PlanError(LudensError):
    """A plan cannot be read; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A player that takes part."""

    name: str
    player: str
    """The player with its options, as on the command line: ``mcts:exploration=0.8``."""


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game of the tournament."""

    game: str
    """The name or path of the game, with parameters."""
    clock: float
    start_clock: float


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """A whole tournament."""

    name: str
    games: tuple[GameEntry, ...]
    players: tuple[Entry, ...]
    format: Format = Format.ROUND_ROBIN
    rounds: int = 0
    """Rounds of a Swiss tournament or ladder; 0 for the usual number."""
    repetitions: int = 2
    """Matches of an encounter in each game; seats are rotated from one to the next."""
    seed: int = 0
    sprt: Sprt | None = None
    """When to stop early."""

    def as_text(self) -> str:
        """The plan in a canonical form."""
        return json.dumps(asdict(self), sort_keys=True)


def stored_plan(text: str) -> TournamentPlan:
    """The plan that `TournamentPlan.as_text` wrote. Raises `PlanError` if it is invalid."""
    try:
        data = json.loads(text)
        return TournamentPlan(
            **data
            | {
                "games": tuple(GameEntry(**entry) for entry in data["games"]),
                "players": tuple(Entry(**entry) for entry in data["players"]),
                "format": Format(data["format"]),
                "sprt": Sprt(**data["sprt"]) if data["sprt"] else None,
            }
        )
    except (ValueError, TypeError, KeyError) as error:
        raise PlanError(f"this is not a tournament plan: {error}") from None


def read_plan(path: Path) -> TournamentPlan:
    """The tournament that a YAML file describes. Raises `PlanError` with the error and its position."""
    return parse_plan(read_text(path), path.stem)


def read_text(path: Path) -> str:
    """The text of a plan. Raises `PlanError`."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise PlanError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise PlanError(f"cannot read {path}: it is not a text file in UTF-8") from None


def parse_plan(text: str, name: str) -> TournamentPlan:
    """The tournament that a text describes; ``name`` is its name if it gives none."""
    return PlanReader(parse_mapping(text, "'games' and 'players'")).plan(name)


def parse_mapping(text: str, needed: str) -> Mapping[Any, Any]:
    """The mapping that a plan in YAML is; ``needed`` names what it must have. Raises `PlanError`."""
    if len(text) > _LARGEST_FILE:
        raise PlanError("a plan may have at most a million characters")
    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: an invalid date or number
        raise PlanError(f"this is not YAML: {error}") from None
    if not isinstance(data, dict):
        raise PlanError(f"a plan is a mapping with at least {needed}")
    return data


class PlanReader:
    """Reads one mapping; raises `PlanError` with a clear message."""

    def __init__(self, data: Mapping[Any, Any]) -> None:
        self._data = data

    def plan(self, name: str) -> TournamentPlan:
        """The tournament."""
        known = {field.name for field in fields(TournamentPlan)} | {"clock", "start_clock"}
        self.check_keys(self._data, known, "the plan")
        clock = self.number(self._data, "clock", 1.0, 0.01)
        start_clock = self.number(self._data, "start_clock", 10.0, 0.0)
        players = self._players()
        return TournamentPlan(
            name=self.text(self._data, "name", name),
            games=self.games(clock, start_clock),
            players=players,
            format=self._format(),
            rounds=self.count("rounds", 0, 0),
            repetitions=self.count("repetitions", 2, 1),
            seed=self.count("seed", 0, 0),
            sprt=self._sprt({player.name for player in players}),
        )

    def games(self, clock: float, start_clock: float) -> tuple[GameEntry, ...]:
        """The games, with these clocks where they have none of their own."""
        games = []
        for item in self.items("games"):
            entry = item if isinstance(item, dict) else {"game": item}
            self.check_keys(entry, {"game", "clock", "start_clock"}, "a game")
            if not isinstance(entry.get("game"), str):
                raise PlanError(f"a game is a name, or a mapping with 'game', not {_quote(item)}")
            clocks = self.number(entry, "clock", clock, 0.01), self.number(entry, "start_clock", start_clock, 0.0)
            games.append(GameEntry(entry["game"], *clocks))
        if len({entry.game for entry in games}) < len(games):
            raise PlanError("a game is named twice; set 'repetitions' to play it more often")
        return tuple(games)

    def _players(self) -> tuple[Entry, ...]:
        players = []
        for item in self.items("players"):
            entry = item if isinstance(item, dict) else {"player": item}
            self.check_keys(entry, {"name", "player"}, "a player")
            if not isinstance(entry.get("player"), str):
                raise PlanError(f"a player is its name, or a mapping with 'player', not {_quote(item)}")
            players.append(Entry(self.text(entry, "name", entry["player"]), entry["player"]))
        names = [entry.name for entry in players]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise PlanError(f"two players are called {twice!r}; give one another 'name'")
        return tuple(players)

    def items(self, key: str) -> Sequence[Any]:
        """A list with at least one entry."""
        items = self._data.get(key)
        if not isinstance(items, list) or not items:
            raise PlanError(f"{key!r} must be a list with at least one entry")
        if len(items) > MOST:
            raise PlanError(f"{key!r} has {len(items)} entries; the limit is {MOST:,}")
        return items

    def _format(self) -> Format:
        text = self.text(self._data, "format", Format.ROUND_ROBIN).replace("_", "-")
        if text not in list(Format):
            raise PlanError(f"there is no format {text!r}; there are {', '.join(Format)}")
        return Format(text)

    def _sprt(self, names: set[str]) -> Sprt | None:
        data = self._data.get("sprt")
        if data is None:
            return None
        if not isinstance(data, dict):
            raise PlanError("'sprt' is a mapping with 'first', 'second', 'low' and 'high'")
        self.check_keys(data, {field.name for field in fields(Sprt)}, "'sprt'")
        for key in ("first", "second"):
            if not isinstance(data.get(key), str) or data[key] not in names:
                raise PlanError(f"'sprt' needs {key!r}, one of {', '.join(sorted(names))}")
        numbers = {key: self.number(data, key, 0.0, -10_000.0) for key in data if key not in ("first", "second")}
        try:
            return Sprt(data["first"], data["second"], **numbers)
        except LudensError as error:
            raise PlanError(f"'sprt' is invalid: {error}") from None

    @staticmethod
    def check_keys(data: Mapping[Any, Any], known: set[str], what: str) -> None:
        """Refuse entries that are not known."""
        for key in data:
            if key not in known:
                near = difflib.get_close_matches(key, known, 1) if isinstance(key, str) else []
                hint = f"did you mean {near[0]!r}?" if near else f"it may have {', '.join(sorted(known))}"
                raise PlanError(f"{what} has an unknown entry {_quote(key)}; {hint}")

    @staticmethod
    def text(data: Mapping[Any, Any], key: str, default: str) -> str:
        """A text, or a number as text."""
        value = data.get(key, default)
        is_number = isinstance(value, int | float) and abs(value) < _LARGEST_NUMBER
        if not (isinstance(value, str) or is_number) or not str(value).strip():
            raise PlanError(f"{key!r} must be a text, not {_quote(value)}")
        return str(value)

    def count(self, key: str, default: int, least: int) -> int:
        """A whole number."""
        value = self.number(self._data, key, default, least)
        if not value.is_integer():
            raise PlanError(f"{key!r} must be a whole number, not {value:g}")
        return int(value)

    @staticmethod
    def number(data: Mapping[Any, Any], key: str, default: float, least: float) -> float:
        """A number."""
        value = data.get(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value < 1e9:
            raise PlanError(f"{key!r} must be a number of at least {least:g}, not {_quote(value)}")
        return float(value)


def _quote(value: Any) -> str:
    """A value as quoted in a message; lists only by type, since YAML aliases can make them endless."""
    if isinstance(value, str):
        return repr(value[:_LONGEST_QUOTE])
    is_plain = value is None or isinstance(value, float) or (isinstance(value, int) and abs(value) < _LARGEST_NUMBER)
    return repr(value) if is_plain else f"something of type {type(value).__name__}"

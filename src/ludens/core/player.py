"""The contract that every player keeps: an agent that is given a view and a clock, and returns a move."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

from ludens.core.errors import PlayerError
from ludens.core.game import Game, Move, Role
from ludens.core.view import View

OptionValue: TypeAlias = bool | int | float | str


@dataclass(frozen=True, slots=True)
class Clock:
    """How long a player may think."""

    play: float = 1.0
    """Seconds for each move."""
    start: float = 10.0
    """Seconds before the first move."""


class Deadline:
    """A point in time by which a move is due."""

    def __init__(self, seconds: float) -> None:
        self._due = time.monotonic() + seconds

    def remaining(self) -> float:
        """Seconds left; negative once it is too late."""
        return self._due - time.monotonic()


@dataclass(frozen=True, slots=True)
class Option:
    """One setting of a player, described so that a form or a protocol can show it."""

    name: str
    """What it is called in ``flat:playouts=100``."""
    default: OptionValue
    """Its value if nobody sets it; also says its type."""
    description: str
    """One sentence for the person who sets it."""
    minimum: float | None = None
    """The smallest number allowed, if there is one."""
    maximum: float | None = None
    """The largest number allowed, if there is one."""
    choices: tuple[str, ...] = ()
    """The words allowed, if only some are."""

    def parse(self, text: str) -> OptionValue:
        """The value that ``text`` stands for, of the default's type. Raises `PlayerError` if it stands for none."""
        value: OptionValue
        try:
            if isinstance(self.default, bool):
                value = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}[text.lower()]
            else:
                value = type(self.default)(text)
        except (KeyError, ValueError):
            raise self._refusal(f"takes a value of type {type(self.default).__name__}", text) from None
        self.check(value)
        return value

    def check(self, value: OptionValue) -> None:
        """Raise `PlayerError` if the option cannot have this value."""
        kind = type(self.default)
        if type(value) is not kind and (kind, type(value)) != (float, int):
            raise self._refusal(f"takes a value of type {kind.__name__}", value)
        if self.choices and value not in self.choices:
            raise self._refusal(f"is one of {', '.join(self.choices)}", value)
        if isinstance(value, int | float) and not self._in_range(value):
            raise self._refusal(f"is {self._range()}", value)

    def _in_range(self, value: float) -> bool:
        """Never true for NaN, with which all comparisons are false."""
        low = -math.inf if self.minimum is None else self.minimum
        high = math.inf if self.maximum is None else self.maximum
        return low <= value <= high

    def _range(self) -> str:
        if self.minimum is not None and self.maximum is not None:
            return f"between {self.minimum} and {self.maximum}"
        if self.minimum is not None:
            return f"at least {self.minimum}"
        return "a number" if self.maximum is None else f"at most {self.maximum}"

    def _refusal(self, demand: str, value: OptionValue) -> PlayerError:
        return PlayerError(f"option {self.name!r} {demand}, not {value!r}")


@dataclass(frozen=True, slots=True)
class Decision:
    """A move, and what the player saw on the way to it."""

    move: Move
    """The move chosen; one of the view's legal moves."""
    summary: str = ""
    """The thinking in a few words, for people who watch."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """The thinking as data (playouts, depth, values by move), for the record; JSON values only."""


class Player(ABC):
    """An agent. One object plays one role in one match, then is thrown away.

    A player gets its options by keyword: ``Flat(playouts=100)``. A subclass names them in ``options`` and reads
    ``self.settings``.
    """

    name: ClassVar[str]
    """What the player is called on the command line."""
    description: ClassVar[str]
    """One sentence for the list of players."""
    options: ClassVar[tuple[Option, ...]] = ()
    """All that can be set."""

    def __init__(self, **settings: OptionValue) -> None:
        known = {option.name: option for option in self.options}
        for name, value in settings.items():
            if name not in known:
                choice = ", ".join(known) or "it has none"
                raise PlayerError(f"player {self.name!r} has no option {name!r} (options: {choice})")
            known[name].check(value)
        self.settings: dict[str, OptionValue] = {name: option.default for name, option in known.items()} | settings
        """The value of every option."""

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:  # noqa: B027 - may do nothing
        """Get ready to play ``role``, within ``clock.start`` seconds. ``seed`` makes the player repeatable."""

    @abstractmethod
    def choose(self, view: View, deadline: Deadline) -> Decision:
        """Choose one of ``view.legal_moves`` before the deadline."""

    def stop(self) -> None:  # noqa: B027 - most players hold nothing
        """The match is over: let go of whatever is held."""

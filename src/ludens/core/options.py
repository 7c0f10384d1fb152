"""Settings of players: typed, described and bounded, so that commands, protocols and pages can show and set them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from ludens.core.errors import PlayerError

OptionValue: TypeAlias = bool | int | float | str
"""The value of an option."""


@dataclass(frozen=True, slots=True)
class Option:
    """One setting of a player, described so that a form or a protocol can show it."""

    name: str
    """The name in ``flat:playouts=100``."""
    default: OptionValue
    """The default; also determines the type."""
    description: str
    """One sentence of help."""
    minimum: float | None = None
    """The minimum, if there is one."""
    maximum: float | None = None
    """The maximum, if there is one."""
    choices: tuple[str, ...] = ()
    """The allowed words, if restricted."""

    @property
    def allowed(self) -> str:
        """The allowed values in words; empty if all of the type are."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        return "" if self.minimum is None and self.maximum is None else self._range()

    def as_json(self) -> dict[str, object]:
        """The option for forms and other programs."""
        return {
            "name": self.name,
            "type": type(self.default).__name__,
            "default": self.default,
            "minimum": self.minimum,
            "maximum": self.maximum,
            "choices": list(self.choices),
            "description": self.description,
        }

    def parse(self, text: str) -> OptionValue:
        """The value of a text, of the default's type. Raises `PlayerError` if it has none."""
        value: OptionValue
        try:
            if isinstance(self.default, bool):
                value = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}[text.lower()]
            else:
                value = type(self.default)(text)
        except (KeyError, ValueError):
            raise self._error(f"takes a value of type {type(self.default).__name__}", text) from None
        self.check(value)
        return value

    def check(self, value: OptionValue) -> None:
        """Raise `PlayerError` if the option cannot have this value."""
        kind = type(self.default)
        if type(value) is not kind and (kind, type(value)) != (float, int):
            raise self._error(f"takes a value of type {kind.__name__}", value)
        if self.choices and value not in self.choices:
            raise self._error(f"is {self.allowed}", value)
        if isinstance(value, int | float) and not self._in_range(value):
            raise self._error(f"is {self._range()}", value)

    def _in_range(self, value: float) -> bool:
        """False for NaN, with which all comparisons are false."""
        low = -math.inf if self.minimum is None else self.minimum
        high = math.inf if self.maximum is None else self.maximum
        return low <= value <= high

    def _range(self) -> str:
        if self.minimum is not None and self.maximum is not None:
            return f"between {self.minimum} and {self.maximum}"
        if self.minimum is not None:
            return f"at least {self.minimum}"
        return "a number" if self.maximum is None else f"at most {self.maximum}"

    def _error(self, demand: str, value: OptionValue) -> PlayerError:
        return PlayerError(f"option {self.name!r} {demand}, not {value!r}")

"""Settings of players: typed, described and bounded, so that commands, protocols and pages can show and set them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from ludens.core.errors import PlayerError

OptionValue: TypeAlias = bool | int | float | str
"""What an option can be set to."""


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

    @property
    def allowed(self) -> str:
        """Which values are allowed, in words; empty if any of the type is."""
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
            raise self._refusal(f"is {self.allowed}", value)
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

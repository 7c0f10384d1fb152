"""A rule as a Supervisor chose it, with its options."""

from __future__ import annotations

from dataclasses import dataclass

from ludens.core import Game, Option, OptionValue
from ludens.protocols.ggtp.language.grammar import CommandError, format_list, match_name


@dataclass(frozen=True, slots=True)
class ChosenRule:
    """A rule as a Supervisor chose it."""

    text: str
    """Its name as given, for engines and play files."""
    game: Game
    options: tuple[Option, ...]
    """What can be set before a play."""
    values: dict[str, OptionValue]
    """The value of every option."""
    changed: tuple[str, ...] = ()
    """The options that were set, in order."""
    backend: str = "auto"
    is_competition: bool = False
    """True if the moves are results of matches, and the players engines that play these."""

    def option(self, name: str) -> Option:
        """An option by name. Raises `CommandError` if there is none."""
        found = match_name(name, (option.name for option in self.options))
        if found is None:
            raise CommandError(f"No option named {name} (options: {format_list(self.values) or 'none'}).")
        return next(option for option in self.options if option.name == found)

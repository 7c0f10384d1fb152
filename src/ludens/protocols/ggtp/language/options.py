"""The options of the Rules: output for the Supervisor, engine moves, and clocks."""

from __future__ import annotations

from ludens.core import Option, OptionValue, PlayerError
from ludens.protocols.ggtp.language.grammar import CommandError, format_list, match_name

ON, OFF = "on", "off"
GENMOVE, SEED, MOVE_TIME, GAME_TIME, TURN_LIMIT = "genmove", "seed", "move_time", "game_time", "turn_limit"
MESSAGES, SHOW_MESSAGES = "messages", "show_messages"
SHOW_COMMAND, SHOW_WHEN_PLAY, SHOW_MOVES = "show_command", "show_when_play", "show_possible_moves"
SHOW_RESULTS, SHOW_TABLE, SHOW_ENGINES = "show_results", "show_table", "show_engines"
LONGEST = 86_400.0

OPTIONS = (
    Option(SHOW_COMMAND, False, "show each command before it is done"),
    Option(SHOW_WHEN_PLAY, False, "show each move that is made or taken back"),
    Option(SHOW_MOVES, False, "show the possible moves after each step"),
    Option(SHOW_RESULTS, False, "show the result when the play is over"),
    Option(SHOW_TABLE, False, "show the table after each step"),
    Option(GENMOVE, False, "engines play as soon as they are to move"),
    Option(SHOW_ENGINES, False, "show what the Rules and the engines say to each other"),
    Option(SEED, 0, "makes chance repeatable; 0 draws anew for each play", 0, 2**31 - 1),
    Option(MOVE_TIME, 0.0, "seconds for each move; 0 for no limit", 0, LONGEST),
    Option(GAME_TIME, 0.0, "seconds for all moves of a player; 0 for no limit", 0, LONGEST),
    Option(TURN_LIMIT, 0, "turns after which the play is stopped without a result; 0 for no limit", 0, 10**9),
    Option(MESSAGES, False, "let players send each other messages even if the rule does not"),
    Option(SHOW_MESSAGES, False, "show what players say to each other"),
)
"""The paper's six first, then ours."""
ALIASES = {"get_possible_moves": SHOW_MOVES}
"""Other names, which the paper's example uses."""


def format_value(value: OptionValue) -> str:
    """A value as the protocol writes it."""
    if isinstance(value, bool):
        return ON if value else OFF
    return f"{value:g}" if isinstance(value, float) else str(value)


def takes_any_text(option: Option) -> bool:
    """True if an option may name a program or a file, which is not allowed over the network."""
    return isinstance(option.default, str) and not option.choices


def choices(option: Option) -> str:
    """The values that an option can have, as a list or in words."""
    if isinstance(option.default, bool):
        return f"{ON}, {OFF}"
    if option.choices:
        return format_list(option.choices)
    kind = {int: "a whole number", float: "a number"}.get(type(option.default), "any text")
    return f"{kind}, {option.allowed}" if option.allowed else kind


class RuleOptions:
    """The options of a session, with their values."""

    def __init__(self) -> None:
        self.values: dict[str, OptionValue] = {option.name: option.default for option in OPTIONS}
        """The value of every option."""

    def __getitem__(self, name: str) -> OptionValue:
        return self.values[name]

    def find(self, name: str) -> Option:
        """An option by name. Raises `CommandError` if there is none."""
        found = match_name(ALIASES.get(name.lower(), name), self.values)
        if found is None:
            raise CommandError(f"No option named {name} (options: {format_list(self.values)}).")
        return next(option for option in OPTIONS if option.name == found)

    def set(self, name: str, text: str) -> None:
        """Set an option. Raises `CommandError` if it cannot have the value."""
        option = self.find(name)
        try:
            self.values[option.name] = option.parse(text)
        except PlayerError:
            raise CommandError(f"Option {option.name} is {choices(option)}, not {text}.") from None

    @property
    def changed_values(self) -> dict[str, str]:
        """The options that differ from their defaults."""
        return {
            option.name: format_value(value)
            for option in OPTIONS
            if (value := self.values[option.name]) != option.default
        }

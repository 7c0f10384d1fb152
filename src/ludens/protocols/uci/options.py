"""The options of a UCI program: those that interfaces know, and the player's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ludens.core import Option, PlayerError
from ludens.players.registry import make_player, without_options
from ludens.players.tree_memory import LEAST_MEGABYTES
from ludens.protocols.uci.limits import Limits

SIDES = 2
"""Players: one for each colour, which share the memory of ``Hash``."""
MOST_LINES = 12
"""Lines that players report."""
LIMIT_OPTIONS = {"depth": "depth", "nodes": "iterations"}
"""Limits of ``go`` that are options of players, if they have them."""
_MAPPED = {"Hash": "memory", "Threads": "threads"}
"""Options that interfaces know, by what our players call them."""
_HIDDEN = frozenset({"ponder", *_MAPPED.values()})
_SETTING = re.compile(r"name\s+(.+?)(?:\s+value(?:\s+(.*))?)?$")


class UciOptions:
    """What an interface may set. Values that no player uses are checked and kept."""

    def __init__(self, player: str) -> None:
        self.player = without_options(player)
        """The player without its options."""
        made = make_player(player, files=True)
        own = {option.name: option for option in made.options}
        self._live = made.live_options
        self._own = own
        memory, threads = own.get("memory"), own.get("threads")
        known = [
            Option(
                "Hash",
                SIDES * (int(made.settings["memory"]) or LEAST_MEGABYTES) if memory else SIDES,
                "",
                SIDES,
                131_072,
            ),
            Option("Threads", int(made.settings["threads"]) if threads else 1, "", 1, 64 if threads else 1),
            Option("Ponder", False, ""),
            Option("MultiPV", 1, "", 1, MOST_LINES),
            Option("UCI_AnalyseMode", False, ""),
        ]
        visible = [option for name, option in own.items() if name not in _HIDDEN]
        self._options = {option.name: option for option in (*known, *visible)}
        self._values = {option.name: str(option.default) for option in known}
        self._values |= {name: str(value) for name, value in made.settings.items()}

    @property
    def lines(self) -> int:
        """How many of the best moves are reported."""
        return int(self._values["MultiPV"])

    def declarations(self) -> Iterator[str]:
        """Every option as UCI declares it."""
        for name, option in self._options.items():
            yield _declaration(option, self._values[name])

    def set(self, words: Sequence[str]) -> None:
        """Set an option by the words after ``setoption``. Raises `PlayerError`."""
        found = _SETTING.match(" ".join(words))
        wanted = found[1].lower() if found else ""
        name = next((name for name in self._options if name.lower() == wanted), None)
        if found is None or name is None:
            raise PlayerError(f"there is no option {wanted!r} (options: {', '.join(self._options)})")
        self._values[name] = str(self._options[name].parse(found[2] or ""))

    def player_text(self, limits: Limits) -> str:
        """The player with all options, and with those limits that it keeps by itself."""
        values = {name: self._values[name] for name in self._own}
        if "memory" in values:
            values["memory"] = str(int(self._values["Hash"]) // SIDES)
        if "threads" in values:
            values["threads"] = self._values["Threads"]
        settings = ",".join(f"{name}={value}" for name, value in (values | self._kept(limits)).items())
        return f"{self.player}:{settings}"

    def keeps(self, limits: Limits) -> bool:
        """True if the player itself stops at a limit of depth or nodes."""
        return bool(self._kept(limits))

    def _kept(self, limits: Limits) -> dict[str, str]:
        given = {option: int(getattr(limits, limit)) for limit, option in LIMIT_OPTIONS.items()}
        return {name: self._bounded(name, value) for name, value in given.items() if value and name in self._live}

    def _bounded(self, name: str, value: int) -> str:
        most = self._own[name].maximum
        return str(value if most is None else min(value, int(most)))


def _declaration(option: Option, value: str) -> str:
    if isinstance(option.default, bool):
        return f"option name {option.name} type check default {value.lower()}"
    if option.choices:
        values = " ".join(f"var {choice}" for choice in option.choices)
        return f"option name {option.name} type combo default {value} {values}"
    if isinstance(option.default, int) and option.minimum is not None and option.maximum is not None:
        limits = f"min {option.minimum:.0f} max {option.maximum:.0f}"
        return f"option name {option.name} type spin default {value} {limits}"
    return f"option name {option.name} type string default {value or '<empty>'}"

"""The table of commands. A module is imported only when its command runs."""

from __future__ import annotations

import importlib
import inspect
import re
from functools import cached_property
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

COMMANDS = {
    "games": "library.games.games",
    "show": "library.show.show",
    "draw": "library.draw.draw",
    "players": "library.list_players.list_players",
    "prompt": "library.prompt.prompt",
    "play": "matches.play.play",
    "match": "matches.match.match",
    "web": "servers.web.web",
    "mcp": "servers.mcp.mcp",
    "controller": "servers.controller.controller",
    "player": "servers.player.player",
    "ggtp": "servers.ggtp.ggtp",
    "engine": "servers.engine.engine",
    "gtp": "servers.gtp.gtp",
    "uci": "servers.uci.uci",
    "tournament": "matches.tournament.tournament",
    "gauntlet": "matches.gauntlet.gauntlet",
    "results": "matches.results.results",
    "ratings": "matches.results.ratings",
    "train": "learning.train.train",
    "evolve": "learning.evolve.evolve",
    "replay": "matches.replay.replay_command",
    "regret": "matches.regret.regret",
    "perft": "backends.perft.perft_command",
    "analyse": "analysis.analyse.analyse",
    "solve": "analysis.solve.solve",
    "equilibrium": "analysis.equilibrium.equilibrium",
    "exploitability": "analysis.exploitability.exploitability",
    "decompose": "analysis.decompose.decompose",
    "probability": "analysis.probability.probability",
    "report": "analysis.report.report",
    "compare-rules": "analysis.report.compare_rules",
    "bench": "backends.bench.bench",
    "compile": "backends.compile_game.compile_game",
    "query": "rules.query.query",
    "why": "rules.why.why",
    "check": "rules.check.check",
    "equivalent": "rules.equivalent.equivalent",
    "convert": "rules.convert.convert",
    "conform": "backends.conform.conform",
    "import": "library.import_games.import_games",
    "new-game": "library.new_game.new_game_command",
    "experiment": "experiment.experiment",
}
"""The function of each command, as module and name, in the order of ``ludens --help``. Its docstring is the help.

A module with an ``app`` has subcommands; the function is their callback then.
"""
_DOCSTRING = r'^def {}\(.*?\) -> None:\n    """(.*?)"""'


class Deferred(TyperCommand):
    """A command that imports its module when it is used."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._module, _, self._function = COMMANDS[name].rpartition(".")

    @cached_property
    def summary(self) -> str:
        """The first paragraph of its help, read from the file."""
        file = Path(__file__).parent.joinpath(*self._module.split(".")).with_suffix(".py")
        text = file.read_text(encoding="utf-8")
        found = re.search(_DOCSTRING.format(self._function), text, re.MULTILINE | re.DOTALL)
        assert found is not None, f"{file} has no function {self._function} with a docstring"
        return " ".join(inspect.cleandoc(found[1]).partition("\n\n")[0].split())

    @cached_property
    def loaded(self) -> TyperCommand | TyperGroup:
        """The imported command."""
        module = importlib.import_module(f"ludens.cli.{self._module}")
        parent = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich")
        parent.callback()(lambda: None)  # keeps the command's name, even if there is only one
        if hasattr(module, "app"):
            parent.add_typer(module.app, name=self.name)
        else:
            parent.command(self.name)(getattr(module, self._function))
        group = typer.main.get_command(parent)
        assert isinstance(group, TyperGroup)
        command = group.commands[str(self.name)]
        assert isinstance(command, TyperCommand | TyperGroup)
        return command

    def make_context(self, *arguments: Any, **settings: Any) -> Any:
        """The context of the imported command, which then runs."""
        return self.loaded.make_context(*arguments, **settings)

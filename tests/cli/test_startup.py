"""Commands import what they use, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache

import pytest

from ludens.cli.commands import COMMANDS, Deferred
from ludens.players import player_classes
from tests.cli.conftest import Run

SLOW = {"llvmlite", "clingo", "numpy", "matplotlib"}
"""What takes long to import."""
HELP = "from ludens.cli.main import main; main(['--help'])"
PLAYER = "from ludens.players import make_player; make_player('random')"


@cache
def modules_after(program: str) -> set[str]:
    """The modules that a program has imported, run by a Python of its own."""
    report = "import json, sys; print('\\n' + json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", f"{program}\n{report}"], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "program",
    [
        "import ludens",
        HELP,
        "from ludens.cli.main import main; main(['--version']); main(['games'])",
        "from ludens.cli.main import main; main(['show', 'chess']); main(['show', 'go'])",
        "import ludens; ludens.load('chess', backend='reference')",
        PLAYER,
    ],
)
def test_no_compiler_is_imported_for(program: str) -> None:
    assert modules_after(program) & SLOW == set()


def test_listing_commands_imports_none_of_them() -> None:
    modules = modules_after(HELP)

    ours = {name for name in modules if name.startswith("ludens.")}
    assert ours & {f"ludens.cli.{place.rpartition('.')[0]}" for place in COMMANDS.values()} == set()


def test_making_a_player_imports_no_other() -> None:
    modules = modules_after(PLAYER)

    players = {name for name in modules if name.startswith("ludens.players.")}
    assert players == {"ludens.players.registry", "ludens.players.random", "ludens.players.random.player"}
    assert not any(name.startswith("ludens.compiler") for name in modules)


def test_players_are_in_the_modules_of_their_names() -> None:
    places = {name: kind.__module__.removeprefix("ludens.players.") for name, kind in player_classes().items()}

    assert {name: place for name, place in places.items() if place not in (name, f"{name}.player")} == {}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_that_is_read_from_the_file_is_that_of_the_command(name: str) -> None:
    command = Deferred(name)

    assert command.summary == " ".join((command.loaded.help or "").partition("\n\n")[0].split())


def test_what_the_package_exports_is_imported_when_it_is_used() -> None:
    program = "import ludens; assert ludens.Game and ludens.Batch and set(ludens.__all__) <= set(dir(ludens))"

    assert "ludens.core.batch" in modules_after(program)


def test_an_unknown_attribute_of_the_package_is_an_error() -> None:
    program = "import ludens\ntry: ludens.nothing\nexcept AttributeError as error: assert 'nothing' in str(error)"

    assert "ludens.core" not in modules_after(program)


def test_every_command_is_shown_with_its_help(run: Run) -> None:
    code, out, _ = run("--help")

    assert code == 0
    shown = " ".join(out.replace("│", " ").split())
    assert all(f" {name} {' '.join(Deferred(name).summary.split()[:3])}" in shown for name in COMMANDS)


def test_subcommands_are_reached(run: Run) -> None:
    code, out, _ = run("experiment", "--help")

    assert code == 0
    assert "gdlcc" in out

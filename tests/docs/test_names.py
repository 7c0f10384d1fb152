"""What the guide names exists: commands and their options, modules, files, classes in them, targets of make."""

from __future__ import annotations

import importlib
import re
from importlib.util import find_spec

import pytest
import typer
from typer.core import TyperCommand, TyperGroup

from ludens.cli.commands import Deferred
from ludens.cli.main import app
from ludens.core import GameError
from ludens.games.library import find
from tests.docs.blocks import DOCS, PAGES, ROOT, blocks_of, prose_of

NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
COMMAND_LINE = typer.main.get_command(app)
_FILE = re.compile(r"`((?:[\w-]+/)+[\w.-]+\.(?:py|cpp|svg|md|toml))`(?: \(((?:`\w+`(?:, )?)+)\))?")
"""A path with folders, and perhaps names that are defined in it."""
_DOTTED = re.compile(r"`ludens((?:\.\w+)+)[`(]")
_PAGE = re.compile(r"\bdocs/[\w-]+\.md\b")
_MAKE = re.compile(r"(?:^|`)make ([a-z-]+)", re.MULTILINE)


def wrong_commands(prose: str) -> list[str]:
    """Commands in a text that do not exist, or not with these options."""
    return [f"ludens {text}" for text in re.findall(r"`ludens ([a-z][^`]*)`", prose) if not exists(text)]


def exists(text: str) -> bool:
    """Whether there is such a command, without the name of the program, with all options that are named."""
    words = re.split(r"[\s|\[\]…()=]+", text.replace("\\", " "))
    command: object = COMMAND_LINE
    if is_game(words[0]):
        words.insert(0, "play")
    while isinstance(command, TyperGroup) and words and words[0] in command.commands:
        command = loaded(command.commands[words.pop(0)])
    assert isinstance(command, TyperCommand | TyperGroup)
    known = {"--help", "--debug"} | {name for parameter in command.params for name in parameter.opts}
    known |= {name for parameter in command.params for name in parameter.secondary_opts}
    asked = {word for word in words if re.fullmatch(r"--[a-z][a-z-]*|-[a-z]", word)}
    return not isinstance(command, TyperGroup) and asked <= known


def is_game(word: str) -> bool:
    """Whether a word is the name of a game, which plays it."""
    try:
        return bool(find(word))
    except GameError:
        return False


def loaded(command: object) -> object:
    """The command itself, if it would be imported when it is used."""
    return command.loaded if isinstance(command, Deferred) else command


def names_of_commands(command: object, before: str = "") -> list[str]:
    """All commands with their subcommands."""
    if not isinstance(command, TyperGroup):
        return [before.strip()]
    named = ((word, loaded(one)) for word, one in command.commands.items())
    return [name for word, one in named for name in names_of_commands(one, f"{before} {word}")]


def test_commands_in_sentences_exist_with_their_options() -> None:
    assert {name: wrong for name in NAMES if (wrong := wrong_commands(prose_of(ROOT / name)))} == {}


def test_commands_in_blocks_that_are_not_run_exist_with_their_options() -> None:
    lines = [
        line.partition("  #")[0] for page in PAGES for b in blocks_of(page) if b.reason for line in b.text.split("\n")
    ]
    commands = [line.removeprefix("ludens ") for line in lines if line.startswith("ludens ")]

    assert commands != []
    assert [command for command in commands if not exists(command)] == []


def test_the_table_of_commands_has_all_of_them_with_options_that_exist() -> None:
    table = (DOCS / "commands.md").read_text(encoding="utf-8").partition("| command |")[2].partition("\n\n")[0]
    usages = [usage for row in table.splitlines() for usage in re.findall(r"`([^`]*)`", row.split(" | ")[0])]

    assert [usage for usage in usages if not exists(usage)] == []
    assert [
        name for name in names_of_commands(COMMAND_LINE) if not any(u.split(" [")[0].startswith(name) for u in usages)
    ] == []


@pytest.mark.parametrize("text", ["ludens plya chess", "ludens match --speed 3", "ludens experiment"])
def test_a_command_that_does_not_exist_is_found(text: str) -> None:
    assert wrong_commands(f"`{text}`") == [text]


@pytest.mark.parametrize("name", NAMES)
def test_modules_and_files_in_sentences_exist(name: str) -> None:
    prose = prose_of(ROOT / name)
    modules = re.findall(r"`python -m ((?:benchmarks|tests)[\w.]*)", prose)

    assert [module for module in modules if find_spec(module) is None] == []
    assert [wrong for file, names in _FILE.findall(prose) for wrong in missing(file, names)] == []
    assert [found for found in _DOTTED.findall(prose) if not resolves(f"ludens{found}")] == []


def missing(file: str, names: str) -> list[str]:
    """The file, if it is neither in the source nor in the project; or the names that are not defined in it."""
    path = next((path for path in (ROOT / "src/ludens" / file, ROOT / file) if path.exists()), None)
    if path is None:
        return [file]
    text = path.read_text(encoding="utf-8")
    pattern = r"^\s*(?:(?:class|def) {0}\b|(?:self\.)?{0}\b(?:: [^=]+)? = )"
    return [
        f"{file}: {name}"
        for name in re.findall(r"\w+", names)
        if not re.search(pattern.format(name), text, re.MULTILINE)
    ]


def resolves(dotted: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    try:
        importlib.import_module(dotted)
    except ModuleNotFoundError:
        module, _, name = dotted.rpartition(".")
        return bool(module) and resolves(module) and hasattr(importlib.import_module(module), name)
    return True


def test_names_that_do_not_exist_are_found() -> None:
    assert missing("tabletop/hidden/sampled_tables.py", "`Tables`, `Chairs`") == [
        "tabletop/hidden/sampled_tables.py: Chairs"
    ]
    assert missing("tabletop/chairs.py", "") == ["tabletop/chairs.py"]
    assert resolves("ludens.gdl.check.simulate")
    assert not resolves("ludens.gdl.check.stimulate")


def test_targets_of_make_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {target for page in PAGES for target in _MAKE.findall(page.read_text(encoding="utf-8"))}

    assert {"play", "web"} <= named
    assert named <= targets


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_outside_the_site_lead_somewhere(name: str) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", prose_of(ROOT / name))

    assert [link for link in links if not (ROOT / link).exists()] == []


def test_pages_that_the_source_names_exist() -> None:
    named = {page for file in (ROOT / "src").rglob("*.py") for page in _PAGE.findall(file.read_text(encoding="utf-8"))}

    assert "docs/cluster.md" in named
    assert [page for page in sorted(named) if not (ROOT / page).exists()] == []


_TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")


def test_every_feature_of_the_papers_has_a_test_that_exists() -> None:
    rows = [line.strip("|").split(" | ") for line in (DOCS / "papers.md").read_text("utf-8").splitlines()]
    rows = [row for row in rows if len(row) == 4 and row[0].strip() not in {"in the paper", "---"}]
    untested = [row[0] for row in rows if not _TEST.search(row[3])]
    named = [match.groups() for row in rows for match in _TEST.finditer(row[3])]
    missing = [
        f"{path}::{name}"
        for path, name in named
        if not (ROOT / "tests" / path).is_file()
        or not re.search(rf"^(?:async )?def {name}\(", (ROOT / "tests" / path).read_text("utf-8"), re.MULTILINE)
    ]

    assert len(rows) > 60
    assert (untested, missing) == ([], [])

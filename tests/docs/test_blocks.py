"""Every block and every command of the guide does what it says."""

from __future__ import annotations

import doctest
import importlib
import re
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from ludens.cli.main import app
from tests.docs.blocks import PAGES, ROOT, Block, blocks_of, prose_of
from tests.docs.commands import WIDTH, first_difference, run_commands
from tests.docs.running import LANGUAGES, Page

NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
SLOW = [str(page.relative_to(ROOT)) for page in PAGES if any(block.slow for block in blocks_of(page))]
LEFT_OUT_AT_MOST = 10
"""Blocks that cannot run in a test; a guide of which much is not run cannot be trusted."""


@pytest.fixture(autouse=True)
def _folder_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", WIDTH)


@pytest.mark.parametrize("name", [name for name in NAMES if blocks_of(ROOT / name)])
def test_blocks_of_a_page_do_what_they_say(name: str) -> None:
    Page(ROOT / name, Path.cwd()).run(slow=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_slow_blocks_of_a_page_do_what_they_say(name: str) -> None:
    Page(ROOT / name, Path.cwd()).run(slow=True)


@pytest.mark.parametrize("name", NAMES)
def test_every_block_says_what_it_is(name: str) -> None:
    unknown = [block.place for block in blocks_of(ROOT / name) if not block.reason and block.language not in LANGUAGES]

    assert unknown == [], f"a fence begins with ``` and one of {', '.join(sorted(LANGUAGES))}"


def test_blocks_that_are_not_run_are_few_and_say_why(capsys: pytest.CaptureFixture[str]) -> None:
    left_out = [block for page in PAGES for block in blocks_of(page) if block.reason]

    print(*(f"{block.place}: {block.reason}" for block in left_out), sep="\n")
    assert len(left_out) <= LEFT_OUT_AT_MOST, capsys.readouterr().out


COMMAND_LINE = typer.main.get_command(app)


def wrong_commands(prose: str) -> list[str]:
    """Commands in a text that do not exist, or not with these options."""
    wrong = []
    for text in re.findall(r"`ludens ([a-z][^`]*)`", prose):
        words = re.split(r"[\s|\[\]…()=]+", text.replace("\\", " "))
        command = COMMAND_LINE
        while isinstance(command, TyperGroup) and words and words[0] in command.commands:
            command = command.commands[words.pop(0)]
        known = {"--help", "--debug"} | {name for parameter in command.params for name in parameter.opts}
        known |= {name for parameter in command.params for name in parameter.secondary_opts}
        asked = {word for word in words if re.fullmatch(r"--[a-z][a-z-]*|-[a-z]", word)}
        if isinstance(command, TyperGroup) or not asked <= known:
            wrong.append(f"ludens {text}")
    return wrong


def test_commands_in_sentences_exist_with_their_options() -> None:
    assert {name: wrong for name in NAMES if (wrong := wrong_commands(prose_of(ROOT / name)))} == {}


@pytest.mark.parametrize("text", ["ludens plya chess", "ludens match --speed 3", "ludens experiment"])
def test_a_command_that_does_not_exist_is_found(text: str) -> None:
    assert wrong_commands(f"`{text}`") == [text]


@pytest.mark.parametrize("name", NAMES)
def test_modules_and_files_in_sentences_exist(name: str) -> None:
    prose = prose_of(ROOT / name)
    modules = re.findall(r"`python -m ((?:benchmarks|tests)[\w.]*)", prose)
    files = re.findall(r"`((?:src|tests|benchmarks|docs)/[\w/.-]+\.\w+)`", prose)

    assert [module for module in modules if find_spec(module) is None] == []
    assert [file for file in files if not (ROOT / file).exists()] == []


@pytest.mark.parametrize("command", ["rm -rf /nowhere", "ludens games && curl nowhere", "ludens games | sh"])
def test_programs_that_nobody_allowed_are_not_run(command: str) -> None:
    block = Block(ROOT / "README.md", 1, "sh", "", command, ())

    with pytest.raises(AssertionError, match="not among the programs"):
        run_commands(block, Path.cwd())


def test_dots_stand_for_any_text_and_any_lines() -> None:
    printed = ["one 1.5 s", "two", "three", "four"]

    assert first_difference(("one … s", "…", "four"), printed) == ""
    assert first_difference(("one … s", "…", "five"), printed) == "not printed: 'five'"
    assert first_difference(("one … s",), printed) != ""
    assert first_difference(("four", "…", "one … s"), printed) != ""


@pytest.mark.parametrize("module", ["ludens", "ludens.testing"])
def test_examples_in_the_reference_do_what_they_say(module: str) -> None:
    results = doctest.testmod(importlib.import_module(module))

    assert results.attempted > 0
    assert results.failed == 0

"""Every block of the guide does what it says."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

from tests.docs.blocks import PAGES, ROOT, Block, blocks_of
from tests.docs.commands import WIDTH, first_difference, run_commands
from tests.docs.running import LANGUAGES, Page
from tests.peers import peer

NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
SLOW = [str(page.relative_to(ROOT)) for page in PAGES if any(block.slow for block in blocks_of(page))]
WITH_PEERS = [
    pytest.param(name, marks=[*([pytest.mark.slow] if name in SLOW else []), peer(*needed)])
    for name in NAMES
    if (needed := sorted({block.peer for block in blocks_of(ROOT / name) if block.peer}))
]
LEFT_OUT_AT_MOST = 3
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


@pytest.mark.parametrize("name", WITH_PEERS)
def test_blocks_that_need_other_programs_do_what_they_say(name: str) -> None:
    Page(ROOT / name, Path.cwd()).run(slow=name in SLOW, peers=True)


@pytest.mark.parametrize("name", NAMES)
def test_every_block_says_what_it_is(name: str) -> None:
    unknown = [block.place for block in blocks_of(ROOT / name) if not block.reason and block.language not in LANGUAGES]

    assert unknown == [], f"a fence begins with ``` and one of {', '.join(sorted(LANGUAGES))}"


def test_blocks_that_are_not_run_are_few_and_say_why(capsys: pytest.CaptureFixture[str]) -> None:
    left_out = [block for page in PAGES for block in blocks_of(page) if block.reason]

    print(*(f"{block.place}: {block.reason}" for block in left_out), sep="\n")
    assert len(left_out) <= LEFT_OUT_AT_MOST, capsys.readouterr().out


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

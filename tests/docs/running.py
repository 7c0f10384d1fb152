"""Doing what a page of the guide says: its blocks, in their order, in one folder and one namespace."""

from __future__ import annotations

import doctest
import io
import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from ludens.arena.gauntlet.plan import read_gauntlet
from ludens.arena.plan import read_plan
from ludens.gdl.check import check_rules
from ludens.gdl.read import read_rules
from ludens.gdl.source import Level
from tests.docs.blocks import Block, blocks_of
from tests.docs.commands import run_commands

CHECKED_ELSEWHERE = {
    "ggtp": "tests/protocols/ggtp/test_docs.py",
    "engine": "tests/protocols/ggtp/test_docs.py",
    "guest": "tests/protocols/ggtp/test_docs.py",
    "gtp": "tests/protocols/gtp/test_docs.py",
    "cpp": "tests/compiler/cxx/test_library.py",
}
PLAIN = frozenset({"text", "cmake"})
"""What is no code, or is run as a file: grammars, messages, drawings; projects."""


class Page:
    """One page while it is run."""

    def __init__(self, path: Path, folder: Path) -> None:
        self._path = path
        self._folder = folder
        self._namespace: dict[str, Any] = {"__name__": "__main__"}
        self._sheets: set[str] = set()

    def run(self, *, slow: bool, peers: bool = False) -> None:
        """Run all blocks, those marked as slow and those from the first that needs a peer only if asked to.

        Raises `AssertionError` if one is wrong.
        """
        for block in blocks_of(self._path):
            if block.peer and not peers:
                break
            if block.reason or (block.slow and not slow):
                continue
            if block.title:
                self._write(block)
            else:
                _RUNNERS[block.language](self, block)
        for name in sorted(self._sheets):
            _check_sheet((self._folder / name).read_text(encoding="utf-8"), f"{self._path.name}: {name}")

    def _write(self, block: Block) -> None:
        """A block with a title is a file, or goes on with one."""
        path = self._folder / block.title
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(block.text)
        if block.language == "kif" and "wrong" not in block.notes:
            self._sheets.add(block.title)
        if block.language == "yaml" and "games" in (data := yaml.safe_load(block.text)):
            (read_gauntlet if "candidate" in data else read_plan)(path)
        if block.language == "python":
            compile(path.read_text(encoding="utf-8"), block.place, "exec")

    def run_python(self, block: Block) -> None:
        if not re.search(r"^>>> ", block.text, re.MULTILINE):
            exec(compile("\n" * block.line + block.text, str(block.page), "exec", dont_inherit=True), self._namespace)
            return
        test = doctest.DocTestParser().get_doctest(block.text, {}, block.place, str(block.page), block.line)
        test.globs = self._namespace
        report = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        runner.run(test, out=report.write, clear_globs=False)
        assert runner.failures == 0, f"{block.place}\n{report.getvalue()}"

    def run_commands(self, block: Block) -> None:
        run_commands(block, self._folder)

    def check_rules(self, block: Block) -> None:
        if "part" in block.notes:
            read_rules(block.text)
        else:
            _check_sheet(block.text, block.place)

    def parse_yaml(self, block: Block) -> None:
        yaml.safe_load(block.text)

    def parse_json(self, block: Block) -> None:
        json.loads(block.text)

    def parse_toml(self, block: Block) -> None:
        tomllib.loads(block.text)

    def leave(self, block: Block) -> None:
        """Plain text, and what other tests check."""


def _check_sheet(text: str, place: str) -> None:
    problems = [problem for problem in check_rules(read_rules(text)) if problem.level is Level.ERROR]
    assert not problems, f"{place}: {problems[0]}"


_RUNNERS: dict[str, Callable[[Page, Block], None]] = {
    "python": Page.run_python,
    "console": Page.run_commands,
    "sh": Page.run_commands,
    "kif": Page.check_rules,
    "yaml": Page.parse_yaml,
    "json": Page.parse_json,
    "toml": Page.parse_toml,
    **dict.fromkeys((*CHECKED_ELSEWHERE, *PLAIN), Page.leave),
}
LANGUAGES = frozenset(_RUNNERS)
"""What a block can be."""

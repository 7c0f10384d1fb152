from __future__ import annotations

import re
from pathlib import Path

import pytest

import ludens.gdl
from ludens.gdl.check import check_rules, simulate
from ludens.gdl.check.codes import LEVELS
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.source import GdlError

SOURCES = Path(ludens.gdl.__file__).parent
PAGE = (Path(__file__).parents[2] / "docs" / "gdl-checks.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (GDL\d{3}) \| (\w+) \| .* \| (?:`(.*)` )?\|$", PAGE, re.MULTILINE)
SHEET = re.findall(r"```kif\n(.*?)```", PAGE, re.DOTALL)[0]


def codes_in_sources() -> set[str]:
    texts = (path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    return {code for text in texts for code in re.findall(r'"(GDL\d{3})"', text)}


def found_in(text: str, *, play: bool) -> set[str]:
    try:
        sheet = read_rules(text)
    except GdlError as error:
        return {problem.code for problem in error.problems}
    problems = check_rules(sheet)
    if play:
        problems.extend(simulate(ReferenceGame(sheet, "example"), 2).problems)
    return {problem.code for problem in problems}


def test_every_code_in_the_sources_is_documented_once() -> None:
    documented = [code for code, _, _ in ROWS]
    assert sorted(codes_in_sources()) == documented


def test_documented_levels_are_those_of_the_validator() -> None:
    documented = {code: level for code, level, _ in ROWS}
    assert {code: str(level) for code, level in LEVELS.items()}.items() <= documented.items()


def test_sheet_of_the_examples_has_no_problems() -> None:
    assert found_in(SHEET, play=False) == set()


@pytest.mark.parametrize(("code", "example"), [(code, example) for code, _, example in ROWS if example])
def test_documented_example_has_its_problem(code: str, example: str) -> None:
    assert code in found_in(SHEET + example, play=code.startswith("GDL4"))

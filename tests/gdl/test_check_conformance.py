from __future__ import annotations

from ludens.gdl.check import check_rules
from ludens.gdl.read import read_file
from ludens.gdl.source import Level
from tests.peers import RULES, peer

pytestmark = peer("rules")

BROKEN = {
    "test_case_3b": {"GDL210"},
    "test_case_3e": {"GDL210"},
    "test_case_3f": {"GDL210"},
}
"""The sheets that break the specification on purpose: variables that nothing binds."""


def codes_by_sheet(folder: str, level: Level) -> dict[str, set[str]]:
    found = {}
    for path in sorted((RULES / folder).glob("*.kif")):
        codes = {problem.code for problem in check_rules(read_file(path)) if problem.level is level}
        if codes:
            found[path.stem] = codes
    return found


def test_published_games_have_no_errors() -> None:
    assert codes_by_sheet("rules", Level.ERROR) == {}


def test_edge_cases_have_errors_only_where_they_are_meant_to() -> None:
    assert codes_by_sheet("edge", Level.ERROR) == BROKEN


def test_doubtful_edge_cases_have_warnings() -> None:
    warnings = codes_by_sheet("edge", Level.WARNING)
    assert "GDL103" in warnings["test_invalid_function_arities_differ"]
    assert "GDL102" in warnings["test_invalid_sentence_arities_differ"]
    assert "GDL240" in warnings["test_clean_not_distinct"]
    assert "GDL230" in warnings["test_case_3c"]

"""Diagnostics of a rule sheet, with positions for the browser's editor."""

from __future__ import annotations

from typing import Any

from ludens.gdl.chance.dialect import dialect_of
from ludens.gdl.check import check_rules
from ludens.gdl.check.recovery import all_problems
from ludens.gdl.read import read_rules
from ludens.gdl.rules import RuleSheet
from ludens.gdl.source import GdlError, Level, Problem, Source
from ludens.gdl.terms import signature

NAME = "rules"
"""The name of a text from the browser in messages."""


def diagnose(text: str) -> tuple[RuleSheet | None, list[dict[str, Any]]]:
    """The rules, if the text can be read, and its problems as JSON values, by the validator of ``ludens check``."""
    try:
        sheet = read_rules(text, name=NAME)
    except GdlError as error:
        return None, problems_as_json(all_problems(error), error.source)
    return sheet, problems_as_json(check_rules(sheet), sheet.source)


def problems_as_json(problems: list[Problem] | tuple[Problem, ...], source: Source) -> list[dict[str, Any]]:
    """Problems with ``start`` and ``end`` beside line and column; null if a problem has no position.

    Both are offsets as JavaScript counts them: in UTF-16, where some characters take two.
    """
    values = []
    for problem in problems:
        start, end = (None, None) if problem.span is None else map(Utf16(source.text).offset, problem.span)
        values.append({**problem.as_json(source), "start": start, "end": end})
    return values


def is_playable(problems: list[dict[str, Any]]) -> bool:
    """True if there are warnings at most."""
    return all(problem["level"] != Level.ERROR for problem in problems)


class Utf16:
    """Offsets of a text as JavaScript counts them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._is_plain = text.isascii()

    def offset(self, offset: int) -> int:
        """The offset in UTF-16 of an offset in characters."""
        return offset if self._is_plain else len(self._text[:offset].encode("utf-16-le", "surrogatepass")) // 2


def outline(sheet: RuleSheet) -> dict[str, Any]:
    """The outline of a text: counts, and the position of each rule."""
    places = Utf16(sheet.source.text)
    return {
        "dialect": str(dialect_of(sheet)),
        "rules": sum(bool(rule.body) for rule in sheet.rules),
        "facts": sum(not rule.body for rule in sheet.rules),
        "relations": len({signature(rule.head) for rule in sheet.rules}),
        "places": [[places.offset(rule.span.start), places.offset(rule.span.end)] for rule in sheet.rules],
    }

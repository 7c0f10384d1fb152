"""All that is wrong in a text that cannot be read: rules with errors are left out, the others are checked.

One missing parenthesis would otherwise hide every other error of a rule sheet.
"""

from __future__ import annotations

import re

from ludens.gdl.check import check_rules
from ludens.gdl.read import detect_syntax, read_rules
from ludens.gdl.source import GdlError, Problem

_MOST_ROUNDS = 20
_RULE = re.compile(r"^\(", re.MULTILINE)
"""Where rules begin, as almost everybody writes them: an opening parenthesis at the start of a line."""
_WORD = re.compile(r"[^\s();]+")
_MISSING = re.compile(r"GDL20\d|GDL23\d")
"""Codes of what is missing or unused, which a rule that was left out may explain."""


def all_problems(error: GdlError) -> list[Problem]:
    """The problems of a text that cannot be read, and those of the rest of its rules, from top to bottom."""
    text = error.source.text
    problems = dict.fromkeys(error.problems)
    if detect_syntax(text) != "kif":
        return list(problems)
    starts = [match.start() for match in _RULE.finditer(text)]
    rest, current = text, error
    for _ in range(_MOST_ROUNDS):
        shorter = _without_rules(rest, starts, current)
        if shorter == rest:
            break
        rest = shorter
        try:
            sheet = read_rules(rest, name=error.source.name, syntax="kif")
        except GdlError as another:
            problems |= dict.fromkeys(another.problems)
            current = another
            continue
        left_out = _words_left_out(text, rest)
        found = [problem for problem in check_rules(sheet) if not _may_be_explained(problem, text, left_out)]
        problems |= dict.fromkeys(found)
        break
    return sorted(problems, key=lambda problem: -1 if problem.span is None else problem.span.start)


def _without_rules(text: str, starts: list[int], error: GdlError) -> str:
    """The text with the rules that have errors replaced by blanks, so that all places stay the same."""
    for problem in error.problems:
        if problem.span is None:
            continue
        begin = max((start for start in starts if start <= problem.span.start), default=0)
        end = min((start for start in starts if start > problem.span.start), default=len(text))
        text = text[:begin] + re.sub(r"[^\n]", " ", text[begin:end]) + text[end:]
    return text


def _words_left_out(text: str, rest: str) -> set[str]:
    lines = zip(text.splitlines(), rest.splitlines(), strict=True)
    return {word for line, kept in lines if line != kept for word in _WORD.findall(line)}


def _may_be_explained(problem: Problem, text: str, left_out: set[str]) -> bool:
    """True if something may only be missing because its rule was left out."""
    if not _MISSING.fullmatch(problem.code):
        return False
    if problem.span is None:
        return True
    words = _WORD.findall(text[problem.span.start : problem.span.end])
    return any(word in left_out for word in words if not word.startswith("?") and word not in ("true", "does", "<="))

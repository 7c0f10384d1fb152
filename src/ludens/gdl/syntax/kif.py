"""KIF prefix syntax, ``(<= (next ?f) (true ?f))``, read into expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ludens.gdl.source import Source, Span
from ludens.gdl.syntax.expressions import MAX_DEPTH, Expression, Group, Problems, Word

_TOKEN = re.compile(r"(?P<blank>\s+)|(?P<comment>;[^\n]*)|(?P<open>\()|(?P<close>\))|(?P<word>[^\s();]+)")
_RULE_START = re.compile(r"\s*(<=|init\s)", re.IGNORECASE)


def read_kif_expressions(source: Source, problems: Problems, start: int = 0) -> list[Expression]:
    """The top-level expressions of a text, from the offset ``start`` on.

    Unbalanced parentheses are reported, and reading continues after them.
    """
    done: list[Expression] = []
    open_groups: list[tuple[int, list[Expression]]] = []
    skipping = 0
    for kind, text, span in _tokens(source, start):
        if problems.full:
            break
        if kind == "open":
            if open_groups and _starts_a_new_rule(source, span):
                _report_unclosed(open_groups[0][0], problems)
                open_groups.clear()
                skipping = 0
            if len(open_groups) >= MAX_DEPTH:
                if not skipping:
                    message = f"parentheses are nested more than {MAX_DEPTH} deep"
                    problems.error("GDL003", message, span, "split the rule with auxiliary relations")
                skipping += 1
                continue
            open_groups.append((span.start, []))
        elif kind == "close":
            if skipping:
                skipping -= 1
            elif not open_groups:
                problems.error("GDL001", "this closing parenthesis has no opening one", span, "remove it")
            else:
                opening, items = open_groups.pop()
                group = Group(tuple(items), Span(opening, span.end))
                (open_groups[-1][1] if open_groups else done).append(group)
        elif not skipping:
            (open_groups[-1][1] if open_groups else done).append(Word(text, span))
    if open_groups:
        _report_unclosed(open_groups[0][0], problems)
    return done


def _tokens(source: Source, start: int) -> Iterator[tuple[str, str, Span]]:
    for match in _TOKEN.finditer(source.text, start):
        kind = match.lastgroup
        if kind in ("open", "close", "word"):
            yield kind, match.group(), Span(*match.span())


def _starts_a_new_rule(source: Source, span: Span) -> bool:
    """True if a parenthesis surely begins a rule although another is still open.

    Some rule sheets start their conditions in the first column, so the column alone is not enough: an arrow, or
    ``init``, which no condition begins with, must follow.
    """
    at_line_start = span.start == 0 or source.text[span.start - 1] == "\n"
    return at_line_start and bool(_RULE_START.match(source.text, span.end))


def _report_unclosed(start: int, problems: Problems) -> None:
    problems.error(
        "GDL002",
        "this opening parenthesis is never closed",
        Span(start, start + 1),
        "add the missing closing parenthesis at the end of this rule",
    )

"""Rule sheets that begin in another position, and the game that such a sheet was made from."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ludens.gdl.rules import Rule, RuleSheet
from ludens.gdl.terms import Term, functor, sort_key
from ludens.gdl.write import write_kif

_FIRST_LINE = "; A position of {}"
_ORIGIN = re.compile(r"; A position of ([\w\-]{1,80}(?::[\w,.\-]{0,100})?)\n")


def rules_from(sheet: RuleSheet, facts: Iterable[Term], origin: str) -> str:
    """The rules of a game that begins with these facts, in KIF; ``origin`` names the game."""
    start = [Rule(("init", fact)) for fact in sorted(facts, key=sort_key)]
    first_line = _FIRST_LINE.format(" ".join(origin.split()))
    return f"{first_line}\n{write_kif([*_without_start(sheet), *start])}"


def origin_of(rules_text: str) -> str:
    """The game that the rules of a position name; empty if they are not those of a position."""
    found = _ORIGIN.match(rules_text)
    return found[1] if found else ""


def differ_in_start_only(one: RuleSheet, other: RuleSheet) -> bool:
    """True if two rule sheets have the same rules but for the facts of the initial state."""
    return _without_start(one) == _without_start(other)


def _without_start(sheet: RuleSheet) -> list[Rule]:
    return [rule for rule in sheet.rules if functor(rule.head) != "init"]

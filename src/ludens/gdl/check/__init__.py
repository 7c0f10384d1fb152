"""The validator: what is wrong with a rule sheet, found by reading it and by playing it.

`check_rules` looks at the rules alone, `simulate` plays random matches. docs/gdl-checks.md has the codes.
"""

from __future__ import annotations

from ludens.gdl.check import chance, dependence, names, recursion, safety, structure
from ludens.gdl.check.context import Check, Context
from ludens.gdl.check.simulation import SimulationReport, simulate
from ludens.gdl.rules import RuleSheet
from ludens.gdl.source import Problem

__all__ = ["CHECKS", "SimulationReport", "check_rules", "simulate"]

CHECKS: tuple[Check, ...] = (
    *names.CHECKS,
    *structure.CHECKS,
    *dependence.CHECKS,
    *safety.CHECKS,
    *recursion.CHECKS,
    *chance.CHECKS,
)
"""All checks that need only the rules."""


def check_rules(sheet: RuleSheet) -> list[Problem]:
    """All that is wrong or odd in a rule sheet: the reader's warnings, then the rest from top to bottom."""
    context = Context(sheet)
    found = dict.fromkeys(problem for check in CHECKS for problem in check(context))
    return [*sheet.warnings, *sorted(found, key=_position)]


def _position(problem: Problem) -> tuple[int, str]:
    return (-1 if problem.span is None else problem.span.start), problem.code

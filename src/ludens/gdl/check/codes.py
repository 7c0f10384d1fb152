"""The codes of the validator, each with its one level; docs/gdl-checks.md says what they mean."""

from __future__ import annotations

from ludens.gdl.source import Level, Problem, Span

_ERRORS = (
    *("GDL101", "GDL105"),
    *("GDL201", "GDL202", "GDL203", "GDL204", "GDL207", "GDL208", "GDL209", "GDL210", "GDL211"),
    *("GDL220", "GDL221", "GDL222", "GDL223", "GDL224"),
    *("GDL301", "GDL304", "GDL321", "GDL322"),
    *("GDL401", "GDL403", "GDL404", "GDL405", "GDL410", "GDL411", "GDL420"),
    *("GDL501", "GDL503", "GDL504", "GDL505", "GDL506", "GDL507", "GDL508", "GDL520"),
)
_WARNINGS = (
    *("GDL102", "GDL103", "GDL104", "GDL106", "GDL107", "GDL108"),
    *("GDL205", "GDL206"),
    *("GDL230", "GDL231", "GDL232", "GDL233", "GDL240", "GDL241", "GDL242", "GDL243"),
    *("GDL302", "GDL303"),
    *("GDL402", "GDL406", "GDL407", "GDL408", "GDL409", "GDL412"),
    *("GDL502", "GDL509", "GDL510"),
)

LEVELS = dict.fromkeys(_ERRORS, Level.ERROR) | dict.fromkeys(_WARNINGS, Level.WARNING)
"""Errors are rules that mean nothing or break what players rely on; with warnings a game can be played."""


def problem(code: str, message: str, span: Span | None = None, hint: str = "") -> Problem:
    """A problem at the level that its code always has."""
    return Problem(code, LEVELS[code], message, span, hint)

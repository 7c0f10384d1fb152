"""Loads what agents name: games of the library, and rule sheets that they wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ludens
from ludens.compiler.backends import make_game
from ludens.core import Game, GameError
from ludens.web.hosting.setup import library_choice
from ludens.web.lab.diagnostics import diagnose, is_playable

Request = Mapping[str, Any]
"""A library ``game`` or GDL ``rules``, and what is asked about it."""


def load(request: Request, *, wait: bool = False) -> Game:
    """The game that a request is about: never Python, except that of the library. Raises `GameError`."""
    game, rules = request.get("game", ""), request.get("rules", "")
    if bool(game) == bool(rules):
        raise GameError("give either the name of a game of the library or the text of a rule sheet in GDL")
    if game:
        return ludens.load(library_choice(game).text, wait=wait)
    sheet, problems = diagnose(rules)
    if sheet is None or not is_playable(problems):
        raise GameError("the rule sheet has errors: " + "; ".join(map(describe_problem, problems[:5])))
    return make_game(sheet, "rules", wait=wait)


def describe_problem(problem: Mapping[str, Any]) -> str:
    """A problem of a rule sheet in one line."""
    place = f"line {problem['line']}, column {problem['column']}: " if problem["line"] else ""
    return f"{place}{problem['message']}" + (f" ({problem['hint']})" if problem["hint"] else "")

"""The examination of a game, part by part, quickest first, for the Lab and the pages of games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ludens.analysis.drawing import plain_svg
from ludens.analysis.facts import facts_of
from ludens.analysis.report import Report, report
from ludens.analysis.subgames.parts import Kind
from ludens.compiler.backends import make_game
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import Game, LudensError
from ludens.gdl.check import simulate
from ludens.gdl.game import GdlGame
from ludens.gdl.interpreter.game import InterpretedGame
from ludens.gdl.rules import RuleSheet
from ludens.web.lab.diagnostics import NAME, problems_as_json
from ludens.web.lab.playout_statistics import statistics_of
from ludens.web.lab.relations import relations_svg

Part = tuple[str, dict[str, Any]]
"""The name of a part and its values; ``{"error": …}`` if it cannot be computed."""

CHECKED_MATCHES = 20
"""Random matches that are checked state by state."""
CHECKED_TURNS = 200
PLAYED_SECONDS = 2.0
LISTED = 60
"""Fluents, moves and concepts of a subgame that are named."""


def examine(sheet: RuleSheet, name: str = NAME) -> Iterator[Part]:
    """The parts: ``relations``, ``circuit``, ``playouts``, ``decomposition``, ``checks``."""
    yield _part("relations", lambda: {"svg": relations_svg(sheet)})
    try:
        game = make_game(sheet, name, wait=True)
    except LudensError as error:
        yield "circuit", {"error": str(error)}
        return
    yield from examine_game(game)
    yield _part("checks", lambda: _checks(sheet, name))


def examine_game(game: Game) -> Iterator[Part]:
    """The parts that any game has: ``circuit``, ``playouts``, and for rules in GDL ``decomposition``."""
    yield _part("circuit", lambda: _circuit(game))
    yield _part("playouts", lambda: statistics_of(game, PLAYED_SECONDS).as_json())
    if isinstance(game, GdlGame):
        yield _part("decomposition", lambda: _decomposition(report(game), game.name))


def _part(name: str, compute: Callable[[], dict[str, Any]]) -> Part:
    try:
        return name, compute()
    except LudensError as error:
        return name, {"error": str(error)}


def _checks(sheet: RuleSheet, name: str) -> dict[str, Any]:
    """Checks that need random matches."""
    simulation = simulate(InterpretedGame(sheet, name), CHECKED_MATCHES, CHECKED_TURNS)
    return {
        "playouts": simulation.playouts,
        "finished": simulation.finished,
        "problems": problems_as_json(simulation.problems, sheet.source),
    }


def _circuit(game: Game) -> dict[str, Any]:
    common = {"roles": list(game.roles), "backend": game.backend, "facts": facts_of(game).as_json()}
    if not isinstance(game, CircuitRules):
        return common
    circuit = game.circuit
    return common | {
        "fluents": len(circuit.fluents),
        "moves": sum(map(len, circuit.moves[: circuit.players])),
        "gates": len(circuit.gates),
        "operations": game.operations,
        "stages": [[stage.name, round(stage.seconds, 4), stage.result] for stage in game.compilation.stages],
    }


def _decomposition(report: Report, title: str) -> dict[str, Any]:
    parts = [
        {key: value[:LISTED] if isinstance(value, list) else value for key, value in part.items()}
        | {"counts": [len(part["fluents"]), len(part["moves"])]}
        for part in report.as_json()["components"]
    ]
    return {
        "subgames": report.subgames,
        "composition": str(report.composition),
        "method": report.method,
        "notes": list(report.notes),
        "games": sum(part.kind is Kind.GAME for part in report.parts),
        "parts": parts[:LISTED],
        "svg": plain_svg(report, title),
    }

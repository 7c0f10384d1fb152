"""What agents ask about a game or a rule sheet, computed in a process with limits (`ludens.web.bench`)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from ludens.analysis.facts import facts_of
from ludens.analysis.report import report
from ludens.core import Clock, Deadline, Game, GameError, Role, State, random_joint_move
from ludens.drawing import draw
from ludens.games.card_lookup import card_of
from ludens.games.positions import starting_state
from ludens.gdl.check import simulate
from ludens.gdl.game import GdlGame
from ludens.gdl.interpreter.game import InterpretedGame
from ludens.players.decomposition.solve_state import solve_state
from ludens.players.prompted.position_text import describe_state
from ludens.players.prompted.rules_text import describe_rules
from ludens.players.registry import make_player
from ludens.web.agents.loading import Request, describe_problem, load
from ludens.web.lab.diagnostics import diagnose, is_playable, problems_as_json
from ludens.web.lab.examination import CHECKED_MATCHES, CHECKED_TURNS
from ludens.web.lab.playout_statistics import statistics_of

_SECONDS = 20.0
"""The longest search."""
_PLAYED_SECONDS = 2.0
_LINE = 60
"""Turns of the example of a match."""
_LISTED = 30
_SVG = 200_000
"""Characters of a drawing."""


def do_job(request: Request) -> dict[str, Any]:
    """The answer to a request, which names its ``task`` and a library ``game`` or GDL ``rules``. Raises
    `LudensError`."""
    if request["task"] == "check":
        return _check(request["rules"])
    return _TASKS[request["task"]](request)


def _check(rules: str) -> dict[str, Any]:
    """All problems of a rule sheet, also those that random matches find."""
    sheet, problems = diagnose(rules)
    playable = sheet is not None and is_playable(problems)
    if sheet is not None and playable:
        found = simulate(InterpretedGame(sheet, "rules"), CHECKED_MATCHES, CHECKED_TURNS)
        problems += problems_as_json(found.problems, sheet.source)
    levels = [(str(problem["level"]), describe_problem(problem)) for problem in problems]
    return {"valid": playable, "problems": [f"{level}: {text}" for level, text in levels]}


def _state(game: Game, request: Request) -> State:
    return starting_state(game, None, list(request.get("moves") or ()))


def _explain(request: Request) -> dict[str, Any]:
    """Rules in words, roles, first position and what is known of the game."""
    game = load(request)
    known = describe_rules(game, game.roles[0])
    card = card_of(game)
    return {
        "title": known.title,
        "rules": "\n".join(known.rules),
        "moves": known.notation,
        "roles": list(game.roles),
        "chance": game.chance,
        "hidden": game.hidden,
        "parameters": card.parameters if card is not None else "",
        "position": describe_state(game.initial_state()),
    }


def _run(request: Request) -> dict[str, Any]:
    """Figures of random matches, and one of them move by move."""
    game = load(request, wait=True)
    state, rng = game.initial_state(), Random(request.get("seed") or 1)
    line: list[str] = []
    while not state.is_terminal and len(line) < _LINE:
        joint_move = random_joint_move(state, rng)
        if not joint_move:
            raise GameError("the rules leave all roles without a move in a state that is not terminal")
        line.append(" ".join(f"{role}: {move}" for role, move in joint_move.items()))
        state = state.sample(joint_move, rng)
    goals = dict(state.goals) if state.is_terminal else None
    return {"statistics": statistics_of(game, _PLAYED_SECONDS).as_json(), "example": line, "goals": goals}


def _draw(request: Request) -> dict[str, Any]:
    """A position as text and as SVG."""
    game = load(request)
    state = _state(game, request)
    svg = draw(game, state, clickable=False).svg
    found: dict[str, Any] = {"text": describe_state(state), "over": state.is_terminal}
    return found | ({"svg": svg} if len(svg) <= _SVG else {"note": "the drawing is too large to send"})


def _solve(request: Request) -> dict[str, Any]:
    game = load(request, wait=True)
    found = solve_state(_state(game, request), _seconds(request), by_parts=True)
    return found.as_json()


def _analyse(request: Request) -> dict[str, Any]:
    """The candidate moves of a role with their values."""
    game = load(request, wait=True)
    state = _state(game, request)
    role = _role(state, request.get("role") or None)
    player = make_player("ismcts" if game.hidden else "mcts")
    seconds = _seconds(request)
    player.start(game, role, 1, Clock(seconds))
    try:
        decision = player.choose(state.view(role), Deadline(seconds))
    finally:
        player.stop()
    thinking = decision.thinking.as_json()
    return {"role": role, "move": str(decision.move), **thinking, "moves": thinking.get("moves", [])[:_LISTED]}


def _role(state: State, wanted: Role | None) -> Role:
    moving = [role for role in state.game.roles if state.legal_moves(role)]
    if not moving:
        raise GameError("the match is over in this position, so there is nothing to analyse")
    if wanted is not None and wanted not in moving:
        raise GameError(f"{wanted!r} has no move here (roles to move: {', '.join(moving)})")
    return wanted or max(moving, key=lambda role: len(state.legal_moves(role)) > 1)


def _decompose(request: Request) -> dict[str, Any]:
    """The subgames of a game in GDL, and its facts."""
    game = load(request, wait=True)
    if not isinstance(game, GdlGame):
        raise GameError(f"{game.name} is a game in Python; only games in GDL can be decomposed")
    found = report(game)
    parts = [
        {key: value[:_LISTED] if isinstance(value, list) else value for key, value in part.items()}
        for part in found.as_json()["components"][:_LISTED]
    ]
    return {
        "subgames": found.subgames,
        "composition": str(found.composition),
        "notes": list(found.notes),
        "parts": parts,
        "facts": facts_of(game).as_json(),
    }


def _seconds(request: Request) -> float:
    seconds = request.get("budget") or 5.0
    if not 0.1 <= seconds <= _SECONDS:
        raise GameError(f"a search takes 0.1 to {_SECONDS:g} seconds, not {seconds:g}")
    return float(seconds)


_TASKS: dict[str, Callable[[Request], dict[str, Any]]] = {
    "explain": _explain,
    "run": _run,
    "draw": _draw,
    "solve": _solve,
    "analyse": _analyse,
    "decompose": _decompose,
}

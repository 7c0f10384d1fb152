"""Positions on the command line: ``--state FILE`` and ``--moves MOVES``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ludens.core import Game, GameError, IllegalMoveError, JointMove, Role, State
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.source import GdlError, Source
from ludens.gdl.syntax.expressions import Problems
from ludens.gdl.syntax.infix import read_infix_expressions
from ludens.gdl.syntax.kif import read_kif_expressions
from ludens.gdl.terms import is_ground

_INFIX = re.compile(r"\s*[\w']+\(")


def starting_state(game: Game, state_file: Path | None, moves: list[str] | None) -> State:
    """The state that ``--state`` and ``--moves`` describe."""
    state = game.initial_state() if state_file is None else _state_from_file(game, state_file)
    line = _line(state, moves)
    return line[-1][1] if line else state


def starting_line(game: Game, moves: list[str] | None) -> list[tuple[JointMove, State]]:
    """The joint moves that ``--moves`` describes, and the state after each."""
    return _line(game.initial_state(), moves)


def _line(state: State, moves: list[str] | None) -> list[tuple[JointMove, State]]:
    play = _play_moves if isinstance(state.game, GdlGame) else _play_texts
    return list(play(state, moves or []))


def _play_texts(state: State, texts: list[str]) -> Iterator[tuple[JointMove, State]]:
    """Play moves of a game in Python, whose texts may have spaces: one for each role that may move, in their order.

    A move that a role cannot help making is made for it, unless chance has a say in it.
    """
    moves = list(texts)
    while moves:
        moving = {role: legal for role in state.game.roles if (legal := state.legal_moves(role))}
        named = dict(zip(moving, moves, strict=False))
        after = _try(state, named)
        if after is not None:
            made, state, moves = named, after, moves[len(named) :]
        elif (forced := {role: legal[0] for role, legal in moving.items() if len(legal) == 1}).keys() == moving.keys():
            made, state = forced, state.play(forced)
        else:
            made, state, moves = named, state.play(named), []
        yield made, state


def _state_from_file(game: Game, path: Path) -> State:
    if not isinstance(game, GdlGame):
        raise GameError(f"{game.name} is not a GDL game; --state takes the fluents of one")
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise GameError(f"cannot read the state {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise GameError(f"cannot read the state {path}: it is not a text file in UTF-8") from None
    try:
        facts = [game.read(fluent) for fluent in _split(text, str(path))]
    except GdlError as error:
        raise GameError(f"{path} is not a state: it must list fluents, such as (control white)\n{error}") from None
    if not facts or not all(map(is_ground, facts)):
        raise GameError(f"{path} is not a state: it must list fluents without variables, such as (control white)")
    return game.state(fact[1] if isinstance(fact, tuple) and fact[0] == "true" else fact for fact in facts)


def _play_moves(state: State, texts: list[str]) -> Iterator[tuple[JointMove, State]]:
    """Play moves in turn: joint moves in the order of roles, or single moves of the role that has a choice.

    What is left to chance must be said: a value in the place of a random variable, and the move of the role ``random``
    where it has more than one.
    """
    moves = [move for text in texts for move in _split(text, "--moves")]
    roles = tuple(state.game.role_terms) if isinstance(state.game, GdlGame) else state.game.roles
    while moves:
        choosing = [role for role in roles if _is_open(state, role)]
        together = dict(zip(roles, moves, strict=False))
        if len(together) == len(roles) and (after := _try(state, together)) is not None:
            made, state, moves = together, after, moves[len(roles) :]
        elif len(choosing) <= 1:
            made = {
                role: moves[0] if role in choosing else legal[0] for role in roles if (legal := state.legal_moves(role))
            }
            state, moves = state.play(made), moves[1 if choosing else 0 :]
        else:
            raise GameError(f"{' '.join(moves[: len(roles)])!r} is not a joint move of {', '.join(roles)} here")
        yield made, state


def _is_open(state: State, role: Role) -> bool:
    """Whether the role has a choice, or chance has one in the only move of the role."""
    legal = state.legal_moves(role)
    if len(legal) != 1 or not isinstance(state, GdlState):
        return len(legal) > 1
    return bool(state.game.random_variables.within(state.legal_moves(role)[0].term))


def _try(state: State, joint_move: JointMove) -> State | None:
    try:
        return state.play(joint_move)
    except IllegalMoveError:
        return None


def _split(text: str, name: str) -> list[str]:
    """The terms that a text lists, in KIF or infix; commas and full stops between them are allowed."""
    source = Source(text, name)
    problems = Problems(source)
    read = read_infix_expressions if _INFIX.match(text) else read_kif_expressions
    found = read(source, problems)
    if problems.errors:
        raise GameError(problems.errors[0].render(source))
    texts = (source.text[expression.span.start : expression.span.end] for expression in found)
    return [stripped for part in texts if (stripped := part.strip(","))]

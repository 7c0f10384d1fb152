"""A recorded match as JSON for the browser: drawings, the players' thinking, and whether the rules agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import ludens
from ludens.core import Game, JointMove, LudensError, Move, Role, State
from ludens.drawing import clicks, draw
from ludens.drawing.drawing import role_names
from ludens.drawing.notation import is_wait, plain_text, writer_of
from ludens.drawing.scenes.raster import to_gif
from ludens.players.review import choices, review
from ludens.protocols.exchange.exporting import export_record, format_of
from ludens.referee.reading import Record, RecordedTurn, read_record
from ludens.referee.verify import Difference, check_end, check_start, replay

MOST_TURNS = 3_000
"""The maximum number of turns drawn; matches of people have a few hundred."""
MOST_PICTURES = 300
"""The maximum number of turns in an animation."""
SHOWN_DIFFERENCES = 20
_REVIEW_SECONDS = 30.0
"""For the review of a match."""
_LONGEST_LOOK = 1.0
"""Seconds for one move."""
COMPILING_SECONDS = 6.0
"""Timeout for the compiler; after that the interpreter plays."""
SHOWN_MOVES = 12
"""The number of best moves of a search that are sent."""


def frames(path: Path, game_name: str, *, reveal: bool) -> Iterator[dict[str, Any]]:
    """The parts ``start``, a ``frame`` for each turn, and ``verdict``.

    ``reveal`` says whether hidden information of a match that is not over may be shown.
    """
    record, game = open_record(path, game_name, reveal)
    yield _start(record, game)
    differences: list[Difference] = list(check_start(record, game))
    states: dict[int, State | None] = {0: game.initial_state()}
    yield {"part": "frame", "id": 0, "parent": None, **_draw_position(game, states[0], {})}
    if record.start.roles == game.roles:
        for number, (turn, state, mismatches) in enumerate(replay(record, game)):
            if number == MOST_TURNS:
                break
            differences += mismatches
            yield _frame(game, turn, states.get(turn.parent), state)
            states[turn.id] = state
    differences += check_end(record, states.get(record.last))
    yield {
        "part": "verdict",
        "ok": not differences and not record.problems,
        "differences": [str(one) for one in differences[:SHOWN_DIFFERENCES]],
        "problems": [f"line {one.line}: {one.message}" for one in record.problems[:SHOWN_DIFFERENCES]],
        "cut": len(record.turns) > MOST_TURNS,
    }


def film(path: Path, game_name: str, *, reveal: bool) -> bytes:
    """The match as a GIF, without moves that were taken back."""
    record, game = open_record(path, game_name, reveal)
    state = game.initial_state()
    scenes = [draw(game, state, clickable=False).scene]
    for turn in record.line_to(record.last)[:MOST_PICTURES]:
        state = state.play(turn.moves)
        scenes.append(draw(game, state, last=list(turn.moves.values()), clickable=False).scene)
    return to_gif(scenes)


def exported(path: Path, game_name: str, wanted: str, *, reveal: bool) -> str:
    """The match as PGN or SGF."""
    record, game = open_record(path, game_name, reveal)
    return export_record(record, game, wanted)


def judgements(path: Path, game_name: str, *, reveal: bool) -> Iterator[dict[str, Any]]:
    """What the moves of a match were worth, one by one; the more there are, the shorter is the look at each."""
    record, game = open_record(path, game_name, reveal)
    turns = record.line_to(record.last)
    moves = [turn.moves for turn in turns]
    number = choices(game, moves)
    yield {"part": "choices", "number": number}
    compiled = ludens.load(game_name).compiled(COMPILING_SECONDS)
    states = _states(game, moves)
    for one in review(compiled, moves, min(_LONGEST_LOOK, _REVIEW_SECONDS / max(1, number))):
        before = states[one.turn - 1]
        better = {"best_text": writer_of(game).text(before, one.role, one.best)}
        yield {"part": "judgement", "id": turns[one.turn - 1].id, **one.as_json(), **better}
    yield {"part": "reviewed"}


def _states(game: Game, turns: Sequence[JointMove]) -> list[State]:
    """The states of a line of play, the first one included."""
    states = [game.initial_state()]
    for joint_move in turns:
        states.append(states[-1].play(joint_move))
    return states


def open_record(path: Path, game_name: str, reveal: bool) -> tuple[Record, Game]:
    """A record and its game, interpreted. Raises `LudensError` if it may not be shown yet."""
    record = read_record(path)
    # The interpreter starts at once, and a match is too short for a compiled game to catch up.
    game = ludens.load(game_name, backend="interpreter")
    if game.hidden and record.end is None and not reveal:
        raise LudensError("this match is still running and its game has hidden information; replay it afterwards")
    return record, game


def _start(record: Record, game: Game) -> dict[str, Any]:
    return {
        "part": "start",
        "game": record.start.game,
        "roles": list(game.roles),
        "names": role_names(game),
        "players": dict(record.start.players),
        "turns": len(record.turns),
        "format": format_of(game),
        "last": record.last,
        "end": None if record.end is None else {key: record.end.get(key) for key in ("goals", "points", "reason")},
        "messages": [
            {key: entry.data.get(key) for key in ("turn", "from", "to", "text")}
            for entry in record.entries
            if not isinstance(entry, RecordedTurn) and entry.kind == "message"
        ],
    }


def _frame(game: Game, turn: RecordedTurn, before: State | None, after: State | None) -> dict[str, Any]:
    seconds = turn.data["seconds"]
    thinking = {role: _thinking_as_json(thought) for role, thought in turn.data["thinking"].items()}
    for role, thought in thinking.items():
        _place(game, before, role, thought)
    moves = {role: move for role, move in turn.moves.items() if not seconds or role in seconds} or dict(turn.moves)
    if before is not None:  # records of other programs have no seconds
        moves = {role: move for role, move in moves.items() if not is_wait(before, role, move)} or moves
    return {
        "part": "frame",
        "id": turn.id,
        "parent": turn.parent,
        "moves": moves,
        "texts": {role: _move_text(game, before, role, move, after) for role, move in moves.items()},
        "seconds": {role: value for role, value in seconds.items() if isinstance(value, int | float)},
        "thinking": {role: thought for role, thought in thinking.items() if thought},
        "errors": [
            f"{error['role']}: {error.get('kind')}, {error.get('message')}" for error in turn.data.get("errors", [])
        ],
        **_draw_position(game, after, turn.moves),
    }


def _draw_position(game: Game, state: State | None, last: Mapping[str, str]) -> dict[str, Any]:
    if state is None:
        return {"svg": "", "text": "This position cannot be computed."}
    drawing = draw(game, state, last=list(last.values()))
    goals = dict(state.goals) if state.is_terminal else None
    return {"svg": drawing.inline, "text": drawing.text, "goals": goals}


def _thinking_as_json(thought: object) -> dict[str, Any]:
    """The thinking of a search as JSON values, as far as it is shown."""
    if not isinstance(thought, dict):
        return {}
    listed = thought.get("moves")
    moves = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    shown: dict[str, Any] = {
        key: thought[key] for key in ("iterations", "rate", "depth", "value") if _is_number(thought.get(key))
    }
    if isinstance(thought.get("note"), str):
        shown["note"] = thought["note"]
    if isinstance(thought.get("line"), list):
        shown["line"] = [str(move) for move in thought["line"][:SHOWN_MOVES]]
    shown["moves"] = [
        {
            "move": one["move"],
            "value": one["value"] if _is_number(one.get("value")) else None,
            "visits": one["visits"] if _is_number(one.get("visits")) else 0,
        }
        for one in moves[:SHOWN_MOVES]
        if isinstance(one.get("move"), str)
    ]
    return shown


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and isfinite(value)


def _move_text(game: Game, before: State | None, role: Role, move: Move, after: State | None) -> str:
    """A move as people write it; chance and what cannot be computed in the words of the rules."""
    if before is None or role not in game.roles:
        return plain_text(move)
    return writer_of(game).text(before, role, move, after)


def _place(game: Game, before: State | None, role: Role, thought: dict[str, Any]) -> None:
    """Add to each move of a search its text, and the spot of the board where it ends, if any."""
    moves = thought.get("moves", ())
    if before is None or role not in game.roles:
        return
    seen = before if game.hidden else before.view(role)
    spots = clicks(game, seen, [one["move"] for one in moves])
    texts = writer_of(game).texts(before.view(role), role)
    for one in moves:
        one["spot"] = (spots.get(one["move"]) or ("",))[-1]
        one["text"] = texts.get(one["move"]) or plain_text(one["move"])
    if "line" in thought and not game.hidden:
        thought["line"] = writer_of(game).line(before, thought["line"])

"""Recorded matches in the format that the game's card names: PGN or SGF."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ludens.core import Game, GameError, LudensError, Move, Role, State
from ludens.drawing.notation import writer_of
from ludens.games.card_lookup import card_of
from ludens.gdl.game import GdlGame
from ludens.protocols.exchange.formats import PGN, SGF
from ludens.protocols.exchange.pgn import UNKNOWN, write_pgn
from ludens.protocols.gtp.choose_board import board_of
from ludens.protocols.gtp.sgf import sgf_move
from ludens.referee.reading import Record

_PLAYERS = {PGN: ("White", "Black"), SGF: ("PB", "PW")}
"""The names of the roles in tags and properties, in the order of the roles."""
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")


def format_of(game: Game) -> str:
    """The format in which matches of a game are exchanged; empty if there is none."""
    card = card_of(game)
    return card.notation.record if card is not None else ""


def export_record(record: Record, game: Game, wanted: str) -> str:
    """A match as PGN or SGF, without moves that were taken back. Raises `LudensError`."""
    own = format_of(game)
    if wanted != own:
        has = f"its matches are exchanged as {own.upper()}" if own else "its matches are exchanged as records only"
        raise GameError(f"{game.name} has no {wanted.upper()}: {has}")
    return _pgn(record, game) if wanted == PGN else _sgf(record, game)


def _pgn(record: Record, game: Game) -> str:
    date = _DATE.match(str(record.start.data.get("started")))
    tags = {
        "Event": "Match of ludens",
        "Site": "?",
        "Date": ".".join(date.groups()) if date else "????.??.??",
        "Round": "?",
        **_names(record, game, PGN),
    }
    writer = writer_of(game)
    moves = [writer.text(before, role, move, after) for before, role, move, after in _moves(record, game)]
    return write_pgn(tags, moves, _result(record, game))


def _sgf(record: Record, game: Game) -> str:
    board = board_of(game)
    date = _DATE.match(str(record.start.data.get("started")))
    properties: dict[str, str] = {"GM": "1", "FF": "4", "CA": "UTF-8", "AP": "ludens", "SZ": str(board.size)}
    if board.komi is not None:
        properties["KM"] = f"{board.komi:g}"
    properties |= _names(record, game, SGF)
    if date:
        properties["DT"] = date[0]
    if score := _score(record, game):
        properties["RE"] = score
    root = "".join(f"{name}[{_escape(value)}]" for name, value in properties.items())
    colours = dict(zip(game.roles, "BW", strict=True))
    nodes = [f";{colours[role]}[{sgf_move(move, board.size)}]" for _, role, move, _ in _moves(record, game)]
    lines = ["".join(nodes[n : n + 10]) for n in range(0, len(nodes), 10)]
    return "\n".join([f"(;{root}", *lines, ")"]) + "\n"


def _moves(record: Record, game: Game) -> Iterator[tuple[State, Role, Move, State]]:
    """The moves that were no waiting, with the states before and after. Raises `LudensError`."""
    state: State = game.initial_state()
    for turn in record.line_to(record.last):
        after = state.play(turn.moves)
        for role, move in turn.moves.items():
            if not (isinstance(game, GdlGame) and not move.startswith("(")):
                yield state, role, move, after
        state = after


def _names(record: Record, game: Game, wanted: str) -> dict[str, str]:
    names = zip(_PLAYERS[wanted], game.roles, strict=True)
    return {tag: record.start.players[role].partition(":")[0] for tag, role in names}


def _result(record: Record, game: Game) -> str:
    goals = _goals(record)
    if goals is None:
        return UNKNOWN
    first, second = (goals.get(role, 0) for role in game.roles)
    return "1-0" if first > second else "0-1" if first < second else "1/2-1/2"


def _score(record: Record, game: Game) -> str:
    """The winner and its margin, as SGF writes it; empty if the match is not over."""
    goals = _goals(record)
    if goals is None or record.end is None:
        return ""
    if isinstance(record.end.get("forfeited"), str):
        return "W+R" if record.end["forfeited"] == game.roles[0] else "B+R"
    points: Mapping[str, Any] = record.end["points"]
    margin = points.get(game.roles[0])
    if not isinstance(margin, int | float):
        raise LudensError(f"{record.path}: the points of the end are no numbers")
    return "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"


def _goals(record: Record) -> Mapping[str, int] | None:
    """The goals of a finished match."""
    if record.end is None or not record.end.get("finished", record.end.get("reason") in {"terminal", "forfeit"}):
        return None
    goals: Mapping[str, int] = record.end["goals"]
    return goals


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")

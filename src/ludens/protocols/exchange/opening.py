"""Opens files of other programs: the main line of the first game in PGN or SGF, as a record.

The game is the one of the library whose card names the format. Files are not trusted: their length is limited, and each
move is checked by the rules.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import ludens
from ludens.core import Game, LudensError, Move, Role, State
from ludens.drawing.notation import writer_of
from ludens.games import library
from ludens.gdl.source import visible
from ludens.protocols.exchange.formats import PGN, SGF
from ludens.protocols.exchange.pgn import PgnError, PgnGame, read_pgn
from ludens.protocols.gtp.choose_board import board_of
from ludens.protocols.gtp.sgf import BLACK, SgfError, read_sgf
from ludens.protocols.lent_player import Line
from ludens.referee.events import MatchEnded
from ludens.referee.match import forfeit_goals
from ludens.referee.record import FORMAT

MOST_BYTES = 2_000_000


def open_foreign(content: bytes, wanted: str) -> bytes:
    """The record of the first game in a file. Raises `LudensError`."""
    if len(content) > MOST_BYTES:
        raise LudensError(f"the file has {len(content):,} bytes, where {MOST_BYTES:,} are allowed")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return _from_pgn(text) if wanted == PGN else _from_sgf(text)


def _from_pgn(text: str) -> bytes:
    read = read_pgn(text)
    if read.tags.get("FEN") or read.tags.get("SetUp") == "1":
        raise PgnError("the game begins from a position that was set up (FEN); only whole games can be opened")
    if (variant := read.tags.get("Variant", "Standard").lower()) not in {"standard", "normal", "chess"}:
        raise PgnError(f"the game is of the variant {visible(variant[:40])!r}; only standard games can be opened")
    game = ludens.load(_game_for(PGN), backend="interpreter")
    line = Line((game.initial_state(),))
    for number, san in enumerate(read.moves):
        found = _mover(game, line.state, san)
        if found is None:
            whose = f"{number // 2 + 1}{'.' if number % 2 == 0 else '...'}"
            raise PgnError(f"{whose} {visible(san[:20])} is not a legal move there")
        line = line.play(*found)
    return _record(game, line, _pgn_players(read, game), _winner(read.result, {"1-0": 0, "0-1": 1}, game), "PGN")


def _mover(game: Game, state: State, text: str) -> tuple[Role, Move] | None:
    for role in game.roles:
        move = None if state.is_terminal else writer_of(game).read(text, state, role)
        if move is not None:
            return role, move
    return None


def _pgn_players(read: PgnGame, game: Game) -> dict[Role, str]:
    return {role: read.tags.get(tag, "?") for role, tag in zip(game.roles, ("White", "Black"), strict=True)}


def _from_sgf(text: str) -> bytes:
    read = read_sgf(text)
    if read.stones:
        raise SgfError("the game begins with stones on the board (a handicap); only whole games can be opened")
    komi = "" if read.komi is None else f",{read.komi:g}"
    game = ludens.load(f"{_game_for(SGF)}:{read.size}{komi}", backend="interpreter")
    board = board_of(game)
    line = Line((game.initial_state(),))
    for number, (colour, point) in enumerate(read.moves, start=1):
        role = game.roles[0 if colour == BLACK else 1]
        try:
            line = board.play(line, role, point)
        except LudensError as error:
            raise SgfError(f"move {number}, {colour} {visible(point)}: {error}") from None
    players = dict(zip(game.roles, (read.black or "?", read.white or "?"), strict=True))
    return _record(game, line, players, _winner(read.result[:2].upper(), {"B+": 0, "W+": 1}, game), "SGF")


def _game_for(wanted: str) -> str:
    for name, entry in library.entries().items():
        if entry.card.notation.record == wanted:
            return name
    raise LudensError(f"no game of the library is exchanged as {wanted.upper()}")


def _winner(result: str, seats: Mapping[str, int], game: Game) -> Role | None:
    return game.roles[seats[result]] if result in seats else None


def _record(game: Game, line: Line, players: Mapping[Role, str], winner: Role | None, source: str) -> bytes:
    """The lines of a record of a match that others played."""
    no_clock = {"play": None, "start": None}
    start = {
        "event": "start",
        "format": FORMAT,
        "ludens": f"{ludens.__version__}, from {source}",
        "started": "",
        "game": game.name,
        "rules_sha256": game.rules_hash,
        "roles": list(game.roles),
        "players": {role: {"name": visible(name)[:80], "options": {}} for role, name in players.items()},
        "clocks": dict.fromkeys(game.roles, no_clock),
        "seed": 0,
        "messages": False,
        "forfeit_after": None,
        "errors": [],
    }
    turns = [
        {
            "event": "turn",
            "id": number,
            "parent": number - 1,
            "moves": {role: str(move) for role, move in joint_move.items()},
            "errors": [],
            "seconds": {},
            "thinking": {},
        }
        for number, joint_move in enumerate(line.turns, start=1)
    ]
    lines: list[dict[str, Any]] = [start, *turns, {"event": "end", **_end(game, line, winner).as_json()}]
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines).encode()


def _end(game: Game, line: Line, winner: Role | None) -> MatchEnded:
    state, none = line.state, dict.fromkeys(game.roles, 0)
    if winner is None or state.is_terminal:
        reason = "terminal" if state.is_terminal else "stopped"
        return MatchEnded(dict(state.goals), dict(state.points), len(line.turns), none, reason)
    loser = next(role for role in game.roles if role != winner)
    goals = forfeit_goals(game, loser)
    return MatchEnded(goals, goals, len(line.turns), none, "forfeit", loser)

"""Reading records back: whatever can be read is, and what cannot is reported with its line."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from ludens.core import Clock, LudensError, Move, Role
from ludens.referee.record import FORMAT

CHANCE = "random"
"""The role that nobody plays, of games in GDL-II; its moves are in the joint move, too."""
MAX_LINE = 20_000_000
"""Bytes of a line; longer ones are not read."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that cannot be read."""

    line: int
    """From 1."""
    message: str
    is_cut: bool = False
    """True if the file ends in the middle of the line, as after a crash."""


@dataclass(frozen=True, slots=True)
class RecordedStart:
    """The first line: what was played, by whom, and how."""

    game: str
    rules_hash: str
    roles: tuple[Role, ...]
    players: Mapping[Role, str]
    """Name and options of each player, as `make_player` reads them."""
    clocks: Mapping[Role, Clock]
    seed: int
    forfeit_after: int | None
    data: Mapping[str, Any]
    """The whole line."""


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """One turn as it was written down."""

    line: int
    """Where it is in the file."""
    id: int
    parent: int
    moves: Mapping[Role, Move]
    """The joint move, chance resolved."""
    chosen: Mapping[Role, Move]
    """The joint move before chance."""
    arrivals: Mapping[Role, Move]
    """The answers in a race, in the order of arrival."""
    substituted: frozenset[Role]
    """Roles whose move was replaced by a random one."""
    failed: frozenset[Role]
    """Roles whose player erred."""
    percepts: Mapping[Role, Sequence[str]]
    earlier: bool
    data: Mapping[str, Any]
    """The whole line."""


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """A line that is no turn: a message, a move taken back, or the end."""

    line: int
    kind: str
    """``message``, ``take_back`` or ``end``."""
    data: Mapping[str, Any]


Entry: TypeAlias = RecordedTurn | RecordedEvent


@dataclass(frozen=True)
class Record:
    """A record, as far as it can be read."""

    path: Path
    start: RecordedStart
    entries: tuple[Entry, ...]
    """Everything after the first line, in the order of the file."""
    problems: tuple[Problem, ...]
    """What could not be read."""
    turns: Mapping[int, RecordedTurn] = field(init=False)
    """All turns, by number."""

    def __post_init__(self) -> None:
        turns = {entry.id: entry for entry in self.entries if isinstance(entry, RecordedTurn)}
        object.__setattr__(self, "turns", turns)

    @property
    def end(self) -> Mapping[str, Any] | None:
        """The last line; None if the match was cut off."""
        return next((entry.data for entry in self._events("end")), None)

    @property
    def last(self) -> int:
        """The turn after which the match stood in the end; 0 for the start."""
        last = 0
        for entry in self.entries:
            if isinstance(entry, RecordedTurn):
                last = entry.id
            elif entry.kind == "take_back":
                last = entry.data["turn"]
        return last

    def line_to(self, turn: int) -> tuple[RecordedTurn, ...]:
        """The turns from the start to this one. Raises `LudensError` if one of them is missing."""
        line: list[RecordedTurn] = []
        while turn:
            if turn not in self.turns:
                raise LudensError(f"{self.path}: turn {turn} is not in the record")
            line.append(self.turns[turn])
            turn = self.turns[turn].parent
        return tuple(reversed(line))

    def _events(self, kind: str) -> list[RecordedEvent]:
        return [entry for entry in self.entries if isinstance(entry, RecordedEvent) and entry.kind == kind]


def read_record(path: Path) -> Record:
    """The record in a file. Raises `LudensError` if there is none, or it does not say how the match began."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise LudensError(f"cannot read the record {path}: {error.strerror or error}") from None
    return parse_record(path, content)


def parse_record(path: Path, content: bytes) -> Record:
    """The record that a file has, or would have. Raises `LudensError` if it does not say how the match began."""
    lines = [(number, line) for number, line in enumerate(io.BytesIO(content), start=1) if line.strip()]
    start: RecordedStart | None = None
    entries: list[Entry] = []
    problems: list[Problem] = []
    turns = [0]
    for number, line in lines:
        try:
            data = _parsed(line)
            if start is None:
                start = _start(data)
                continue
            if entries and entries[-1].data["event"] == "end":
                raise ValueError("the match was over before this line")
            entries.append(_entry(number, data, start.roles, turns))
        except ValueError as error:
            if start is None:
                raise LudensError(
                    f"{path}, line {number}: {error}; a record begins with the start of a match"
                ) from None
            problems.append(Problem(number, str(error), is_cut=not line.endswith(b"\n")))
    if start is None:
        raise LudensError(f"{path} is empty; a record begins with the start of a match")
    return Record(path, start, tuple(entries), tuple(problems))


def _check_numbers(turn: RecordedTurn, turns: Sequence[int]) -> None:
    """``turns`` are those before, in their order, from 0; the parent may be a turn that could not be read."""
    if turn.id <= turns[-1]:
        told = "is there twice" if turn.id in turns else f"stands after turn {turns[-1]}"
        raise ValueError(f"turn {turn.id} {told}")
    if turn.parent >= turn.id:
        raise ValueError(f"turn {turn.id} cannot follow turn {turn.parent}")


def _check_roles(found: Iterable[Role], roles: Sequence[Role], where: str) -> None:
    for role in found:
        if role not in roles:
            raise ValueError(f"{where}: {_shown(role)} is not a role of the match (roles: {', '.join(roles)})")


def _parsed(line: bytes) -> dict[str, Any]:
    if len(line) > MAX_LINE:
        raise ValueError(f"the line has {len(line):,} bytes, where {MAX_LINE:,} are allowed")
    try:
        data = json.loads(line.decode("utf-8"), object_pairs_hook=_unique)
    except UnicodeDecodeError:
        raise ValueError("the line is not UTF-8") from None
    except (json.JSONDecodeError, RecursionError) as error:
        cut = "" if line.endswith(b"\n") else " (the line is cut off)"
        raise ValueError(f"the line is not JSON{cut}: {error}") from None
    if not isinstance(data, dict):
        raise ValueError(f"the line is a {type(data).__name__}, not an object")
    return data


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {_shown(next(key for key in keys if keys.count(key) > 1))} is there twice")
    return found


def _start(data: dict[str, Any]) -> RecordedStart:
    if data.get("event") != "start":
        raise ValueError(f"the first line is {data.get('event')!r}, not 'start'")
    if _number(data, "format") > FORMAT:
        raise ValueError(f"the record has format {data['format']}, and this ludens reads formats up to {FORMAT}")
    roles = tuple(_texts(data.get("roles"), "roles"))
    if not roles or len(set(roles)) < len(roles):
        raise ValueError(f"'roles' must be names that differ, not {_shown(list(roles))}")
    players = _object(data, "players")
    clocks = _object(data, "clocks")
    _check_roles((*players, *clocks), roles, "the start")
    limit = data.get("forfeit_after")
    return RecordedStart(
        game=_text(data, "game"),
        rules_hash=_text(data, "rules_sha256"),
        roles=roles,
        players={role: _player(_object(players, role)) for role in roles},
        clocks={role: _clock(_object(clocks, role)) for role in roles},
        seed=_number(data, "seed"),
        forfeit_after=None if limit is None else _number(data, "forfeit_after"),
        data=data,
    )


def _player(data: dict[str, Any]) -> str:
    options = _object(data, "options")
    settings = ",".join(f"{name}={value}" for name, value in options.items())
    return _text(data, "name") + (f":{settings}" if settings else "")


def _clock(data: dict[str, Any]) -> Clock:
    def seconds(key: str) -> float:
        value = data.get(key)
        if value is not None and not isinstance(value, int | float):
            raise ValueError(f"{key!r} must be a number of seconds or null, not {value!r}")
        return math.inf if value is None else float(value)

    try:
        return Clock(seconds("play"), seconds("start"))
    except LudensError as error:
        raise ValueError(str(error)) from None


def _entry(number: int, data: dict[str, Any], roles: Sequence[Role], turns: list[int]) -> Entry:
    """A line; ``turns`` are the numbers of the turns before it, from 0, to which that of a turn is added."""
    match data.get("event"):
        case "turn":
            turn = _turn(number, data, roles)
            _check_numbers(turn, turns)
            turns.append(turn.id)
            return turn
        case "end":
            for key in ("goals", "points", "errors"):
                _check_roles(_object(data, key), roles, f"the {key} of the end")
            _number(data, "turns")
            _text(data, "reason")
            if data.get("forfeited") is not None:
                _check_roles([_text(data, "forfeited")], roles, "the forfeit of the end")
        case "take_back":
            if _number(data, "turn") not in turns:
                raise ValueError(f"a move is taken back to turn {data['turn']}, which is not in the record")
        case "message":
            _text(data, "text")
            _check_roles([_text(data, "from"), *_texts(data.get("to"), "to")], roles, "a message")
        case other:
            raise ValueError(f"{_shown(other)} is not an event of a record")
    return RecordedEvent(number, data["event"], data)


def _turn(number: int, data: dict[str, Any], roles: Sequence[Role]) -> RecordedTurn:
    name = _number(data, "id", 1)
    moves = _moves(data, "moves")
    chosen = _moves(data, "chosen") if "chosen" in data else moves
    arrivals = [_texts(pair, "arrivals") for pair in _list(data.get("arrivals", []), "arrivals")]
    if any(len(pair) != 2 for pair in arrivals):
        raise ValueError("'arrivals' must be a list of pairs of role and move")
    errors = _list(data.get("errors", []), "errors")
    if not all(isinstance(error, dict) and isinstance(error.get("role"), str) for error in errors):
        raise ValueError("'errors' must be a list of objects with a role")
    percepts = _object(data, "percepts") if "percepts" in data else {}
    told = {"seconds": _object(data, "seconds"), "thinking": _object(data, "thinking"), "percepts": percepts}
    told |= {"arrivals": dict(arrivals), "errors": dict.fromkeys(error["role"] for error in errors)}
    _check_roles((role for role in (*moves, *chosen) if role != CHANCE), roles, f"the moves of turn {name}")
    for key, by_role in told.items():
        _check_roles(by_role, roles, f"the {key} of turn {name}")
    if len(arrivals) > len(told["arrivals"]):
        raise ValueError(f"the arrivals of turn {name} have a role twice")
    return RecordedTurn(
        line=number,
        id=name,
        parent=_number(data, "parent", 0),
        moves=moves,
        chosen=chosen,
        arrivals=told["arrivals"],
        substituted=frozenset(error["role"] for error in errors if error.get("substituted") is True),
        failed=frozenset(told["errors"]),
        percepts={role: _texts(seen, "percepts") for role, seen in percepts.items()},
        earlier=data.get("earlier") is True,
        data=data,
    )


def _moves(data: dict[str, Any], key: str) -> dict[Role, Move]:
    moves = _object(data, key)
    if not all(isinstance(move, str) for move in moves.values()):
        raise ValueError(f"{key!r} must give each role a move as text")
    return moves


def _object(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = data.get(key)
    if not isinstance(value, dict):
        raise ValueError(f"{key!r} must be an object, not {_shown(value)}")
    return value


def _list(value: Any, key: str) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{key!r} must be a list, not {_shown(value)}")
    return value


def _texts(value: Any, key: str) -> list[str]:
    if not all(isinstance(part, str) for part in _list(value, key)):
        raise ValueError(f"{key!r} must be a list of texts")
    return list(value)


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise ValueError(f"{key!r} must be a text, not {_shown(value)}")
    return value


def _number(data: Mapping[str, Any], key: str, minimum: int | None = None) -> int:
    value = data.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or (minimum is not None and value < minimum):
        raise ValueError(f"{key!r} must be a whole number, not {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    text = "missing" if value is None else repr(value)
    return text if len(text) <= 80 else text[:80] + "…"

"""Reads records: as much as can be read; lines that cannot are reported."""

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
"""The chance role of GDL-II; its moves are part of the joint move."""
MAX_LINE = 20_000_000
"""The longest line in bytes; longer ones are not read."""


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
    """One recorded turn."""

    line: int
    """Its line in the file."""
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
    """Roles whose player failed."""
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
    """A record, as far as it is readable."""

    path: Path
    start: RecordedStart
    entries: tuple[Entry, ...]
    """Everything after the first line, in the order of the file."""
    problems: tuple[Problem, ...]
    """Lines that could not be read."""
    turns: Mapping[int, RecordedTurn] = field(init=False)
    """All turns, by number."""

    def __post_init__(self) -> None:
        turns = {entry.id: entry for entry in self.entries if isinstance(entry, RecordedTurn)}
        object.__setattr__(self, "turns", turns)

    @property
    def end(self) -> Mapping[str, Any] | None:
        """The last line; None if the match was interrupted."""
        return next((entry.data for entry in self._events("end")), None)

    @property
    def last(self) -> int:
        """The last turn of the match, moves taken back aside; 0 for the start."""
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
    """The record in a file. Raises `LudensError` if it cannot be read or has no valid first line."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise LudensError(f"cannot read the record {path}: {error.strerror or error}") from None
    return parse_record(path, content)


def parse_record(path: Path, content: bytes) -> Record:
    """The record with this content. Raises `LudensError` if it has no valid first line."""
    lines = [(number, line) for number, line in enumerate(io.BytesIO(content), start=1) if line.strip()]
    start: RecordedStart | None = None
    entries: list[Entry] = []
    problems: list[Problem] = []
    turns = [0]
    for number, line in lines:
        try:
            data = _parse_line(line)
            if start is None:
                start = _parse_start(data)
                continue
            if entries and entries[-1].data["event"] == "end":
                raise ValueError("the match was over before this line")
            entries.append(_parse_entry(number, data, start.roles, turns))
        except ValueError as error:
            if start is None:
                raise LudensError(
                    f"{path}, line {number}: {error}; a record begins with the start of a match"
                ) from None
            problems.append(Problem(number, str(error), is_cut=not line.endswith(b"\n")))
    if start is None:
        raise LudensError(f"{path} is empty; a record begins with the start of a match")
    return Record(path, start, tuple(entries), tuple(problems))


def write_record(record: Record) -> str:
    """A record as text, as far as it was read."""
    lines = [record.start.data, *(entry.data for entry in record.entries)]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _check_numbers(turn: RecordedTurn, turns: Sequence[int]) -> None:
    """Check the numbers of a turn; ``turns`` are those before it, from 0. The parent may be an unreadable turn."""
    if turn.id <= turns[-1]:
        problem = "is there twice" if turn.id in turns else f"stands after turn {turns[-1]}"
        raise ValueError(f"turn {turn.id} {problem}")
    if turn.parent >= turn.id:
        raise ValueError(f"turn {turn.id} cannot follow turn {turn.parent}")


def _check_roles(found: Iterable[Role], roles: Sequence[Role], where: str) -> None:
    for role in found:
        if role not in roles:
            raise ValueError(f"{where}: {_format_value(role)} is not a role of the match (roles: {', '.join(roles)})")


def _parse_line(line: bytes) -> dict[str, Any]:
    if len(line) > MAX_LINE:
        raise ValueError(f"the line has {len(line):,} bytes, where {MAX_LINE:,} are allowed")
    try:
        data = json.loads(line.decode("utf-8"), object_pairs_hook=_unique_keys)
    except UnicodeDecodeError:
        raise ValueError("the line is not UTF-8") from None
    except (json.JSONDecodeError, RecursionError) as error:
        cut = "" if line.endswith(b"\n") else " (the line is cut off)"
        raise ValueError(f"the line is not JSON{cut}: {error}") from None
    if not isinstance(data, dict):
        raise ValueError(f"the line is a {type(data).__name__}, not an object")
    return data


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {_format_value(next(key for key in keys if keys.count(key) > 1))} is there twice")
    return found


def _parse_start(data: dict[str, Any]) -> RecordedStart:
    if data.get("event") != "start":
        raise ValueError(f"the first line is {data.get('event')!r}, not 'start'")
    if _get_number(data, "format") > FORMAT:
        raise ValueError(f"the record has format {data['format']}, and this ludens reads formats up to {FORMAT}")
    roles = tuple(_check_texts(data.get("roles"), "roles"))
    if not roles or len(set(roles)) < len(roles):
        raise ValueError(f"'roles' must be names that differ, not {_format_value(list(roles))}")
    players = _get_object(data, "players")
    clocks = _get_object(data, "clocks")
    _check_roles((*players, *clocks), roles, "the start")
    limit = data.get("forfeit_after")
    return RecordedStart(
        game=_get_text(data, "game"),
        rules_hash=_get_text(data, "rules_sha256"),
        roles=roles,
        players={role: _parse_player(_get_object(players, role)) for role in roles},
        clocks={role: _parse_clock(_get_object(clocks, role)) for role in roles},
        seed=_get_number(data, "seed"),
        forfeit_after=None if limit is None else _get_number(data, "forfeit_after"),
        data=data,
    )


def _parse_player(data: dict[str, Any]) -> str:
    options = _get_object(data, "options")
    settings = ",".join(f"{name}={value}" for name, value in options.items())
    return _get_text(data, "name") + (f":{settings}" if settings else "")


def _parse_clock(data: dict[str, Any]) -> Clock:
    def seconds(key: str) -> float:
        value = data.get(key)
        if value is not None and not isinstance(value, int | float):
            raise ValueError(f"{key!r} must be a number of seconds or null, not {value!r}")
        return math.inf if value is None else float(value)

    try:
        return Clock(seconds("play"), seconds("start"))
    except LudensError as error:
        raise ValueError(str(error)) from None


def _parse_entry(number: int, data: dict[str, Any], roles: Sequence[Role], turns: list[int]) -> Entry:
    """The entry of a line; appends the number of a turn to ``turns``, the numbers before it, from 0."""
    match data.get("event"):
        case "turn":
            turn = _parse_turn(number, data, roles)
            _check_numbers(turn, turns)
            turns.append(turn.id)
            return turn
        case "end":
            for key in ("goals", "points", "errors"):
                _check_roles(_get_object(data, key), roles, f"the {key} of the end")
            _get_number(data, "turns")
            _get_text(data, "reason")
            if data.get("forfeited") is not None:
                _check_roles([_get_text(data, "forfeited")], roles, "the forfeit of the end")
        case "take_back":
            if _get_number(data, "turn") not in turns:
                raise ValueError(f"a move is taken back to turn {data['turn']}, which is not in the record")
        case "message":
            _get_text(data, "text")
            _check_roles([_get_text(data, "from"), *_check_texts(data.get("to"), "to")], roles, "a message")
        case other:
            raise ValueError(f"{_format_value(other)} is not an event of a record")
    return RecordedEvent(number, data["event"], data)


def _parse_turn(number: int, data: dict[str, Any], roles: Sequence[Role]) -> RecordedTurn:
    name = _get_number(data, "id", 1)
    moves = _get_moves(data, "moves")
    chosen = _get_moves(data, "chosen") if "chosen" in data else moves
    arrivals = [_check_texts(pair, "arrivals") for pair in _check_list(data.get("arrivals", []), "arrivals")]
    if any(len(pair) != 2 for pair in arrivals):
        raise ValueError("'arrivals' must be a list of pairs of role and move")
    errors = _check_list(data.get("errors", []), "errors")
    if not all(isinstance(error, dict) and isinstance(error.get("role"), str) for error in errors):
        raise ValueError("'errors' must be a list of objects with a role")
    percepts = _get_object(data, "percepts") if "percepts" in data else {}
    by_field = {
        "seconds": _get_object(data, "seconds"),
        "thinking": _get_object(data, "thinking"),
        "percepts": percepts,
    }
    by_field |= {"arrivals": dict(arrivals), "errors": dict.fromkeys(error["role"] for error in errors)}
    _check_roles((role for role in (*moves, *chosen) if role != CHANCE), roles, f"the moves of turn {name}")
    for key, by_role in by_field.items():
        _check_roles(by_role, roles, f"the {key} of turn {name}")
    if len(arrivals) > len(by_field["arrivals"]):
        raise ValueError(f"the arrivals of turn {name} have a role twice")
    return RecordedTurn(
        line=number,
        id=name,
        parent=_get_number(data, "parent", 0),
        moves=moves,
        chosen=chosen,
        arrivals=by_field["arrivals"],
        substituted=frozenset(error["role"] for error in errors if error.get("substituted") is True),
        failed=frozenset(by_field["errors"]),
        percepts={role: _check_texts(seen, "percepts") for role, seen in percepts.items()},
        earlier=data.get("earlier") is True,
        data=data,
    )


def _get_moves(data: dict[str, Any], key: str) -> dict[Role, Move]:
    moves = _get_object(data, key)
    if not all(isinstance(move, str) for move in moves.values()):
        raise ValueError(f"{key!r} must give each role a move as text")
    return moves


def _get_object(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = data.get(key)
    if not isinstance(value, dict):
        raise ValueError(f"{key!r} must be an object, not {_format_value(value)}")
    return value


def _check_list(value: Any, key: str) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{key!r} must be a list, not {_format_value(value)}")
    return value


def _check_texts(value: Any, key: str) -> list[str]:
    if not all(isinstance(part, str) for part in _check_list(value, key)):
        raise ValueError(f"{key!r} must be a list of texts")
    return list(value)


def _get_text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise ValueError(f"{key!r} must be a text, not {_format_value(value)}")
    return value


def _get_number(data: Mapping[str, Any], key: str, minimum: int | None = None) -> int:
    value = data.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or (minimum is not None and value < minimum):
        raise ValueError(f"{key!r} must be a whole number, not {_format_value(value)}")
    return value


def _format_value(value: Any) -> str:
    text = "missing" if value is None else repr(value)
    return text if len(text) <= 80 else text[:80] + "…"

"""Recorded playouts of GDL games, and whether a backend agrees with them.

A trace is a text of JSON lines, gzipped if its name ends in ``.gz``: first the roles, then a line for each state with
its fluents, the legal moves of each role, the joint move that was played, and the goals at the end.
"""

from __future__ import annotations

import gzip
import json
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from ludens.core import GameError, IllegalMoveError, Role
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.source import GdlError, visible
from ludens.gdl.terms import Term
from ludens.gdl.write import kif


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference between a backend and a trace."""

    playout: int
    step: int
    what: str
    """``roles``, ``state``, ``terminal``, ``legal``, ``moves`` or ``goals``."""
    role: Role | None
    """Whose moves or goal differ."""
    missing: tuple[str, ...]
    """In the trace, but not in the backend's answer."""
    extra: tuple[str, ...]
    """In the backend's answer, but not in the trace."""

    def __str__(self) -> str:
        parts = [f"playout {self.playout}, step {self.step}: {self.what} differ"]
        if self.role:
            parts.append(f"for {self.role}")
        for name, found in (("missing", self.missing), ("extra", self.extra)):
            if found:
                more = f" and {len(found) - 5} more" if len(found) > 5 else ""
                parts.append(f"; {name}: {', '.join(found[:5])}{more}")
        return visible(" ".join(parts).replace(" ;", ";"))


@dataclass(frozen=True, slots=True)
class Agreement:
    """The result of replaying a trace."""

    states: int
    """States that were compared."""
    seconds: float
    first_difference: Difference | None

    @property
    def ok(self) -> bool:
        """True if everything agreed."""
        return self.first_difference is None


def read_trace(path: Path) -> list[dict[str, Any]]:
    """The lines of a trace. Raises `GameError` if it is not one."""
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
        lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    except OSError as error:
        raise GameError(f"cannot read the trace {path}: {error.strerror or error}") from None
    except (EOFError, zlib.error, ValueError, RecursionError) as error:
        raise GameError(f"{path} is not a trace: {error}") from None
    if not lines or not isinstance(lines[0], dict) or "roles" not in lines[0]:
        raise GameError(f"{path} is not a trace: its first line must name the roles")
    if not all(isinstance(line, dict) and {"playout", "step", "state"} <= line.keys() for line in lines[1:]):
        raise GameError(f"{path} is not a trace: every state needs 'playout', 'step' and 'state'")
    if len(lines) == 1:
        raise GameError(f"{path} is not a trace: it has no states")
    return lines


def replay(game: GdlGame, trace: Sequence[dict[str, Any]]) -> Agreement:
    """Play a trace again and compare every state. Raises `GameError` if it is not a trace."""
    started = time.monotonic()
    count = 0
    difference = _compare_roles(game, trace[0].get("roles") if trace else None)
    state: GdlState | None = None
    for line in trace[1:]:
        if difference is not None:
            break
        _check_form(line)
        if line["step"] == 0:
            state = game.initial_state()
        if state is None:
            raise GameError(f"the trace goes on at {_place(line)} without a move")
        count += 1
        difference = _compare_counts(game, line) or _compare_state(state, line) or _compare_moves(state, line)
        if difference is None:
            if not line.get("goals" if line["terminal"] else "legal"):
                raise GameError(f"the trace does not say {'goals' if line['terminal'] else 'legal'} at {_place(line)}")
            moves = _by_role(game, line, "moves")
            state = state.play(moves) if moves else None
    return Agreement(count, time.monotonic() - started, difference)


def _check_form(line: dict[str, Any]) -> None:
    """Raise `GameError` if a value in a line is of the wrong type."""
    legal = line.get("legal", [])
    right = {
        "playout": isinstance(line.get("playout"), int),
        "step": isinstance(line.get("step"), int),
        "state": _is_texts(line.get("state")),
        "terminal": isinstance(line.get("terminal"), bool),
        "legal": isinstance(legal, list) and all(map(_is_texts, legal)),
        "moves": _is_texts(line.get("moves", [])),
        "goals": isinstance(line.get("goals", []), list),
    }
    wrong = [key for key, is_right in right.items() if not is_right]
    if wrong:
        raise GameError(f"the trace has no proper value for {', '.join(wrong)} at {_place(line)}")


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _place(line: dict[str, Any]) -> str:
    return f"playout {line.get('playout')!r}, step {line.get('step')!r}"


def _by_role(game: GdlGame, line: dict[str, Any], key: str) -> dict[Role, Any]:
    """The values of a line by role; empty if there are none."""
    return dict(zip(game.role_terms, line[key], strict=True)) if line.get(key) else {}


def _compare_roles(game: GdlGame, roles: Any) -> Difference | None:
    if not _is_texts(roles):
        raise GameError("the trace does not begin with a list of roles")
    expected, found = [role.lower() for role in roles], [role.lower() for role in game.role_terms]
    if expected == found:
        return None
    return _difference(0, 0, "roles", None, set(expected), set(found)) or Difference(0, 0, "roles", None, (), ())


def _compare_counts(game: GdlGame, line: dict[str, Any]) -> Difference | None:
    """Whether a line speaks of as many roles as there are."""
    for what in ("legal", "moves", "goals"):
        given = len(line.get(what, ()))
        if given not in (0, len(game.role_terms)):
            counts = ((f"{given} entries",), (f"{len(game.role_terms)} entries",))
            return Difference(line["playout"], line["step"], what, None, *counts)
    return None


def _compare_state(state: GdlState, line: dict[str, Any]) -> Difference | None:
    game = state.game
    at = (line["playout"], line["step"])
    facts = _difference(*at, "state", None, _terms(game, line["state"]), set(state.facts))
    if facts:
        return facts
    terminal = _difference(*at, "terminal", None, {str(line["terminal"])}, {str(state.is_terminal)})
    if terminal:
        return terminal
    if state.is_terminal:
        for role, value in _by_role(game, line, "goals").items():
            goals = _difference(*at, "goals", role, {str(value)}, {str(_goal(state, role))})
            if goals:
                return goals
        return None
    for role, moves in _by_role(game, line, "legal").items():
        mine = {move.term for move in state.legal_moves(role)}
        legal = _difference(*at, "legal", role, _terms(game, moves), mine)
        if legal:
            return legal
    return None


def _compare_moves(state: GdlState, line: dict[str, Any]) -> Difference | None:
    """Whether the moves that were played are legal."""
    moves = _by_role(state.game, line, "moves")
    for role, move in moves.items():
        try:
            state.resolve_move(role, moves)
        except IllegalMoveError:
            return Difference(line["playout"], line["step"], "moves", role, (move,), ())
    return None


def _goal(state: GdlState, role: Role) -> int | None:
    values = state.goal_values(role)
    return values[0] if len(values) == 1 else None


def _terms(game: GdlGame, texts: Iterable[str]) -> set[Term]:
    found: set[Term] = set()
    for text in texts:
        try:
            found.add(game.read(text))
        except GdlError as error:
            raise GameError(f"the trace has a term that cannot be read: {text!r} ({error})") from None
    return found


def _difference(
    playout: int, step: int, what: str, role: Role | None, expected: Set[Term], found: Set[Term]
) -> Difference | None:
    if expected == found:
        return None
    missing = tuple(sorted(map(kif, expected - found)))
    extra = tuple(sorted(map(kif, found - expected)))
    return Difference(playout, step, what, role, missing, extra)


def record_trace(game: GdlGame, playouts: int, max_steps: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """The lines of a new trace: random playouts, everything a reader needs to compare with.

    Raises `GameError` if a role has no legal move.
    """
    yield {"roles": list(game.role_terms)}
    rng = Random(seed)
    for playout in range(playouts):
        state = game.initial_state()
        for step in range(max_steps + 1):
            line: dict[str, Any] = {"playout": playout, "step": step, "state": sorted(map(kif, state.facts))}
            line["terminal"] = state.is_terminal
            if state.is_terminal:
                line["goals"] = [_goal(state, role) for role in game.role_terms]
                yield line
                break
            legal = {role: state.legal_moves(role) for role in game.role_terms}
            line["legal"] = [list(moves) for moves in legal.values()]
            if step < max_steps:
                stuck = [role for role, moves in legal.items() if not moves]
                if stuck:
                    raise GameError(f"{', '.join(stuck)} cannot move in {game.name} at {_place(line)}")
                moves = state.resolve({role: rng.choice(legal[role]) for role in game.roles}, rng)
                line["moves"] = list(moves.values())
                state = state.play(moves)
            yield line

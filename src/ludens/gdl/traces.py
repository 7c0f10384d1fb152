"""Recorded playouts of GDL games, and whether a backend agrees with them.

A trace is a text of JSON lines, gzipped if its name ends in ``.gz``: first the roles, then a line for each state with
its fluents, the legal moves of each role, the joint move that was played, and the goals at the end.
"""

from __future__ import annotations

import gzip
import json
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from ludens.core import GameError
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.source import GdlError
from ludens.gdl.terms import Term
from ludens.gdl.write import kif


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a backend and a trace part for the first time."""

    playout: int
    step: int
    what: str
    """``roles``, ``state``, ``terminal``, ``legal``, ``moves`` or ``goals``."""
    role: str | None
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
        return " ".join(parts).replace(" ;", ";")


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
    except (EOFError, zlib.error, ValueError) as error:
        raise GameError(f"{path} is not a trace: {error}") from None
    if not lines or not isinstance(lines[0], dict) or "roles" not in lines[0]:
        raise GameError(f"{path} is not a trace: its first line must name the roles")
    if not all(isinstance(line, dict) and {"playout", "step", "state"} <= line.keys() for line in lines[1:]):
        raise GameError(f"{path} is not a trace: every state needs 'playout', 'step' and 'state'")
    return lines


def replay(game: GdlGame, trace: Sequence[dict[str, Any]]) -> Agreement:
    """Play a trace again and compare every state."""
    started = time.monotonic()
    roles = [role.lower() for role in trace[0]["roles"]]
    found = [role.lower() for role in game.roles]
    if roles != found:
        difference = _difference(0, 0, "roles", None, set(roles), set(found))
        return Agreement(0, time.monotonic() - started, difference or Difference(0, 0, "roles", None, (), ()))
    count = 0
    state: GdlState | None = None
    for line in trace[1:]:
        if line["step"] == 0:
            state = game.initial_state()
        if state is None:
            raise GameError(f"the trace goes on at playout {line['playout']}, step {line['step']} without a move")
        difference = _compare(state, line)
        count += 1
        if difference is not None:
            return Agreement(count, time.monotonic() - started, difference)
        moves = line.get("moves")
        state = None if moves is None else state.play(dict(zip(game.roles, moves, strict=True)))
    return Agreement(count, time.monotonic() - started, None)


def _compare(state: GdlState, line: dict[str, Any]) -> Difference | None:
    game = state.game
    at = (line["playout"], line["step"])
    facts = _difference(*at, "state", None, _terms(game, line["state"]), set(state.facts))
    if facts:
        return facts
    terminal = _difference(*at, "terminal", None, {str(bool(line["terminal"]))}, {str(state.is_terminal)})
    if terminal:
        return terminal
    if state.is_terminal:
        for role, value in zip(game.roles, line.get("goals", ()), strict=False):
            values = state.goal_values(role)
            mine = values[0] if len(values) == 1 else None
            goals = _difference(*at, "goals", role, {str(value)}, {str(mine)})
            if goals:
                return goals
        return None
    for role, moves in zip(game.roles, line.get("legal", ()), strict=False):
        mine_legal = {move.term for move in state.legal_moves(role)}
        legal = _difference(*at, "legal", role, _terms(game, moves), mine_legal)
        if legal:
            return legal
    return None


def _terms(game: GdlGame, texts: Iterable[str]) -> set[Term]:
    found: set[Term] = set()
    for text in texts:
        try:
            found.add(game.read(text))
        except GdlError as error:
            raise GameError(f"the trace has a term that cannot be read: {text!r} ({error})") from None
    return found


def _difference(
    playout: int, step: int, what: str, role: str | None, expected: set[Any], found: set[Any]
) -> Difference | None:
    if expected == found:
        return None
    missing = tuple(sorted(map(_text, expected - found)))
    extra = tuple(sorted(map(_text, found - expected)))
    return Difference(playout, step, what, role, missing, extra)


def _text(item: Any) -> str:
    return kif(item)


def record_trace(game: GdlGame, playouts: int, max_steps: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """The lines of a new trace: random playouts, everything a reader needs to compare with."""
    yield {"roles": list(game.roles)}
    rng = Random(seed)
    for playout in range(playouts):
        state = game.initial_state()
        for step in range(max_steps + 1):
            line: dict[str, Any] = {"playout": playout, "step": step, "state": sorted(map(kif, state.facts))}
            line["terminal"] = state.is_terminal
            if state.is_terminal:
                line["goals"] = [
                    values[0] if len(values := state.goal_values(role)) == 1 else None for role in game.roles
                ]
                yield line
                break
            line["legal"] = [list(state.legal_moves(role)) for role in game.roles]
            if step < max_steps:
                moves = {role: rng.choice(state.legal_moves(role)) for role in game.roles}
                line["moves"] = list(moves.values())
                state = state.play(moves)
            yield line

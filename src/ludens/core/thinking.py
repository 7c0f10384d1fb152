"""Summaries of a player's search, for records, terminals and web pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ludens.core.game import Move


@dataclass(frozen=True, slots=True)
class MoveReport:
    """The result of a search for one move at its root."""

    move: Move
    value: float | None = None
    """The expected goal of the player's role, 0 to 100."""
    visits: int = 0
    """How often the search tried it."""
    proven: bool = False
    """True if the value is exact."""
    line: tuple[Move, ...] = ()
    """The expected line, this move first."""
    share: float | None = None
    """Where roles choose at once: the probability with which the player makes the move."""
    plies: int | None = None
    """Joint moves to the end of the game, this one included, if the value is proven and the player knows."""

    def as_json(self) -> dict[str, Any]:
        """The report as JSON values, without what is empty."""
        found = {"move": str(self.move), "value": _round(self.value), "visits": self.visits, "proven": self.proven}
        line = {"line": list(map(str, self.line))} if self.line else {}
        share = {} if self.share is None else {"share": round(self.share, 4)}
        plies = {} if self.plies is None else {"plies": self.plies}
        return {key: value for key, value in found.items() if value or key in {"move", "value"}} | line | share | plies


@dataclass(frozen=True, slots=True)
class Thinking:
    """The state of a player's search, at its end or on the way."""

    note: str = ""
    """A short summary for spectators; by default made from the figures."""
    iterations: int = 0
    """Playouts, simulations or nodes visited in this search."""
    seconds: float = 0.0
    """Time spent on it."""
    nodes: int = 0
    """Size of the tree or table."""
    depth: int = 0
    """Plies looked ahead."""
    value: float | None = None
    """The expected goal of the player's role, 0 to 100."""
    line: tuple[Move, ...] = ()
    """The principal variation, own move first."""
    moves: tuple[MoveReport, ...] = ()
    """The moves at the root, best first."""
    backend: str = ""
    """What the searched game ran on (`Game.backend`): ``interpreter`` until the compiled game arrives."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Whatever else the player wants to be recorded; JSON values only."""

    @property
    def rate(self) -> float:
        """Iterations per second; 0 if no time was measured."""
        return self.iterations / self.seconds if self.seconds > 0 else 0.0

    def as_json(self) -> dict[str, Any]:
        """The thinking as JSON values, without what is empty."""
        found: dict[str, Any] = {
            "note": self.note,
            "iterations": self.iterations,
            "seconds": round(self.seconds, 4),
            "rate": round(self.rate),
            "nodes": self.nodes,
            "depth": self.depth,
            "line": list(map(str, self.line)),
            "moves": [report.as_json() for report in self.moves],
            "backend": self.backend,
            "extra": dict(self.extra),
        }
        value = {} if self.value is None else {"value": _round(self.value)}
        return {key: part for key, part in found.items() if part} | value

    def __str__(self) -> str:
        if self.note:
            return self.note
        parts = [
            f"expects {self.value:.0f}" if self.value is not None else "",
            f"{self.iterations:,} iterations" if self.iterations else "",
            f"{self.rate:,.0f}/s" if self.rate else "",
            f"tree {self.nodes:,}" if self.nodes else "",
            f"depth {self.depth}" if self.depth else "",
            " ".join(self.line[:6]),
        ]
        return ", ".join(filter(None, parts))


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 2)

"""The ``info`` lines of UCI, to and from a player's `Thinking`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ludens.core import BEST_GOAL, Move, Role, Thinking
from ludens.gdl.game import GdlGame
from ludens.protocols.program_player import WAITING
from ludens.protocols.uci.squares import uci_move

SCALE = 400.0
"""Centipawns that make a win ten times as likely as a loss, as in Elo's formula."""
MOST_CENTIPAWNS = 10_000
MOST_LINE = 64
"""The maximum number of moves of a line."""


@dataclass(frozen=True, slots=True)
class Info:
    """The last figures of a program's search."""

    depth: int = 0
    nodes: int = 0
    milliseconds: int = 0
    value: float | None = None
    """The expected goal, 0 to 100."""
    line: tuple[str, ...] = ()
    """The expected moves, in UCI's notation."""

    def update(self, words: Sequence[str]) -> Info:
        """The figures updated by a line; invalid values are ignored."""
        found = dict(pairwise(words))
        line = tuple(words[words.index("pv") + 1 :][:MOST_LINE]) if "pv" in words else self.line
        return replace(
            self,
            depth=_number(found.get("depth"), self.depth),
            nodes=_number(found.get("nodes"), self.nodes),
            milliseconds=_number(found.get("time"), self.milliseconds),
            value=_value(words, self.value),
            line=line,
        )

    def thinking(self) -> Thinking:
        """The same for records and spectators."""
        extra = {"pv": " ".join(self.line)} if self.line else {}
        return Thinking(
            iterations=self.nodes,
            seconds=self.milliseconds / 1000,
            nodes=self.nodes,
            depth=self.depth,
            value=self.value,
            extra=extra,
        )


def info_line(game: GdlGame, role: Role, thinking: Thinking) -> str:
    """The state of a search, as a line of UCI."""
    words = ["info"]
    if thinking.depth:
        words += ["depth", str(thinking.depth)]
    if thinking.value is not None:
        words += ["score", "cp", str(centipawns(thinking.value))]
    words += ["nodes", str(thinking.iterations), "nps", str(round(thinking.rate))]
    words += ["time", str(round(1000 * thinking.seconds))]
    line = _line(game, role, thinking.line)
    return " ".join([*words, "pv", *line] if line else words)


def centipawns(value: float) -> int:
    """An expected goal, 0 to 100, as a UCI score."""
    share = min(max(value / BEST_GOAL, 1e-9), 1 - 1e-9)
    return max(-MOST_CENTIPAWNS, min(MOST_CENTIPAWNS, round(SCALE * math.log10(share / (1 - share)))))


def _line(game: GdlGame, role: Role, moves: Sequence[Move]) -> list[str]:
    """Moves of both players in turn."""
    movers = (role, next(other for other in game.roles if other != role))
    made = [move for move in moves if move != WAITING][:MOST_LINE]
    return [uci_move(game, movers[number % 2], move) for number, move in enumerate(made)]


def _number(text: str | None, default: int) -> int:
    return int(text) if text is not None and text.isdecimal() and len(text) < 19 else default


def _value(words: Sequence[str], default: float | None) -> float | None:
    """The goal that ``score cp 30`` or ``score mate -3`` predicts."""
    if "score" not in words:
        return default
    kind, text, *_ = [*words[words.index("score") + 1 :], "", ""]
    try:
        score = int(text[:9])
    except ValueError:
        return default
    if kind == "mate":
        return float(BEST_GOAL) if score > 0 else 0.0
    bounded = max(-MOST_CENTIPAWNS, min(MOST_CENTIPAWNS, score))
    return BEST_GOAL / (1 + 10 ** (-bounded / SCALE)) if kind == "cp" else default

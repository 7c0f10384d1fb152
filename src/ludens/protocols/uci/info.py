"""The ``info`` lines of UCI, to and from a player's `Thinking`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ludens.core import BEST_GOAL, Move, State, Thinking
from ludens.gdl.game import GdlGame
from ludens.protocols.lent_player import Line
from ludens.protocols.program_player import WAITING
from ludens.protocols.uci.limits import moves_to_mate, nodes_of
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


def info_lines(state: State, thinking: Thinking, count: int = 1) -> list[str]:
    """The state of a search, as lines of UCI: one for each of the best moves, ``count`` of them."""
    shown = thinking.moves[:count]
    if len(shown) < 2:
        return [_info_line(state, thinking, thinking.depth, thinking.value, thinking.line)]
    return [
        _info_line(state, thinking, len(found.line) or 1, found.value, found.line or (found.move,), number)
        for number, found in enumerate(shown, start=1)
    ]


def _info_line(
    state: State,
    thinking: Thinking,
    depth: int,
    value: float | None,
    line: Sequence[Move],
    number: int = 0,
) -> str:
    words = ["info"]
    if depth:
        deepest = thinking.extra.get("deepest", 0)
        words += ["depth", str(depth), "seldepth", str(max(depth, deepest if isinstance(deepest, int) else 0))]
    if number:
        words += ["multipv", str(number)]
    mate = moves_to_mate(thinking, max(0, number - 1))
    if mate is not None:
        words += ["score", "mate", str(mate)]
    elif value is not None:
        words += ["score", "cp", str(centipawns(value))]
    nodes = nodes_of(thinking)
    words += ["nodes", str(nodes), "nps", str(round(nodes / thinking.seconds) if thinking.seconds > 0 else 0)]
    fill = thinking.extra.get("fill")
    if isinstance(fill, float):
        words += ["hashfull", str(round(1000 * fill))]
    words += ["time", str(round(1000 * thinking.seconds))]
    shown = line_in_uci(state, line)
    return " ".join([*words, "pv", *shown] if shown else words)


def centipawns(value: float) -> int:
    """An expected goal, 0 to 100, as a UCI score."""
    share = min(max(value / BEST_GOAL, 1e-9), 1 - 1e-9)
    return max(-MOST_CENTIPAWNS, min(MOST_CENTIPAWNS, round(SCALE * math.log10(share / (1 - share)))))


def line_in_uci(state: State, moves: Sequence[Move]) -> list[str]:
    """The moves of both players in turn, as far as they can be played; forced moves may be left out of a line."""
    line = Line((state,))
    wanted = [move for move in moves if move != WAITING][:MOST_LINE]
    found: list[str] = []
    while (wanted or found) and (role := line.mover) is not None and len(found) < MOST_LINE:
        legal = line.state.legal_moves(role)
        if wanted and wanted[0] in legal:
            move = wanted.pop(0)
        elif wanted and len(legal) == 1:
            move = legal[0]
        else:
            break
        found.append(uci_move(_chess(state), role, move))
        line = line.play(role, move)
    return found


def _chess(state: State) -> GdlGame:
    assert isinstance(state.game, GdlGame)
    return state.game


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

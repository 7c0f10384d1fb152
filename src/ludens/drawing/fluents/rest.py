"""Fluents of words and numbers: scores, counters, and everything that no other part draws."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ludens.drawing.fluents.known import Known, Situation, readable_name
from ludens.drawing.model import Facts, Panel, Piece, Row, Scores
from ludens.drawing.palette import NAMED
from ludens.gdl.logic.strata import Signature


class ScoresPart:
    """Numbers of each role, ``(points left 8)``, as one table."""

    def __init__(self, known: Known, signs: Sequence[Signature]) -> None:
        self._known = known
        self._signs = signs
        self.fluents = frozenset(signs)

    def panels(self, now: Situation) -> list[Panel]:
        """A column for each role."""
        rows = []
        for sign in self._signs:
            values: dict[str, list[str]] = defaultdict(list)
            for role, *words in now.words(sign):
                values[role].append(" ".join(words))
            if values:
                rows.append(
                    (readable_name(sign[0]), tuple(", ".join(shorten(values[role], 8)) for role in self._known.roles))
                )
        if not rows:
            return []
        colours = tuple(self._known.namer.colours[role] for role in self._known.roles)
        return [Scores(self._known.roles, tuple(rows), colours)]

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """Numbers are not clicked."""
        return ()


class RestPart:
    """The remaining fluents, a line for each."""

    def __init__(self, signs: Sequence[Signature]) -> None:
        self.fluents = frozenset(signs)

    def panels(self, now: Situation) -> list[Panel]:
        """Lines of words."""
        lines = []
        for sign in sorted(self.fluents & set(now.certain)):
            values = shorten([" ".join(words) for words in now.words(sign)])
            lines.append(f"{readable_name(sign[0])}: {', '.join(values)}" if any(values) else readable_name(sign[0]))
        return [Facts("", tuple(shorten(lines)))] if lines else []

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """Words are not clicked."""
        return ()


def shorten(texts: Sequence[str], most: int = 40) -> list[str]:
    """The texts, truncated if there are many."""
    return list(texts) if len(texts) <= most else [*texts[:most], f"and {len(texts) - most} more"]


def percept_lines(history: Sequence[tuple[str, tuple[str, ...]]], most: int = 10) -> list[str]:
    """A role's last moves with their percepts, as lines."""
    lines = [
        f"{move or 'waiting'}: {', '.join(percepts) if percepts else 'no percept'}"
        for move, percepts in history
        if percepts or move not in ("noop", "")
    ]
    return [line.replace("(", "").replace(")", "") for line in lines[-most:]]


def code_guesses(history: Sequence[tuple[str, tuple[str, ...]]]) -> list[Row]:
    """Guessed rows of colours with their percepts, as in Mastermind; empty for other moves."""
    guesses = [(move.strip("()").split()[1:], percepts) for move, percepts in history if move.startswith("(")]
    if not guesses or not all(words and set(words) <= NAMED for words, _ in guesses):
        return []
    return [
        Row(
            f"guess {n}",
            " ".join(percepts).replace("(", "").replace(")", ""),
            tuple(Piece(f"{word} peg", "peg", word) for word in words),
            "pieces",
        )
        for n, (words, percepts) in enumerate(guesses, start=1)
    ]

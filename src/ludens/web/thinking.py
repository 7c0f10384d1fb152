"""The state of a search as JSON for the browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludens.core import Move, Role, Thinking

_SHOWN_MOVES = 12
"""The number of moves of a search that are sent."""
LINE = 8
"""The number of moves of a line that are sent."""


def thinking_as_json(
    role: Role, thinking: Thinking, line: Sequence[str], texts: Mapping[Move, str], spots: Mapping[Move, Sequence[str]]
) -> dict[str, Any]:
    """What a search thinks; ``line`` and ``texts`` are moves as people write them, ``spots`` where they are clicked."""
    return {
        "role": role,
        "value": thinking.value,
        "rate": round(thinking.rate),
        "iterations": thinking.iterations,
        "depth": thinking.depth,
        "line": line,
        "moves": [
            {
                "label": texts.get(report.move, report.move),
                "value": report.value,
                "visits": report.visits,
                "proven": report.proven,
                "spot": (spots.get(report.move) or ("",))[-1],
            }
            for report in thinking.moves[:_SHOWN_MOVES]
        ],
    }

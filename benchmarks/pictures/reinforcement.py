"""The learning curve of docs/reinforcement.md, by running the page: python -m benchmarks.pictures.reinforcement.

It is no picture among the others, since the sums of matrix products, and so the curve, differ between processors.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from benchmarks.pictures.canvas import FIRST, LINE, PALE, Canvas

PAGE = Path(__file__).parents[2] / "docs" / "reinforcement.md"


def learning_curve(rewards: list[float]) -> Canvas:
    """Mean rewards by episode."""
    canvas = Canvas(640, 250, "The share of points against a random opponent, episode by episode")
    left, right, top, bottom = 50.0, 620.0, 20.0, 210.0
    low, high = 0.5, 1.0

    def point(episode: int, reward: float) -> tuple[float, float]:
        x = left + (right - left) * episode / (len(rewards) - 1)
        return x, bottom - (bottom - top) * (reward - low) / (high - low)

    for percent in range(50, 101, 10):
        y = point(0, percent / 100)[1]
        canvas.line(left, y, right, y, stroke=LINE, width=0.5)
        canvas.text(left - 6, y + 4, f"{percent} %", anchor="end", fill=PALE)
    for start in range(len(rewards) - 1):
        canvas.line(*point(start, rewards[start]), *point(start + 1, rewards[start + 1]), stroke=FIRST, width=2)
    for episode in (0, len(rewards) // 2, len(rewards)):
        canvas.text(
            left + (right - left) * episode / len(rewards), 230, f"{512 * episode:,}", anchor="middle", fill=PALE
        )
    canvas.text((left + right) / 2, 246, "matches", anchor="middle", fill=PALE)
    return canvas


if __name__ == "__main__":
    names: dict[str, Any] = {}
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    for block in blocks[:3]:
        exec(compile(block, str(PAGE), "exec"), names)
    learning_curve(names["curve"]).write(PAGE.with_suffix(".svg"))

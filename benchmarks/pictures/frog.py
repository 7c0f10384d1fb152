"""The game of docs/write-gdl.md after a few hops, by the page's rules and card: python -m benchmarks.pictures.frog.

It is no picture among the others, which have to be as they would be drawn today: drawings change their looks.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from unittest import mock

import ludens
from ludens.drawing import draw

PAGE = Path(__file__).parents[2] / "docs" / "write-gdl.md"
HOPS = ("(hop 1 1)", "(hop 1 2)", "(hop 2 3)")


def frog() -> str:
    """The drawing as SVG."""
    page = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as home, mock.patch.dict(os.environ, LUDENS_HOME=home):
        library = Path(home) / "games"
        library.mkdir()
        for name in ("frog.kif", "frog.toml"):
            blocks = re.findall(rf'^```\w+ title="{name}"\n(.*?)^```', page, re.MULTILINE | re.DOTALL)
            (library / name).write_text("".join(blocks), encoding="utf-8")
        game = ludens.load("frog", backend="reference")
        state = game.initial_state()
        for hop in HOPS:
            state = state.play({role: hop if hop in state.legal_moves(role) else "noop" for role in game.roles})
        return draw(game, state, last=HOPS[-1:], clickable=False).svg


if __name__ == "__main__":
    PAGE.with_name("frog.svg").write_text(frog(), encoding="utf-8")

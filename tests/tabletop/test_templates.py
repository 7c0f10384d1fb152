"""The templates of new games are complete games, and their own tests pass."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from ludens.core import GameError
from ludens.tabletop.template import KINDS, new_game


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_game_of_each_kind_passes_its_own_tests(kind: str, tmp_path: Path) -> None:
    path = new_game(f"My {kind} game", tmp_path, kind)

    tests = runpy.run_path(str(tmp_path / "tests" / f"test_{path.name}"))
    run = [name for name in tests if name.startswith("test_")]
    for name in run:
        tests[name]()

    assert len(run) == 2
    text = path.read_text()
    assert not any(word in text for word in ("TITLE", "FILE", "CLASS"))


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="board, cards, dice, race, cooperative"):
        new_game("Mine", tmp_path, "chess")
    assert not list(tmp_path.iterdir())

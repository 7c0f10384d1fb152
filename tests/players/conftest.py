"""What tests of players share."""

from __future__ import annotations

import pytest

from ludens.players.packed import self_play


@pytest.fixture(autouse=True)
def _short_self_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learn evaluations from fewer matches: in full length, each game costs some CPU seconds."""
    monkeypatch.setattr(self_play, "FIRST_CHILDREN", 20_000)
    monkeypatch.setattr(self_play, "MOST_CHILDREN", 100_000)

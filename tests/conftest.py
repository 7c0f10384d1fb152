"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep tests out of the user's library and records."""
    monkeypatch.setenv("LUDENS_HOME", str(tmp_path / "ludens-home"))

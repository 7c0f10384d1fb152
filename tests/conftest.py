"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.ray_nodes import two_nodes

# The machine code of the native search takes half a minute to make: once for a checkout, not once for each process.
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "numba"))

settings.register_profile("ludens", deadline=None)  # on a busy machine time says nothing about the code
settings.load_profile("ludens")


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep tests out of the user's library and records."""
    monkeypatch.setenv("LUDENS_HOME", str(tmp_path / "ludens-home"))


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A Ray cluster of two nodes."""
    with two_nodes(monkeypatch) as cluster:
        yield cluster

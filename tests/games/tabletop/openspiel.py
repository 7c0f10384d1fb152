"""OpenSpiel as an independent implementation; tests that need it are skipped where it is not installed."""

from __future__ import annotations

from typing import Any

import pytest

FEW, MANY = 50, 1000
"""Matches that are played side by side: always, and in slow tests."""
COUNTS = [FEW, pytest.param(MANY, marks=pytest.mark.slow)]


def open_spiel() -> Any:
    """The module, or a skipped test."""
    return pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install ludens[openspiel])")

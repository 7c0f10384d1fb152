"""OpenSpiel as an independent implementation."""

from __future__ import annotations

from typing import Any

import pytest

from tests.peers import optional_module

FEW, MANY = 50, 1000
"""Matches that are played side by side: always, and in slow tests."""
COUNTS = [FEW, pytest.param(MANY, marks=pytest.mark.slow)]


def open_spiel() -> Any:
    """The module."""
    return optional_module("pyspiel")

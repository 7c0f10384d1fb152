"""Small games on the reference reasoner and on the interpreter, for the tests of both."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ludens.gdl.interpreter.game import InterpretedGame
from ludens.gdl.read import read_rules
from ludens.gdl.reference import Budget, ReferenceGame

REASONERS: tuple[type[ReferenceGame], ...] = (ReferenceGame, InterpretedGame)
_chosen: type[ReferenceGame] = ReferenceGame


@contextmanager
def on_reasoner(kind: type[ReferenceGame]) -> Iterator[None]:
    """Load games on a reasoner for a while."""
    global _chosen  # noqa: PLW0603 - so that tests need not pass it through all helpers
    before, _chosen = _chosen, kind
    try:
        yield
    finally:
        _chosen = before


BOTTOM_UP = Budget(bottom_up=1_000_000)
ON_DEMAND = Budget(bottom_up=0)
WAYS = pytest.mark.parametrize("way", [Budget(), BOTTOM_UP, ON_DEMAND], ids=["mixed", "bottom-up", "on-demand"])
"""Small programs must mean the same whichever way they are derived."""


def load(text: str, budget: Budget | None = None) -> ReferenceGame:
    return _chosen(read_rules(text), "test game", budget)


def legal(text: str, budget: Budget | None = None) -> list[str]:
    """The legal moves of role r at the start of a game."""
    return list(load("(role r) " + text, budget).initial_state().legal_moves("r"))


def in_a_process_of_its_own(code: str) -> str:
    """What code prints; rules that hang or crash the reasoner fail the test instead of the test run."""
    prelude = (
        "from ludens.core import GameError\n"
        "from ludens.gdl.read import read_rules\n"
        "from ludens.gdl.reference import Budget\n"
        f"from {_chosen.__module__} import {_chosen.__name__} as Game\n"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", prelude + code], capture_output=True, text=True, timeout=120, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.fail("the reasoner does not keep to its budget of time")
    assert done.returncode == 0, done.stderr[-1500:]
    return done.stdout.strip()

"""Compares generated C++ with the reference reasoner, state by state."""

from __future__ import annotations

from random import Random

from ludens.compiler.cxx import build
from ludens.compiler.cxx.state import CxxGame
from ludens.core import random_joint_move
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.rules import RuleSheet

QUICK_FLAGS = tuple("-O0" if flag == "-O1" else flag for flag in build.FLAGS)
"""For tests of what code means, not how fast it is."""


def assert_agrees(sheet: RuleSheet, *, walks: int = 2, steps: int = 12) -> CxxGame:
    """Walk at random through both games, and compare everything there is to see."""
    game, reference = CxxGame(sheet), ReferenceGame(sheet)
    assert game.roles == reference.roles
    for seed in range(walks):
        rng = Random(seed)
        state, expected = game.initial_state(), reference.initial_state()
        for _ in range(steps):
            assert state.facts == expected.facts
            assert state.is_terminal == expected.is_terminal
            for role in game.roles:
                assert state.legal_moves(role) == expected.legal_moves(role)
                assert list(state.goal_values(role)) == list(expected.goal_values(role))
            joint_move = random_joint_move(expected, rng)
            if expected.is_terminal or len(joint_move) < len(game.roles):
                break
            assert game.state(expected.facts) == state
            state, expected = state.play(joint_move), expected.play(joint_move)
    return game

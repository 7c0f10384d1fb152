"""OpenSpiel's games as an independent opinion: random games played on both sides, every state compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import ludens
from ludens.core import State
from tests.peers import optional_module

pyspiel = optional_module("pyspiel")

Theirs = Any
"""A state of OpenSpiel's, which has no types."""
Moves = dict[str, tuple[int, ...]]
"""Moves in our words, and the actions of theirs that one of them is."""


@dataclass(frozen=True)
class Peer:
    """A game that both have, and how their actions are called here."""

    ours: str
    theirs: str
    moves: Callable[[Theirs], Moves]
    goals: Callable[[Theirs, Mapping[str, int]], Mapping[str, int]] | None = None
    """Their result in our goals, where it is not that more than nothing is 100; may look at ours."""
    repetition: bool = False
    """True if they draw a game when positions come again, which our rules do not know."""
    games: int = 1000
    """How many are compared in the slow tests; games of which there are fewer take too long for the others."""


def by_name(pattern: str, ours: str, **words: Callable[[str], str]) -> Callable[[Theirs], Moves]:
    """Moves named after theirs: what the pattern finds in the text of an action, put into our text.

    Each word of ``words`` names a group of the pattern and says what becomes of it.
    """
    compiled = re.compile(pattern)

    def moves(state: Theirs) -> Moves:
        found: Moves = {}
        for action in state.legal_actions():
            text = state.action_to_string(state.current_player(), action)
            match = compiled.fullmatch(text)
            assert match is not None, f"cannot read {text!r}"
            values = {name: words.get(name, str)(value) for name, value in match.groupdict().items()}
            found[ours.format(**values)] = (action,)
        return found

    return moves


def column(letter: str) -> str:
    """The number of a column that they give a letter."""
    return str("abcdefghijklmnopqrstuvwxyz".index(letter) + 1)


def results(theirs: Theirs, roles: Sequence[str]) -> dict[str, int]:
    """Their result as goals: won, drawn or lost."""
    returns = dict(zip(roles, theirs.returns(), strict=True))
    return {role: 50 if value == 0 else 100 if value > 0 else 0 for role, value in returns.items()}


def compare(peer: Peer, games: int, seed: int = 0) -> int:
    """Play random games on both sides and assert that they agree; returns the number of states."""
    ours = ludens.load(peer.ours, wait=True)
    theirs = pyspiel.load_game(peer.theirs)
    states = 0
    for number in range(games):
        rng = Random(f"{peer.ours}/{seed}/{number}")
        states += _compare_game(peer, ours.initial_state(), theirs.new_initial_state(), rng)
    return states


def _compare_game(peer: Peer, state: State, theirs: Theirs, rng: Random) -> int:
    roles = state.game.roles
    states = 1
    while not theirs.is_terminal():
        assert not state.is_terminal, f"only ours is over:\n{theirs}"
        role = roles[theirs.current_player()]
        moves = peer.moves(theirs)
        assert set(state.legal_moves(role)) == set(moves), f"{role}'s moves differ in\n{theirs}"
        move = rng.choice(sorted(moves))
        for action in moves[move]:
            theirs.apply_action(action)
        state = state.play({other: move if other == role else state.legal_moves(other)[0] for other in roles})
        states += 1
    if peer.repetition and not state.is_terminal and not any(theirs.returns()):
        return states
    assert state.is_terminal, f"only theirs is over:\n{theirs}"
    expected = peer.goals(theirs, state.goals) if peer.goals else results(theirs, roles)
    assert dict(state.goals) == dict(expected), f"the results differ in\n{theirs}"
    return states

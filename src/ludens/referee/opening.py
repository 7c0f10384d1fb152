"""The opening of a match: what happens before anybody has a choice."""

from __future__ import annotations

from ludens.core import Game, State
from ludens.referee.draws import resolve_chance

_MOST_TURNS = 20
"""Turns without a choice, of chance mostly, that are played to see who begins."""


def first_choice(game: Game, seed: int) -> State:
    """The first position of a match with a choice, after cards are dealt and dice are rolled; or just the first.

    The same seed deals and rolls the same as in the match.
    """
    state = game.initial_state()
    for turn in range(1, _MOST_TURNS + 1):
        legal = {role: moves for role in game.roles if not state.is_terminal and (moves := state.legal_moves(role))}
        if not legal:
            break
        if state.is_race or any(len(moves) > 1 for moves in legal.values()):
            return state
        chosen = {role: moves[0] for role, moves in legal.items()}
        state = state.play(resolve_chance(seed, turn, state, chosen))
    return game.initial_state()

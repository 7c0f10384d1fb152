"""Whether a kind of move strictly dominates all others, proved by backward induction."""

from __future__ import annotations

from itertools import product

from ludens.core import Game, Move, Role, State
from ludens.design.move_words import kind_of

MOST_STATES = 20_000
Goals = dict[Role, float]


class _NotProvedError(Exception):
    """Some position has no such move, or there are too many positions."""


def strictly_dominates(game: Game, kind: str) -> bool:
    """Whether in every position each role with a choice has a move of this kind that is better for it than any other,
    whatever the other roles do now, if everybody goes on like that. Without chance and hidden information."""
    if game.chance or game.hidden:
        return False
    known: dict[State, Goals] = {}
    try:
        _goals(game.initial_state(), kind, known)
    except _NotProvedError:
        return False
    return True


def _goals(state: State, kind: str, known: dict[State, Goals]) -> Goals:
    """What all get if everybody plays the dominant move from here on."""
    if state.is_terminal:
        return {role: float(goal) for role, goal in state.goals.items()}
    if state not in known:
        if len(known) >= MOST_STATES:
            raise _NotProvedError
        known[state] = _best(state, kind, known)
    return known[state]


def _best(state: State, kind: str, known: dict[State, Goals]) -> Goals:
    roles = [role for role in state.game.roles if state.legal_moves(role)]
    table = {
        joint: _goals(state.play(dict(zip(roles, joint, strict=True))), kind, known)
        for joint in product(*(state.legal_moves(role) for role in roles))
    }
    best = tuple(_dominant(state, number, role, table, kind) for number, role in enumerate(roles))
    return table[best]


def _dominant(state: State, number: int, role: Role, table: dict[tuple[Move, ...], Goals], kind: str) -> Move:
    moves = state.legal_moves(role)
    for move in moves:
        worse = [(joint, (*joint[:number], move, *joint[number + 1 :])) for joint in table if joint[number] != move]
        if all(table[joint][role] < table[better][role] for joint, better in worse):
            if len(moves) > 1 and kind_of(move) != kind:
                break
            return move
    raise _NotProvedError

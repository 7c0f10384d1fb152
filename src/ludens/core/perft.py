"""Perft: how many lines of play of a given length there are, the usual check that rules are right."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ludens.core.game import Move, State, joint_moves

MidTurn = Callable[[State], bool]


def perft(state: State, plies: int, is_mid_turn: MidTurn | None = None) -> int:
    """Count the lines of exactly ``plies`` plies from a state; lines that end earlier do not count.

    A ply is a joint move. Two kinds of joint moves are not plies of their own: those in which all can only wait (the
    one legal move of every role is the same bare word, such as ``noop``), and those that begin in a state that
    ``is_mid_turn`` says is inside a turn, such as the second jump of a capture in draughts.
    """
    mid_turn = is_mid_turn is not None and is_mid_turn(state)
    if plies == 0 and not mid_turn:
        return 1
    if state.is_terminal:
        return 0
    legal = [moves for role in state.game.roles if (moves := state.legal_moves(role))]
    own_ply = not (mid_turn or _all_wait(legal))
    if own_ply and plies == 1 and is_mid_turn is None:
        return math.prod(map(len, legal))
    left = plies - 1 if own_ply else plies
    return sum(perft(state.play(move), left, is_mid_turn) for move in joint_moves(state))


def divide(state: State, plies: int, is_mid_turn: MidTurn | None = None) -> dict[tuple[Move, ...], int]:
    """The perft count behind each first joint move, which is taken as a ply."""
    return {tuple(move.values()): perft(state.play(move), plies - 1, is_mid_turn) for move in joint_moves(state)}


def _all_wait(legal: Sequence[Sequence[Move]]) -> bool:
    only = {moves[0] for moves in legal if len(moves) == 1}
    return len(only) == 1 and all(len(moves) == 1 for moves in legal) and not only.pop().startswith("(")

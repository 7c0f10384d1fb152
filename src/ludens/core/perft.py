"""Perft: counts the lines of play of a given length, the usual check that rules are right."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ludens.core.errors import GameError
from ludens.core.game import JointMove, Move, State, joint_moves

MidTurn = Callable[[State], bool]
MAX_WAITS = 10_000
"""How many joint moves in a row may consist of waiting; beyond that the game counts as waiting for ever."""


def perft(state: State, plies: int, is_mid_turn: MidTurn | None = None) -> int:
    """Count the lines of exactly ``plies`` plies from a state; lines that end earlier do not count.

    A ply is a joint move. Two kinds of joint moves are not plies of their own: those in which all can only wait (the
    one legal move of every role is the same bare word, such as ``noop``), and those that begin in a state that
    ``is_mid_turn`` says is inside a turn, such as the second jump of a capture in draughts. A forced move is a ply, as
    in the published counts of chess and draughts. Raises `GameError` if all wait for ever.
    """
    for _ in range(MAX_WAITS + 1):
        mid_turn = is_mid_turn is not None and is_mid_turn(state)
        if plies == 0 and not mid_turn:
            return 1
        legal = [moves for role in state.game.roles if (moves := state.legal_moves(role))]
        if state.is_terminal or not legal:
            return 0
        if not _all_wait(legal):
            break
        outcomes = state.chance_outcomes(next(joint_moves(state)))
        if len(outcomes) > 1:
            break
        state = state.play(outcomes[0].joint_move)
    else:
        raise GameError(f"{state.game.name}: all have only waited for {MAX_WAITS:,} moves; lines cannot be counted")
    if plies == 1 and is_mid_turn is None and state.game.deterministic:
        return math.prod(map(len, legal))
    left = plies if mid_turn else plies - 1
    return sum(_count_after(state, move, left, is_mid_turn) for move in joint_moves(state))


def divide(state: State, plies: int, is_mid_turn: MidTurn | None = None) -> dict[tuple[Move, ...], int]:
    """The perft count after each first joint move, which counts as a ply."""
    return {tuple(move.values()): _count_after(state, move, plies - 1, is_mid_turn) for move in joint_moves(state)}


def _count_after(state: State, joint_move: JointMove, plies: int, is_mid_turn: MidTurn | None) -> int:
    """The count after a joint move; each outcome of chance is a separate line."""
    outcomes = state.chance_outcomes(joint_move)
    return sum(perft(state.play(outcome.joint_move), plies, is_mid_turn) for outcome in outcomes)


def _all_wait(legal: Sequence[Sequence[Move]]) -> bool:
    only = {moves[0] for moves in legal if len(moves) == 1}
    return len(only) == 1 and all(len(moves) == 1 for moves in legal) and not only.pop().startswith("(")

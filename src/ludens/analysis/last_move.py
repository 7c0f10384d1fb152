"""Impartial games in one piece: proved by induction over the circuit, since there are too many positions to list.

The counterpart of `ludens.analysis.impartial` for games that fall into parts during play only. Proved are the same
facts: two roles alternate and have the same moves, nobody can pass or is stuck, the game is over exactly when the role
to move has no move, and the goals then depend only on who moved last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from ludens.analysis.budget import Pulse
from ludens.analysis.gates.supports import Bits, bits_of, members
from ludens.analysis.impartial import Convention
from ludens.analysis.subgames.steps import DIFFERENT_MOVES, Alternation, SharedSteps, find_alternation, find_steps
from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.translate import Translation
from ludens.compiler.circuit.turns import turn_order
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import State, random_joint_move

MATCHES = 4
"""Random matches that may refute the claim before its proof is tried."""


@dataclass(frozen=True)
class LastMoveGame:
    """A game that is proved to be impartial, with its moves as steps."""

    order: Alternation
    rules: SharedSteps
    convention: Convention
    winner: int
    """The winner's goal."""
    loser: int
    """The loser's goal."""


@dataclass(frozen=True)
class _Ending:
    """The end of a random match."""

    fluents: Bits
    to_move: int
    """The goal of the role that would move."""
    moved: int
    """The goal of the other role."""


def find_last_move(game: CircuitRules, pulse: Pulse) -> LastMoveGame | str:
    """The proof that a game is impartial, or why there is none. Raises `TooEntangledError` and `OutOfTimeError`."""
    order = find_alternation(game.circuit, pulse)
    if isinstance(order, str):
        return order
    rng = Random(1)
    endings = []
    for _ in range(MATCHES):
        pulse()
        found = _play(game, order, rng)
        if isinstance(found, str):
            return found
        endings.append(found)
    outcomes = {(ending.to_move, ending.moved) for ending in endings}
    if len(outcomes) > 1 or len(set(*outcomes)) == 1:
        return "goals do not depend on who moved last"
    rules = find_steps(game.circuit, order, pulse)
    if isinstance(rules, str):
        return rules
    if any(step.is_legal(ending.fluents) for step in rules.steps for ending in endings):
        return "the game can end while moves are left"
    if len(turn_order(game.circuit)) % len(order.phases):
        return "the turn order was not found"
    ((to_move, moved),) = outcomes

    def violation(turn: int, copy: Translation) -> int:
        return _counterexample(game.circuit, copy, _seats(order, turn), (to_move, moved))

    proved = game.is_never(violation)
    pulse()
    if not proved:
        return "it was not proved that the last move decides"
    convention = Convention.NORMAL if moved > to_move else Convention.MISERE
    return LastMoveGame(order, rules, convention, max(to_move, moved), min(to_move, moved))


def _seats(order: Alternation, turn: int) -> tuple[int, int]:
    """The role that moves in a turn, counted from 0, and the other one."""
    mover = order.movers[order.clock.phase(turn % 2)]
    return mover, 1 - mover


def _play(game: CircuitRules, order: Alternation, rng: Random) -> _Ending | str:
    """A random match to its end, or what it met that no impartial game has."""
    state: State = game.initial_state()
    turn = 0
    while not state.is_terminal:
        mover, other = (game.roles[role] for role in _seats(order, turn))
        if not all(state.legal_moves(role) for role in game.roles):
            return "a role can be stuck"
        swapped = _at_turn(game, order, state, turn + 1)
        if len(swapped.legal_moves(other)) != len(state.legal_moves(mover)):
            return DIFFERENT_MOVES
        state = state.play(random_joint_move(state, rng))
        turn += 1
    fluents = bits_of(np.flatnonzero(game.bits_of(state)).tolist()) & ~order.clock.fluents
    to_move, moved = (state.goals[game.roles[role]] for role in _seats(order, turn))
    return _Ending(fluents, to_move, moved)


def _at_turn(game: CircuitRules, order: Alternation, state: State, turn: int) -> State:
    """The same position in another turn."""
    clock = order.clock
    bits = game.bits_of(state).copy()
    for n in members(clock.kept):
        bits[n] = bool(clock.ticks[turn % 2] >> n & 1)
    return game.state_of(bits)


def _counterexample(circuit: Circuit, copy: Translation, seats: tuple[int, int], values: tuple[int, int]) -> int:
    """The literal that something of the claim is false, for the role to move and the other one."""
    mover, other = seats
    gates = copy.gates

    def legal(role: int) -> Sequence[int]:
        return copy.literals(literal for _, _, literal in circuit.moves[role])

    over = copy.literal(circuit.terminal)
    wrong = [gates.differ(over, gates.any_of(legal(mover)) ^ 1), gates.both(over ^ 1, gates.any_of(legal(other)) ^ 1)]
    for role, value in zip(seats, values, strict=True):
        for goal in circuit.goals:
            if goal.role == role:
                holds = copy.literal(goal.literal)
                wrong.append(gates.both(over, holds ^ (goal.value == value)))
    return gates.any_of(wrong)

"""Impartial games in one piece: proved by induction over the circuit, since there are too many positions to list.

The counterpart of `ludens.analysis.impartial` for games that fall into parts during play only. Proved are the same
facts: two roles alternate and have the same moves, nobody can pass or is stuck, the game is over exactly when the role
to move has no move, and the goals then depend only on who moved last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from ludens.analysis.budget import Pulse
from ludens.analysis.gates.supports import Bits, members
from ludens.analysis.impartial import Convention
from ludens.analysis.subgames.steps import AlternatingSteps, find_steps
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

    rules: AlternatingSteps
    convention: Convention
    winner: int
    """The winner's goal."""
    loser: int
    """The loser's goal."""


def find_last_move(game: CircuitRules, pulse: Pulse) -> LastMoveGame | str:
    """The proof that a game is impartial, or why there is none. Raises `TooEntangledError` and `OutOfTimeError`."""
    rules = find_steps(game.circuit, pulse)
    if isinstance(rules, str):
        return rules
    rng = Random(1)
    outcomes = set()
    for _ in range(MATCHES):
        pulse()
        found = _play(game, rules, rng)
        if found is None:
            return "the game can end while moves are left, or go on without moves"
        outcomes.add(found)
    if len(outcomes) > 1 or len(set(*outcomes)) == 1:
        return "goals do not depend on who moved last"
    ((to_move, moved),) = outcomes
    pulse()
    if len(turn_order(game.circuit)) % len(rules.phases):
        return "the turn order was not found"

    def violation(turn: int, copy: Translation) -> int:
        return _counterexample(game.circuit, copy, _seats(rules, turn), (to_move, moved))

    proved = game.is_never(violation)
    pulse()
    if not proved:
        return "it was not proved that the last move decides"
    convention = Convention.NORMAL if moved > to_move else Convention.MISERE
    return LastMoveGame(rules, convention, max(to_move, moved), min(to_move, moved))


def _seats(rules: AlternatingSteps, turn: int) -> tuple[int, int]:
    """The role that moves in a turn, counted from 0, and the other one."""
    mover = rules.movers[rules.clock.phase(turn % 2)]
    return mover, 1 - mover


def _play(game: CircuitRules, rules: AlternatingSteps, rng: Random) -> tuple[int, int] | None:
    """The goals after a random match of the role to move and of the other; None if that role still has moves, or one
    is stuck."""
    state: State = game.initial_state()
    turn = 0
    while not state.is_terminal:
        if not all(state.legal_moves(role) for role in game.roles):
            return None
        state = state.play(random_joint_move(state, rng))
        turn += 1
    seats = _seats(rules, turn)
    bits = game.bits_of(state)
    now: Bits = sum(1 << n for n in members(~rules.clock.fluents & ((1 << len(bits)) - 1)) if bits[n])
    if any(step.is_legal(now) for step in rules.steps):
        return None
    mover, other = (state.goals[game.roles[role]] for role in seats)
    return mover, other


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

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
from ludens.compiler.batch.facts.effort import Effort
from ludens.compiler.batch.facts.proofs import Phase, Prover
from ludens.compiler.batch.facts.sampling import LanePlay
from ludens.compiler.batch.game import CircuitGame
from ludens.compiler.circuit.turns import turn_order
from ludens.core import OutOfTimeError, State, random_joint_move

SAMPLING_SECONDS, PROOF_SECONDS = 0.2, 2.0
"""CPU seconds for random play, from which invariants are guessed, and for their proof."""
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


def find_last_move(game: CircuitGame, pulse: Pulse) -> LastMoveGame | str:
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
    known = turn_order(game.circuit)
    if len(known) % len(rules.phases):
        return "the turn order was not found"
    phases = [Phase(game.circuit, own) for own in known]
    bad = [_counterexample(phase, *_seats(rules, n), to_move, moved) for n, phase in enumerate(phases)]
    try:
        sample = LanePlay(game).run(Effort(SAMPLING_SECONDS))
        proved = Prover(phases, sample).is_never(bad, Effort(PROOF_SECONDS))
    except OutOfTimeError:
        proved = False
    pulse()
    if not proved:
        return "it was not proved that the last move decides"
    convention = Convention.NORMAL if moved > to_move else Convention.MISERE
    return LastMoveGame(rules, convention, max(to_move, moved), min(to_move, moved))


def _seats(rules: AlternatingSteps, turn: int) -> tuple[int, int]:
    """The role that moves in a turn, counted from 0, and the other one."""
    mover = rules.movers[rules.clock.phase(turn % 2)]
    return mover, 1 - mover


def _play(game: CircuitGame, rules: AlternatingSteps, rng: Random) -> tuple[int, int] | None:
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


def _counterexample(phase: Phase, mover: int, other: int, to_move: int, moved: int) -> int:
    """The literal that something of the claim is false."""
    circuit, copy = phase.circuit, phase.copy
    gates = copy.gates

    def legal(role: int) -> Sequence[int]:
        return copy.literals(literal for _, _, literal in circuit.moves[role])

    over = phase.terminal
    wrong = [gates.differ(over, gates.any_of(legal(mover)) ^ 1), gates.both(over ^ 1, gates.any_of(legal(other)) ^ 1)]
    for role, value in ((mover, to_move), (other, moved)):
        for goal in circuit.goals:
            if goal.role == role:
                holds = copy.literal(goal.literal)
                wrong.append(gates.both(over, holds ^ (goal.value == value)))
    return gates.any_of(wrong)

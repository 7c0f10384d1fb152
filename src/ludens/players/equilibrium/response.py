"""How much a player can be exploited: its policy in every information set, and the best response to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from random import Random

import numpy as np

from ludens.core import Clock, Deadline, Game, Move, Player, Role, State, View
from ludens.players.equilibrium.policy import Shares, set_text, shares_of
from ludens.players.equilibrium.solver import Assessment, Solver, Values
from ludens.players.equilibrium.tree import GameTree
from ludens.players.registry import make_player


@dataclass(frozen=True, slots=True)
class WorstSet:
    """An information set in which the player should do something else."""

    role: Role
    text: str
    shares: Shares
    better: Move
    gain: float


@dataclass(frozen=True, slots=True, eq=False)
class Exact:
    """A player's policy and the best responses to it."""

    tree: GameTree
    player: str
    strategy: Values
    assessment: Assessment
    is_declared: bool
    """True if the player said how it mixes; else its policy was estimated by asking repeatedly."""
    repeat: int

    def worst(self, count: int) -> list[WorstSet]:
        """The information sets in which a better move gains most."""
        known: dict[int, State] = {}
        found = []
        for number in np.argsort(-self.assessment.gains)[:count].tolist():
            gain = float(self.assessment.gains[number])
            if gain <= 1e-9:
                break
            replies = shares_of(self.tree, number, self.assessment.replies)
            role = self.tree.game.roles[int(self.tree.sets["role"][number])]
            better = max(replies, key=lambda move: replies[move])
            shares = shares_of(self.tree, number, self.strategy)
            found.append(WorstSet(role, set_text(self.tree, number, known), shares, better, gain))
        return found


def measure(
    tree: GameTree, player: str, clock: float, repeat: int, seed: int, progress: Callable[[int], None]
) -> Exact:
    """Ask a player in every information set, and respond as well as possible.

    Where nothing is hidden, it is asked once for each position, however that was reached.
    """
    answers: dict[tuple[Role, Hashable], tuple[Mapping[Move, float], bool]] = {}
    strategy = np.zeros(tree.actions)
    known: dict[int, State] = {}
    players: dict[Role, Player] = {}
    is_declared = True
    try:
        for number in range(len(tree.sets)):
            role = tree.game.roles[int(tree.sets["role"][number])]
            if role not in players:
                players[role] = _start_player(player, tree.game, role, seed, Clock(clock, max(10.0, 10 * clock)))
            state = tree.states.state(tree.set_states[number], known)
            asked = (role, number if tree.game.hidden else state.position)
            if asked not in answers:
                answers[asked] = _policy_at(players[role], state.view(role), clock, repeat)
            shares, declared = answers[asked]
            is_declared &= declared
            first = int(tree.sets["action"][number])
            strategy[first : first + len(tree.moves[number])] = [shares.get(move, 0.0) for move in tree.moves[number]]
            progress(number + 1)
    finally:
        for started in players.values():
            started.stop()
    return Exact(tree, player, strategy, Solver(tree).assess(strategy), is_declared, repeat)


def _start_player(player: str, game: Game, role: Role, seed: int, clock: Clock) -> Player:
    found = make_player(player, files=True)
    found.check(game)
    found.start(game, role, seed, clock)
    return found


def _policy_at(player: Player, view: View, clock: float, repeat: int) -> tuple[Mapping[Move, float], bool]:
    """How a player mixes its moves, and whether it said so."""
    decision = player.choose(view, Deadline(clock))
    shares = {report.move: report.share for report in decision.thinking.moves if report.share is not None}
    total = sum(shares.values())
    if total > 0:
        return {move: share / total for move, share in shares.items()}, True
    counts = Counter([decision.move])
    counts.update(player.choose(view, Deadline(clock)).move for _ in range(repeat - 1))
    return {move: count / repeat for move, count in counts.items()}, False


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a searching opponent gained against a player."""

    player: str
    opponent: str
    gains: list[float]
    """The opponent's goal above the player's, for each match, halved: what it gains beyond an even result."""


def estimate_by_matches(
    game: Game, player: str, clock: float, matches: int, seed: int, progress: Callable[[list[float]], None]
) -> Estimate:
    """Let a searching opponent play against a player; ``progress`` receives the gains so far. Ctrl-C keeps them."""
    opponent = "ismcts" if game.hidden else "mcts"
    gains: list[float] = []
    with suppress(KeyboardInterrupt):
        for number in range(matches):
            gains.append(_gain_in_match(game, player, opponent, clock, seed, number))
            progress(gains)
    return Estimate(player, opponent, gains)


def _gain_in_match(game: Game, player: str, opponent: str, clock: float, seed: int, number: int) -> float:
    """What the opponent gains in one match, in turn from each seat, with ten times the clock to start."""
    rng = Random(seed + number)
    own = game.roles[number % len(game.roles)]
    seats = {
        role: _start_player(opponent if role == own else player, game, role, seed + number, Clock(clock, 10 * clock))
        for role in game.roles
    }
    try:
        state = game.initial_state()
        while not state.is_terminal:
            joint_move = {
                role: seats[role].choose(state.view(role), Deadline(clock)).move
                for role in game.roles
                if state.legal_moves(role)
            }
            if not joint_move:
                break
            state = state.sample(joint_move, rng)
    finally:
        for each in seats.values():
            each.stop()
    others = [state.goals[role] for role in game.roles if role != own]
    return (state.goals[own] - sum(others) / max(1, len(others))) / 2

"""A player that chooses at random: the baseline that every other must beat."""

from __future__ import annotations

from random import Random

from ludens.core import Clock, Deadline, Decision, Game, Player, Role, Thinking, View


class RandomPlayer(Player):
    """Chooses uniformly among the legal moves."""

    name = "random"
    description = "chooses uniformly among the legal moves"
    cores = 0

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Seed the random generator."""
        self._rng = Random(seed)

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """A random legal move."""
        moves = view.legal_moves
        decision = Decision(self._rng.choice(moves), Thinking(f"one of {len(moves)} at random"))
        self.channel.publish(decision)
        return decision

"""A player that always takes the first legal move: the simplest reproducible player."""

from __future__ import annotations

from ludens.core import Deadline, Decision, Player, Thinking, View


class LegalPlayer(Player):
    """Takes the first legal move."""

    name = "legal"
    description = "takes the first legal move"
    cores = 0

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The first legal move."""
        decision = Decision(view.legal_moves[0], Thinking(f"first of {len(view.legal_moves)}"))
        self.channel.publish(decision)
        return decision

"""Information-set Monte-Carlo tree search, for games with hidden information."""

from __future__ import annotations

import time
from random import Random

from ludens.core import (
    Clock,
    Deadline,
    Decision,
    Game,
    Move,
    MoveReport,
    Observation,
    Option,
    Player,
    Role,
    Thinking,
    View,
    Worlds,
)
from ludens.players.search.information import InformationSearch
from ludens.players.search.leaves import Leaves

_SLICE_SECONDS = 0.05
_ENDLESS = 1 << 60


class IsmctsPlayer(Player):
    """Searches over what roles know instead of over states, and plays moves as often as they turned out to be best."""

    name = "ismcts"
    description = (
        "information-set Monte-Carlo tree search: gathers what it learns over all states that fit its percepts"
    )
    options = (
        Option(
            "observers",
            "single",
            "a tree for each role, or one for all that others do",
            choices=("multiple", "single"),
        ),
        Option("exploration", 1.0, "weight of UCT's exploration term, in standard deviations", 0, 10),
        Option("mixed", False, "with hidden information, play moves in proportion to their visits, not the best one"),
        Option("serious", 0.2, "when mixing, leave out moves with less than this part of the most visits", 0, 1),
        Option("cutoff", 10_000, "joint moves after which a playout is given up", 1, 1_000_000),
        Option("iterations", 0, "leaves to evaluate for each move; 0 means as many as the clock allows", 0, 10**9),
    )

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Compile what playouts need."""
        self._rng = Random(seed)
        self._worlds: Worlds | None = None
        self._game = game
        self._longest_margin = clock.play / 2
        leaves = Leaves(game, self._rng, int(self.settings["cutoff"]))
        self._search = InformationSearch(game.roles, role, float(self.settings["exploration"]), leaves, self._rng)
        self._search.is_single = self.settings["observers"] == "single"
        self._leaves = leaves
        leaves.value(game.initial_state())

    def observe(self, observation: Observation) -> None:
        """Follow the match turn by turn, so that worlds are up to date when they are needed."""
        if self._game.hidden and observation.view.legal_moves:
            self._worlds_of(observation.view).draw()

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """A move by how often it was tried in the search."""
        began = time.monotonic()
        if len(view.legal_moves) == 1:
            return Decision(view.legal_moves[0], Thinking(note="the only move"))
        search = self._search
        search.aim(view, self._worlds_of(view))
        before = search.iterations
        limit = int(self.settings["iterations"]) or _ENDLESS
        while search.iterations - before < limit:
            left = deadline.remaining() - min(2 * search.longest_step, self._longest_margin)
            if left <= 0:
                break
            search.run(min(left, _SLICE_SECONDS), limit - (search.iterations - before))
            if self.channel.wants_thinking():
                self.channel.report(self._thinking(began, before))
        return Decision(self._pick(view), self._thinking(began, before))

    def _worlds_of(self, view: View) -> Worlds:
        """Where complete states are drawn from, up to date with a view."""
        if self._worlds is None:
            self._worlds = view.worlds(self._rng)
        self._worlds.observe(view)
        return self._worlds

    def policy(self) -> dict[Move, float]:
        """How likely each move is to be played after a search."""
        visits = {move: tries for move, (tries, _) in self._search.root.items()}
        most = max(visits.values(), default=0)
        if not most:
            return {}
        if not (self._game.hidden and self.settings["mixed"]):
            best = [move for move, tries in visits.items() if tries == most]
            return {move: 1 / len(best) for move in best}
        serious = {move: tries for move, tries in visits.items() if tries >= float(self.settings["serious"]) * most}
        return {move: tries / sum(serious.values()) for move, tries in serious.items()}

    def _pick(self, view: View) -> Move:
        policy = {move: share for move, share in self.policy().items() if move in view.legal_moves}
        if not policy:
            return self._rng.choice(list(view.legal_moves))
        return self._rng.choices(list(policy), list(policy.values()))[0]

    def _thinking(self, began: float, before: int) -> Thinking:
        found = sorted(self._search.root.items(), key=lambda item: item[1], reverse=True)
        return Thinking(
            iterations=(self._search.iterations - before) * self._leaves.playouts,
            seconds=time.monotonic() - began,
            value=found[0][1][1] if found else None,
            moves=tuple(MoveReport(move, mean, tries) for move, (tries, mean) in found),
        )

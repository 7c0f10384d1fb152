"""Determinised Monte-Carlo: search complete states that fit the percepts as if nothing were hidden, and add up."""

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
from ludens.players.search.contract import ContractSearch
from ludens.players.search.leaves import Leaves
from ludens.players.search.settings import SearchSettings

_ENDLESS = 1 << 60


class PimcPlayer(Player):
    """Searches one world after the other, and plays the move that is best on average over all of them."""

    name = "pimc"
    description = "determinised Monte-Carlo: tree search in states that fit the percepts, as if nothing were hidden"
    options = (
        Option("world", 60, "leaves to evaluate in one world before the next is drawn", 1, 1_000_000),
        Option("worlds", 0, "worlds to search for each move; 0 means as many as the clock allows", 0, 1_000_000),
        Option("exploration", 0.4, "weight of UCT's exploration term, for values from 0 to 1", 0, 10),
        Option("cutoff", 10_000, "joint moves after which a playout is given up", 1, 1_000_000),
    )

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Compile what playouts need."""
        self._game, self._role = game, role
        self._rng = Random(seed)
        self._worlds: Worlds | None = None
        self._longest_margin = clock.play / 2
        self._longest_step = 0.0
        self._leaves = Leaves(game, self._rng, int(self.settings["cutoff"]))
        self._leaves.value(game.initial_state())

    def observe(self, observation: Observation) -> None:
        """Follow the match turn by turn, so that worlds are up to date when they are needed."""
        if self._game.hidden and observation.view.legal_moves:
            self._worlds_of(observation.view).draw()

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The move with the best average over all worlds."""
        began = time.monotonic()
        if len(view.legal_moves) == 1:
            return Decision(view.legal_moves[0], Thinking(note="the only move"))
        totals = {move: [0.0, 0.0] for move in view.legal_moves}
        drawn = self._worlds_of(view)
        worlds = playouts = 0
        while worlds < (int(self.settings["worlds"]) or _ENDLESS):
            left = deadline.remaining() - min(2 * self._longest_step, self._longest_margin)
            if left <= 0:
                break
            search = self._search(drawn)
            search.run(left, int(self.settings["world"]))
            self._longest_step = max(self._longest_step / 2, search.longest_step)
            playouts += search.playouts
            worlds += 1
            for found in search.root_moves():
                if found.visits and found.move in totals:
                    totals[found.move][0] += 1
                    totals[found.move][1] += found.mean
        ranked = sorted(totals.items(), key=lambda item: _mean(item[1]), reverse=True)
        best: Move = ranked[0][0]
        thinking = Thinking(
            note=f"{worlds} worlds",
            iterations=playouts,
            seconds=time.monotonic() - began,
            value=_mean(ranked[0][1]),
            moves=tuple(MoveReport(move, _mean(total), int(total[0])) for move, total in ranked),
        )
        return Decision(best, thinking)

    def _search(self, worlds: Worlds) -> ContractSearch:
        """A search of one world."""
        settings = SearchSettings(
            exploration=float(self.settings["exploration"]),
            rave=0.0,
            grave=0,
            mast=False,
            cutoff=int(self.settings["cutoff"]),
            lanes=0,
            leaves=0,
            memory=64,
        )
        search = ContractSearch(self._game.roles, self._role, settings, self._rng.randrange(2**32), self._leaves)
        search.set_root(worlds.draw())
        return search

    def _worlds_of(self, view: View) -> Worlds:
        """Where complete states are drawn from, up to date with a view."""
        if self._worlds is None:
            self._worlds = view.worlds(self._rng)
        self._worlds.observe(view)
        return self._worlds


def _mean(total: list[float]) -> float:
    return total[1] / total[0] if total[0] else -1.0

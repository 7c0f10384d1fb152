"""Perfect-information Monte-Carlo: search determinisations as if nothing were hidden, and sum up."""

from __future__ import annotations

from contextlib import suppress

from ludens.core import Deadline, Move, MoveReport, Option, OutOfTimeError, Thinking, View
from ludens.players.information.worlds_player import ENDLESS, WorldsPlayer
from ludens.players.search.leaves import TWIN_OPTION, Leaves
from ludens.players.search.machine import machine
from ludens.players.search.settings import SearchSettings
from ludens.players.search.state_search import StateSearch

_FIRST_PLAYOUT = 1.0
"""Seconds after which the playout at the start is given up."""


class PimcPlayer(WorldsPlayer):
    """Searches one world after another, and plays the move that is best on average."""

    name = "pimc"
    description = (
        "determinised Monte-Carlo: tree search in states consistent with the percepts, as if nothing were hidden"
    )
    options = (
        Option("world", 60, "leaves to evaluate in a world before the next is sampled", 1, 1_000_000),
        Option("worlds", 0, "worlds to search per move; 0: as many as the clock allows", 0, 1_000_000),
        Option("exploration", 0.4, "weight of UCT's exploration term, for values from 0 to 1", 0, 10),
        TWIN_OPTION,
        Option("cutoff", 10_000, "joint moves after which a playout is cut off", 1, 1_000_000),
    )

    def warm_up(self) -> None:
        """Load the machine code of the tree."""
        machine()

    def _prepare(self, cutoff: int) -> None:
        self._leaves = Leaves(self._game, self._rng, cutoff, self._native)
        self._leaves.deadline = Deadline(_FIRST_PLAYOUT)
        with suppress(OutOfTimeError):
            self._leaves.value(self._game.initial_state())

    def _set_root(self, view: View) -> None:
        self._totals = {move: [0.0, 0.0] for move in view.legal_moves}
        self._searched = self._playouts = 0

    def _has_enough(self) -> bool:
        return self._searched >= (int(self.settings["worlds"]) or ENDLESS)

    def _search(self, seconds: float) -> float:
        """Search one more world."""
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
        search = StateSearch(self._game, self._role, settings, self._rng.randrange(2**32), self._leaves)
        search.give_up_at(Deadline(seconds))
        search.set_root(self._worlds.draw())
        search.run(seconds, int(self.settings["world"]))
        self._playouts += search.playouts
        self._searched += 1
        for found in search.root_moves():
            if found.visits and found.move in self._totals:
                self._totals[found.move][0] += 1
                self._totals[found.move][1] += found.mean
        return search.longest_step

    def _rank_moves(self) -> list[tuple[Move, list[float]]]:
        return sorted(self._totals.items(), key=lambda item: _mean(item[1]), reverse=True)

    def _pick(self, view: View) -> Move:
        return self._rank_moves()[0][0]

    def _thinking(self, seconds: float) -> Thinking:
        ranked = self._rank_moves()
        return Thinking(
            note=f"{self._searched} worlds",
            iterations=self._playouts,
            seconds=seconds,
            value=_mean(ranked[0][1]),
            moves=tuple(MoveReport(move, _mean(total), int(total[0])) for move, total in ranked),
            backend=self._game.backend,
        )


def _mean(total: list[float]) -> float:
    return total[1] / total[0] if total[0] else -1.0

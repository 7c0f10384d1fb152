"""A player with a trained network: PUCT whose leaves the network evaluates, many at a time."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from ludens.core import (
    Clock,
    Deadline,
    Decision,
    Game,
    MoveReport,
    Option,
    Player,
    PlayerError,
    Role,
    Thinking,
    View,
)
from ludens.players.learning.games import check_learnable
from ludens.players.neural.network_search import EXPLORATION, NetworkSearch
from ludens.players.neural.positions import Rules
from ludens.players.search.roots import best_first

if TYPE_CHECKING:
    from ludens.players.neural.file import Trained

_SLICE_SECONDS = 0.05
"""How long to search between reports."""
_MEGABYTES = 256
"""Memory for the tree. A full tree keeps its most visited half."""
_ENDLESS = 1 << 60
_LINES = 12
"""How many of the best moves are reported with a line; each costs time."""


class NeuralPlayer(Player):
    """Plays with a network that ``ludens train`` wrote."""

    name = "neural"
    description = "tree search guided by a network trained by `ludens train GAME`: neural:best.pt"
    options = (
        Option("file", "", "the trained network"),
        Option("iterations", 0, "leaves to evaluate per move; 0: as many as the clock allows", 0, 10**9),
        Option("policy_only", False, "play the move with the highest policy, without a search"),
        Option("leaves", 16, "leaves evaluated at once", 1, 512),
        Option("exploration", EXPLORATION, "weight of the policy beside values from 0 to 1", 0, 10),
    )
    live_options = frozenset({"iterations"})

    def check(self, game: Game) -> None:
        """Read the file."""
        self._read(game)

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Read the network, and search briefly, so that one-time work does not cost the first move's time."""
        trained = self._read(game)
        from ludens.players.neural.network import NetworkJudge  # noqa: PLC0415 - torch is an extra

        self._rng = Random(seed)
        self._longest_margin = clock.play / 2
        leaves = int(self.settings["leaves"])
        self._game = check_learnable(game)
        self._search: NetworkSearch | None = NetworkSearch(
            Rules(self._game),
            NetworkJudge(trained.network, trained.encoding),
            game.roles.index(role),
            at_once=leaves,
            exploration=float(self.settings["exploration"]),
            megabytes=_MEGABYTES,
        )
        self._search.set_root(game.initial_state())
        self._search.run(clock.start / 2, 4 * leaves)

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The move with the most visits, or with the highest policy."""
        began = time.monotonic()
        if len(view.legal_moves) == 1:
            return Decision(view.legal_moves[0], Thinking(note="the only move"))
        self.channel.publish(Decision(view.legal_moves[0]))
        search = self._search
        assert search is not None
        search.set_root(view.sample(self._rng), deadline.remaining() / 2)
        before = search.iterations
        limit = 0 if self.settings["policy_only"] else int(self.settings["iterations"]) or _ENDLESS
        while (left := limit - (search.iterations - before)) > 0 and not search.is_settled:
            margin = min(2 * search.longest_step, self._longest_margin) + search.seconds_to_make_room
            seconds = deadline.remaining() - margin
            if seconds <= 0:
                break
            search.run(min(seconds, _SLICE_SECONDS), left)
            if self.channel.wants_thinking():
                thinking = self._thinking(search, search.iterations - before, time.monotonic() - began)
                self.publish_search(thinking, (thinking.moves[0].move,))
        thinking = self._thinking(search, search.iterations - before, time.monotonic() - began)
        return Decision(thinking.moves[0].move, thinking)

    def stop(self) -> None:
        """Release the tree."""
        self._search = None

    def _read(self, game: Game) -> Trained:
        known = check_learnable(game)
        try:
            import torch  # noqa: PLC0415 - an extra that takes seconds to import

            from ludens.players.neural.file import read_network  # noqa: PLC0415
        except ModuleNotFoundError as error:
            raise PlayerError(
                f"neural needs {error.name}, which is not installed: pip install 'ludens[neural]'"
            ) from None
        torch.set_num_threads(1)  # networks are small, and other players need cores too
        if not self.settings["file"]:
            raise PlayerError("neural needs a file, neural:best.pt; create one with `ludens train GAME`")
        return read_network(Path(str(self.settings["file"])), known)

    def _thinking(self, search: NetworkSearch, made: int, seconds: float) -> Thinking:
        policy = dict(zip((found.move for found in search.root_moves()), search.root_policy().tolist(), strict=True))
        moves = sorted(search.root_moves(), key=lambda found: policy[found.move], reverse=True)
        favourites = {found.move: round(policy[found.move], 4) for found in moves[:5]}
        if not self.settings["policy_only"]:
            moves = best_first(moves)
        reports = tuple(
            MoveReport(
                found.move,
                found.mean if found.visits else None,
                found.visits,
                found.proven,
                search.line(found.move) if rank < _LINES else (),
            )
            for rank, found in enumerate(moves)
        )
        best = reports[0]
        return Thinking(
            iterations=made,
            seconds=seconds,
            nodes=search.nodes,
            depth=len(best.line),
            value=search.root_value() if best.value is None else best.value,
            line=best.line,
            moves=reports,
            backend=self._game.backend,
            extra={"policy": favourites},
        )

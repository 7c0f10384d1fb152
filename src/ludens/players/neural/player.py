"""A player with a trained network: PUCT whose leaves the network evaluates, many at a time."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from ludens.core import (
    BEST_GOAL,
    Clock,
    Deadline,
    Decision,
    Game,
    MoveReport,
    Option,
    Player,
    PlayerError,
    Role,
    State,
    Thinking,
    View,
)
from ludens.players.learning.games import check_learnable
from ludens.players.neural.forest import EXPLORATION, Forest
from ludens.players.neural.positions import Rules

if TYPE_CHECKING:
    from ludens.players.neural.file import Trained

_MOST_NODES = 500_000
"""The size limit of the tree in positions: a full tree stops growing, and the next move starts a new one."""
_VISITS_FOR_A_LEAF = 4
"""Visits of the root per leaf of a round: in a small tree, many leaves at once would be poor ones."""


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

    def check(self, game: Game) -> None:
        """Read the file."""
        self._read(game)

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Read the network, and search briefly, so that one-time work does not cost the first move's time."""
        trained = self._read(game)
        from ludens.players.neural.network import NetworkJudge  # noqa: PLC0415 - torch is an extra

        self._rules = Rules(check_learnable(game))
        self._role = game.roles.index(role)
        self._rng = Random(seed)
        self._judge = NetworkJudge(trained.network, trained.encoding)
        self._longest_margin = clock.play / 2
        self._slowest = 0.0
        self._forest: Forest | None = None
        state = game.initial_state()
        if not state.is_terminal:
            self._search(state, Deadline(clock.start / 2), int(self.settings["leaves"]) * 4, shown=False)

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The move with the most visits, or with the highest policy."""
        began = time.monotonic()
        if len(view.legal_moves) == 1:
            return Decision(view.legal_moves[0], Thinking(note="the only move"))
        self.channel.publish(Decision(view.legal_moves[0]))
        self._slowest /= 2  # decays, so that one hiccup of the machine does not count for ever
        limit = 0 if self.settings["policy_only"] else int(self.settings["iterations"]) or 1 << 60
        forest, made = self._search(view.sample(self._rng), deadline, limit, shown=True)
        thinking = self._thinking(forest, made, time.monotonic() - began)
        return Decision(thinking.moves[0].move, thinking)

    def stop(self) -> None:
        """Release the tree."""
        self._forest = None

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

    def _search(self, state: State, deadline: Deadline, limit: int, *, shown: bool) -> tuple[Forest, int]:
        """Grow the tree from a state; returns the tree and the number of leaves evaluated.

        Set ``shown`` to report progress, if the own role is to move: reports name moves of that role.
        """
        forest, made = self._forest_at(state), 0
        while made < limit and forest.nodes < _MOST_NODES and self._has_time(deadline):
            began = time.monotonic()
            visits = int(forest.moves_at(forest.roots[0])["visits"].sum())
            waves = min(int(self.settings["leaves"]), limit - made, 1 + visits // _VISITS_FOR_A_LEAF)
            forest.grow(waves)
            made += waves
            self._slowest = max(self._slowest, time.monotonic() - began)
            if shown and self.channel.wants_thinking():
                thinking = self._thinking(forest, made, 0.0)
                self.publish_search(thinking, (thinking.moves[0].move,))
        return forest, made

    def _has_time(self, deadline: Deadline) -> bool:
        return deadline.remaining() > min(2 * self._slowest, self._longest_margin)

    def _forest_at(self, state: State) -> Forest:
        """The tree with the state as its root; the subtree below it is kept."""
        packed = self._rules.game.pack([state])[0]
        if self._forest is not None and self._forest.nodes < _MOST_NODES:
            found = self._find_node(self._forest, packed.tobytes())
            if found is not None:
                self._forest.roots = np.array([found])
                return self._forest
        roots = self._rules.at(packed[None])
        self._forest = Forest(self._rules, self._judge, roots, float(self.settings["exploration"]))
        return self._forest

    def _find_node(self, forest: Forest, packed: bytes) -> int | None:
        """The node with a position, at most one joint move per role below the root."""
        level = [int(forest.roots[0])]
        for _ in range(len(self._rules.game.roles) + 1):
            for node in level:
                if forest.packed_at(node) == packed:
                    return node
            level = [int(child) for node in level for child in forest.moves_at(node)["child"] if child >= 0]
        return None

    def _thinking(self, forest: Forest, made: int, seconds: float) -> Thinking:
        root = int(forest.roots[0])
        edges = forest.moves_at(root)
        texts = self._rules.game.move_texts[self._role]
        is_searched = not self.settings["policy_only"]
        order = np.lexsort((edges["prior"], edges["visits"] * is_searched))[::-1]
        moves = tuple(
            MoveReport(
                texts[int(edge["move"])],
                BEST_GOAL * float(edge["total"] / edge["visits"]) if edge["visits"] else None,
                int(edge["visits"]),
            )
            for edge in edges[order]
        )
        value = moves[0].value
        return Thinking(
            iterations=made,
            seconds=seconds,
            nodes=forest.nodes,
            value=BEST_GOAL * float(forest.value_at(root)[self._role]) if value is None else value,
            moves=moves,
            extra={"policy": {texts[int(edge["move"])]: round(float(edge["prior"]), 4) for edge in edges[order][:5]}},
        )

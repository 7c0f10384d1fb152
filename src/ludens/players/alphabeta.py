"""MiniMax with alpha-beta cuts, deepened ply by ply as long as the clock allows."""

from __future__ import annotations

import math
import time
from functools import partial
from random import Random
from typing import ClassVar

from ludens.core import Clock, Deadline, Decision, Game, GameError, Option, Player, Role, State, Thinking, View
from ludens.players.evaluation.choose import evaluation_of
from ludens.players.evaluation.evaluators import Evaluation, Mobility
from ludens.players.minimax.choice import value_for_one
from ludens.players.minimax.full_width import FullWidth
from ludens.players.minimax.maxn import MaxN
from ludens.players.minimax.root import Root
from ludens.players.minimax.tree import Tree
from ludens.players.space.choose import space_of
from ludens.players.space.space import Expansion, Values

MOST_PLIES = 1_000
START_SHARE = 0.6
"""The part of the start clock that is used at most."""
LONGEST_BEGINNING = 1.0
"""Seconds of looking ahead before the first move."""
SMALL = 100_000
"""Games that are looked through with so many positions are judged by their ends alone."""


class _TimeUp(Exception):  # noqa: N818 - not an error
    """Unwinds the search."""


class AlphaBetaPlayer(Player):
    """Looks ahead in all directions, deeper and deeper, and takes the move with the best value."""

    name = "alphabeta"
    description = "MiniMax with alpha-beta cuts: looks ahead ply by ply, and proves what it can"
    options: ClassVar[tuple[Option, ...]] = (
        Option("depth", 0, "plies to look ahead; 0 means as many as the clock allows", 0, MOST_PLIES),
        Option("cut", True, "cut off what cannot matter; off is plain MiniMax, which finds the same values"),
        Option(
            "others",
            "paranoid",
            "what other roles are thought to want: little for this role, or (maxn, without cuts) much for themselves",
            choices=("paranoid", "maxn"),
        ),
        Option(
            "evaluation",
            "auto",
            "how positions are judged where the search stops: by weights of fluents learnt in the start clock, by "
            "goals as they stand with mobility, or with nearness to the best goal; auto: learned, if the game is "
            "compiled and has no chance",
            choices=("auto", "learned", "mobility", "goal"),
        ),
        Option(
            "chance",
            "star",
            "star cuts at chance too, knowing that goals are 0 to 100; expectimax looks at every outcome, same values",
            choices=("star", "expectimax"),
        ),
        Option("wide", False, "find the value of every move at the root, not only of the best"),
    )

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Make everything that is made only once, learn to judge positions, and look ahead already.

        Games that are looked through to the end with some thousand positions need no judgement.
        """
        self._rng = Random(seed)
        self._role = game.roles.index(role)
        self._space = space_of(game)
        self._space.prepare()
        self._slowest = 0.0
        self._longest_margin = clock.play / 2
        deadline = Deadline(START_SHARE * clock.start)
        state = game.initial_state()
        plies = int(self.settings["depth"]) or MOST_PLIES
        self._judge_by(Mobility(), deadline)
        self._most_nodes: float = math.inf
        if state.is_terminal:  # there is nothing to learn from
            return
        self._most_nodes = SMALL
        root = self._look_ahead(state, plies)
        self._most_nodes = math.inf
        if root is not None and root.done:
            return
        self._judge_by(self._evaluation(deadline), deadline)
        if not self.settings["depth"]:
            self._begin(Deadline(min(clock.play, deadline.remaining(), LONGEST_BEGINNING)))
            self._look_ahead(state, MOST_PLIES)
        self._slowest = 0.0

    def _evaluation(self, deadline: Deadline) -> Evaluation:
        """How positions are judged where the search stops."""
        return evaluation_of(self._space, str(self.settings["evaluation"]), deadline)

    def _judge_by(self, evaluation: Evaluation, deadline: Deadline) -> None:
        """Make the search, with an empty table."""
        self._searcher: MaxN | Tree
        self._root: Root | None = None
        if self.settings["others"] == "maxn":
            self._searcher = MaxN(self._space, self._role, evaluation)
            self._full = self._searcher.full
        else:

            def leaf(found: Expansion) -> Values:
                own: Values = evaluation.of_children(found)[:, self._role].copy()
                return own

            self._full = FullWidth(self._space, leaf, partial(value_for_one, role=self._role))
            star = self.settings.get("chance") != "expectimax"  # the option is none of players of games without chance
            self._searcher = Tree(self._full, self._role, cut=bool(self.settings["cut"]), star=star)
        self._begin(deadline)

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The best move found in time; where it is better not to be predictable, one drawn accordingly."""
        self._begin(deadline)
        self._slowest /= 2  # so that one hiccup of the machine is forgotten after some moves
        root = self._look_ahead(view.sample(self._rng), int(self.settings["depth"]) or MOST_PLIES)
        if root is None:
            return Decision(view.legal_moves[0], Thinking("cannot look ahead"))
        chosen = root.choice(self._rng)
        return Decision(self._space.move(self._role, chosen.number), self._thinking(root))

    def _look_ahead(self, state: State, plies: int) -> Root | None:
        """What could be found out before time was up; None if that is nothing, or the game does not allow it."""
        self._root = None
        self._space.pulse = self._pulse
        try:
            key = self._space.key(state)
            self._root = Root(self._searcher, self._space, self._role, key, bool(self.settings["wide"]))
            while self._root.depth < plies and not self._root.done:
                self._root.deepen()
        except (_TimeUp, GameError):  # races and too many outcomes of chance are not looked through
            pass
        finally:
            self._space.pulse = lambda: None
        return self._root

    def _begin(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._began = self._last_look = time.monotonic()
        self._nodes_before = self._full.nodes

    def _pulse(self) -> None:
        """Look at the clock. Keeps in hand the longest time lately between two looks, which cannot be cut short."""
        now = time.monotonic()
        self._slowest = max(self._slowest, now - self._last_look)
        self._last_look = now
        if self._deadline.remaining() < min(self._slowest, self._longest_margin):
            raise _TimeUp
        if self._full.nodes - self._nodes_before > self._most_nodes:
            raise _TimeUp
        if self._root is not None and self.channel.wants_thinking():
            self.channel.report(self._thinking(self._root))

    def _thinking(self, root: Root) -> Thinking:
        best = root.moves[0]
        return Thinking(
            iterations=self._full.nodes - self._nodes_before,
            seconds=time.monotonic() - self._began,
            nodes=len(self._searcher),
            depth=root.depth,
            value=sum(move.value * move.share for move in root.moves) if best.share else best.value,
            line=best.line,
            moves=root.reports(),
            extra={"proven": best.proven} | ({"strategy": root.strategy()} if best.share else {}),
        )

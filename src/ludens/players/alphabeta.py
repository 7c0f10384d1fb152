"""Minimax with alpha-beta cuts and iterative deepening."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import ClassVar

from ludens.core import (
    Clock,
    Deadline,
    Decision,
    Game,
    GameError,
    Option,
    Player,
    Role,
    SomeMovesView,
    State,
    Thinking,
    View,
)
from ludens.core.batch_game import BatchGame
from ludens.players.evaluation.choose import evaluation_of, lead_weights
from ludens.players.evaluation.evaluators import Evaluation, Learned, Mobility
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.minimax.choice import value_for_one
from ludens.players.minimax.full_width import FullWidth
from ludens.players.minimax.maxn import MaxN
from ludens.players.minimax.root import Root
from ludens.players.minimax.tree import Tree
from ludens.players.packed.depth_search import DepthSearch
from ludens.players.search.roots import best_first, move_reports
from ludens.players.search.trial import MEMORY, Rival
from ludens.players.space.choose import space_of
from ludens.players.space.compiled import CompiledSpace
from ludens.players.space.space import Expansion, Values
from ludens.players.tree_memory import MEMORY_OPTION, megabytes_for

MOST_PLIES = 1_000
START_SHARE = 0.6
"""The largest share of the start clock that is used."""
COMPILING_SHARE = 0.5
"""The share of the start clock in which the compiled game is waited for."""
LONGEST_BEGINNING = 1.0
"""Seconds of search before the first move; in machine code, the time for this many moves."""
BEGINNING_MOVES = 4
SLICE_SECONDS, REPORT_SECONDS, ENDLESS = 0.05, 0.002, 1 << 60
SMALL = 100_000
"""Games searched to the end within this number of positions need no evaluation."""


class _TimeUp(Exception):  # noqa: N818 - not an error
    """Unwinds the search."""


class AlphaBetaPlayer(Player):
    """Searches deeper and deeper, and plays the move with the best value."""

    name = "alphabeta"
    description = "minimax with alpha-beta cuts and iterative deepening; proves values where it can"
    options: ClassVar[tuple[Option, ...]] = (
        Option("depth", 0, "search depth in plies; 0: as deep as the clock allows", 0, MOST_PLIES),
        Option("cut", True, "alpha-beta cuts; without them plain minimax finds the same values"),
        Option(
            "others",
            "paranoid",
            "assumed aim of other roles: little for this role, or (maxn, without cuts) much for themselves; "
            "rival: both of two roles aim at a lead over the other",
            choices=("paranoid", "maxn", "rival"),
        ),
        Option(
            "evaluation",
            "auto",
            "evaluation of leaves: weights of fluents learnt during the start clock, "
            "current goals with mobility, or with nearness to the best goal; auto: learned, if the game is "
            "compiled and has no chance",
            choices=("auto", "learned", "mobility", "goal"),
        ),
        Option(
            "chance",
            "star",
            "star also cuts at chance nodes, as goals are 0 to 100; expectimax visits every outcome; same values",
            choices=("star", "expectimax"),
        ),
        MEMORY_OPTION,
        Option("wide", False, "find the value of every move at the root, not only of the best one"),
    )
    live_options = frozenset({"depth"})
    _deep: DepthSearch | None = None
    """The search in machine code, for the games that it can search."""

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Do one-time work, learn the evaluation, and begin to search.

        Games that are searched to the end within a few thousand positions need no evaluation.
        """
        self._rng = Random(seed)
        self._role = game.roles.index(role)
        self._loaded = game
        began = time.monotonic()
        self._game = game.compiled(COMPILING_SHARE * clock.start)
        clock = Clock(clock.play, max(0.0, clock.start - (time.monotonic() - began)))
        self._space = space_of(self._game)
        self._space.prepare()
        self._slowest = 0.0
        self._deep = None
        self._longest_margin = clock.play / 2
        self._megabytes = megabytes_for(self.settings.get("memory", 0), clock)
        deadline = Deadline(START_SHARE * clock.start)
        state = self._game.initial_state()
        plies = int(self.settings["depth"]) or MOST_PLIES
        self._judge_by(Mobility(), deadline)
        self._most_nodes: float = math.inf
        if state.is_terminal:  # there is nothing to learn from
            return
        if not self._is_rival:
            self._most_nodes = SMALL
            root = self._look_ahead(state, plies)
            self._most_nodes = math.inf
            if root is not None and root.done:
                return
            self._judge_by(self._evaluation(deadline), deadline)
        self._deep = self._native_search(deadline, seed)
        if self._deep is not None:
            self._deep.set_root(state)
            self._deepen(self._deep, Deadline(min(BEGINNING_MOVES * clock.play, deadline.remaining())))
        elif not self.settings["depth"]:
            self._begin(Deadline(min(clock.play, deadline.remaining(), LONGEST_BEGINNING)))
            self._look_ahead(state, MOST_PLIES)
        self._slowest = 0.0

    def _evaluation(self, deadline: Deadline) -> Evaluation:
        """The evaluation of leaves."""
        return evaluation_of(self._space, str(self.settings["evaluation"]), deadline)

    @property
    def _is_rival(self) -> bool:
        return self.settings["others"] == "rival"

    def _native_search(self, deadline: Deadline, seed: int) -> DepthSearch | None:
        """The search in machine code, if the game is one for it and no option asks for what it does not have."""
        settings = self.settings
        if settings["others"] == "maxn" or not settings["cut"] or settings["wide"] or settings["depth"]:
            return None
        weights = self._weights(deadline)
        if not isinstance(self._game, BatchGame) or weights is None or self._game.chance or not weights.is_opposed:
            return None
        return self._make_search(self._game, self._role, weights, self._megabytes, seed)

    def _weights(self, deadline: Deadline) -> FluentWeights | None:
        """The weights that the search in machine code evaluates by."""
        if self._is_rival:
            return lead_weights(self._space, deadline) if isinstance(self._space, CompiledSpace) else None
        return self._judge.weights if isinstance(self._judge, Learned) else None

    def _make_search(
        self, game: BatchGame, role: int, weights: FluentWeights, megabytes: int, seed: int
    ) -> DepthSearch:
        return DepthSearch(game, role, weights, megabytes, seed, proves_goals=not self._is_rival)

    def rival(self, game: BatchGame, weights: FluentWeights) -> Rival:
        """The search of this player in machine code, for quick matches."""
        return Rival("alphabeta", lambda role, seed: self._make_search(game, role, weights, MEMORY, seed))

    def _judge_by(self, evaluation: Evaluation, deadline: Deadline) -> None:
        """Create the search, with an empty table."""
        self._judge = evaluation
        self._searcher: MaxN | Tree
        self._root: Root | None = None
        if self.settings["others"] == "maxn":
            self._searcher = MaxN(self._space, self._role, evaluation)
            self._full = self._searcher.full
        else:

            def leaf(found: Expansion) -> Values:
                own: Values = evaluation.child_values(found)[:, self._role].copy()
                return own

            self._full = FullWidth(self._space, leaf, partial(value_for_one, role=self._role))
            star = self.settings.get("chance") != "expectimax"  # subclasses may lack the option
            self._searcher = Tree(self._full, self._role, cut=bool(self.settings["cut"]), star=star)
        self._begin(deadline)

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The best move found in time; where a mixed strategy is better, a move drawn from it."""
        self.channel.publish(Decision(view.legal_moves[0]))
        if self._deep is not None and not self.settings["depth"]:
            decision = self._choose_natively(self._deep, view, deadline)
            if not self._deep.failed:
                return decision
            self._deep = None  # from now on roles choose at once, or soon will
        self._swap(deadline)
        self._begin(deadline)
        self._slowest /= 2  # so that one hiccup of the machine is forgotten after some moves
        root = self._look_ahead(self._game.convert(view.sample(self._rng)), int(self.settings["depth"]) or MOST_PLIES)
        if root is None:
            return Decision(view.legal_moves[0], Thinking("cannot look ahead"))
        thinking = self._thinking(root)
        if isinstance(view, SomeMovesView):
            allowed = [found.move for found in thinking.moves if found.move in view.legal_moves]
            return Decision((allowed or view.legal_moves)[0], thinking)
        chosen = root.choice(self._rng)
        return Decision(self._space.move(self._role, chosen.number), thinking)

    def _choose_natively(self, search: DepthSearch, view: View, deadline: Deadline) -> Decision:
        """The best move of the search in machine code."""
        began = time.monotonic()
        before = search.nodes
        only = view.legal_moves if isinstance(view, SomeMovesView) else None
        search.set_root(self._game.convert(view.sample(self._rng)), only=only)

        def report() -> None:
            if self.channel.wants_thinking():
                self.publish_search(self._native_thinking(search, began, before), view.legal_moves)

        self._deepen(search, deadline, report)
        thinking = self._native_thinking(search, began, before)
        legal = set(view.legal_moves)
        return Decision(next(found.move for found in thinking.moves if found.move in legal), thinking)

    def _deepen(self, search: DepthSearch, deadline: Deadline, report: Callable[[], None] = lambda: None) -> None:
        """Search until the deadline, or until nothing is left to find."""
        while not search.is_settled:
            left = deadline.remaining() - min(2 * search.longest_step + REPORT_SECONDS, self._longest_margin)
            if left <= 0:
                break
            search.run(min(left, SLICE_SECONDS), ENDLESS)
            report()

    def ponder(self, view: View, deadline: Deadline) -> None:
        """Fill the table of the search in machine code during other roles' turns."""
        if self._deep is None or self._deep.failed or self.settings["depth"]:
            return
        self._deep.set_root(self._game.convert(view.sample(self._rng)))
        self._deepen(self._deep, deadline)

    def _native_thinking(self, search: DepthSearch, began: float, before: int) -> Thinking:
        reports = move_reports(search, best_first(search.root_moves()), 1)
        return Thinking(
            iterations=search.nodes - before,
            seconds=time.monotonic() - began,
            nodes=search.nodes - before,
            depth=search.depth,
            value=reports[0].value,
            line=reports[0].line,
            moves=reports,
            backend=self._game.backend,
            extra={"native": True, "proven": reports[0].proven, "deepest": search.deepest},
        )

    def _swap(self, deadline: Deadline) -> None:
        """Search the compiled game as soon as it is there; there is no time to learn how to evaluate it."""
        faster = self._loaded.compiled(0.0)
        if faster is not self._game:
            self._game = faster
            self._space = space_of(faster)
            self._space.prepare()
            self._judge_by(Mobility(), deadline)

    def _look_ahead(self, state: State, plies: int) -> Root | None:
        """The root as searched when time was up; None if nothing was found or the game does not allow it."""
        self._root = None
        self._space.pulse = self._pulse
        try:
            key = self._space.key(state)
            self._root = Root(self._searcher, self._space, self._role, key, bool(self.settings["wide"]))
            while self._root.depth < plies and not self._root.done:
                self._root.deepen()
        except (_TimeUp, GameError):  # races and too many outcomes of chance are not searched
            pass
        finally:
            self._space.pulse = lambda: None
        return self._root

    def _begin(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._began = self._last_look = time.monotonic()
        self._nodes_before = self._full.nodes

    def _pulse(self) -> None:
        """Check the clock. Reserves the longest recent time between two checks, which cannot be interrupted."""
        now = time.monotonic()
        self._slowest = max(self._slowest, now - self._last_look)
        self._last_look = now
        if self._deadline.remaining() < min(self._slowest, self._longest_margin):
            raise _TimeUp
        if self._full.nodes - self._nodes_before > self._most_nodes:
            raise _TimeUp
        if self._root is not None and self.channel.wants_thinking():
            best = self._space.move(self._role, self._root.moves[0].number)
            self.publish_search(self._thinking(self._root), (best,))

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
            backend=self._game.backend,
            extra={"proven": best.proven} | ({"strategy": root.strategy()} if best.share else {}),
        )

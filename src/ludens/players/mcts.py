"""Monte-Carlo tree search: UCT in native code on compiled games, through the State contract on all others."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass
from random import Random

from ludens.core import (
    Clock,
    Deadline,
    Decision,
    Game,
    Move,
    MoveReport,
    Option,
    Player,
    Role,
    Thinking,
    View,
)
from ludens.core.batch import Batch, BatchGame
from ludens.players.evaluation.choose import learnt_weights
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.search.block_search import BlockSearch
from ludens.players.search.leaves import Leaves
from ludens.players.search.machine import machine
from ludens.players.search.roots import best_first, merge_roots, pick_move
from ludens.players.search.settings import RootMove, Search, SearchSettings
from ludens.players.search.state_search import StateSearch
from ludens.players.space.compiled import CompiledSpace

_SLICE_SECONDS = 0.05
"""How long to search between reports."""
_ENDLESS = 1 << 60
_WORLDS = 8
"""In games with hidden information: determinisations searched for one move."""
_LOADING_SHARE = 0.8
"""The share of the start clock that is used."""
_LEARNING_SHARE = 0.5
"""The share of that for learning to evaluate playouts that are cut off."""
_CUTOFF = 20
_CUTOFF_WITHOUT_EVALUATION = 10_000
"""The default cutoffs of playouts, in joint moves, with and without an evaluation."""
_TRIALS = 512
"""Sample size for estimating whether most playouts last longer."""
_LINES = 12
"""How many of the best moves are reported with a line; each costs time."""


@dataclass(frozen=True, slots=True)
class _Faster:
    """A faster form of the game, and searches on it."""

    game: Game
    searches: list[Search]


class MctsPlayer(Player):
    """Grows a tree from the current position, and plays the move that was visited most or is proven best."""

    name = "mcts"
    description = "Monte-Carlo tree search (UCT) with proofs, in machine code if the game is compiled"
    options = (
        Option("exploration", 0.2, "weight of UCT's exploration term, for values from 0 to 1", 0, 10),
        Option("rave", 0.0, "visits at which a move's own average counts as much as RAVE's; 0: without RAVE", 0, 1e6),
        Option("grave", 0, "visits below which a position uses the RAVE averages of an ancestor (GRAVE)", 0, 10**9),
        Option("mast", False, "try moves first that did well elsewhere in the search (MAST)"),
        Option(
            "cutoff",
            0,
            "joint moves after which a playout is cut off; 0: 20 with guess, else 10,000",
            0,
            1_000_000,
        ),
        Option("guess", True, "score playouts that are cut off by an evaluation learnt at the start"),
        Option("lanes", 0, "playouts per leaf; 0: a block of 512 is shared among the leaves", 0, 512),
        Option("leaves", 0, "leaves evaluated at once; 0: chosen by the search", 0, 512),
        Option("iterations", 0, "leaves to evaluate per move; 0: as many as the clock allows", 0, 10**9),
        Option("memory", 256, "memory for the tree in megabytes", 1, 65_536),
        Option("ponder", True, "think during other roles' turns"),
        Option("native", True, "search in machine code if the game is compiled"),
    )

    def warm_up(self) -> None:
        """Load the machine code of the tree."""
        machine()

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Load the search, and learn to evaluate if there is time.

        A game that is being compiled is searched on the interpreter until it has arrived.
        """
        began = time.monotonic()
        self._game, self._role, self._seed = game, role, seed
        self._rng = Random(seed)
        self._longest_margin = clock.play / 2
        self._report_seconds = 0.0
        self._found: _Faster | None = None
        self._carried: list[RootMove] = []
        """The root's statistics of the search before the swap, for the move in which it happens."""
        self._is_stopped = False
        patience = math.inf if self.settings["iterations"] else _LOADING_SHARE * clock.start
        loading = threading.Thread(target=self._load, args=[patience], name="ludens-mcts", daemon=True)
        loading.start()
        self._is_native = self._supports_native(game)
        self._searches = self._searches_on(game, patience)
        for search in self._searches:
            search.give_up_at(Deadline(clock.start / 4))
            search.set_root(game.initial_state())
            search.run(clock.start / 4, 4)
        loading.join(None if math.isinf(patience) else max(0.0, patience - (time.monotonic() - began)))

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The move that was visited most, or is proven to be best."""
        began = time.monotonic()
        if len(view.legal_moves) == 1:
            return Decision(view.legal_moves[0], Thinking(note="the only move"))
        self.channel.publish(Decision(view.legal_moves[0]))
        self._set_root(view, deadline)
        before = self._playouts
        limit = int(self.settings["iterations"]) or _ENDLESS
        self._search(deadline, limit, began, before, view)
        thinking = self._thinking(began, before)
        return Decision(self._pick(view), thinking)

    def ponder(self, view: View, deadline: Deadline) -> None:
        """Grow the tree during other roles' turns."""
        if not self.settings["ponder"] or self.settings["iterations"]:
            return
        self._set_root(view, deadline)
        self._search(deadline, _ENDLESS, time.monotonic(), self._playouts)

    def stop(self) -> None:
        """Release the tree."""
        self._is_stopped = True
        self._searches = []
        self._found = None

    # Loading

    def _search_settings(self, cutoff: int = _CUTOFF_WITHOUT_EVALUATION) -> SearchSettings:
        settings = self.settings
        return SearchSettings(
            exploration=float(settings["exploration"]),
            rave=float(settings["rave"]),
            grave=int(settings["grave"]),
            mast=bool(settings["mast"]),
            cutoff=int(settings["cutoff"]) or cutoff,
            lanes=int(settings["lanes"]),
            leaves=int(settings["leaves"]),
            memory=int(settings["memory"]),
        )

    def _load(self, patience: float) -> None:
        """Wait for the compiled game, if it is being compiled, and prepare to search it."""
        game = self._game.compiled()
        if game is self._game or self._is_stopped:
            return
        searches = self._searches_on(game, patience)
        for search in searches:
            search.set_root(game.initial_state())
            search.run(_SLICE_SECONDS, 4)
        self._found = _Faster(game, searches)

    def _supports_native(self, game: Game) -> bool:
        return isinstance(game, BatchGame) and bool(self.settings["native"]) and not game.hidden

    def _searches_on(self, game: Game, patience: float) -> list[Search]:
        if isinstance(game, BatchGame) and self._supports_native(game):
            return self._native_searches(game, patience)
        return self._state_searches(game)

    def _state_searches(self, game: Game) -> list[Search]:
        settings = self._search_settings()
        leaves = None
        if self.settings["native"] and not settings.rave:  # RAVE has to know the moves of playouts
            leaves = Leaves(game, self._rng, settings.cutoff)
        worlds = _WORLDS if game.hidden else 1
        return [StateSearch(game, self._role, settings, self._seed + n, leaves) for n in range(worlds)]

    def _native_searches(self, game: BatchGame, patience: float) -> list[Search]:
        weights = self._learnt(game, patience) if self.settings["guess"] else None
        settings = self._search_settings(_CUTOFF_WITHOUT_EVALUATION if weights is None else _CUTOFF)
        return [BlockSearch(game, game.roles.index(self._role), settings, self._seed, weights)]

    def _learnt(self, game: BatchGame, patience: float) -> FluentWeights | None:
        """Weights learnt for the game; None if there was no time, or most playouts end before the cutoff."""
        trials = Batch(game, _TRIALS, seed=self._seed).playouts(int(self.settings["cutoff"]) or _CUTOFF)
        if trials.ended.mean() > 0.5:
            return None
        return learnt_weights(CompiledSpace(game), Deadline(_LEARNING_SHARE * patience))

    # Searching

    @property
    def _playouts(self) -> int:
        return sum(search.playouts for search in self._searches)

    def _set_root(self, view: View, deadline: Deadline) -> None:
        """Move the searches' roots to the current position; switch to the compiled game once it has arrived."""
        self._carried = []
        found, self._found = self._found, None
        if found is not None:
            self._carry_over(view, deadline)
            self._game, self._searches = found.game, found.searches
            self._is_native = self._supports_native(found.game)
        for search in self._searches:
            search.set_root(self._game.convert(view.sample(self._rng)), deadline.remaining() / 2)

    def _carry_over(self, view: View, deadline: Deadline) -> None:
        """Keep what the search so far has found about the own moves, where it is about the same position."""
        search = self._searches[0]
        if view.game.hidden or not search.iterations:
            return
        search.set_root(self._game.convert(view.sample(self._rng)), deadline.remaining() / 2)
        self._carried = [found for found in search.root_moves() if found.visits]

    def _search(self, deadline: Deadline, iterations: int, began: float, before: int, view: View | None = None) -> None:
        """Search until the deadline. With a view, in which the own role chooses, publish the best move so far."""
        for search in self._searches:
            search.give_up_at(deadline)
        while iterations > 0 and not all(search.is_settled for search in self._searches):
            for search in self._searches:
                margin = min(2 * search.longest_step + self._report_seconds, self._longest_margin)
                left = deadline.remaining() - margin - search.seconds_to_make_room
                if left <= 0:
                    return
                done = search.iterations
                search.run(min(left, _SLICE_SECONDS), iterations)
                iterations -= max(1, search.iterations - done)
            if self.channel.wants_thinking():
                self.publish_search(self._thinking(began, before), () if view is None else view.legal_moves)

    def _root_moves(self) -> list[RootMove]:
        """The own moves, best first; with hidden information, summed over all worlds, where nothing is proven."""
        if self._carried:
            return merge_roots((self._searches[0].root_moves(), self._carried), same_state=True)
        if len(self._searches) == 1:
            return best_first(self._searches[0].root_moves())
        return merge_roots((search.root_moves() for search in self._searches), same_state=False)

    def _pick(self, view: View) -> Move:
        legal = set(view.legal_moves)
        moves = [found for found in self._root_moves() if found.move in legal]
        if not moves:
            return self._rng.choice(list(view.legal_moves))
        return pick_move(moves, self._rng)

    def _thinking(self, began: float, before: int) -> Thinking:
        now = time.monotonic()
        moves = self._root_moves()
        search = self._searches[0]
        reports = tuple(
            MoveReport(
                found.move,
                found.mean,
                found.visits,
                found.proven,
                search.line(found.move) if rank < _LINES else (),
                found.share,
            )
            for rank, found in enumerate(moves)
        )
        best = reports[0] if reports else None
        self._report_seconds = max(self._report_seconds / 2, time.monotonic() - now)
        return Thinking(
            iterations=self._playouts - before,
            seconds=now - began,
            nodes=sum(each.nodes for each in self._searches),
            depth=len(best.line) if best else 0,
            value=best.value if best else None,
            line=best.line if best else (),
            moves=reports,
            backend=self._game.backend,
            extra={"native": self._is_native, "leaves": sum(found.visits for found in moves)},
        )

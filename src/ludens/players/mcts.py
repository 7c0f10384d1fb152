"""Monte-Carlo tree search: UCT in native code on compiled games, through the State contract on all others."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from random import Random

from ludens.core import (
    Clock,
    Deadline,
    Decision,
    Game,
    Move,
    Option,
    OptionValue,
    Player,
    Role,
    SomeMovesView,
    Thinking,
    View,
)
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame
from ludens.players.evaluation.choose import learnt_network, learnt_weights
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.search.block_search import BlockSearch
from ludens.players.search.leaves import TWIN_OPTION, Leaves, SharedPlayouts
from ludens.players.search.machine import machine
from ludens.players.search.roots import best_first, merge_roots, move_reports, pick_move
from ludens.players.search.settings import (
    RAVE_ON_STATES,
    RootMove,
    Search,
    SearchSettings,
    with_estimates,
    with_rave,
)
from ludens.players.search.state_search import StateSearch
from ludens.players.search.trial import MEMORY, Rival, share_of_points
from ludens.players.space.compiled import CompiledSpace
from ludens.players.tree_memory import MEMORY_OPTION, megabytes_for

_SLICE_SECONDS = 0.05
"""How long to search between reports."""
_ENDLESS = 1 << 60
_WORLDS = 8
"""In games with hidden information: determinisations searched for one move."""
_LOADING_SHARE = 0.8
"""The share of the start clock that is used."""
_LEARNING_SHARE = 0.5
"""The share of that for learning to evaluate playouts that are cut off."""
_NETWORK_SHARE = 0.85
"""The same for learning a network instead."""
_TRYING_SHARE = 0.4
"""The share of what is left then for trying whether estimates of moves help, which takes no longer than this many moves
of the play clock, or seconds if that is more."""
_TRYING_MOVES = 10
_LEAST_TRIAL = 4.0
_SEARCHING_SHARE = 0.75
"""The share of the start clock after which the search from the initial position ends, which takes no longer than this
many moves of the play clock."""
_SEARCHING_MOVES = 4
_SLOW_CLOCK = 60.0
"""Seconds for a move with which nothing is gained by searching before the first one."""
_CUTOFF = 20
_CUTOFF_WITHOUT_EVALUATION = 10_000
"""The default cutoffs of playouts, in joint moves, with and without an evaluation."""
_TRIALS = 512
"""Sample size for estimating whether most playouts last longer."""
_OPTIONS_OF_THE_START = {"guess", "native", "network", "lookahead", TWIN_OPTION.name}
"""The options that decide what is done during the start clock."""
_LINES = 12
"""How many of the best moves are reported with a line; each costs time."""


@dataclass(frozen=True, slots=True)
class _Evaluation:
    """What was learnt about a game during the start clock."""

    weights: FluentWeights | None = None
    is_estimating: bool = False
    """Whether moves are estimated by it, besides playouts that are cut off."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Faster:
    """A faster form of the game, and searches on it."""

    game: Game
    searches: list[Search]
    evaluation: _Evaluation


@dataclass(frozen=True, slots=True)
class _Progress:
    """The work of all searches so far."""

    playouts: int
    leaves: int


class MctsPlayer(Player):
    """Grows a tree from the current position, and plays the move that was visited most or is proven best."""

    name = "mcts"
    description = "Monte-Carlo tree search (UCT) with proofs, in machine code if the game is compiled"
    options = (
        Option("exploration", 0.2, "weight of UCT's exploration term, for values from 0 to 1; less with RAVE", 0, 10),
        Option(
            "rave",
            -1.0,
            "leaves at which a move's own average counts as much as RAVE's; 0: without RAVE; "
            "-1: 100 where playouts in machine code report the moves of a game in Python (Go), else 0",
            -1,
            1e6,
        ),
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
        Option(
            "lookahead",
            "auto",
            "compute all children of new positions, see wins in one move and estimate moves by the evaluation; "
            "auto: if that wins quick matches during the start clock",
            choices=("auto", "on", "off"),
        ),
        Option(
            "network",
            False,
            "in games for two: evaluate by a network learnt during the start clock; with chance, without playouts",
        ),
        MEMORY_OPTION,
        Option("threads", 1, "searches at once, each with its own tree and its share of the memory", 1, 64),
        Option("ponder", True, "think during other roles' turns"),
        Option("native", True, "search in machine code if the game is compiled"),
        TWIN_OPTION,
    )

    live_options = frozenset(option.name for option in options) - _OPTIONS_OF_THE_START

    def __init__(self, **settings: OptionValue) -> None:
        super().__init__(**settings)
        self.cores = int(self.settings["threads"])
        self._pool: ThreadPoolExecutor | None = None

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
        self._clock = clock
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
        self._evaluation = self._learn(game, patience)
        self._searches = self._make_searches(game, self._evaluation)
        first = math.inf if self.settings["iterations"] else clock.start / 4
        for search in self._searches:
            search.give_up_at(Deadline(first))
            search.set_root(game.initial_state())
            search.run(first, 4)
        left = min(_SEARCHING_SHARE * clock.start - (time.monotonic() - began), _SEARCHING_MOVES * clock.play)
        if self._is_native and not self.settings["iterations"] and clock.play <= _SLOW_CLOCK:
            self._search(Deadline(left), _ENDLESS, began, self._progress)
        loading.join(None if math.isinf(patience) else max(0.0, patience - (time.monotonic() - began)))

    @property
    def why(self) -> str:
        """How moves are estimated and why, in one line; empty if there was nothing to decide."""
        return self._evaluation.note

    def change(self, settings: Mapping[str, OptionValue]) -> None:
        """Take over new options; a tree that they do not fit is replaced by an empty one."""
        before = self._search_settings(self._megabytes), self.settings["threads"]
        super().change(settings)
        if (self._search_settings(self._megabytes), self.settings["threads"]) != before:
            self.cores = int(self.settings["threads"])
            self._use_faster()
            self._searches = self._make_searches(self._game, self._evaluation)

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The move that was visited most, or is proven to be best."""
        began = time.monotonic()
        if len(view.legal_moves) == 1 and not _is_restricted(view):
            return Decision(view.legal_moves[0], Thinking(note="the only move"))
        self.channel.publish(Decision(view.legal_moves[0]))
        self._set_root(view, deadline, restricted=_is_restricted(view))
        before = self._progress
        limit = int(self.settings["iterations"]) or _ENDLESS
        self._search(deadline, limit, began, before, view)
        thinking = self._thinking(began, before)
        return Decision(self._pick(view), thinking)

    def ponder(self, view: View, deadline: Deadline) -> None:
        """Grow the tree during other roles' turns."""
        if not self.settings["ponder"] or self.settings["iterations"]:
            return
        self._set_root(view, deadline)
        self._search(deadline, _ENDLESS, time.monotonic(), self._progress)

    def stop(self) -> None:
        """Release the tree."""
        self._is_stopped = True
        self._searches = []
        self._found = None
        if self._pool is not None:
            self._pool.shutdown(wait=False)

    # Loading

    @property
    def _megabytes(self) -> int:
        return megabytes_for(self.settings["memory"], self._clock)

    def _search_settings(self, memory: int, cutoff: int = _CUTOFF_WITHOUT_EVALUATION) -> SearchSettings:
        settings = self.settings
        found = SearchSettings(
            exploration=float(settings["exploration"]),
            rave=max(0.0, float(settings["rave"])),
            grave=int(settings["grave"]),
            mast=bool(settings["mast"]),
            cutoff=int(settings["cutoff"]) or cutoff,
            lanes=int(settings["lanes"]),
            leaves=int(settings["leaves"]),
            memory=memory,
            lookahead=settings["lookahead"] == "on",
        )
        return with_rave(found)

    def _load(self, patience: float) -> None:
        """Wait for the compiled game, if it is being compiled, and prepare to search it."""
        game = self._game.compiled()
        if game is self._game or self._is_stopped:
            return
        evaluation = self._learn(game, patience)
        searches = self._make_searches(game, evaluation)
        for search in searches:
            search.set_root(game.initial_state())
            search.run(_SLICE_SECONDS, 4)
        self._found = _Faster(game, searches, evaluation)

    def _supports_native(self, game: Game) -> bool:
        return isinstance(game, BatchGame) and bool(self.settings["native"]) and not game.hidden

    def _learn(self, game: Game, patience: float) -> _Evaluation:
        """Learn to evaluate a compiled game; without time for it, or if playouts need no evaluation, nothing is
        learnt."""
        if not isinstance(game, BatchGame) or not self._supports_native(game):
            return _Evaluation()
        began = time.monotonic()
        if self.settings["network"] and game.chance:
            weights = learnt_network(CompiledSpace(game), Deadline(_NETWORK_SHARE * patience))
            if weights is not None:
                return _Evaluation(weights, note="leaves are valued by a network")
        patience = max(0.0, patience - (time.monotonic() - began))
        if self._ends_soon(game):
            return _Evaluation()
        weights = learnt_weights(CompiledSpace(game), Deadline(_LEARNING_SHARE * patience))
        if weights is None:
            return _Evaluation()
        return self._try_estimates(game, self._without_network(weights), patience)

    def _without_network(self, weights: FluentWeights) -> FluentWeights:
        """The weights without their network, unless the option asks for it."""
        return weights if self.settings["network"] else replace(weights, network=None)

    def _ends_soon(self, game: BatchGame) -> bool:
        """Whether playouts are not evaluated, or most of them end before the cutoff."""
        if not self.settings["guess"]:
            return True
        trials = Batch(game, _TRIALS, seed=1).playouts(int(self.settings["cutoff"]) or _CUTOFF)
        return bool(trials.ended.mean() > 0.5)

    def _try_estimates(self, game: BatchGame, weights: FluentWeights, patience: float) -> _Evaluation:
        """Find out by quick matches whether estimates of moves help in this game."""
        if self.settings["lookahead"] != "auto" or float(self.settings["rave"]) > 0:
            return _Evaluation(weights, is_estimating=self.settings["lookahead"] == "on")
        if len(game.roles) != 2 or game.chance or math.isinf(patience):
            return _Evaluation(weights)
        seconds = min(_TRYING_SHARE * patience, max(_TRYING_MOVES * self._clock.play, _LEAST_TRIAL))
        rivals = (self._rival(game, _Evaluation(weights, True)), self._rival(game, _Evaluation(weights)))
        share = share_of_points(game, rivals, Deadline(seconds))
        if share is None:
            return _Evaluation(weights, note="no time to try estimates of moves")
        found = f"estimates of moves won {share:.0%} of the points in quick matches"
        return _Evaluation(weights, share >= 0.5, found)

    def rival(self, game: BatchGame, weights: FluentWeights | None) -> Rival:
        """The search of this player for quick matches, with weights as `start` would use them, or without."""
        if weights is None or self._ends_soon(game):
            return self._rival(game, _Evaluation())
        is_estimating = self.settings["lookahead"] == "on"
        return self._rival(game, _Evaluation(self._without_network(weights), is_estimating))

    def _rival(self, game: BatchGame, evaluation: _Evaluation) -> Rival:
        settings = self._native_settings(evaluation, MEMORY)
        return Rival(f"mcts {settings}", lambda role, seed: BlockSearch(game, role, settings, seed, evaluation.weights))

    def _make_searches(self, game: Game, evaluation: _Evaluation) -> list[Search]:
        if isinstance(game, BatchGame) and self._supports_native(game):
            return self._native_searches(game, evaluation)
        return self._state_searches(game)

    def _state_searches(self, game: Game) -> list[Search]:
        settings = self._search_settings(self._megabytes)
        leaves = None
        shared = SharedPlayouts(game, self._rng, str(self.settings[TWIN_OPTION.name]))
        notes_moves = bool(self.settings["native"] and shared.noted_moves)
        if notes_moves and float(self.settings["rave"]) < 0:
            settings = with_rave(replace(settings, rave=RAVE_ON_STATES))
        if notes_moves or (self.settings["native"] and not settings.rave):
            leaves = Leaves(game, self._rng, settings.cutoff, shared)
        worlds = _WORLDS if game.hidden else 1
        return [StateSearch(game, self._role, settings, self._seed + n, leaves) for n in range(worlds)]

    def _native_settings(self, evaluation: _Evaluation, memory: int) -> SearchSettings:
        cutoff = _CUTOFF_WITHOUT_EVALUATION if evaluation.weights is None else _CUTOFF
        settings = self._search_settings(memory, cutoff)
        return with_estimates(settings) if evaluation.is_estimating else settings

    def _native_searches(self, game: BatchGame, evaluation: _Evaluation) -> list[Search]:
        threads = int(self.settings["threads"])
        settings = self._native_settings(evaluation, max(1, self._megabytes // threads))
        role = game.roles.index(self._role)
        return [BlockSearch(game, role, settings, self._seed + n, evaluation.weights) for n in range(threads)]

    # Searching

    @property
    def _progress(self) -> _Progress:
        playouts = sum(search.playouts for search in self._searches)
        return _Progress(playouts, sum(search.iterations for search in self._searches))

    def _use_faster(self) -> None:
        """Switch to the compiled game if it has arrived."""
        found, self._found = self._found, None
        if found is not None:
            self._game, self._searches, self._evaluation = found.game, found.searches, found.evaluation
            self._is_native = self._supports_native(found.game)

    def _set_root(self, view: View, deadline: Deadline, *, restricted: bool = False) -> None:
        """Move the searches' roots to the current position; switch to the compiled game once it has arrived."""
        self._carried = []
        if self._found is not None:
            self._carry_over(view, deadline)
            self._use_faster()
        only = view.legal_moves if restricted else None
        for search in self._searches:
            search.set_root(self._game.convert(view.sample(self._rng)), deadline.remaining() / 2, only)

    def _carry_over(self, view: View, deadline: Deadline) -> None:
        """Keep what the search so far has found about the own moves, where it is about the same position."""
        search = self._searches[0]
        if view.game.hidden or not search.iterations:
            return
        search.set_root(self._game.convert(view.sample(self._rng)), deadline.remaining() / 2)
        self._carried = [found for found in search.root_moves() if found.visits]

    def _search(
        self, deadline: Deadline, iterations: int, began: float, before: _Progress, view: View | None = None
    ) -> None:
        """Search until the deadline. With a view, in which the own role chooses, publish the best move so far."""
        for search in self._searches:
            search.give_up_at(deadline)
        if view is not None and self._is_native and iterations > 0 and not self._is_settled:
            self._searches[0].run(_SLICE_SECONDS, 1)  # a round takes milliseconds, and no move is chosen blindly
            iterations -= self._progress.leaves - before.leaves
        while iterations > 0 and not self._is_settled:
            done = self._progress.leaves
            if not self._run_searches(deadline, iterations):
                return
            iterations -= max(1, self._progress.leaves - done)
            if self.channel.wants_thinking():
                self.publish_search(self._thinking(began, before), () if view is None else view.legal_moves)

    @property
    def _is_settled(self) -> bool:
        """True if nothing is left to find: a proof in one tree, or in all worlds."""
        settled = (search.is_settled for search in self._searches)
        return any(settled) if self._is_native else all(settled)

    def _run_searches(self, deadline: Deadline, iterations: int) -> bool:
        """Run all searches for a moment; returns False if time is up."""
        if self._is_native and len(self._searches) > 1:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(int(self.settings["threads"]), "ludens-mcts")
            share = -(-iterations // len(self._searches))
            return all(list(self._pool.map(lambda search: self._run_search(search, deadline, share), self._searches)))
        for search in self._searches:
            done = search.iterations
            if not self._run_search(search, deadline, iterations):
                return False
            iterations -= search.iterations - done
            if iterations <= 0:
                break
        return True

    def _run_search(self, search: Search, deadline: Deadline, iterations: int) -> bool:
        margin = min(2 * search.longest_step + self._report_seconds, self._longest_margin)
        left = deadline.remaining() - margin - search.seconds_to_make_room
        if left <= 0:
            return False
        search.run(min(left, _SLICE_SECONDS), iterations)
        return True

    def _root_moves(self) -> list[RootMove]:
        """The own moves, best first; with hidden information, summed over all worlds, where nothing is proven."""
        if self._carried:
            return merge_roots((self._searches[0].root_moves(), self._carried), same_state=True)
        if len(self._searches) == 1:
            return best_first(self._searches[0].root_moves())
        return merge_roots((search.root_moves() for search in self._searches), same_state=self._is_native)

    def _pick(self, view: View) -> Move:
        legal = set(view.legal_moves)
        moves = [found for found in self._root_moves() if found.move in legal]
        if not moves:
            return self._rng.choice(list(view.legal_moves))
        return pick_move(moves, self._rng)

    def _thinking(self, began: float, before: _Progress) -> Thinking:
        now = time.monotonic()
        moves = self._root_moves()
        reports = move_reports(self._searches[0], moves, _LINES)
        best = reports[0] if reports else None
        done = self._progress
        self._report_seconds = max(self._report_seconds / 2, time.monotonic() - now)
        return Thinking(
            iterations=done.playouts - before.playouts,
            seconds=now - began,
            nodes=sum(each.nodes for each in self._searches),
            depth=len(best.line) if best else 0,
            value=best.value if best else None,
            line=best.line if best else (),
            moves=reports,
            backend=self._game.backend,
            extra={
                "native": self._is_native,
                "leaves": sum(found.visits for found in moves),
                "evaluated": done.leaves - before.leaves,
                "deepest": max(each.deepest for each in self._searches),
                "fill": round(max(each.fill for each in self._searches), 3),
            },
        )


def _is_restricted(view: View) -> bool:
    """True if the player is asked to choose among some of its moves only."""
    return isinstance(view, SomeMovesView)

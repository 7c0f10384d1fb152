"""Information-set Monte-Carlo tree search, for games with hidden information."""

from __future__ import annotations

from weakref import WeakSet

from ludens.core import Deadline, Game, Move, MoveReport, Option, Thinking, View, random_joint_move
from ludens.players.information.descents import make_descents
from ludens.players.information.native_rollouts import NativeRollouts
from ludens.players.information.rollout_search import RolloutSearch
from ludens.players.information.search import InformationSearch, InformationSettings
from ludens.players.information.worlds_player import ENDLESS, WorldsPlayer
from ludens.players.search.leaves import TWIN_OPTION

SINGLE, SENSIBLE = "single", "sensible"
_SLICE_SECONDS = 0.05
_FIRST_PLAYOUT = 1.0
"""Seconds after which the playout at the start is given up."""
_FIRST_TURNS = 10
"""Turns in which a choice is looked for at the start."""
_MANY_MOVES = 12
"""From so many moves on, all of them are played out in machine code instead of growing a tree in Python."""
_WARM: WeakSet[Game] = WeakSet()
"""Games whose rollouts have been used."""


class IsmctsPlayer(WorldsPlayer):
    """Searches information sets instead of states, and plays the best move or a mixture by visits."""

    name = "ismcts"
    description = "information-set Monte-Carlo tree search over the states consistent with its percepts"
    options = (
        Option(
            "observers",
            "multiple",
            "a tree for each role, or a single tree",
            choices=("multiple", SINGLE),
        ),
        Option("exploration", 1.0, "weight of the exploration term, in standard deviations", 0, 10),
        Option("mixed", False, "with hidden information, draw moves in proportion to their visits"),
        Option("serious", 0.2, "with mixed, leave out moves with less than this share of the most visits", 0, 1),
        Option(
            "regrets",
            False,
            "learn a strategy that mixes by regret matching from the beginning of the game, and play it where it was "
            "learnt",
        ),
        Option(
            "opponents",
            SENSIBLE,
            "draw states by how likely the moves of others are in them, by the game's model, or uniformly",
            choices=(SENSIBLE, "uniform"),
        ),
        TWIN_OPTION,
        Option("cutoff", 10_000, "joint moves after which a playout is cut off", 1, 1_000_000),
        Option("iterations", 0, "leaves to evaluate per move; 0: as many as the clock allows", 0, 10**9),
    )

    def _prepare(self, cutoff: int) -> None:
        self._tree: InformationSearch | RolloutSearch
        self._sets: InformationSearch | None = None
        self._rollouts: RolloutSearch | None = None
        self._worlds.models_opponents = self.settings["opponents"] == SENSIBLE
        view = self._game.initial_state().view(self._role)
        self._worlds.observe(view)
        if self._worlds.has_rollouts:
            self._tree = RolloutSearch(self._worlds)
            self._warm_up()
            return
        # Where sensible players play the turns of playouts, only the next choice is searched.
        matches = bool(self.settings["regrets"]) and self._game.hidden and not self._game.has_sensible_playouts
        settings = InformationSettings(
            float(self.settings["exploration"]), self.settings["observers"] == SINGLE, matches
        )
        descents = make_descents(self._game, self._role, self._worlds, cutoff, self._rng, self._native)
        number = self._game.roles.index(self._role)
        self._tree = self._sets = InformationSearch(number, descents, settings, self._rng.getrandbits(64))
        self._tree.set_root(view)
        self._tree.deadline = Deadline(_FIRST_PLAYOUT)
        self._tree.run(_FIRST_PLAYOUT, 1)

    def _warm_up(self) -> None:
        """Let the game make its tables once, with the first choice of a random match."""
        if self._game in _WARM:
            return
        _WARM.add(self._game)
        state = self._game.initial_state()
        for _ in range(_FIRST_TURNS):
            if state.is_terminal:
                return
            view = state.view(self._role)
            if len(view.legal_moves) > 1:
                self._worlds.observe(view)
                self._tree.set_root(view)
                self._tree.run(0.0, 1)
                return
            state = state.sample(random_joint_move(state, self._rng), self._rng)

    def _search_for(self, view: View) -> InformationSearch | RolloutSearch:
        """The tree, or with many moves playouts of all of them, if machine code makes those: descents in Python are
        so few that the tree would not grow beyond its first moves."""
        native = self._native.get() if self._game.hidden else None
        if self._sets is None or native is None or len(view.legal_moves) < _MANY_MOVES:
            return self._tree if self._sets is None else self._sets
        if self._rollouts is None:
            cutoff = int(self.settings["cutoff"])
            self._rollouts = RolloutSearch(NativeRollouts(self._worlds, self._role, native, cutoff))
        return self._rollouts

    def _set_root(self, view: View) -> None:
        self._tree = self._search_for(view)
        self._tree.set_root(view)
        self._before = self._tree.iterations

    @property
    def _iterations(self) -> int:
        return self._tree.iterations - self._before

    def _has_enough(self) -> bool:
        return self._iterations >= (int(self.settings["iterations"]) or ENDLESS)

    def _search(self, seconds: float) -> float:
        self._tree.deadline = Deadline(seconds)
        self._tree.run(min(seconds, _SLICE_SECONDS), (int(self.settings["iterations"]) or ENDLESS) - self._iterations)
        return self._tree.longest_step

    def policy(self) -> dict[Move, float]:
        """The probability with which each move is played after a search."""
        mixed = self._tree.root_strategy
        if mixed:
            return mixed
        statistics = self._tree.root_statistics
        most = max((tries for tries, _ in statistics.values()), default=0)
        if not most:
            return {}
        if not (self._game.hidden and self.settings["mixed"]):
            # By lower bounds: of many moves tried a few times, the highest mean is mostly luck.
            often = {move: bound for move, bound in self._tree.lower_bounds.items() if 2 * statistics[move][0] >= most}
            best = [move for move, bound in often.items() if bound == max(often.values())]
            return {move: 1 / len(best) for move in best}
        least = float(self.settings["serious"]) * most
        serious = {move: tries for move, (tries, _) in statistics.items() if tries >= least}
        return {move: tries / sum(serious.values()) for move, tries in serious.items()}

    def _pick(self, view: View) -> Move:
        policy = {move: share for move, share in self.policy().items() if move in view.legal_moves}
        if not policy:
            return self._rng.choice(list(view.legal_moves))
        return self._rng.choices(list(policy), list(policy.values()))[0]

    def _thinking(self, seconds: float) -> Thinking:
        best_first = sorted(self._tree.root_statistics.items(), key=lambda item: item[1], reverse=True)
        shares = self.policy() if self.settings["mixed"] or self._tree.root_strategy else {}
        return Thinking(
            iterations=self._iterations,
            seconds=seconds,
            value=best_first[0][1][1] if best_first else None,
            moves=tuple(
                MoveReport(move, mean, tries, share=shares.get(move, 0.0) if shares else None)
                for move, (tries, mean) in best_first
            ),
            backend=self._game.backend,
        )

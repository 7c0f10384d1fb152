"""The searches in machine code, as the solver runs them beside the others."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import count as count_from
from itertools import cycle

from ludens.core import Move, State
from ludens.core.batch_game import CountingHorizon
from ludens.players.one_role.compiled import CompiledSpace
from ludens.players.one_role.incumbent import Incumbent
from ludens.players.packed.graph_search import GraphSearch, GraphSettings, Outcome, Policy
from ludens.players.packed.relaxation import RelaxedRules
from ludens.players.packed.transport import Tokens

FIRST_NODES = 2_000
"""Positions of the first depth-first search; every other one has as many as all before it."""
EXPANDED_DEEPEST = 32


class _OnGraph:
    """What the searches share."""

    name = ""

    def __init__(self, space: CompiledSpace, root: State, incumbent: Incumbent, megabytes: int, seed: int) -> None:
        self._space, self._game, self._root, self._incumbent = space, space.game, root, incumbent
        self._megabytes, self._seed = megabytes, seed
        self._graph: GraphSearch | None = None
        self._earlier_states = 0

    @property
    def states(self) -> int:
        """Positions computed so far."""
        return self._earlier_states + (self._graph.states if self._graph else 0)

    def _begin(
        self, settings: GraphSettings, relaxed: RelaxedRules | None, tokens: Tokens | None = None
    ) -> GraphSearch:
        self._earlier_states = self.states
        self._graph = None  # releases its memory first
        self._graph = GraphSearch(self._game, self._root, settings, relaxed, tokens)
        return self._graph

    def _offer(self, graph: GraphSearch, *, exact: bool = False) -> None:
        """Offer the best line, after it is played through unless the count of steps is certain to be right."""
        line = graph.line()
        if graph.goal < self._incumbent.goal or (graph.goal == self._incumbent.goal and len(line) >= self._length):
            return
        if exact or self._leads_to(line, graph.goal):
            self._incumbent.offer(graph.goal, line, self.name)

    @property
    def _length(self) -> int:
        return len(self._incumbent.line)

    def _leads_to(self, line: list[Move], goal: int) -> bool:
        state, role = self._root, self._game.roles[0]
        for move in line:
            if state.is_terminal:
                return False
            state = state.play({role: move})
        return state.is_terminal and state.goals[role] == goal


class BreadthSearch(_OnGraph):
    """Breadth-first, at first without the counts of steps, so that results are proved.

    If all positions are exhausted without the best goal, and the count did matter, it restarts with the count.
    """

    name = "breadth"

    def __init__(
        self, space: CompiledSpace, root: State, incumbent: Incumbent, timeless: CountingHorizon | None, megabytes: int
    ) -> None:
        super().__init__(space, root, incumbent, megabytes, 1)
        self._timeless = timeless

    def run(self) -> Iterator[None]:
        """Search; yields after each unit of work."""
        outcome = yield from self._levels(count=False)
        counted = self._timeless is not None and not self._timeless.forever
        if counted and outcome is Outcome.EXHAUSTED and not self._incumbent.length_proved:
            yield from self._levels(count=True)

    def _levels(self, *, count: bool) -> Generator[None, None, Outcome]:
        graph = self._begin(GraphSettings(Policy.BREADTH, self._megabytes, count=count), None)
        incumbent, outcome = self._incumbent, Outcome.GOING_ON
        while outcome in (Outcome.GOING_ON, Outcome.BETTER):
            outcome = graph.run()
            if outcome is Outcome.BETTER:
                self._offer(graph, exact=True)
            self._conclude(graph.depth, count)
            if incumbent.goal_proved and incumbent.length_proved:
                break
            yield
        if outcome is Outcome.EXHAUSTED and (count or self._timeless is None or self._timeless.forever):
            incumbent.goal_proved = incumbent.length_proved = incumbent.goal >= 0
        return outcome

    def _conclude(self, depth: int, count: bool) -> None:
        """Record that all lines of up to ``depth`` moves are known, so no shorter one reaches the best goal."""
        incumbent = self._incumbent
        if incumbent.goal < incumbent.best_goal or self._length > depth + 1:
            return
        if count or self._timeless is None or self._timeless.holds_through(self._length - 1):
            incumbent.length_proved = True


class ShortestSearch(_OnGraph):
    """A* with the steps of the relaxed rules, which are never too many: what it finds first is the shortest."""

    name = "astar"

    def __init__(
        self, space: CompiledSpace, root: State, incumbent: Incumbent, timeless: CountingHorizon | None, megabytes: int
    ) -> None:
        super().__init__(space, root, incumbent, megabytes, 1)
        self._timeless = timeless

    def run(self) -> Iterator[None]:
        """Search; yields after each unit of work."""
        relaxed = self._space.relaxed_rules
        yield
        if relaxed is None:
            return
        graph = self._begin(GraphSettings(Policy.DISTANCE, self._megabytes), relaxed)
        incumbent, outcome = self._incumbent, Outcome.GOING_ON
        while outcome in (Outcome.GOING_ON, Outcome.BETTER):
            outcome = graph.run()
            if outcome is Outcome.BETTER:
                self._offer(graph)
            if incumbent.goal >= incumbent.best_goal and graph.least_length >= self._length:
                if self._timeless is None or self._timeless.holds_through(self._length - 1):
                    incumbent.length_proved = True
                return
            yield


class GreedySearch(_OnGraph):
    """Best-first: in turns the nearest position, the nearest novel one (as in best-first width search), and any kind.

    Restarts in another order when memory is full. Positions are expanded once, until all are exhausted: then again
    whenever a shorter way to them is found, since there may be too few steps for the first one.
    """

    name = "greedy"

    def run(self) -> Iterator[None]:
        """Search; yields after each unit of work."""
        relaxed, tokens = self._space.guiding_rules, self._tokens()
        yield
        reopens = False
        for seed in count_from(self._seed % 2**31):
            settings = GraphSettings(Policy.GREEDY, self._megabytes, seed=seed, at_once=256, reopens=reopens)
            graph = self._begin(settings, relaxed, tokens)
            outcome = Outcome.GOING_ON
            while outcome in (Outcome.GOING_ON, Outcome.BETTER):
                outcome = graph.run()
                if outcome is Outcome.BETTER:
                    self._offer(graph)
                yield
            if outcome is Outcome.EXHAUSTED:
                if reopens:
                    return
                reopens = True

    def _tokens(self) -> Tokens | None:
        return None


class TokenSearch(GreedySearch):
    """The same, where the goal puts tokens in their places: nearest are those with the shortest ways in sum."""

    name = "tokens"

    def _tokens(self) -> Tokens | None:
        return self._space.tokens


class DepthSearch(_OnGraph):
    """Depth-first with restarts: with the fewest legal moves first, with the most, and at random.

    Few moves first is how people find knight's tours; many first suits puzzles in which every move takes some away.
    """

    name = "depth"

    def run(self) -> Iterator[None]:
        """Search; yields after each unit of work."""
        relaxed = self._space.guiding_rules
        yield
        nodes = FIRST_NODES
        for number, mobility in enumerate(cycle((1, -1, 0))):
            settings = GraphSettings(
                Policy.DEPTH,
                self._megabytes,
                mobility=mobility,
                most_nodes=nodes,
                seed=(self._seed + number) % 2**31,
                at_once=EXPANDED_DEEPEST,
            )
            graph = self._begin(settings, relaxed)
            outcome = Outcome.GOING_ON
            while outcome in (Outcome.GOING_ON, Outcome.BETTER):
                outcome = graph.run()
                if outcome is Outcome.BETTER:
                    self._offer(graph)
                yield
            if outcome is Outcome.EXHAUSTED:
                return
            if mobility == 0:
                nodes *= 2

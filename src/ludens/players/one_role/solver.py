"""Run several searches for the best line in turns, since no puzzle says which search suits it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from ludens.core import Deadline, Game, State
from ludens.core.batch_game import BatchGame
from ludens.players.one_role.beam import BeamSearch
from ludens.players.one_role.breadth import PlainBreadthSearch
from ludens.players.one_role.compiled import CompiledSpace
from ludens.players.one_role.graph_searches import BreadthSearch, DepthSearch, GreedySearch, ShortestSearch, TokenSearch
from ludens.players.one_role.incumbent import Incumbent
from ludens.players.one_role.nested import NestedSearch
from ludens.players.one_role.space import PlainSpace, Space

PROVERS = (BreadthSearch, ShortestSearch, PlainBreadthSearch)
"""Searches that prove that no line is shorter."""
SHARES = {"greedy": 3.0, "breadth": 2.0}
SHARES_WITH_TOKENS = {"tokens": 8.0, "breadth": 2.0}
"""Shares of the time, if not 1."""


class Search(Protocol):
    """A search for lines. It offers what it finds to its incumbent."""

    name: str

    @property
    def states(self) -> int:
        """Positions computed so far."""

    def run(self) -> Iterator[None]:
        """Search; yields after each unit of work."""


@dataclass(slots=True)
class _Running:
    search: Search
    work: Iterator[None]
    share: float
    seconds: float = 0.0

    @property
    def used(self) -> float:
        """Seconds so far, relative to its share."""
        return self.seconds / self.share


def space_of(game: Game, seed: int) -> Space:
    """The fastest space for a game with one role."""
    return CompiledSpace(game, seed) if isinstance(game, BatchGame) else PlainSpace(game, seed)


class Solver:
    """Searches for the best line from one position."""

    def __init__(self, space: Space, root: State, *, level: int, megabytes: int, shortest: bool, seed: int) -> None:
        self.incumbent = Incumbent(space.best_goal)
        """The best line so far."""
        self.root = root
        """The position from which all lines begin."""
        self.shortest = shortest
        """Whether to search on after the best goal is found until no line can be shorter."""
        layer = space.layer([root])
        searches: list[Search] = []
        if isinstance(space, CompiledSpace):
            searches += self._graph_searches(space, root, megabytes, seed)
        else:
            searches.append(PlainBreadthSearch(space, layer, self.incumbent, megabytes))
        searches.append(BeamSearch(space, layer, self.incumbent, seed))
        searches.append(NestedSearch(space, layer, self.incumbent, level))
        shares = SHARES_WITH_TOKENS if any(isinstance(search, TokenSearch) for search in searches) else SHARES
        self._running = [_Running(search, search.run(), shares.get(search.name, 1.0)) for search in searches]
        self._searches = searches
        self._slowest_piece = 0.0

    def _graph_searches(self, space: CompiledSpace, root: State, megabytes: int, seed: int) -> Iterator[Search]:
        incumbent, timeless = self.incumbent, space.game.counting_horizon(root)
        yield BreadthSearch(space, root, incumbent, timeless, megabytes // 3)
        yield GreedySearch(space, root, incumbent, megabytes // 3, seed)
        if space.tokens:
            yield TokenSearch(space, root, incumbent, megabytes // 3, seed)
        yield DepthSearch(space, root, incumbent, megabytes // 12, seed)
        yield ShortestSearch(space, root, incumbent, timeless, megabytes // 4)

    @property
    def states(self) -> int:
        """Positions computed so far."""
        return sum(search.states for search in self._searches)

    @property
    def is_finished(self) -> bool:
        """True if nothing better can be found, or all searches have ended."""
        proved = self.incumbent.goal_proved and (self.incumbent.length_proved or not self.shortest)
        return proved or not self._running

    def run(self, deadline: Deadline, after_each: Callable[[], None] = lambda: None) -> None:
        """Search until nothing better can be found or time is up; the search with the least time so far is next."""
        self._slowest_piece /= 2  # decays, so that one hiccup of the machine does not count for ever
        while not self.is_finished and deadline.remaining() > min(2 * self._slowest_piece, 0.5):
            if self.incumbent.goal_proved:
                self._running = [running for running in self._running if isinstance(running.search, PROVERS)]
                if not self._running:
                    break
            running = min(self._running, key=lambda one: one.used)
            began, used = time.monotonic(), time.thread_time()
            if next(running.work, self) is self:
                self._running.remove(running)
            running.seconds += time.thread_time() - used
            self._slowest_piece = max(self._slowest_piece, time.monotonic() - began)
            after_each()

    def states_by_search(self) -> Sequence[tuple[str, int]]:
        """The number of positions that each search computed."""
        return [(search.name, search.states) for search in self._searches]

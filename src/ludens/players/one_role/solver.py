"""Several searches for the best line share the time, since no puzzle tells which of them it is made for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from ludens.core import Deadline, Game, State
from ludens.core.batch import BatchGame
from ludens.players.one_role.beam import BeamSearch
from ludens.players.one_role.breadth import BreadthSearch
from ludens.players.one_role.compiled import CompiledSpace
from ludens.players.one_role.incumbent import Incumbent
from ludens.players.one_role.nested import NestedSearch
from ludens.players.one_role.space import PlainSpace, Space
from ludens.players.one_role.width import WidthSearch


class Search(Protocol):
    """One way to look for lines. What it finds goes to the incumbent that it was made with."""

    name: str
    states: int

    def run(self) -> Iterator[None]:
        """Search; yields after each piece of work."""


@dataclass(slots=True)
class _Running:
    search: Search
    work: Iterator[None]
    seconds: float = 0.0


def space_of(game: Game, seed: int) -> Space:
    """The positions of a game with one role, in the fastest way that there is."""
    return CompiledSpace(game, seed) if isinstance(game, BatchGame) else PlainSpace(game, seed)


class Solver:
    """Looks for the best line from one position."""

    def __init__(self, space: Space, root: State, *, level: int, megabytes: int, shortest: bool, seed: int) -> None:
        self.incumbent = Incumbent(space.best_goal)
        """The best line so far."""
        self.root = root
        """Where all lines begin."""
        self.shortest = shortest
        """Whether to go on after the best goal is found until no line can be shorter."""
        layer = space.layer([root])
        searches: list[Search] = []
        timeless = None
        if isinstance(space, CompiledSpace):
            timeless = space.game.counting_horizon(root)
            searches.append(WidthSearch(space, layer, self.incumbent, megabytes // 2))
        searches.append(BreadthSearch(space, layer, self.incumbent, timeless, megabytes // 2))
        searches.append(BeamSearch(space, layer, self.incumbent, seed))
        searches.append(NestedSearch(space, layer, self.incumbent, level))
        self._running = [_Running(search, search.run()) for search in searches]
        self._searches = searches
        self._slowest_piece = 0.0

    @property
    def states(self) -> int:
        """Positions computed so far."""
        return sum(search.states for search in self._searches)

    @property
    def finished(self) -> bool:
        """True if nothing better can be found, or no search goes on."""
        proved = self.incumbent.goal_proved and (self.incumbent.length_proved or not self.shortest)
        return proved or not self._running

    def run(self, deadline: Deadline, after_each: Callable[[], None] = lambda: None) -> None:
        """Search until nothing better can be found or time is up: always the search that had the least time so far."""
        self._slowest_piece /= 2  # so that one hiccup of the machine is forgotten
        while not self.finished and deadline.remaining() > min(2 * self._slowest_piece, 0.5):
            if self.incumbent.goal_proved:
                self._running = [running for running in self._running if isinstance(running.search, BreadthSearch)]
                if not self._running:
                    break
            running = min(self._running, key=lambda one: one.seconds)
            began, used = time.monotonic(), time.thread_time()
            if next(running.work, self) is self:
                self._running.remove(running)
            running.seconds += time.thread_time() - used
            self._slowest_piece = max(self._slowest_piece, time.monotonic() - began)
            after_each()

    def searched(self) -> Sequence[tuple[str, int]]:
        """The positions that each search computed."""
        return [(search.name, search.states) for search in self._searches]

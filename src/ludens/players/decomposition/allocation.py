"""One role, a clock that ends the game, any number of subgames: how many turns to spend in which.

A move acts in one subgame, and the others wait unchanged, so only the number of turns in each matters, and what can be
reached there in so many. The goal is a decision diagram over the subgames: going from one to the next with the turns
that are left takes time that grows with the sum of the subgames, where they are joined by a count or a threshold.
"""

from __future__ import annotations

from collections.abc import Callable

from ludens.analysis.budget import TooEntangledError
from ludens.analysis.subgames.diagrams import ALWAYS, Node
from ludens.analysis.subgames.joints import make_diagrams
from ludens.players.decomposition.product import PASS, Choice, Product, ProductKey

MOST_STATES = 500_000
"""The most combinations of a subgame, the turns left and the outcome so far."""

Nodes = tuple[Node, ...]
"""For each goal value the function that says when it is reached, of the subgames that are left."""


class NoAllocationError(TooEntangledError):
    """The game is not of this kind; the message says why."""


class Allocation:
    """The goal of the role from every key on. Raises `NoAllocationError` and `TooEntangledError`."""

    how = "turns allotted to {}"
    """What is done, in words, with a place for what it is done with."""

    def __init__(self, game: Product, pulse: Callable[[], None]) -> None:
        subgames = game.subgames
        if len(game.roles) != 1 or not game.free or not subgames.ends.is_ended_by_clock():
            raise NoAllocationError("not one role, with moves in one subgame each, until the clock ends the game")
        self._game = game
        self._pulse = pulse
        self._end = self._last_tick(game)
        phases = {game.phase_of[tick] for tick in range(self._end)}
        if any(not self._is_alike(game, phase) for phase in phases):
            raise NoAllocationError("subgames change while nobody moves in them, or moves depend on the clock")
        self._phase = next(iter(phases))
        self._can_pass = game.can_pass[self._phase]
        if not self._can_pass and not any(all(targets) for targets in game.targets[self._phase]):
            raise NoAllocationError("the role may run out of moves")
        self._diagrams = make_diagrams(subgames, pulse)
        self._numbers = [{value: n for n, value in enumerate(own)} for own in self._diagrams.values]
        goals = subgames.ends.goals
        self._values = tuple(value for _, value, _ in goals)
        tick = self._numbers[0][subgames.tick_values[self._end]]
        self._start: Nodes = tuple(self._diagrams.children(self._diagrams.of(f), 0)[tick] for _, _, f in goals)
        self._known: dict[tuple[ProductKey, int, Nodes, int], int] = {}
        self._reached: dict[tuple[int, int], list[set[int]]] = {}

    @staticmethod
    def _last_tick(game: Product) -> int:
        ends, none = game.subgames.ends, (0,) * len(game.quotients)
        for tick, value in enumerate(game.subgames.tick_values):
            if ends.is_terminal((value, *none)):
                return tick
        raise NoAllocationError("the clock does not end the game")

    @staticmethod
    def _is_alike(game: Product, phase: int) -> bool:
        """Whether a phase has the moves of the first, and what waits in it stays as it is."""
        first = game.phase_of[0]
        return game.targets[phase] == game.targets[first] and all(
            own == list(range(len(own))) for own in game.idle_classes[phase]
        )

    def __len__(self) -> int:
        return len(self._known)

    def _outcomes(self, part: int, number: int) -> list[set[int]]:
        """The values, by number, that a subgame can have after 0, 1, … turns in it, from a class on."""
        found = self._reached.get((part, number))
        if found is None:
            quotient, targets = self._game.quotients[part], self._game.targets[self._phase][part]
            classes, found = {number}, []
            while classes and len(found) <= self._end:
                self._pulse()
                found.append({self._numbers[1 + part][quotient.values[own]] for own in classes})
                classes = {target for own in classes for target in targets[own]}
            self._reached[part, number] = found
        return found

    def _steps(self, part: int, number: int, nodes: Nodes, turns: int) -> list[tuple[Nodes, int]]:
        """How to go on after a subgame: what is left of the goals, and the turns spent."""
        rows = list(zip(*(self._diagrams.children(node, 1 + part) for node in nodes), strict=True))
        outcomes = self._outcomes(part, number)[: turns + 1]
        return list(dict.fromkeys((rows[value], spent) for spent, own in enumerate(outcomes) for value in own))

    def _best(self, key: ProductKey, part: int, nodes: Nodes, turns: int) -> int:
        """The best goal from a subgame on, with so many turns left; -1 if they cannot be spent."""
        if part == len(key) - 1:
            if turns and not self._can_pass:
                return -1
            return self._values[nodes.index(ALWAYS)] if nodes.count(ALWAYS) == 1 else 0
        known = key[1 + part :], part, nodes, turns
        found = self._known.get(known)
        if found is None:
            self._pulse()
            if len(self._known) > MOST_STATES:
                raise NoAllocationError("there are too many combinations")
            steps = self._steps(part, key[1 + part], nodes, turns)
            found = max((self._best(key, part + 1, left, turns - spent) for left, spent in steps), default=-1)
            self._known[known] = found
        return found

    def value(self, key: ProductKey) -> tuple[int, ...]:
        """The goal of the role from a key on."""
        return (self._best(key, 0, self._start, self._end - key[0]),)

    def best(self, key: ProductKey, *, sharp: bool = False) -> list[Choice]:
        """The options that keep the value; all of them are sharp, since there is no other role."""
        del sharp
        turns = self._end - key[0] - 1
        value = self.value(key)[0]
        found: list[Choice] = []
        reached: set[tuple[Nodes, int]] = {(self._start, turns)}
        for part, number in enumerate(key[1:]):
            after: set[tuple[Nodes, int]] = set()
            for target in self._game.targets[self._phase][part][number]:
                steps = (
                    (left, rest - spent)
                    for nodes, rest in reached
                    for left, spent in self._steps(part, target, nodes, rest)
                )
                if any(self._best(key, part + 1, *step) == value for step in steps):
                    found.append((part, target))
            for nodes, rest in reached:
                after |= {(left, rest - spent) for left, spent in self._steps(part, number, nodes, rest)}
            reached = after
        if self._can_pass and self._best(key, 0, self._start, turns) == value:
            found.append((PASS, 0))
        return found

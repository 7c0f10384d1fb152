"""Global game search over all combinations of classes at once, tick by tick from the last.

A counter that never decreases makes every tick a layer, so the values of one follow from those of the next. Without a
counter, where play cannot cycle, the values of all ticks are iterated as often as a match can have turns. Works for any
number of roles, each of which maximises its own goal, and among equals minimises the sum of the others', as in plain
solving (`values_for_all` in `players/minimax/choice.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from ludens.players.decomposition.alternating import longest_play
from ludens.players.decomposition.dominance import EndTable
from ludens.players.decomposition.product import Choice, Product, ProductKey

MOST_VALUES = 250_000_000
"""Limit of stored values: a byte for every tick and combination of classes."""
MOST_OUTCOMES = 127

Codes = NDArray[np.int8]
"""Outcomes by their numbers."""


class Layered:
    """The value of every combination of classes at every tick."""

    how = "all combinations of {}, tick by tick"
    """What is done, in words, with a place for what it is done with."""

    def __init__(self, game: Product, ends: EndTable, pulse: Callable[[], None]) -> None:
        self._game = game
        self._outcomes = sorted(set(self._all_goals(game)))
        self._number = {goals: n for n, goals in enumerate(self._outcomes)}
        self._order = [self._ranks(role) for role in range(len(game.roles))]
        self._value_numbers = [
            np.array([values.index(value) for value in quotient.values])
            for values, quotient in zip(ends.values[1:], game.quotients, strict=True)
        ]
        self._ends = ends
        last = ends.last_tick(game)
        if last is not None:
            self._layers: list[Codes] = [self._end(last)[1]]
            for tick in reversed(range(last)):
                self._layers.insert(0, self._layer(tick, self._layers[0], pulse))
        else:
            longest = longest_play(game)
            assert longest is not None
            ticks = range(len(game.after))
            self._layers = [self._end(tick)[1] for tick in ticks]
            for _ in range(longest):
                self._layers = [self._layer(tick, self._layers[game.after[tick]], pulse) for tick in ticks]

    @staticmethod
    def fits(game: Product, ends: EndTable) -> bool:
        """Whether this search can solve a game."""
        last = ends.last_tick(game)
        if not (game.free or game.parallel) or (last is None and longest_play(game) is None) or not ends.known:
            return False
        layers = len(game.after) if last is None else last + 1
        return (
            layers * prod(map(len, game.quotients)) <= MOST_VALUES
            and len(set(Layered._all_goals(game))) <= MOST_OUTCOMES
            and all(
                target >= 0
                for idle, role in zip(game.idle_classes, game.chooser, strict=True)
                if game.free or role is None
                for part in idle
                for target in part
            )
            and not (last is None and game.parallel and Layered._can_stall(game))
        )

    @staticmethod
    def _can_stall(game: Product) -> bool:
        """Whether a nonterminal turn may change nothing anywhere, so that the game may never end."""
        for tick, phase in enumerate(game.phase_of):
            staying = [
                [number for number in range(len(quotient)) if number in game.local_options(phase, part, number)]
                for part, quotient in enumerate(game.quotients)
            ]
            values = [
                {quotient.values[number] for number in numbers}
                for quotient, numbers in zip(game.quotients, staying, strict=True)
            ]
            ends, value = game.subgames.ends, game.subgames.tick_values[tick]
            if not all(ends.is_terminal((value, *each)) for each in product(*values)):
                return True
        return False

    @staticmethod
    def _all_goals(game: Product) -> list[tuple[int, ...]]:
        ends, roles = game.subgames.ends, len(game.roles)
        values = [set(game.subgames.tick_values), *(set(quotient.values) for quotient in game.quotients)]
        return [ends.goal_values(roles, each) for each in product(*values)]

    def _ranks(self, role: int) -> tuple[Codes, Codes]:
        """The ranks of outcomes for a role, and the outcomes by rank."""

        def worth(number: int) -> tuple[int, int]:
            goals = self._outcomes[number]
            return goals[role], goals[role] - sum(goals)

        best_last = sorted(range(len(self._outcomes)), key=worth)
        rank = np.empty(len(best_last), np.int8)
        rank[best_last] = np.arange(len(best_last))
        return rank, np.array(best_last, np.int8)

    def _end(self, tick: int) -> tuple[NDArray[np.bool_], Codes]:
        """Where the game is over at a tick, and the current outcomes."""
        game, ends = self._game, self._game.subgames.ends
        value = game.subgames.tick_values[tick]
        shape = [len(values) for values in self._ends.values[1:]]
        over = np.zeros(shape, np.bool_)
        codes = np.zeros(shape, np.int8)
        for place in product(*map(range, shape)):
            values = (value, *(own[n] for own, n in zip(self._ends.values[1:], place, strict=True)))
            over[place] = ends.is_terminal(values)
            codes[place] = self._number[ends.goal_values(len(game.roles), values)]
        where = np.ix_(*self._value_numbers)
        return over[where], codes[where]

    def _layer(self, tick: int, later: Codes, pulse: Callable[[], None]) -> Codes:
        """The outcomes at a tick, given those at the next one."""
        over, codes = self._end(tick)
        phase = self._game.phase_of[tick]
        role = self._game.chooser[phase]
        if role is None:
            return np.where(over, codes, later[np.ix_(*map(np.array, self._game.idle_classes[phase]))])
        rank, outcome = self._order[role]
        best = (
            self._best_in_all(phase, rank[later], pulse)
            if self._game.parallel
            else self._best_in_one(phase, rank[later], pulse)
        )
        # Nobody can move: counts as terminal, as everywhere in ludens.
        return np.where(over | (best < 0), codes, outcome[np.maximum(best, 0)])

    def _best_in_one(self, phase: int, ranks: Codes, pulse: Callable[[], None]) -> Codes:
        """The best rank reachable by acting in one subgame; -1 where nothing can be done."""
        idle = self._game.idle_classes[phase]
        best = np.full(ranks.shape, -1, np.int8)
        for part in range(len(idle)):
            pulse()
            still = [np.arange(len(own)) if n == part else np.array(own) for n, own in enumerate(idle)]
            ranked = np.moveaxis(ranks[np.ix_(*still)], part, 0)
            found = np.moveaxis(best, part, 0)
            for number, targets in enumerate(self._game.targets[phase][part]):
                if targets:
                    np.maximum(found[number], ranked[targets].max(axis=0), out=found[number])
        if self._game.can_pass[phase]:
            best = np.maximum(best, ranks[np.ix_(*map(np.array, idle))])
        return best

    def _best_in_all(self, phase: int, ranks: Codes, pulse: Callable[[], None]) -> Codes:
        """The best rank reachable by acting in all subgames: subgame by subgame, since all combinations are legal."""
        for part, quotient in enumerate(self._game.quotients):
            pulse()
            reached = np.moveaxis(ranks, part, 0)
            best = np.full(reached.shape, -1, np.int8)
            for number in range(len(quotient)):
                targets = self._game.local_options(phase, part, number)
                if targets:
                    best[number] = reached[targets].max(axis=0)
            ranks = np.moveaxis(best, 0, part)
        return ranks

    def __len__(self) -> int:
        return sum(layer.size for layer in self._layers)

    def value(self, key: ProductKey) -> tuple[int, ...]:
        """The goals of each role from a key on."""
        return self._outcomes[int(self._layers[key[0]][key[1:]])]

    def best(self, key: ProductKey, *, sharp: bool = False) -> list[Choice]:
        """The options that keep the value of the role that chooses; ``sharp`` ones also minimise the others' goals."""
        role = self._game.chooser[self._game.phase_of[key[0]]]
        if role is None:
            return []
        value = self.value(key)
        options = self._game.options(key, every=True)
        if sharp:
            return [choice for choice, child in options if self.value(child) == value]
        return [choice for choice, child in options if self.value(child)[role] == value[role]]

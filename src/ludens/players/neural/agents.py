"""Agents for matches on lanes: a search guided by a network, its policy alone, or random moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.players.neural.network_search import NetworkSearch
from ludens.players.neural.positions import Judge, Numbers, Positions, Reals, Rules

MOST_TURNS = 500
"""Joint moves after which a match is cut off."""

Agent = Callable[[Positions, int], Numbers]
"""Returns the chooser's move in each position, given the number of joint moves made before."""


@dataclass(frozen=True, slots=True)
class Random:
    """Chooses uniformly."""

    rng: np.random.Generator

    def __call__(self, found: Positions, turn: int) -> Numbers:
        """Random moves."""
        return best_moves(found, self.rng.random(len(found.moves)))


@dataclass(frozen=True, slots=True)
class Policy:
    """Plays the move with the highest policy, without search."""

    judge: Judge

    def __call__(self, found: Positions, turn: int) -> Numbers:
        """The moves with the largest share of the policy."""
        return best_moves(found, self.judge(found)[0])


@dataclass(frozen=True, slots=True)
class Searcher:
    """Plays the move that a search visited most; in the beginning draws by visits."""

    rules: Rules
    judge: Judge
    simulations: int
    rng: np.random.Generator
    mixed_turns: int
    """Joint moves, from the start, in which moves are drawn in proportion to their visits."""
    noise: float = 0.0
    """The share of Dirichlet noise in the policy of the roots."""

    def __call__(self, found: Positions, turn: int) -> Numbers:
        """The moves."""
        return self.choose(found, turn)[0]

    def choose(self, found: Positions, turn: int) -> tuple[Numbers, Reals]:
        """The moves, and the share of visits that each move of each position got."""
        search = NetworkSearch.at_each(self.rules, self.judge, found, self.simulations)
        if self.noise:
            search.add_noise(self.rng, self.noise)
        for _ in range(self.simulations):
            search.descend_each()
        shares = search.shares()
        promise: NDArray[np.floating] = shares
        if turn < self.mixed_turns:
            # The highest of logarithms with Gumbel noise is a draw by the shares themselves.
            promise = np.log(np.maximum(shares, 1e-9)) + self.rng.gumbel(size=len(shares))
        return best_moves(found, promise), shares


def best_moves(found: Positions, promise: NDArray[np.floating]) -> Numbers:
    """The move with the highest value in each position."""
    lanes = np.repeat(np.arange(len(found)), found.counts)
    best = np.lexsort((promise, lanes))[_first_places(found) + found.counts - 1]
    moves: Numbers = found.moves[best]
    return moves


def _first_places(found: Positions) -> NDArray[np.int64]:
    return np.cumsum(found.counts, dtype=np.int64) - found.counts


def mean_shares(
    rules: Rules, agents: tuple[Agent, Agent], matches: int, rng: np.random.Generator
) -> tuple[float, float]:
    """The mean share of the best goal that each of two agents gets in matches against each other.

    Seats rotate; with one role, each plays half of the matches. Matches that are cut off count by their current goals.
    """
    roles = len(rules.game.roles)
    seats = (np.arange(roles)[None] + np.arange(matches)[:, None]) % 2
    if roles > 2:
        seats = rng.permuted(seats, axis=1)
    found, lanes = rules.initial(matches), np.arange(matches)
    final = np.zeros((matches, roles), np.float32)
    for turn in range(MOST_TURNS):
        final[lanes[found.over]] = found.shares[found.over]
        lanes, found = lanes[~found.over], found.select(~found.over)
        if not len(lanes):
            break
        moves = np.zeros(len(lanes), np.int32)
        side = seats[lanes, found.chooser]
        for number, agent in enumerate(agents):
            if (own := side == number).any():
                moves[own] = agent(found.select(own), turn)
        found = rules.after(found.packed, found.with_moves(moves))
    final[lanes] = found.shares
    return tuple(float(final[seats == number].mean()) for number in range(2))  # type: ignore[return-value]


def score(first: float, second: float) -> float:
    """The first agent's part of what both got: 0.5 if they are even."""
    return 0.5 if first + second == 0 else first / (first + second)

"""Ratings: Bradley-Terry on the Elo scale from duels, OpenSkill for any number of players."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from openskill.models import PlackettLuce

from ludens.arena.played_match import PlayedMatch, duel_score

ELO = 400 / math.log(10)
"""Points of Elo for each unit of the logistic scale."""
_Z = statistics.NormalDist().inv_cdf(0.975)
_PRIOR = 0.5
"""Virtual draws of every pair (a prior), so that a player who won every match has a finite rating."""
_STEPS, _ENOUGH = 100, 1e-10


@dataclass(frozen=True, slots=True)
class Rating:
    """The strength of a player."""

    player: str
    matches: int
    value: float
    low: float
    """The lower end of the 95 % interval."""
    high: float


def elo_ratings(matches: Sequence[PlayedMatch], mean: float = 1500.0) -> list[Rating]:
    """Bradley-Terry ratings of all players with duels, best first; a draw is half a win. Their mean is ``mean``.

    The interval is that of the difference to the mean of all, from the curvature of the likelihood.
    """
    duels = [played for played in matches if len(set(played.players)) == 2]
    names = sorted({player for played in duels for player in played.players})
    if not names:
        return []
    number = {name: n for n, name in enumerate(names)}
    games = np.zeros((len(names), len(names)))
    wins = np.zeros(len(names))
    for played in duels:
        first, second = dict.fromkeys(played.players)
        i, j = number[first], number[second]
        score = duel_score(played, first, second)
        games[i, j] += 1
        games[j, i] += 1
        wins[i] += score
        wins[j] += 1 - score
    counts = games.sum(axis=1).astype(int)
    met = (games > 0) * _PRIOR
    strengths, covariance = _fit(games + met, wins + met.sum(axis=1) / 2)
    spread = ELO * np.sqrt(np.maximum(0.0, np.diag(covariance))) * _Z
    ratings = [
        Rating(name, int(counts[n]), value := mean + ELO * float(strengths[n]), value - spread[n], value + spread[n])
        for name, n in number.items()
    ]
    return sorted(ratings, key=lambda rating: -rating.value)


def rating_history(matches: Sequence[PlayedMatch], points: int) -> dict[str, list[tuple[int, Rating]]]:
    """Each player's `elo_ratings` over the course of the matches, with match counts; at most ``points`` samples."""
    counts = sorted({int(count) for count in np.linspace(1, len(matches), min(points, len(matches)))})
    history: dict[str, list[tuple[int, Rating]]] = {rating.player: [] for rating in elo_ratings(matches)}
    for count in counts:
        for rating in elo_ratings(matches[:count]):
            history[rating.player].append((count, rating))
    return history


def _fit(games: NDArray[np.float64], wins: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The strengths of highest likelihood, with mean 0, and their covariance; by Newton's method."""
    size = len(wins)
    strengths = np.zeros(size)
    centred = np.eye(size) - 1 / size
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        gradient = wins - (games * expected).sum(axis=1)
        weight = games * expected * (1 - expected)
        information = np.diag(weight.sum(axis=1)) - weight
        step = np.linalg.pinv(information) @ gradient
        step *= min(1.0, 2.0 / max(1e-12, float(np.abs(step).max())))  # a full step may overshoot
        strengths = centred @ (strengths + step)
        if np.abs(step).max() < _ENOUGH:
            break
    covariance = centred @ np.linalg.pinv(information) @ centred
    return strengths, covariance


def skill_ratings(matches: Sequence[PlayedMatch]) -> list[Rating]:
    """OpenSkill's ratings (Plackett-Luce) after all matches in their order, best first; intervals are ± 1.96 sigma."""
    model = PlackettLuce()
    ratings = {player: model.rating(name=player) for played in matches for player in played.players}
    counts = dict.fromkeys(ratings, 0)
    for played in matches:
        standings = played.standings()
        if len(standings) < 2:
            continue
        teams = [[ratings[player]] for player in standings]
        for (rated,), player in zip(model.rate(teams, scores=list(standings.values())), standings, strict=True):
            ratings[player] = rated
            counts[player] += 1
    found = [
        Rating(player, counts[player], r.mu, r.mu - _Z * r.sigma, r.mu + _Z * r.sigma) for player, r in ratings.items()
    ]
    return sorted(found, key=lambda rating: -rating.value)


def significance(matches: Sequence[PlayedMatch], first: str, second: str) -> float:
    """The two-sided p-value of a score under the hypothesis that both are equally strong.

    By the exact sign test over decided duels; 1 if there is none.
    """
    scores = [duel_score(played, first, second) for played in matches if set(played.players) == {first, second}]
    wins, losses = scores.count(1.0), scores.count(0.0)
    decided = wins + losses
    if not decided:
        return 1.0
    tail: float = sum(math.comb(decided, n) for n in range(min(wins, losses) + 1)) / 2**decided
    return min(1.0, 2 * tail)

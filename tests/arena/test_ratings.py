from __future__ import annotations

from random import Random

import pytest

from ludens.arena.played_match import PlayedMatch
from ludens.arena.ratings import elo_ratings, significance, skill_ratings
from ludens.arena.results.crosstable import Crosstable
from ludens.arena.results.sprt import Sprt, Verdict, expected_score
from ludens.core import LudensError


def played(players: tuple[str, ...], goals: tuple[int, ...], key: str = "") -> PlayedMatch:
    roles = tuple(f"role{n}" for n in range(len(players)))
    zeros = (0,) * len(players)
    return PlayedMatch(key, "game", roles, players, goals, tuple(map(float, goals)), zeros, 9, 0.1, 0.05, 1, "finished")


def duels(strengths: dict[str, float], count: int, rng: Random) -> list[PlayedMatch]:
    """Duels between random pairs, decided as Elo expects."""
    found = []
    for _ in range(count):
        first, second = rng.sample(sorted(strengths), 2)
        won = rng.random() < expected_score(strengths[first] - strengths[second])
        found.append(played((first, second), (100, 0) if won else (0, 100)))
    return found


def test_elo_finds_the_strengths_that_made_the_results() -> None:
    strengths = {"weak": -150.0, "middle": 0.0, "strong": 150.0}

    ratings = {rating.player: rating for rating in elo_ratings(duels(strengths, 6_000, Random(1)), mean=0.0)}

    for name, strength in strengths.items():
        assert ratings[name].low <= strength <= ratings[name].high
        assert ratings[name].high - ratings[name].low < 30
    assert sum(rating.value for rating in ratings.values()) == pytest.approx(0, abs=1e-6)


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    strengths = {"a": -60.0, "b": 10.0, "c": 50.0}
    covered = 0
    for seed in range(100):
        ratings = elo_ratings(duels(strengths, 200, Random(seed)), mean=0.0)
        covered += sum(rating.low <= strengths[rating.player] <= rating.high for rating in ratings)

    assert 270 <= covered <= 300  # 285 expected


def test_whoever_won_every_match_has_a_finite_rating() -> None:
    ratings = elo_ratings([played(("a", "b"), (100, 0))] * 20)

    assert [rating.player for rating in ratings] == ["a", "b"]
    assert ratings[0].value - ratings[1].value < 2_000
    assert ratings[0].matches == 20


def test_draws_only_mean_equal_ratings() -> None:
    first, second = elo_ratings([played(("a", "b"), (50, 50))] * 10)

    assert first.value == pytest.approx(second.value)


@pytest.mark.smoke
def test_skill_ranks_players_of_matches_with_many_roles() -> None:
    matches = [played(("best", "middle", "worst"), (100, 50, 0))] * 20

    ratings = skill_ratings(matches)

    assert [rating.player for rating in ratings] == ["best", "middle", "worst"]
    assert all(rating.low < rating.value < rating.high for rating in ratings)
    assert [rating.matches for rating in ratings] == [20, 20, 20]


def test_nine_wins_of_ten_are_significant_and_six_are_not() -> None:
    def series(wins: int) -> list[PlayedMatch]:
        return [played(("a", "b"), (100, 0))] * wins + [played(("b", "a"), (100, 0))] * (10 - wins)

    assert significance(series(9), "a", "b") == pytest.approx(22 / 1024)
    assert significance(series(6), "a", "b") > 0.5
    assert significance([played(("a", "b"), (50, 50))], "a", "b") == 1.0


@pytest.mark.parametrize(("elo", "verdict"), [(60.0, Verdict.STRONGER), (-30.0, Verdict.NOT_STRONGER)])
def test_sprt_comes_to_the_right_verdict_nearly_always(elo: float, verdict: Verdict) -> None:
    test = Sprt("a", "b", low=0.0, high=30.0)
    right = 0
    for seed in range(40):
        rng = Random(seed)
        scores: list[float] = []
        while test.verdict(scores) is Verdict.UNDECIDED:
            scores.append(float(rng.random() < expected_score(elo)))
        right += test.verdict(scores) is verdict

    assert right >= 36


def test_sprt_refuses_bounds_that_make_no_sense() -> None:
    with pytest.raises(LudensError, match="low < high"):
        Sprt("a", "b", low=10.0, high=0.0)


def test_groups_are_of_those_who_met_if_only_through_others() -> None:
    pairs = [("a", "b"), ("c", "d"), ("b", "e"), ("f", "g"), ("g", "c")]

    groups = Crosstable([played(pair, (100, 0)) for pair in pairs]).groups

    assert list(map(sorted, groups)) == [["c", "d", "f", "g"], ["a", "b", "e"]]

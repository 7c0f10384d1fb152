"""The scheduler is a pure function, and every format keeps its promise whatever the results are."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludens.arena import schedule as scheduling
from ludens.arena.formats.rounds import Hall, Round
from ludens.arena.formats.standings import standings
from ludens.arena.schedule import Schedule, schedule
from ludens.arena.specification import Format, Result, ScheduledMatch, Specification, SpecificationError
from tests.thorough import examples


def names(count: int) -> tuple[str, ...]:
    return tuple(f"p{number}" for number in range(1, count + 1))


def result_of(match: ScheduledMatch, seed: int) -> Result:
    """A result that depends on the match alone, so that the order of play makes no difference."""
    rng = Random(f"{seed} {match.name} {match.seats}")
    return Result(tuple(float(rng.choice((0, 50, 100))) for _ in match.seats))


def played_out(specification: Specification, seed: int) -> tuple[Schedule, dict[str, Result]]:
    """The schedule at the end, and the results of all matches."""
    results: dict[str, Result] = {}
    while (found := schedule(specification, results)).due:
        results |= {match.name: result_of(match, seed) for match in found.due}
    return found, results


FORMATS = st.sampled_from(list(Format))


@st.composite
def specifications(draw: st.DrawFn) -> Specification:
    form = draw(FORMATS)
    seats = (
        2 if form in (Format.KNOCK_OUT, Format.LADDER) else draw(st.integers(1 if form == Format.ROUND_ROBIN else 2, 4))
    )
    return Specification(
        players=names(draw(st.integers(seats, 7))),
        games=tuple(draw(st.sampled_from([("chess",), ("chess", "go")]))),
        format=form,
        seats=seats,
        rounds=draw(st.integers(0, 4)) if form in (Format.SWISS, Format.LADDER) else 0,
        repetitions=draw(st.integers(1, 2)),
        seed=draw(st.integers(0, 5)),
    )


# All formats


@examples(60)
@given(specifications(), st.integers(0, 1000))
def test_nobody_plays_twice_in_a_round_and_byes_are_the_rest(specification: Specification, seed: int) -> None:
    found, _ = played_out(specification, seed)

    for each in found.rounds:
        playing = [player for group in each.groups for player in group]
        assert len(playing) == len(set(playing))
        assert not set(playing) & set(each.byes)
        assert all(len(group) == specification.seats for group in each.groups)


@examples(60)
@given(specifications(), st.integers(0, 1000), st.randoms(use_true_random=False))
def test_going_on_from_any_part_of_the_results_gives_the_same(
    specification: Specification, seed: int, rng: Random
) -> None:
    found, results = played_out(specification, seed)
    again: dict[str, Result] = {}

    while (partly := schedule(specification, again)).due:
        assert partly.matches == found.matches[: len(partly.matches)]
        for match in rng.sample(partly.due, rng.randint(1, len(partly.due))):
            again[match.name] = result_of(match, seed)

    assert again == results
    assert partly == found
    assert schedule(specification, dict(rng.sample(list(results.items()), len(results)))) == found


@examples(60)
@given(specifications(), st.integers(0, 1000))
def test_each_encounter_is_played_in_each_game_with_seats_rotated(specification: Specification, seed: int) -> None:
    found, _ = played_out(specification, seed)

    encounters: dict[tuple[int, int, str], list[ScheduledMatch]] = {}
    for match in found.matches:
        encounters.setdefault((match.round, match.encounter, match.game), []).append(match)
    assert len(encounters) == len(specification.games) * sum(len(each.groups) for each in found.rounds)
    for matches in encounters.values():
        assert len(matches) == specification.repetitions
        for before, after in pairwise(matches):
            assert after.seats == (*before.seats[1:], before.seats[0])


@settings(max_examples=20, deadline=None)
@given(specifications(), st.integers(0, 1000))
def test_names_and_seeds_of_matches_are_their_own(specification: Specification, seed: int) -> None:
    found, _ = played_out(specification, seed)

    assert len({match.name for match in found.matches}) == len(found.matches)
    seeds = [match.seed(specification) for match in found.matches]
    assert seeds == [match.seed(specification) for match in found.matches]
    assert len(set(seeds)) > 0.9 * len(seeds)


@examples(40)
@given(specifications(), st.integers(0, 1000))
def test_the_table_has_everybody_once_and_adds_up(specification: Specification, seed: int) -> None:
    found, results = played_out(specification, seed)

    assert sorted(one.player for one in found.standings) == sorted(specification.players)
    given_out = sum(sum(result.scores()) for result in results.values())
    byes = sum(one.byes for one in found.standings) if specification.format is Format.SWISS else 0
    free = byes * len(specification.games) * specification.repetitions
    assert sum(one.score for one in found.standings) == pytest.approx(given_out + free)
    assert all(one.wins + one.draws + one.losses == one.matches for one in found.standings)


# Round robin and gauntlet


@examples(60)
@given(st.integers(2, 12), st.integers(2, 4))
def test_round_robin_lets_every_group_meet_once(players: int, seats: int) -> None:
    players = max(players, seats)
    found = schedule(Specification(names(players), ("go",), Format.ROUND_ROBIN, seats), {})

    groups = Counter(frozenset(group) for each in found.rounds for group in each.groups)

    assert groups == Counter(map(frozenset, combinations(names(players), seats)))
    if seats == 2:
        assert len(found.rounds) == players - 1 + players % 2


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 12))
def test_round_robin_gives_everybody_each_seat_as_often_within_one(players: int) -> None:
    found = schedule(Specification(names(players), ("go",)), {})
    first = Counter(match.seats[0] for match in found.matches)
    second = Counter(match.seats[1] for match in found.matches)

    assert max(abs(first[player] - second[player]) for player in names(players)) <= 1


def test_a_game_for_one_is_played_by_everybody() -> None:
    found = schedule(Specification(names(3), ("eight_puzzle",), Format.ROUND_ROBIN, 1), {})

    assert [match.seats for match in found.matches] == [("p1",), ("p2",), ("p3",)]
    assert schedule(found_spec := Specification(names(2), ("x",), seats=1), {"1.1.1": Result((30,))}).due
    assert schedule(found_spec, {"1.1.1": Result((30,)), "1.2.1": Result((60,))}).standings[0].player == "p2"


def test_who_plays_alone_wins_with_the_best_goal_and_never_draws() -> None:
    results = {"1.1.1": Result((100,)), "1.2.1": Result((60,))}

    table = schedule(Specification(names(2), ("x",), seats=1), results).standings

    assert [(one.wins, one.draws, one.losses) for one in table] == [(1, 0, 0), (0, 0, 1)]


@pytest.mark.parametrize("format_", [Format.SWISS, Format.KNOCK_OUT, Format.LADDER])
def test_rounds_are_decided_once_however_often_the_scheduler_is_asked(
    format_: Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With every result all rounds were decided anew: a ladder of 40 players took minutes."""
    decide, decided = scheduling._FORMATS[format_], []

    def counted(hall: Hall) -> Round | None:
        decided.append(len(hall.rounds))
        return decide(hall)

    monkeypatch.setitem(scheduling._FORMATS, format_, counted)
    specification = Specification(names(12), ("asked often",), format_)
    results: dict[str, Result] = {}
    while (found := schedule(specification, results)).due:
        results[found.due[-1].name] = Result((0, 100))

    assert len(decided) <= len(found.rounds) + 2
    assert len(results) > 10


def test_results_that_are_taken_back_decide_otherwise() -> None:
    specification = Specification(names(4), ("x",), Format.KNOCK_OUT)
    semifinals = [match.name for match in schedule(specification, {}).due]

    finals = [
        schedule(specification, dict.fromkeys(semifinals, Result(goals))).rounds[1].groups
        for goals in ((100, 0), (0, 100), (100, 0))
    ]

    assert finals[0] == finals[2] != finals[1]


def test_gauntlet_is_the_first_against_all_others() -> None:
    found = schedule(Specification(names(5), ("go",), Format.GAUNTLET), {})

    assert [set(match.seats) for match in found.matches] == [{"p1", other} for other in names(5)[1:]]
    assert [match.round for match in found.matches] == [1, 2, 3, 4]


# Swiss


@examples(60)
@given(st.integers(2, 10), st.integers(1, 12), st.integers(0, 1000))
def test_swiss_avoids_rematches_as_long_as_it_can(players: int, rounds: int, seed: int) -> None:
    found, _ = played_out(Specification(names(players), ("go",), Format.SWISS, rounds=rounds), seed)
    met: Counter[frozenset[str]] = Counter()

    assert len(found.rounds) == rounds
    for each in found.rounds:
        playing = [player for player in names(players) if player not in each.byes]
        needed = min(
            max((met[frozenset(pair)] for pair in pairing), default=0) for pairing in all_pairings(tuple(playing))
        )
        assert max((met[frozenset(group)] for group in each.groups), default=0) == needed
        met.update(map(frozenset, each.groups))


def all_pairings(players: tuple[str, ...]) -> list[list[tuple[str, str]]]:
    if not players:
        return [[]]
    first, *others = players
    return [
        [(first, other), *rest]
        for other in others
        for rest in all_pairings(tuple(player for player in others if player != other))
    ]


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 9).filter(lambda players: players % 2 == 1), st.integers(1, 9), st.integers(0, 1000))
def test_swiss_byes_go_round(players: int, rounds: int, seed: int) -> None:
    found, _ = played_out(Specification(names(players), ("go",), Format.SWISS, rounds=rounds), seed)
    byes = Counter(player for each in found.rounds for player in each.byes)

    assert max(byes.values()) - min(byes[player] for player in names(players)) <= 1


def test_swiss_pairs_those_who_stand_alike() -> None:
    specification = Specification(names(4), ("go",), Format.SWISS)
    first = schedule(specification, {})
    results = {match.name: Result((100.0, 0.0)) for match in first.matches}

    second = schedule(specification, results).rounds[1]

    winners = {match.seats[0] for match in first.matches}
    assert set(second.groups[0]) == winners


def test_swiss_for_a_hundred_is_quick_enough_to_finish() -> None:
    found, _ = played_out(Specification(names(100), ("go",), Format.SWISS), 1)

    assert len(found.rounds) == 7
    assert max(Counter(frozenset(group) for each in found.rounds for group in each.groups).values()) == 1


# Knock-out and ladder


@examples(60)
@given(st.integers(2, 17), st.integers(0, 1000))
def test_knock_out_loses_all_but_one_who_never_lost(players: int, seed: int) -> None:
    specification = Specification(names(players), ("go",), Format.KNOCK_OUT)
    found, results = played_out(specification, seed)

    assert sum(len(each.groups) for each in found.rounds) == players - 1
    assert len(found.rounds) == (players - 1).bit_length()
    champion = found.standings[0].player
    for match in found.matches:
        if champion in match.seats:
            own, other = results[match.name].goals[:: 1 if match.seats[0] == champion else -1]
            assert own >= other
    assert all(not each.byes for each in found.rounds[1:])


def test_knock_out_keeps_the_best_apart_and_gives_them_byes() -> None:
    found = schedule(Specification(names(6), ("go",), Format.KNOCK_OUT), {})

    assert set(found.rounds[0].byes) == {"p1", "p2"}
    assert [set(group) for group in found.rounds[0].groups] == [{"p4", "p5"}, {"p3", "p6"}]


def test_a_drawn_encounter_goes_to_the_better_seed() -> None:
    found, _ = played_out_with(Specification(names(4), ("go",), Format.KNOCK_OUT), (50.0, 50.0))

    assert [one.player for one in found.standings[:2]] == ["p1", "p2"]


def test_the_winner_climbs_the_ladder() -> None:
    specification = Specification(names(3), ("go",), Format.LADDER)
    results: dict[str, Result] = {}
    while (found := schedule(specification, results)).due:
        match = found.due[0]
        results[match.name] = Result(tuple(100.0 if player == "p3" else 0.0 for player in match.seats))

    assert [set(each.groups[0]) for each in found.rounds] == [{"p1", "p2"}, {"p2", "p3"}, {"p1", "p3"}]
    assert [one.player for one in found.standings] == ["p3", "p1", "p2"]


def played_out_with(specification: Specification, goals: tuple[float, ...]) -> tuple[Schedule, dict[str, Result]]:
    results: dict[str, Result] = {}
    while (found := schedule(specification, results)).due:
        results[found.due[0].name] = Result(goals)
    return found, results


# Errors


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"players": ("a", "a")}, "a unique name"),
        ({"players": ("a", "")}, "a unique name"),
        ({"players": ("a",)}, "players, not 1"),
        ({"games": ()}, "needs a game"),
        ({"games": ("go", "go")}, "must be unique"),
        ({"repetitions": 0}, "positive numbers"),
        ({"seats": 3, "players": names(3), "format": Format.KNOCK_OUT}, "needs games for two"),
        ({"rounds": 3}, "as many rounds as it needs"),
    ],
)
def test_competitions_that_cannot_be_held(wrong: dict[str, object], problem: str) -> None:
    with pytest.raises(SpecificationError, match=problem):
        Specification(**({"players": names(2), "games": ("go",)} | wrong))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "goals", "problem"),
    [("9.9.9", (1.0, 2.0), "not in the schedule"), ("1.1.1", (1.0,), "1 goals for 2 seats")],
)
def test_results_that_do_not_belong_are_refused(name: str, goals: tuple[float, ...], problem: str) -> None:
    with pytest.raises(SpecificationError, match=problem):
        schedule(Specification(names(2), ("go",)), {name: Result(goals)})


def test_too_many_groups_are_refused() -> None:
    with pytest.raises(SpecificationError, match="groups of players would meet"):
        schedule(Specification(names(100), ("x",), Format.ROUND_ROBIN, 5), {})


def test_scores_of_more_than_two() -> None:
    assert Result((100.0, 50.0, 50.0, 0.0)).scores() == pytest.approx((1.0, 0.5, 0.5, 0.0))
    assert standings(Hall(Specification(names(2), ("go",)), {}))[0].player == "p1"

from __future__ import annotations

import pytest

from ludens.referee import MatchEnded
from ludens.referee.verdict import verdict


def ended(reason: str = "terminal", forfeited: str | None = None, **goals: int) -> MatchEnded:
    return MatchEnded(goals, goals, 9, dict.fromkeys(goals, 0), reason, forfeited)


def test_a_person_reads_whether_it_won() -> None:
    assert verdict(ended(red=100, black=0), ["red"]) == "You won, 100 to 0"
    assert verdict(ended(red=100, black=0), ["black"]) == "You lost, 0 to 100"
    assert verdict(ended(red=50, black=50), ["red"]) == "A draw"
    assert verdict(ended(red=20, black=20), ["red"]) == "A draw, 20 each"


def test_a_cause_takes_the_place_of_the_score() -> None:
    cause = "black has four in a row"

    assert verdict(ended(red=0, black=100), ["red"], cause) == "You lost: black has four in a row"
    assert verdict(ended(red=50, black=50), ["red"], "the board is full") == "A draw: the board is full"


@pytest.mark.parametrize("people", [[], ["red", "black"]], ids=["nobody", "both"])
def test_roles_are_named_to_several_people_and_to_spectators(people: list[str]) -> None:
    assert verdict(ended(red=0, black=100), people, "checkmate") == "black won: checkmate"
    assert verdict(ended(red=0, black=100), people) == "black won, 100 to 0"
    assert verdict(ended(red=50, black=50), people) == "A draw"


def test_points_are_the_score_where_a_game_counts_them() -> None:
    match = MatchEnded({"a": 0, "b": 100}, {"a": 18.0, "b": 24.5}, 9, {"a": 0, "b": 0}, "terminal")

    assert verdict(match, ["a"]) == "You lost, 18 to 24.5"
    assert verdict(match) == "b won, 24.5 to 18"


def test_many_roles_have_places() -> None:
    four = ended(a=100, b=60, c=30, d=30)

    assert verdict(four, ["a"]) == "You won"
    assert verdict(four, ["b"]) == "You came second of four"
    assert verdict(four, ["d"]) == "You shared third place of four"
    assert verdict(four) == "a won"
    assert verdict(ended(a=100, b=0, c=0), ["c"]) == "You lost to a"


def test_a_place_beyond_the_eighth_is_a_number() -> None:
    goals = {f"r{n}": 20 - n for n in range(12)}
    match = MatchEnded(goals, goals, 9, dict.fromkeys(goals, 0), "terminal")

    assert verdict(match, ["r10"]) == "You came 11th of 12"


def test_partners_win_and_lose_together() -> None:
    bridge = ended(north=100, east=0, south=100, west=0)

    assert verdict(bridge, ["north"]) == "You won together with south"
    assert verdict(bridge, ["east"]) == "You lost to north and south"
    assert verdict(bridge) == "north and south won"


def test_a_puzzle_is_solved_or_not() -> None:
    assert verdict(ended(robot=100), ["robot"]) == "Solved: 100 of 100"
    assert verdict(ended(robot=40), ["robot"]) == "You reached 40 of 100"
    assert verdict(ended(robot=40)) == "robot reached 40 of 100"


def test_forfeits_and_matches_without_result_say_so() -> None:
    forfeit = ended("forfeit", "black", red=100, black=0)

    assert verdict(forfeit, ["red"], "a cause that did not matter") == "You won: black forfeited the match"
    assert verdict(ended("stopped", red=0, black=0), ["red"]) == "No result: the match was stopped"
    assert verdict(ended("limit", red=0, black=0)) == "No result: the limit of turns was reached"

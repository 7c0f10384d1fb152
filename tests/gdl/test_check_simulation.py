from __future__ import annotations

import pytest

from ludens.gdl.check import SimulationReport, simulate
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from tests.gdl.sheets import SOUND

COUNT = """
(role counter)
(init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal counter (to ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (step ?n)) (does counter (to ?n)))
(<= terminal (true (step 3)))
"""
"""A game of one role that counts to three; goals are up to the test."""


def report(text: str, playouts: int = 4, max_steps: int = 50) -> SimulationReport:
    return simulate(ReferenceGame(read_rules(text), "test"), playouts, max_steps)


def messages(text: str, code: str, max_steps: int = 50) -> list[str]:
    return [found.message for found in report(text, max_steps=max_steps).problems if found.code == code]


def test_sound_game_has_no_problems_and_is_counted() -> None:
    found = report(COUNT + "(goal counter 100)", playouts=3)
    assert found == SimulationReport(
        problems=(), playouts=3, finished=3, states=12, mean_length=3.0, mean_goals={"counter": 100.0}
    )


def test_same_seed_gives_the_same_report() -> None:
    game = ReferenceGame(read_rules(SOUND), "test")
    assert simulate(game, 5, seed=7) == simulate(game, 5, seed=7)


def test_caller_is_told_of_each_playout() -> None:
    done: list[int] = []
    simulate(ReferenceGame(read_rules(SOUND), "test"), 3, on_playout=done.append)
    assert done == [1, 2, 3]


def test_no_playouts_show_nothing() -> None:
    assert report(SOUND, playouts=0) == SimulationReport((), 0, 0, 0, 0.0, {})


def test_role_without_legal_move_is_an_error_with_the_moves_before_it() -> None:
    text = COUNT.replace("(<= terminal (true (step 3)))", "(<= terminal (true (step 9)))") + "(goal counter 100)"
    assert messages(text, "GDL401") == ["role counter has no legal move in playout 0 after step 3 (counter: (to 3))"]


def test_stuck_playouts_are_not_finished() -> None:
    found = report(SOUND.replace("(<= (legal ?p wait)", "(<= (unused ?p)"))
    assert [problem.message for problem in found.problems if problem.code == "GDL401"] == [
        "role black has no legal move in the initial state"
    ]
    assert found.finished == 0
    assert found.mean_goals == {}


def test_game_without_an_end_is_a_warning() -> None:
    text = COUNT + "(goal counter 100) (succ 3 0)"
    assert messages(text.replace("(step 3)", "(step 9)"), "GDL402") == ["playout 0 was not over after 50 steps"]


def test_game_that_ends_with_the_last_step_is_fine() -> None:
    assert messages(COUNT + "(goal counter 100)", "GDL402", max_steps=3) == []
    assert messages(COUNT + "(goal counter 100)", "GDL402", max_steps=2) != []


@pytest.mark.parametrize(
    ("goals", "code", "part"),
    [
        ("(<= (goal counter 100) (true (step 1)))", "GDL403", "no goal value"),
        ("(goal counter 100) (<= (goal counter 0) terminal)", "GDL404", "goal values 0 and 100"),
        ("(<= (goal counter ?v) (value ?v)) (value 101)", "GDL405", "goal value 101"),
    ],
)
def test_end_without_exactly_one_goal_value_is_an_error(goals: str, code: str, part: str) -> None:
    (message,) = messages(COUNT + goals, code)
    assert part in message
    assert "after step 3 (counter: (to 3))" in message


def test_missing_goal_value_before_the_end_is_a_warning() -> None:
    (message,) = messages(COUNT + "(<= (goal counter 100) terminal)", "GDL406")
    assert message == "role counter has no goal value in the initial state, before the game is over"


def test_several_goal_values_before_the_end_are_a_warning() -> None:
    (message,) = messages(COUNT + "(goal counter 100) (<= (goal counter 0) (true (step 1)))", "GDL407")
    assert "goal values 0 and 100 in playout 0 after step 1" in message


@pytest.mark.parametrize("step", [2, 3])
def test_falling_goal_value_is_a_warning(step: int) -> None:
    goals = f"(<= (goal counter 50) (not (true (step {step})))) (<= (goal counter 10) (true (step {step})))"
    (message,) = messages(COUNT + goals, "GDL408")
    assert f"falls from 50 to 10 in playout 0 after step {step}" in message


def test_rising_goal_value_is_fine() -> None:
    goals = "(<= (goal counter 50) (not (true (step 2)))) (<= (goal counter 90) (true (step 2)))"
    (message,) = messages(COUNT + goals, "GDL408")
    assert "after step 3" in message


def test_role_that_never_wins_is_a_warning() -> None:
    assert messages(COUNT + "(goal counter 50)", "GDL409") == [
        "role counter never had goal value 100 in 4 finished playouts"
    ]


def test_a_game_that_is_over_before_it_begins_is_a_warning() -> None:
    (message,) = messages(COUNT + "(goal counter 100) (<= terminal (role counter))", "GDL412")
    assert message == "the game is over before the first move"


def test_chance_needs_no_goals() -> None:
    text = COUNT + "(goal counter 100) (role random) (legal random wait)"
    assert report(text).problems == ()


def test_fluent_outside_base_is_an_error() -> None:
    text = COUNT + "(goal counter 100) (<= (base (step ?n)) (succ ?n ?m))"
    (message,) = messages(text, "GDL410")
    assert message.startswith("(step 3) is true in playout 0 after step 3")
    assert messages(text + "(base (step 3))", "GDL410") == []


def test_move_outside_input_is_an_error() -> None:
    text = COUNT + "(goal counter 100) (input counter (to 1)) (input counter (to 2))"
    (message,) = messages(text, "GDL411")
    assert message.startswith("(to 3) is legal for counter in playout 0 after step 2")
    assert messages(text + "(input counter (to 3))", "GDL411") == []


def test_moves_with_random_variables_need_not_be_in_input() -> None:
    text = COUNT + "(goal counter 100) (random dice 1 1) (input counter (to 1)) (input counter (to 2))"
    text += "(input counter (to 3)) (<= (legal counter (to dice)) (true (step 0)))"
    assert messages(text, "GDL411") == []


def test_rules_that_cannot_be_evaluated_are_an_error() -> None:
    text = (
        COUNT.replace("(step 3)", "(step 9)")
        + """
        (goal counter 100) (legal counter grow) (init (tower nil))
        (<= (next (tower (on ?x))) (true (tower ?x)))
    """
    )
    (message,) = messages(text, "GDL420", max_steps=200)
    assert message.startswith("the rules cannot be evaluated in playout 0 after step ")
    assert "\n" not in message


def test_base_that_cannot_be_evaluated_is_an_error() -> None:
    game = ReferenceGame(read_rules(COUNT + "(goal counter 100)"), "test")
    game.sheet = read_rules(COUNT + "(goal counter 100) (<= (base (step ?n)) (role counter))")
    found = simulate(game, 1)
    assert [problem.code for problem in found.problems] == ["GDL420"]
    assert found.problems[0].message.startswith("base and input cannot be computed: variable ?n has no value")
    assert found.finished == 1


def test_each_kind_of_problem_is_reported_a_few_times_only() -> None:
    facts = " ".join(f"(init (extra {number}))" for number in range(50))
    text = COUNT + "(goal counter 100) (base (step 0))" + facts
    assert len(messages(text, "GDL410")) == 3

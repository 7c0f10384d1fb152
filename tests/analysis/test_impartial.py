from __future__ import annotations

import pytest

from ludens.analysis.impartial import Convention, Impartial, find_impartial
from ludens.analysis.subgames.decompose import all_subgames
from ludens.analysis.syntactic.roles import has_corresponding_rules
from ludens.games.library import find
from ludens.players.decomposition.solve import solve_by_parts
from tests.analysis.games import compiled, shelf
from tests.processes import PATIENCE


@pytest.mark.parametrize(
    ("name", "convention"), [("nim:3,4,5", Convention.NORMAL), ("nim:3,4,5,misere", Convention.MISERE)]
)
def test_nim_is_proved_to_be_a_sum_of_impartial_games(name: str, convention: Convention) -> None:
    found = find_impartial(all_subgames(shelf(name)))

    assert isinstance(found, Impartial)
    assert (found.convention, found.winner, found.loser) == (convention, 100, 0)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("double_tic_tac_toe", "the roles do not have the same moves everywhere"),
        ("double_criss_cross", "two roles do not simply alternate"),
    ],
)
def test_the_reason_is_told_where_the_theory_does_not_apply(name: str, reason: str) -> None:
    assert find_impartial(all_subgames(shelf(name))) == reason


NIM = find("nim:2,2").rule_sheet().source.text


def test_counters_that_decide_nothing_do_not_matter_to_the_theory() -> None:
    steps = "(init (step 0)) (<= (next (step ?n)) (true (step ?m)) (later ?m ?n))"
    steps += "".join(f"(later {n} {n + 1})" for n in range(9))
    fuses = "".join(f"(init (fuse {n}))" for n in range(5)) + "(<= (next (burnt ?n)) (true (fuse ?n)))"
    game = compiled(NIM + steps + fuses + "(<= (next (burnt ?n)) (true (burnt ?n)))")

    assert isinstance(find_impartial(all_subgames(game)), Impartial)
    state = game.initial_state().play({"first": "(reduce a 1)", "second": "noop"})
    assert solve_by_parts(state, PATIENCE).best == {"second": ("(reduce b 1)",)}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("(<= terminal (not objects_left))", "(<= terminal (true (heap a 0)))", "can end while moves are left"),
        ("(<= terminal (not objects_left))", "(<= terminal (true (heap a 7)))", "go on when no moves are left"),
        (
            "(<= (goal first 100)\n    (true (control second))",
            "(<= (goal first 90)\n    (true (control second))",
            "moved last",
        ),
        (
            "(<= (goal ?role 50)",
            "(<= (legal first (rest)) (true (control first)))"
            "(<= (next (heap ?h ?n)) (true (heap ?h ?n)) (does first (rest))) (<= (goal ?role 50)",
            "a role can pass",
        ),
    ],
)
def test_the_theory_is_refused_if_a_condition_fails(old: str, new: str, reason: str) -> None:
    assert old in NIM
    found = find_impartial(all_subgames(compiled(NIM.replace(old, new))))

    assert isinstance(found, str)
    assert reason in found


def test_rules_of_nim_stay_the_same_with_roles_swapped() -> None:
    assert has_corresponding_rules(find("nim").rule_sheet())


@pytest.mark.parametrize("name", ["double_tic_tac_toe", "connect_four", "chess"])
def test_rules_that_tell_roles_apart_do_not_correspond(name: str) -> None:
    assert not has_corresponding_rules(find(name).rule_sheet())

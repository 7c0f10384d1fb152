"""Subgames that a helper chains into one goal: sums, thresholds, all and any."""

from __future__ import annotations

import pytest

from ludens.analysis.report import report
from ludens.analysis.subgames.joints import Structure
from tests.analysis.games import compiled
from tests.players.decomposition.lamps import counted_lamps, weighed_lamps

ALL = "(<= (fine 0) (true (on 0))) (<= (fine ?j) (before ?i ?j) (fine ?i) (true (on ?j))) (<= good (fine {last}))"
ANY = "(<= (dark 0) (not (true (on 0)))) (<= (dark ?j) (before ?i ?j) (dark ?i) (not (true (on ?j))))"
ODD = (
    "(<= (odd 0) (true (on 0))) (<= (odd ?j) (before ?i ?j) (odd ?i) (not (true (on ?j))))"
    " (<= (odd ?j) (before ?i ?j) (not (odd ?i)) (true (on ?j))) (<= good (odd {last}))"
)


def joint_of(rules: str) -> tuple[int, list[tuple[Structure, str]]]:
    found = report(compiled(rules))
    return found.subgames, [(joint.structure, joint.text) for joint in found.joints]


def test_twenty_lamps_are_joined_by_a_count() -> None:
    assert joint_of(counted_lamps(20, 15)) == (20, [(Structure.COUNT, "at least 15 of 20 subgames")])


@pytest.mark.parametrize(
    ("helper", "structure", "text"),
    [
        (ALL, Structure.ALL, "all of 8 subgames"),
        (ANY + "(<= good (not (dark {last})))", Structure.ANY, "any of 8 subgames"),
        (ODD, Structure.COUNT, "an odd number of 8 subgames"),
    ],
)
def test_the_structure_of_a_helper_is_named(helper: str, structure: Structure, text: str) -> None:
    rules = counted_lamps(8, 1, helper.replace("{last}", "7"))

    assert joint_of(rules) == (8, [(structure, text)])


def test_weights_of_a_threshold_are_found() -> None:
    subgames, joints = joint_of(weighed_lamps((1, 2, 3, 5, 8, 13), 16))

    assert subgames == 6
    ((structure, text),) = joints
    assert structure is Structure.THRESHOLD
    assert text.startswith("a weighted sum over 6 subgames is at least ")


def test_a_goal_that_is_the_sum_itself_is_a_sum() -> None:
    subgames, joints = joint_of(weighed_lamps((5, 10, 20, 40), None))

    assert (subgames, joints) == (4, [(Structure.SUM, "a sum of one term for each of 4 subgames")])


def test_a_helper_that_compares_parts_with_each_other_keeps_the_game_whole() -> None:
    pairs = [(i, (i + 1) % 8) for i in range(8)]
    helper = " ".join(f"(<= (clash {i}) (true (on {i})) (not (true (on {j}))))" for i, j in pairs)
    helper += "(<= good (not (clash 0)) (clash 3)) (<= good (clash 1) (clash 5)) (<= good (clash 2) (clash 6))"

    assert joint_of(counted_lamps(8, 1, helper))[0] == 1


@pytest.mark.parametrize("lit", [(), (0, 1), (0, 2, 3), (1, 2, 4, 5), (0, 1, 2, 3, 4, 5)])
def test_an_exact_number_is_recognised_whatever_holds_at_first(lit: tuple[int, ...]) -> None:
    rules = counted_lamps(6, 4).replace("(enough 5)", "").replace("(enough 6)", "")
    rules += "".join(f"(init (on {n}))" for n in lit)

    assert joint_of(rules) == (6, [(Structure.COUNT, "exactly 4 of 6 subgames")])

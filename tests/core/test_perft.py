from __future__ import annotations

import pytest

from ludens.core import LudensError, State, joint_moves
from ludens.core.perft import divide, perft
from ludens.gdl.game import GdlState
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame


def start(text: str) -> GdlState:
    return ReferenceGame(read_rules(text), "test").initial_state()


def heap(size: int) -> GdlState:
    """One heap, one or two taken in turn: the lines of a given length are counted by hand in the tests."""
    numbers = " ".join(f"(succ {number} {number + 1})" for number in range(size))
    return start(
        f"""(role a) (role b) (init (heap {size})) (init (control a)) {numbers}
        (<= (legal ?p (take ?n)) (true (control ?p)) (true (heap ?m)) (succ ?n ?m))
        (<= (legal ?p (take ?n)) (true (control ?p)) (true (heap ?m)) (succ ?k ?m) (succ ?n ?k))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (next (heap ?n)) (does ?p (take ?n)))
        (<= (next (control ?q)) (true (control ?p)) (role ?q) (distinct ?p ?q))
        (<= terminal (true (heap 0)))"""
    )


@pytest.mark.parametrize(("plies", "count"), [(0, 1), (1, 2), (2, 4), (3, 7), (4, 5), (5, 1), (6, 0), (50, 0)])
def test_lines_that_end_earlier_do_not_count(plies: int, count: int) -> None:
    # From a heap of 5: so many ones and twos in a row that the sum before the last is below 5, and 5 at most in all.
    assert perft(heap(5), plies) == count


def test_no_ply_is_one_line_even_when_the_game_is_over() -> None:
    over = start("(role r) terminal")
    assert perft(over, 0) == 1
    assert perft(over, 1) == 0


def test_joint_moves_of_several_roles_are_one_ply() -> None:
    state = start("(role r) (role s) (legal r (x 1)) (legal r (x 2)) (legal s (y 1)) (legal s (y 2)) (legal s (y 3))")
    assert [perft(state, plies) for plies in range(4)] == [1, 6, 36, 216]


WAITING = """
(role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal r noop) (true (step ?x)) (odd ?x)) (odd 1) (odd 3)
(<= (legal r (go ?n)) (true (step ?x)) (not (odd ?x)) (choice ?n)) (choice 1) (choice 2)
(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
(<= terminal (true (step 4)))
"""


def test_joint_moves_in_which_all_can_only_wait_are_not_counted() -> None:
    state = start(WAITING)
    assert [perft(state, plies) for plies in range(4)] == [1, 2, 4, 0]


def test_single_move_with_arguments_is_a_ply() -> None:
    state = start("(role r) (legal r (go 1))")
    assert perft(state, 5) == 1


def test_choice_among_bare_words_is_a_ply() -> None:
    state = start("(role r) (legal r left) (legal r right)")
    assert [perft(state, plies) for plies in range(4)] == [1, 2, 4, 8]


def test_waiting_for_ever_is_found_out() -> None:
    state = start("(role r) (legal r noop)")
    try:
        found = perft(state, 1)
    except LudensError:
        return
    assert found == 0


def test_long_waits_need_no_deep_stack() -> None:
    steps = " ".join(f"(succ {number} {number + 1})" for number in range(1200))
    state = start(
        f"""(role r) (init (step 0)) {steps}
        (<= (legal r noop) (true (step ?x)) (succ ?x ?y))
        (<= (legal r (go 1)) (true (step 1200)))
        (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"""
    )
    assert perft(state, 1) == 1


def test_state_in_which_nobody_can_move_has_no_lines() -> None:
    assert perft(start("(role r)"), 1) == 0


def half_way(state: State) -> bool:
    assert isinstance(state, GdlState)
    return ("step", "1") in state.facts


TWO_JUMPS = """
(role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal r (jump ?n)) (choice ?n)) (choice 1) (choice 2)
(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
(<= terminal (true (step 3)))
"""


def test_steps_inside_a_turn_are_no_plies_of_their_own() -> None:
    state = start(TWO_JUMPS)
    assert [perft(state, plies) for plies in range(5)] == [1, 2, 4, 8, 0]
    assert [perft(state, plies, half_way) for plies in range(4)] == [1, 4, 8, 0]


def test_divide_adds_up_to_perft() -> None:
    state = heap(5)
    for plies in (1, 2, 3):
        parts = divide(state, plies)
        assert list(parts) == [tuple(move.values()) for move in joint_moves(state)]
        assert sum(parts.values()) == perft(state, plies)
    assert divide(heap(3), 2) == {("(take 1)", "noop"): 1, ("(take 2)", "noop"): 2}


def test_divide_at_the_end_is_empty() -> None:
    assert divide(start("(role r) terminal (legal r a)"), 1) == {}

from __future__ import annotations

import pytest

from ludens.core import Answer
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.turn_taking import Turns, find_turns

MOVES = """(role white) (role black) (init (control white))
(<= (legal ?r (take ?n)) (true (control ?r)) (true (heap ?n)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (heap ?n)) (true (heap ?n)))
(init (heap 1)) (init (heap 2))
"""
SWAP = "(<= (next (control white)) (true (control black))) (<= (next (control black)) (true (control white)))"


def turns(text: str) -> Turns | None:
    return find_turns(read_rules(text), ["white", "black"])


@pytest.mark.parametrize(
    "passing",
    [
        SWAP,
        "(<= (next (control ?q)) (true (control ?p)) (role ?q) (distinct ?p ?q))",
        "(<= (next (control ?q)) (true (control ?p)) (after ?p ?q)) (after white black) (after black white)",
    ],
)
def test_control_that_passes_on_gives_turns(passing: str) -> None:
    assert turns(MOVES + passing) == Turns("control", always_pass=True)


def test_control_that_stays_gives_turns_that_do_not_alternate() -> None:
    assert turns(MOVES + "(<= (next (control ?p)) (true (control ?p)))") == Turns("control", always_pass=False)


@pytest.mark.parametrize(
    "passing",
    [
        SWAP + "(<= (next (control white)) (true (heap 1)))",  # from nothing
        SWAP + "(<= (next (control white)) (true (control white)) (true (heap 1))) (init (control black))",  # two
        "(<= (next (control ?q)) (true (control ?p)) (role ?q))",  # both after one
        SWAP + "(<= (next ?f) (true ?f) (true (heap 1)))",  # any fluent may stay
        SWAP + "(<= (legal ?r wait) (role ?r))",  # a choice without control
        SWAP + "(<= (legal black (look ?n)) (true (heap ?n)))",
        SWAP + "(<= (legal black extra) (true (control white)))",  # the other's control is no control
    ],
)
def test_anything_else_is_left_open(passing: str) -> None:
    assert turns(MOVES + passing) is None


def test_control_that_comes_from_nothing_is_seen_even_if_there_is_none_in_the_beginning() -> None:
    rules = MOVES.replace("(init (control white))", "")

    assert turns(rules + SWAP) == Turns("control", always_pass=True)
    assert turns(rules + "(<= (next (control white)) (not (true (control black))))") is None


def test_a_game_says_that_its_text_shows_it() -> None:
    rules = MOVES + SWAP + "(<= terminal (not (true (heap 1)))) (goal white 0) (goal black 0)"
    facts = ReferenceGame(read_rules(rules), "turns").facts

    assert facts.simultaneous.answer is Answer.NO
    assert "text" in facts.simultaneous.reason
    assert facts.alternating.answer is Answer.YES
    assert facts.zero_sum.answer is Answer.UNKNOWN

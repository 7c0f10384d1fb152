"""What a role can believe from its own moves and percepts alone."""

from __future__ import annotations

from random import Random

import pytest

from ludens.core import Deadline, GameError, OutOfTimeError, PerceptView
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame

COIN = ReferenceGame(
    read_rules(
        """
        (role random) (role r) (init start)
        (<= (legal random (flip ?s)) (true start) (side ?s)) (<= (legal random noop) (not (true start)))
        (side heads) (side tails)
        (<= (legal r wait) (true start)) (<= (legal r peek) (not (true start))) (<= (legal r (bet ?s)) (true (coin ?s)))
        (<= (next (coin ?s)) (does random (flip ?s))) (<= (next (coin ?s)) (true (coin ?s)))
        (<= (sees r (shows ?s)) (does r peek) (true (coin ?s)))
        (<= terminal (true never)) (goal r 0)
        """
    ),
    "coin",
)


def view() -> PerceptView:
    return PerceptView(COIN, "r", COIN.initial_state())


def sides(belief: PerceptView) -> dict[str, float]:
    return {str(state): weight for state, weight in belief.belief(Random(0)).items()}


def test_what_chance_did_unseen_is_believed_by_its_probability() -> None:
    assert sides(view().after("wait", [])) == {"(coin heads)": 0.5, "(coin tails)": 0.5}


def test_a_percept_leaves_only_states_that_give_it() -> None:
    looked = view().after("wait", []).after("peek", ["(shows tails)"])

    assert sides(looked) == {"(coin tails)": 1.0}
    assert looked.legal_moves == COIN.state([("coin", "tails")]).legal_moves("r")


def test_the_moves_on_offer_leave_only_states_that_offer_them() -> None:
    told = view().after("wait", [], COIN.state([("coin", "heads")]).legal_moves("r"))

    assert sides(told) == {"(coin heads)": 1.0}


def test_percepts_that_no_history_gives_are_an_error() -> None:
    impossible = view().after("wait", []).after("peek", ["(shows edge)"])

    with pytest.raises(GameError, match="found no history"):
        impossible.belief(Random(0))


def test_the_search_for_a_history_stops_at_the_deadline() -> None:
    impossible = view().after("wait", []).after("peek", ["(shows edge)"])

    with Deadline(0).enforced(), pytest.raises(OutOfTimeError):
        impossible.belief(Random(0))


def test_a_move_that_was_not_legal_is_an_error() -> None:
    with pytest.raises(GameError, match="found no history"):
        view().after("peek", []).belief(Random(0))


def test_views_of_a_match_are_told_apart_by_moves_and_percepts() -> None:
    first = view()
    second = first.after("wait", [])
    third = second.after("peek", ["(shows heads)"])

    assert third.history == [first, second, third]
    assert third.information == ((None, ()), ("wait", ()), ("peek", ("(shows heads)",)))


def test_information_is_text_and_a_hash_that_all_processes_share() -> None:
    peeked = view().after("wait", ()).after("peek", ("(shows heads)",))
    same = view().after("wait", ()).after("peek", ("(shows heads)",))
    other = view().after("wait", ()).after("peek", ("(shows tails)",))

    assert str(peeked.information) == "wait · peek → (shows heads)"
    assert peeked.information == same.information
    assert hash(peeked.information) == hash(same.information) == 0x51CA02EE753BCD
    assert peeked.information != other.information
    assert hash(peeked.information) != hash(other.information)

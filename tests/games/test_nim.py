from __future__ import annotations

from functools import cache, reduce
from itertools import product
from operator import xor

import pytest

from ludens.core import GameError, State, joint_moves
from ludens.games.shelf.nim import rules
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from tests.games.playouts import check_random_playouts


def nim(*parameters: str) -> ReferenceGame:
    return ReferenceGame(read_rules(rules(*parameters)), "nim")


def mover_wins_by_theory(heaps: tuple[int, ...], *, misere: bool) -> bool:
    if misere and all(size <= 1 for size in heaps):
        return sum(heaps) % 2 == 0
    return reduce(xor, heaps) != 0


@pytest.mark.parametrize("convention", ["normal", "misere"])
def test_winner_is_the_one_that_nim_sums_tell(convention: str) -> None:
    game = nim("3", "4", "5", convention)

    @cache
    def value_for_mover(state: State, mover: str, other: str) -> int:
        if state.is_terminal:
            return state.goals[mover]
        return 100 - min(value_for_mover(state.play(move), other, mover) for move in joint_moves(state))

    for heaps in product(range(4), range(5), range(6)):
        sizes = [("heap", name, str(size)) for name, size in zip("abc", heaps, strict=True)]
        state = game.state([*sizes, ("control", "first")])
        expected = mover_wins_by_theory(heaps, misere=convention == "misere")
        assert value_for_mover(state, "first", "second") == (100 if expected else 0), heaps


def test_moves_reduce_one_heap_and_pass_the_turn() -> None:
    state = nim("1", "2").initial_state()
    assert state.legal_moves("first") == ("(reduce a 0)", "(reduce b 0)", "(reduce b 1)")
    assert state.legal_moves("second") == ("noop",)
    after = state.play({"first": "(reduce b 1)", "second": "noop"})
    assert after.facts == {("heap", "a", "1"), ("heap", "b", "1"), ("control", "second")}


def test_default_is_three_four_five_in_normal_play() -> None:
    assert rules() == rules("3", "4", "5") == rules("3", "4", "5", "normal") == rules("normal")
    assert rules("misere") == rules("3", "4", "5", "misere")


def test_empty_heaps_are_a_lost_game_in_normal_play() -> None:
    state = nim("0", "0").initial_state()
    assert state.is_terminal
    assert state.goals == {"first": 0, "second": 100}


def test_heaps_after_the_twenty_sixth_have_numbered_names() -> None:
    facts = nim(*["1"] * 40).initial_state().facts
    assert facts > {("heap", name, "1") for name in ("a", "z", "h27", "h40")}
    assert len(facts - {("control", "first")}) == 40


def test_heap_of_a_thousand_is_playable() -> None:
    assert len(nim("1000").initial_state().legal_moves("first")) == 1000


@pytest.mark.parametrize(
    "parameters",
    [
        ("1001",),
        ("-1",),
        ("3.5",),
        ("three",),
        ("",),
        ("misere", "3"),
        ("3", "misère"),
        ("9" * 5000,),
        ("٣",),
    ],
)
def test_bad_parameter_is_named_in_the_error(parameters: tuple[str, ...]) -> None:
    with pytest.raises(GameError, match="nim takes heap sizes from 0 to 1000"):
        rules(*parameters)


def test_more_than_forty_heaps_are_refused() -> None:
    with pytest.raises(GameError, match="at most 40 heaps, not 41"):
        rules(*["1"] * 41)


@pytest.mark.parametrize("convention", ["normal", "misere"])
def test_random_playouts_are_well_formed(convention: str) -> None:
    check_random_playouts(nim("1", "2", "3", "5", convention), 50)

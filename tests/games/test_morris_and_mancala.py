"""Nine Men's Morris and kalaha: what happens at the edges of their rules."""

from __future__ import annotations

from ludens.gdl.reference import ReferenceState
from ludens.gdl.terms import Term
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game

MORRIS = shelf_game("nine_mens_morris")
POINTS = {fact[1:3] for fact in MORRIS.initial_state().facts if isinstance(fact, tuple) and fact[0] == "cell"}


def morris(white: str, black: str, control: str = "white", hand: str = "0") -> ReferenceState:
    """A position by the points of both sides, such as ``a1 d1``."""
    owners = dict.fromkeys(map(tuple, white.split()), "white") | dict.fromkeys(map(tuple, black.split()), "black")
    facts: list[Term] = [("cell", *point, owners.get((str(point[0]), str(point[1])), "b")) for point in POINTS]
    men = [("men", "white", str(len(white.split()) + int(hand))), ("men", "black", str(len(black.split()) + int(hand)))]
    hands = [("hand", "white", hand), ("hand", "black", hand)]
    return MORRIS.state([*facts, *men, *hands, ("control", control), ("turns", "30")])


def white_plays(state: ReferenceState, move: str) -> ReferenceState:
    return state.play({"white": move, "black": "noop"})


def test_a_closed_mill_takes_a_man_that_is_in_no_mill() -> None:
    state = white_plays(morris("a1 d1 g4 b2", "a7 d7 g7 c3"), "(move g 4 g 1)")
    assert state.legal_moves("white") == ("(take c 3)",)
    after = white_plays(state, "(take c 3)")
    assert ("men", "black", "3") in after.facts
    assert ("control", "black") in after.facts


def test_men_in_mills_may_be_taken_if_there_are_no_others() -> None:
    state = white_plays(morris("a1 d1 g4 b2", "a7 d7 g7"), "(move g 4 g 1)")
    assert set(state.legal_moves("white")) == {"(take a 7)", "(take d 7)", "(take g 7)"}
    after = white_plays(state, "(take a 7)")
    assert after.is_terminal
    assert after.goals == {"white": 100, "black": 0}


def test_a_man_that_leaves_a_mill_does_not_complete_it() -> None:
    state = white_plays(morris("a1 d1 g1 b2", "a7 d7 g4 c3"), "(move d 1 d 2)")
    assert ("control", "black") in state.facts


def test_a_mill_counts_while_men_are_placed() -> None:
    state = white_plays(morris("a1 d1", "a7 d7", hand="2"), "(place g 1)")
    assert set(state.legal_moves("white")) == {"(take a 7)", "(take d 7)"}


def test_three_men_fly_and_four_do_not() -> None:
    assert len(morris("a1 d1 b2", "a7 d7 g7 c3").legal_moves("white")) == 3 * 17
    assert set(morris("a1 d1 b2 g7", "a7 d7 c3 e3").legal_moves("white")) == {
        "(move a 1 a 4)", "(move d 1 g 1)", "(move d 1 d 2)", "(move b 2 d 2)", "(move b 2 b 4)", "(move g 7 g 4)",
    }  # fmt: skip


def test_who_cannot_move_has_lost() -> None:
    state = morris("a1 g1 a7 g7", "d1 a4 d7 g4")
    assert state.is_terminal
    assert state.goals == {"white": 0, "black": 100}


def kalaha(south: list[int], north: list[int], stores: tuple[int, int] = (0, 0)) -> ReferenceState:
    game = shelf_game("kalaha")
    seeds: list[Term] = [
        ("seeds", role, str(house), str(count))
        for role, counts in (("south", south), ("north", north))
        for house, count in enumerate(counts, start=1)
    ]
    return game.state(
        [*seeds, ("store", "south", str(stores[0])), ("store", "north", str(stores[1])), ("control", "south")]
    )


def test_the_last_seed_in_the_store_sows_again() -> None:
    state = kalaha([4] * 6, [4] * 6).play({"south": "(sow 3)", "north": "noop"})
    assert state == kalaha([4, 4, 0, 5, 5, 5], [4] * 6, (1, 0))


def test_the_last_seed_in_an_own_empty_house_captures_what_is_opposite() -> None:
    state = kalaha([1, 0, 4, 4, 4, 4], [4, 4, 4, 4, 5, 4]).play({"south": "(sow 1)", "north": "noop"})
    assert {("store", "south", "6"), ("seeds", "south", "2", "0"), ("seeds", "north", "5", "0")} <= state.facts


def test_nothing_is_captured_from_an_empty_house() -> None:
    state = kalaha([1, 0, 4, 4, 4, 4], [4, 4, 4, 4, 0, 4]).play({"south": "(sow 1)", "north": "noop"})
    assert {("store", "south", "0"), ("seeds", "south", "2", "1")} <= state.facts


def test_thirteen_seeds_go_all_the_way_round_past_the_other_store_and_capture() -> None:
    state = kalaha([13, 0, 0, 0, 0, 0], [1] * 6).play({"south": "(sow 1)", "north": "noop"})
    assert {("store", "south", "4"), ("store", "north", "0"), ("seeds", "south", "1", "0")} <= state.facts
    assert ("seeds", "north", "6", "0") in state.facts
    assert ("seeds", "north", "5", "2") in state.facts


def test_seeds_left_in_houses_count_for_their_side() -> None:
    state = kalaha([0, 0, 0, 0, 0, 1], [0, 0, 0, 2, 2, 0], (22, 21)).play({"south": "(sow 6)", "north": "noop"})
    assert state.is_terminal
    assert state.goals == {"south": 0, "north": 100}


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(MORRIS, 2)
    check_random_playouts(shelf_game("kalaha:4,3"), 5)

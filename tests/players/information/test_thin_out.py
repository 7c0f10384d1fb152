from __future__ import annotations

from ludens.players.information.thinning import thin_out


def test_of_many_moves_that_differ_in_a_number_a_few_are_tried() -> None:
    raises = [f"raise to {n}" for n in range(4, 101)]

    kept = thin_out(("fold", "call", *raises))

    assert kept[:2] == ("fold", "call")
    assert len(kept) == 10
    assert {"raise to 4", "raise to 100"} <= set(kept)
    assert [move for move in raises if move in kept] == list(kept[2:])


def test_few_moves_and_moves_with_several_numbers_stay() -> None:
    few = tuple(f"bid {n}" for n in range(20))
    places = tuple(f"(mark {x} {y})" for x in range(9) for y in range(9))

    assert thin_out(few) is few
    assert thin_out(places) is places

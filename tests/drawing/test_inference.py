"""What is found out about fluents that nobody has explained."""

from __future__ import annotations

from ludens.drawing import clicks, draw
from ludens.drawing.chains import chained
from ludens.drawing.layouts import graph_at
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from tests.drawing.looking import labels, spots, words

REST = "(<= terminal (true over)) (<= (goal ?r 50) (role ?r)) (<= (next ?f) (true ?f))"


def game_of(sheet: str) -> ReferenceGame:
    return ReferenceGame(read_rules(f"{sheet} {REST}", name="sheet"), "no such game")


def test_squares_may_be_called_by_one_name() -> None:
    cells = " ".join(f"(init (cell {x}{y} b))" for x in "abc" for y in "123" if (x, y) != ("a", "1"))
    game = game_of(
        f"(role white) (role black) {cells} (init (cell a1 white_pawn)) (<= (legal ?r (move a1 b2)) (role ?r))"
    )
    view = game.initial_state().view("white")
    assert "white pawn on a1" in labels(draw(game, view))
    assert clicks(game, view, ["(move a1 b2)"])["(move a1 b2)"] == ("cell:a:1", "cell:b:2")


def test_squares_may_be_compound_terms() -> None:
    cells = " ".join(f"(init (holds (at {x} {y}) empty))" for x in range(1, 4) for y in range(1, 4))
    game = game_of(f"(role me) {cells} (legal me (put (at 2 3))) (legal me (put (at 1 1)))")
    view = game.initial_state().view("me")
    assert clicks(game, view, ["(put (at 2 3))"])["(put (at 2 3))"] == ("holds:2:3",)


def test_places_that_facts_join_are_a_graph() -> None:
    roads = "(road a b) (road b c) (road c d) (road d a) (road a c)"
    at = " ".join(f"(base (at rook {place}))" for place in "abcd")
    game = game_of(
        f"(role me) {roads} {at} (init (at rook a)) (<= (legal me (go ?x ?y)) (true (at rook ?x)) (road ?x ?y))"
    )
    view = game.initial_state().view("me")
    assert "rook on a" in labels(draw(game, view))
    assert clicks(game, view, ["(go a b)"])["(go a b)"] == ("at:a", "at:b")


def test_an_order_of_numbers_is_no_graph() -> None:
    numbers = " ".join(f"(succ {n} {n + 1})" for n in range(9))
    game = game_of(f"(role me) {numbers} (init (step 0)) (init (mark 1)) (legal me a) (legal me b)")
    assert spots(draw(game, game.initial_state().view("me"))) <= {"move:a", "move:b"}


def test_a_relation_between_all_numbers_is_no_graph() -> None:
    higher = " ".join(f"(higher {m} {n})" for n in range(1, 7) for m in range(n + 1, 7))
    die = " ".join(f"(base (shown {n}))" for n in range(1, 7))
    game = game_of(f"(role me) {higher} {die} (init (shown 3)) (legal me (take 1)) (legal me (take 2))")
    assert not {spot for spot in spots(draw(game, game.initial_state().view("me"))) if spot.startswith("shown")}


def test_names_with_numbers_are_heaps_of_which_things_are_taken() -> None:
    heaps = "(init (pile a 2)) (init (pile b 3)) (index 1) (index 2) (index 3)"
    game = game_of(f"(role me) {heaps} (<= (legal me (take ?h ?n)) (true (pile ?h ?m)) (index ?n))")
    view = game.initial_state().view("me")
    assert clicks(game, view, ["(take b 3)", "(take b 1)"]) == {
        "(take b 3)": ("pile:b:1",),
        "(take b 1)": ("pile:b:3",),
    }


def test_the_same_letter_is_black_beside_white_and_blank_beside_marks() -> None:
    for contents, black in ((("w", "b", "empty"), True), (("x", "o", "b"), False)):
        cells = " ".join(f"(init (cell {x} {y} {contents[(x + y) % 3]}))" for x in range(1, 4) for y in range(1, 4))
        game = game_of(f"(role white) (role black) {cells} (<= (legal ?r (put 1 1)) (role ?r))")
        drawn = labels(draw(game, game.initial_state().view("white")))
        assert any(label.startswith("b on") for label in drawn) == black


def test_what_is_not_understood_is_written() -> None:
    game = game_of("(role me) (init (weather sunny warm)) (init (mood good)) (legal me a) (legal me b)")
    assert {"mood: good", "weather: sunny warm"} <= set(words(draw(game, game.initial_state().view("me"))))


def test_a_graph_is_always_laid_out_alike_and_apart() -> None:
    roads = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    where = graph_at("abcd", roads)
    assert where == graph_at("abcd", roads)
    assert len(set(where.values())) == 4


def test_dominoes_are_laid_end_to_end() -> None:
    line = chained(["2-5", "5-5", "1-2", "1-6", "3-5"])
    assert line == ["6-1", "1-2", "2-5", "5-5", "5-3"]


def test_an_empty_board_is_found_in_the_first_moves() -> None:
    numbers = " ".join(f"(index {n})" for n in range(1, 5))
    rules = "(<= (legal me (mark ?x ?y)) (index ?x) (index ?y)) (<= (next (marked ?x ?y)) (does me (mark ?x ?y)))"
    game = game_of(f"(role me) {numbers} {rules}")
    state = game.initial_state().play({"me": "(mark 3 4)"})
    assert "marked on 3 4" in labels(draw(game, state.view("me")))
    assert clicks(game, state.view("me"), ["(mark 2 1)"])["(mark 2 1)"] == ("marked:2:1",)


def test_large_numbers_do_not_make_large_drawings() -> None:
    large = "(init (heap a 99999999)) (init (heap b 2)) (init (pin 1)) (init (pin 99999999))"
    many = " ".join(f"(init (thing n{n}))" for n in range(900))
    game = game_of(f"(role me) (role you) {large} {many} (<= (legal ?r a) (role ?r)) (<= (legal ?r b) (role ?r))")
    assert len(draw(game, game.initial_state().view("me")).inline) < 300_000


def test_hints_belong_to_the_rules_of_their_card() -> None:
    sheet = read_rules("(role me) (init (heap much)) (init (heap x y z)) (legal me a) (legal me b) " + REST)
    game = ReferenceGame(sheet, "nim")
    assert "heap: much" in words(draw(game, game.initial_state().view("me")))

"""What is found out about fluents that nobody has explained."""

from __future__ import annotations

from itertools import pairwise

import pytest

import ludens
from ludens.drawing import clicks, draw
from ludens.drawing.layouts import graph_at
from ludens.drawing.looks.cards import are_cards, is_card
from ludens.drawing.palette import HIT
from ludens.drawing.scenes.scene import Group, Polygon, Text
from ludens.drawing.tabletop.chains import arrange_chain
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from tests.drawing.looking import labels, spots, walk, words

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


def test_first_letters_of_roles_are_owners_of_pieces() -> None:
    contents = ("np", "sk", "e")
    cells = " ".join(f"(init (cell {x} {y} {contents[(x + y) % 3]}))" for x in range(1, 4) for y in range(1, 4))
    game = game_of(f"(role north) (role south) {cells} (<= (legal ?r (put 1 1)) (role ?r))")
    drawn = labels(draw(game, game.initial_state().view("north")))
    assert {"north p on a2", "south k on a3"} <= set(drawn)


def test_a_letter_that_most_squares_have_is_blank_and_b_a_colour() -> None:
    cells = " ".join(f"(init (cell {x} {y} {'rb'[x - 1] if y == 1 else 'o'}))" for x in (1, 2) for y in (1, 2, 3, 4))
    game = game_of(f"(role redteam) (role blueteam) {cells} (<= (legal ?r (put 1 1)) (role ?r))")
    drawn = labels(draw(game, game.initial_state().view("redteam")))
    assert {"redteam on a1", "blueteam on b1", "a2, empty"} <= set(drawn)


def test_numbers_after_a_letter_are_numbers_if_they_begin_with_0() -> None:
    game = game_of(
        "(role me) (init (pit a s3)) (init (pit b s0)) (init (pit c s1)) (init (at s0)) (base (at s1)) (base (at s2))"
        "(base (pit a s3)) (base (pit b s0)) (base (pit c s1)) (base (at s0))"
        "(<= (legal me (pick ?p)) (true (pit ?p s3))) (legal me wait)"
    )
    text = draw(game, game.initial_state()).svg
    assert "a: 3" in text
    assert "b: 0" in text


def test_pieces_in_stock_are_counted_in_hands() -> None:
    stock = " ".join(
        f"(init (in_hand {role} {kind} {n}))" for role in ("me", "you") for kind, n in (("gold", 2), ("pawn", 0))
    )
    game = game_of(f"(role me) (role you) {stock} (<= (legal ?r (drop gold)) (role ?r)) (<= (legal ?r wait) (role ?r))")
    view = game.initial_state().view("me")
    assert clicks(game, view, ["(drop gold)"]) == {"(drop gold)": ("in_hand:me:gold",)}
    assert "in_hand:me:pawn" not in spots(draw(game, view))


def test_a_number_on_each_square_is_one_board() -> None:
    base = " ".join(f"(base (mark {x} {y} {n}))" for x in "1234" for y in "1234" for n in "1234")
    game = game_of(f"(role me) {base} (<= (legal me (play ?x ?y ?n)) (base (mark ?x ?y ?n)))")
    view = game.initial_state().view("me")
    assert len(spots(draw(game, view))) == 16
    assert clicks(game, view, ["(play 2 3 4)"])["(play 2 3 4)"] == ("mark:2:3",)


def test_columns_and_squares_can_both_be_clicked() -> None:
    cells = " ".join(f"(init (cell {x} {y} b))" for x in "123" for y in "123")
    game = game_of(
        f"(role me) {cells} (legal me (drop 1)) (legal me (drop 3)) (<= (legal me (mark ?x 2)) (true (cell ?x 2 b)))"
    )
    view = game.initial_state().view("me")
    found = clicks(game, view, ["(drop 3)", "(mark 2 2)"])
    assert found == {"(drop 3)": ("cell:column:3",), "(mark 2 2)": ("cell:2:2",)}
    assert {"cell:column:3", "cell:2:2"} <= spots(draw(game, view))


def test_columns_of_several_boards_are_apart() -> None:
    cells = " ".join(f"(init (cell_{n} {x} {y} b))" for n in ("up", "low") for x in "123" for y in "123")
    game = game_of(f"(role me) {cells} (legal me (drop_up 1)) (legal me (drop_low 1)) (legal me (drop_low 2))")
    found = clicks(game, game.initial_state().view("me"), ["(drop_up 1)", "(drop_low 1)"])
    assert found == {"(drop_up 1)": ("cell_up:column:1",), "(drop_low 1)": ("cell_low:column:1",)}


def test_squares_of_several_boards_are_told_apart_by_three_words() -> None:
    cells = " ".join(f"(init (holds {q} {x} {y} b))" for q in "123" for x in "123" for y in "123")
    game = game_of(f"(role me) {cells} (legal me (put 1 1 2)) (legal me (put 1 1 3)) (legal me (put 3 2 1))")
    found = clicks(game, game.initial_state().view("me"), ["(put 1 1 2)", "(put 1 1 3)", "(put 3 2 1)"])
    assert len(set(found.values())) == 3


def test_what_most_squares_have_and_lose_is_drawn_small() -> None:
    cells = " ".join(f"(init (at {'hero' if x + y == 2 else 'pellet'} {x} {y}))" for x in (1, 2, 3) for y in (1, 2, 3))
    sheet = (
        f"(role hero) {cells} (legal hero (go 1 2)) (legal hero (go 2 1))"
        "(<= (next (at hero ?x ?y)) (does hero (go ?x ?y)))"
        "(<= (next (at pellet ?x ?y)) (true (at pellet ?x ?y)) (not (eaten ?x ?y)))"
        "(<= (eaten ?x ?y) (does hero (go ?x ?y))) (<= terminal (true (at hero 3 3))) (goal hero 100)"
    )
    game = ReferenceGame(read_rules(sheet, name="sheet"), "no such game")
    assert "pellet on c3" in labels(draw(game, game.initial_state()))


def test_numbers_to_choose_from_are_short_signs() -> None:
    game = game_of("(role me) " + " ".join(f"(legal me (bid {n}))" for n in range(60)))
    view = game.initial_state().view("me")
    drawing = draw(game, view)
    assert "move:(bid 59)" in spots(drawing)
    assert "me may: bid" in drawing.svg


def test_the_same_letter_is_black_beside_white_and_blank_beside_marks() -> None:
    for contents, black in ((("w", "b", "empty"), True), (("x", "o", "b"), False)):
        cells = " ".join(f"(init (cell {x} {y} {contents[(x + y) % 3]}))" for x in range(1, 4) for y in range(1, 4))
        game = game_of(f"(role white) (role black) {cells} (<= (legal ?r (put 1 1)) (role ?r))")
        drawn = labels(draw(game, game.initial_state().view("white")))
        assert any(label.startswith("black on") for label in drawn) == black


def test_what_is_not_understood_is_written() -> None:
    game = game_of("(role me) (init (weather sunny warm)) (init (mood good)) (legal me a) (legal me b)")
    assert {"mood: good", "weather: sunny warm"} <= set(words(draw(game, game.initial_state().view("me"))))


def test_a_graph_is_always_laid_out_alike_and_apart() -> None:
    roads = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    where = graph_at("abcd", roads)
    assert where == graph_at("abcd", roads)
    assert len(set(where.values())) == 4


def test_dominoes_are_laid_end_to_end() -> None:
    line = arrange_chain(["2-5", "5-5", "1-2", "1-6", "3-5"])
    assert line == ["6-1", "1-2", "2-5", "5-5", "5-3"]


def test_an_empty_board_is_found_in_the_first_moves() -> None:
    numbers = " ".join(f"(index {n})" for n in range(1, 5))
    rules = "(<= (legal me (mark ?x ?y)) (index ?x) (index ?y)) (<= (next (marked ?x ?y)) (does me (mark ?x ?y)))"
    game = game_of(f"(role me) {numbers} {rules}")
    state = game.initial_state().play({"me": "(mark 3 4)"})
    assert "marked on c4" in labels(draw(game, state.view("me")))
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


def test_a_board_without_two_corners_is_of_hexagons() -> None:
    cells = " ".join(
        f"(init (field {x} {y} free))"
        for x in "abcde"
        for y in "abcde"
        if 2 <= "abcde".index(x) + "abcde".index(y) <= 6
    )
    game = game_of(f"(role me) {cells} (legal me (claim a c)) (legal me (claim b b))")
    view = game.initial_state().view("me")
    drawing = draw(game, view)
    assert (
        sum(
            isinstance(shape, Polygon) and len(shape.points) == 6 and shape.fill != HIT
            for shape in walk(drawing.scene.shapes)
        )
        == 19
    )
    assert clicks(game, view, ["(claim b b)"])["(claim b b)"] == ("field:b:b",)


@pytest.mark.parametrize(
    ("diagonal", "is_hex"), [("(after ?u ?x) (after ?y ?v)", True), ("(after ?x ?u) (after ?v ?v)", False)]
)
def test_a_board_whose_rules_join_places_along_one_diagonal_is_of_hexagons(diagonal: str, is_hex: bool) -> None:
    cells = " ".join(f"(init (cell {x} {y} b))" for x in range(1, 5) for y in range(1, 5))
    beside = "(<= (beside ?x ?y ?u ?y) (after ?x ?u) (row ?y)) (<= (beside ?x ?y ?x ?v) (after ?y ?v) (row ?x))"
    rows = "(row 1) (row 2) (row 3) (row 4) (after 1 2) (after 2 3) (after 3 4)"
    game = game_of(
        f"(role me) {cells} {rows} {beside} (<= (beside ?x ?y ?u ?v) {diagonal})"
        "(legal me (put 1 1)) (legal me (put 2 2))"
    )
    shapes = walk(draw(game, game.initial_state().view("me")).scene.shapes)
    assert any(isinstance(shape, Polygon) and len(shape.points) == 6 for shape in shapes) is is_hex


def test_places_in_a_ring_are_a_graph_but_an_order_of_roles_is_none() -> None:
    ring = " ".join(f"(beyond {a} {b})" for a, b in pairwise(["north", "east", "south", "west", "north"]))
    at = " ".join(
        f"(init (stone {place} {who}))"
        for place, who in zip(["north", "east", "south", "west"], ["sun", "empty", "moon", "empty"], strict=True)
    )
    game = game_of(f"(role sun) (role moon) {ring} {at} (legal sun (hop north east)) (legal moon noop)")
    view = game.initial_state().view("sun")
    assert "sun on north" in labels(draw(game, view))
    assert clicks(game, view, ["(hop north east)"])["(hop north east)"] == ("stone:north", "stone:east")
    turns = " ".join(f"(role {a}) (after {a} {b})" for a, b in pairwise(["p1", "p2", "p3", "p4", "p1"]))
    points = " ".join(f"(init (points {role} 0))" for role in ("p1", "p2", "p3", "p4"))
    game = game_of(f"{turns} {points} (<= (legal ?r go) (role ?r)) (<= (legal ?r stay) (role ?r))")
    assert not {spot for spot in spots(draw(game, game.initial_state().view("p1"))) if spot.startswith("points")}


def test_cards_are_known_by_their_names_and_laid_on_piles() -> None:
    game = game_of(
        "(role anna) (role bert) (init (in_hand anna ace_spades)) (init (in_hand anna queen_of_clubs))"
        "(init (in_hand bert hearts_10)) (init (top left nothing)) (init (top right jack_diamonds))"
        "(legal anna (lay ace_spades left)) (legal anna (lay ace_spades right)) (legal bert noop)"
    )
    view = game.initial_state().view("anna")
    drawing = draw(game, view)
    assert {"anna's hand", "top left"} <= set(words(drawing))
    assert {"A", "Q", "10", "J"} <= set(words(drawing))
    found = clicks(game, view, ["(lay ace_spades left)"])
    assert found["(lay ace_spades left)"] == ("in_hand:anna:ace_spades", "top:left")


@pytest.mark.parametrize(
    ("names", "are"),
    [
        (["as", "10h"], True),
        (["h7", "sk"], True),
        (["ten_of_clubs"], True),
        (["a1", "d4"], False),
        (["d4", "c5"], False),
        (["2C", "2D", "2H", "2S", "3C", "3D", "3H", "3S"], True),
        (["2C", "2D", "2H", "2S", "3C", "3D", "3H"], False),
        (["king", "ace"], False),
        ([], False),
    ],
)
def test_names_of_cards(names: list[str], are: bool) -> None:
    assert are_cards(names) is are


def test_houses_in_rows_are_drawn_with_their_seeds() -> None:
    houses = " ".join(f"(init (house {row} {n} 2))" for row in ("top", "middle", "bottom") for n in range(1, 5))
    game = game_of(f"(role me) {houses} (legal me (sow top 2)) (legal me (sow bottom 3))")
    view = game.initial_state().view("me")
    drawing = draw(game, view)
    assert "house top 2, 2 seeds" in labels(drawing)
    heights = {shape.label: shape.y for shape in walk(drawing.scene.shapes) if isinstance(shape, Group) and shape.label}
    assert heights["house top 1, 2 seeds"] < heights["house middle 1, 2 seeds"] < heights["house bottom 1, 2 seeds"]
    assert clicks(game, view, ["(sow top 2)"])["(sow top 2)"] == ("house:top:2",)


def test_things_on_each_other_are_stacks() -> None:
    game = game_of(
        "(role crane) (init (on a table)) (init (on b a)) (init (on c b)) (init (on d table))"
        "(init (clear c)) (init (clear d))"
        "(legal crane (put c d)) (legal crane (put c table))"
    )
    view = game.initial_state().view("crane")
    drawing = draw(game, view)
    heights = {
        shape.label: shape.y
        for shape in walk(drawing.scene.shapes)
        if isinstance(shape, Group) and shape.spot.startswith("on:")
    }
    assert heights["c"] < heights["b"] < heights["a"] == heights["d"]
    assert clicks(game, view, ["(put c d)", "(put c table)"]) == {
        "(put c d)": ("on:c", "on:d"),
        "(put c table)": ("on:c", "on:table"),
    }


def test_things_in_few_places_are_rows() -> None:
    game = game_of(
        "(role me) (init (at goat west)) (init (at wolf west)) (init (at cabbage west)) (base (at goat east))"
        "(base (at wolf east)) (base (at cabbage east))"
        "(base (at wolf west)) (base (at goat west)) (base (at cabbage west))"
        "(legal me (take goat)) (legal me (take wolf))"
    )
    view = game.initial_state().view("me")
    assert {"at west", "at east"} <= set(words(draw(game, view)))
    assert clicks(game, view, ["(take goat)"])["(take goat)"] == ("at:goat",)


def test_positions_along_numbers_are_a_race() -> None:
    squares = " ".join(f"(base (position {role} {n}))" for role in ("red", "blue") for n in range(25))
    game = game_of(
        f"(role red) (role blue) {squares} (init (position red 3)) (init (position blue 14))"
        "(legal red roll) (legal red hold) (legal blue noop)"
    )
    drawing = draw(game, game.initial_state().view("red"))
    assert {"red on square 3", "blue on square 14", "square 24, empty"} <= labels(drawing)


def test_what_the_compiler_adds_is_not_drawn() -> None:
    compiled, plain = (ludens.load("mastermind", backend=backend) for backend in ("circuit", "reference"))
    first, second = (draw(game, game.initial_state().view("player")) for game in (compiled, plain))
    assert first.inline == second.inline


def test_what_is_almost_everywhere_is_the_ground() -> None:
    tiles = " ".join(
        f"(init (tile {x} {y} {'rock' if (x, y) == (2, 2) else 'meadow'}))" for x in range(5) for y in range(5)
    )
    game = game_of(f"(role me) {tiles} (legal me (dig 1 1)) (legal me (dig 2 2))")
    drawing = draw(game, game.initial_state().view("me"))
    assert "meadow" not in words(drawing)
    assert "c2, rock, empty" in labels(drawing)


def test_empty_squares_may_be_told_by_shorter_facts() -> None:
    files = "abcd"
    squares = " ".join(f"(init (loc (sq {x} {y}) none))" for x in files for y in (2, 3))
    pieces = " ".join(
        f"(init (loc (sq {x} {y}) (piece {role} {kind})))"
        for y, role in ((1, "gold"), (4, "silver"))
        for x, kind in zip(files, ("rook", "king", "knight", "pawn"), strict=True)
    )
    game = game_of(
        f"(role gold) (role silver) {squares} {pieces} (legal gold (push (sq a 1) (sq a 2))) (legal silver noop)"
    )
    view = game.initial_state().view("gold")
    assert len(spots(draw(game, view))) == 16
    assert clicks(game, view, ["(push (sq a 1) (sq a 2))"]) == {"(push (sq a 1) (sq a 2))": ("loc:a:1", "loc:a:2")}


def test_roles_that_are_called_by_their_marks_are_drawn_as_them() -> None:
    cells = " ".join(f"(init (cell {x} {y} {'x' if x == y else 'b'}))" for x in range(3) for y in range(3))
    game = game_of(f"(role x) (role o) {cells} (legal x (mark 1 2)) (legal o noop)")
    assert draw(game, game.initial_state().view("x")).inline.count("<polyline") == 6


def test_walls_show_squares_where_nobody_has_been() -> None:
    walls = " ".join(f"(init (blockedNorth {x} 1)) (init (blockedEast 4 {x}))" for x in range(1, 5))
    at = "(init (at me 3 4)) (legal me stay) (legal me go)"
    corner = "(<= (next (at me ?x 3)) (does me go) (true (at me ?x 4))) (<= (next (at me 4 ?y)) (true (at me 3 ?y)))"
    drawing = draw(game := game_of(f"(role me) {walls} {at} {corner}"), game.initial_state())
    assert {f"at:{x}:{y}" for x in range(1, 5) for y in range(1, 5)} <= {*spots(drawing)}
    assert not [text for text in words(drawing) if "blocked" in text]


def test_panels_beside_a_board_do_not_turn_with_it() -> None:
    drawing = draw(ludens.load("tic_tac_toe"), ludens.load("tic_tac_toe").initial_state())
    boards = [shape for shape in walk(drawing.scene.shapes) if isinstance(shape, Group) and shape.name == "board"]
    (board,) = boards
    assert (board.x, board.y, board.turn) == (0, 0, 0)  # so that a style sheet can turn it about its middle
    assert sum(isinstance(shape, Text) and "to move" in shape.text for shape in walk(drawing.scene.shapes)) == 1
    assert not any(isinstance(shape, Text) and "to move" in shape.text for shape in walk(board.shapes))


def test_things_in_hands_are_playing_cards_only_if_all_of_them_are() -> None:
    assert all(map(is_card, ["c4", "ace_spades", "jack", "10h"]))
    assert not any(map(is_card, ["a1", "c1", "guard", "x"]))

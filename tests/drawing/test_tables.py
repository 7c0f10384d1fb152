"""Card games are drawn as tables: roles around the cloth, own cards below it, the trick in the middle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import ludens
from ludens.core import State, random_joint_move
from ludens.drawing import draw
from ludens.drawing.fluents.tracks import climbing_board
from ludens.drawing.looks.boards import draw_board
from ludens.drawing.looks.cards import draw_card
from ludens.drawing.looks.felt import draw_table
from ludens.drawing.looks.rows import WIDE, draw_row
from ludens.drawing.model import CardTable, Piece, Row, Seat
from ludens.drawing.scenes.scene import Group, Rect, Shape, Text
from ludens.drawing.tabletop.seating import Seating
from ludens.tabletop import TabletopGame
from ludens.tabletop.poker import hand_name, strength
from tests.drawing.looking import backs, walk, words
from tests.games.tabletop.test_holdem import BOARD, dealt, play

ROLES = ("North", "East", "South", "West")
COLOURS = dict.fromkeys(ROLES, "red")
ACE, KING = Piece("ace of spades", "as"), Piece("king of hearts", "kh")


def test_cards_of_a_trick_lie_before_those_who_played_them() -> None:
    seating = Seating(ROLES, COLOURS, "South", "West", {"trick": "trick"})
    table, *_ = seating.around([], [Row("trick", "trick", (ACE, KING))], [])
    assert isinstance(table, CardTable)
    assert [seat.name for seat in table.seats] == ["South", "West", "North", "East"]
    assert {seat.name: seat.played for seat in table.seats if seat.played} == {"East": ACE, "South": KING}
    assert [seat.name for seat in table.seats if seat.is_next] == ["West"]


def test_tricks_are_counted_and_long_open_hands_lie_below_the_table() -> None:
    parts = {"won": "tricks"}
    seating = Seating(ROLES, COLOURS, "South", "West", parts)
    rows = [
        Row("won East", "East's won", (ACE,) * 8, seat=1),
        Row("hand East", "East's hand", (KING,) * 9, seat=1),
        Row("hand South", "South's hand", (ACE,) * 3, seat=2),
    ]
    table, *below = seating.around(rows, [], [])
    assert isinstance(table, CardTable)
    assert next(seat.notes for seat in table.seats if seat.name == "East") == ("2 tricks",)
    assert [row.key for row in below if isinstance(row, Row) and row.is_fanned] == ["hand South", "hand East"]


def spans(shapes: Sequence[Shape], x: float = 0.0, scale: float = 1.0) -> Iterator[tuple[float, float]]:
    """The left and right edges of all rectangles and words, as they are drawn; words are about 0.6 wide a letter."""
    for shape in shapes:
        if isinstance(shape, Group):
            yield from spans(shape.shapes, x + scale * shape.x, scale * shape.scale)
        elif isinstance(shape, Rect):
            yield x + scale * shape.x, x + scale * (shape.x + shape.width)
        elif isinstance(shape, Text):
            half = 0.3 * shape.size * len(shape.text)
            yield x + scale * (shape.x - half), x + scale * (shape.x + half)


def test_long_rows_in_the_middle_lie_within_the_cloth() -> None:
    seats = tuple(Seat(role, "red") for role in ROLES)
    drawn = draw_table(CardTable(seats, (Row("deck", "", (ACE,) * 30),)), frozenset())
    assert all(left > 5 and right < drawn.width - 5 for left, right in spans(drawn.shapes[1:]))


def test_the_ten_fits_its_card() -> None:
    shapes = draw_card(Piece("ten of spades", "ts"))
    (card,) = (shape for shape in shapes if isinstance(shape, Rect))
    (rank,) = spans([shape for shape in shapes if isinstance(shape, Text)])
    assert card.x < rank[0] < rank[1] < card.x + card.width


def test_all_seats_lie_on_the_cloth() -> None:
    for count in range(2, 10):
        seats = tuple(
            Seat(f"player{n}", "red", ("chips 100", "bet 2"), (Row("hand", "", (ACE, KING)),)) for n in range(count)
        )
        drawn = draw_table(CardTable(seats, (Row("board", "board", (ACE,) * 5),), ("pot: 12",)), frozenset())
        cloth = drawn.shapes[0]
        assert isinstance(cloth, Rect)
        assert (cloth.width + 2, cloth.height + 2) == (drawn.width, drawn.height)
        placed = [shape for shape in drawn.shapes[1:] if isinstance(shape, Group)]
        assert all(0 <= group.x <= drawn.width and 0 <= group.y <= drawn.height for group in placed)


def test_the_showdown_names_the_hands_and_shows_the_cards() -> None:
    game = ludens.load("holdem")
    state = dealt(game.initial_state(), [["KD", "KH"], ["AS", "3D"]], BOARD)
    before = draw(game, state.view("player2"))
    assert backs(before) > 0
    state = play(state, "raise to 100", "call")
    assert state.is_terminal
    shown = words(draw(game, state.view("player2")))
    assert not any(text.startswith("pot: ") and text != "pot: 0" for text in shown)  # it has been paid
    assert any("shows three kings" in text for text in shown)
    assert any("shows ace high" in text for text in shown)
    assert any("wins 200" in text for text in shown)


def test_who_folds_shows_nothing() -> None:
    game = ludens.load("holdem")
    state = play(dealt(game.initial_state(), [["KD", "KH"], ["AS", "3D"]], BOARD), "raise to 10", "fold")
    shown = draw(game, state.view("player2"))
    assert not any("shows" in text for text in words(shown))
    assert "king of diamonds" not in shown.svg


def test_hands_have_names() -> None:
    game = ludens.load("holdem")
    assert isinstance(game, TabletopGame)
    deck = {element.name: element for element in game.inventory.elements}

    def name(*cards: str) -> str:
        return hand_name(strength([deck[card] for card in cards]))

    assert name("6C", "6D", "KH", "2S", "9C") == "pair of sixes"
    assert name("6C", "6D", "KH", "KS", "9C") == "two pairs, kings and sixes"
    assert name("6C", "6D", "6H", "KS", "KC") == "full house, sixes over kings"
    assert name("AC", "2D", "3H", "4S", "5C") == "straight, five high"
    assert name("AC", "2D", "3H", "4S", "9C") == "ace high"


def test_a_line_of_dominoes_goes_on_below_instead_of_overlapping() -> None:
    tiles = tuple(Piece(f"domino {n}-{n}", f"{n % 7}-{n % 7}") for n in range(21))
    drawn = draw_row(Row("line", "line", tiles, "chain"), frozenset())
    places = [(shape.x, shape.y) for shape in walk(drawn.shapes) if isinstance(shape, Group) and shape.name == "piece"]
    assert drawn.width <= WIDE
    assert all(abs(x - u) >= 52 or abs(y - v) >= 28 for n, (x, y) in enumerate(places) for u, v in places[:n])


def test_a_climbed_column_has_the_colour_of_its_owner() -> None:
    board = climbing_board({"2": 3, "3": 5}, {"column:2:3": (Piece("first", "stone", "red", 0),)})
    drawn = draw_board(board, False, frozenset())
    assert sum(isinstance(shape, Rect) and shape.fill == "red" for shape in drawn.shapes) == 3
    assert "3" in [shape.text for shape in walk(drawn.shapes) if isinstance(shape, Text)]


def test_sentences_of_the_card_replace_raw_attributes() -> None:
    game = ludens.load("skat")
    state: State = game.initial_state()
    rng = Random(1)
    while not any("plays" in text for text in words(draw(game, state))):
        assert not state.is_terminal
        state = state.sample(random_joint_move(state, rng), rng)
    shown = " ".join(words(draw(game, state)))
    assert "asker" not in shown
    assert "level" not in shown

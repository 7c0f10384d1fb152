from __future__ import annotations

import contextlib
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.core import TooManyOutcomesError
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Del,
    Dice,
    Distribute,
    Element,
    FinishPlay,
    Mark,
    Move,
    Pass,
    Refuse,
    Roll,
    RuleError,
    Score,
    Set,
    Show,
    Shuffle,
    Sort,
    Table,
    Tell,
)
from ludens.tabletop.actions.parsing import parse_action
from ludens.tabletop.actions.randomness import all_outcomes, do_with_text, draw_and_do, outcomes_text
from ludens.tabletop.material.inventory import Inventory


def new_table() -> Table:
    table = Table(Inventory(("North", "South East")))
    table.add(Area("places", ["left", "the right one", "to"]))
    table.add(Area.hands("hand", ("North", "South East")))
    table.add(
        Assortment("deck", [Element(f"{n}S", rank=n) for n in range(8)] + [Element("all", rank=9)], visibility="hidden")
    )
    table.add(Assortment("stones", [Element("X"), Element("O")], endless=True))
    table.add(Score("chips", owner="North", start=10))
    table.add(Dice("dice", 2))
    table.play_state[0] = table.play_state[1] = "North"
    return table


TABLE = new_table()
"""Whose equipment the strategies use; tables made from copies of it change instead."""
PLACES = [TABLE.place(name) for name in ("left", "the right one", "to", "hand North", "hand South East", "deck")]
CARDS = list(TABLE.assortment("deck").elements)
STONES = list(TABLE.assortment("stones").elements)
WRONG: Any = "text"
NAMES = st.sampled_from(["seen", "worth", "face"])
VALUES = st.one_of(
    st.booleans(), st.integers(-9, 9), st.text(max_size=4), st.tuples(st.integers(0, 3), st.text(max_size=2))
)
OWNERS = st.sampled_from([None, "North", *PLACES, *CARDS, TABLE.score("chips")])


def actions() -> st.SearchStrategy[Action]:
    places = st.sampled_from(PLACES)
    cards = st.lists(st.sampled_from(CARDS), min_size=1, max_size=4, unique=True)
    return st.one_of(
        st.builds(Pass),
        st.builds(Move, st.sampled_from(CARDS), places),
        st.builds(Move, cards, places),
        st.builds(lambda source, to: Move(source, to, count=None), places, places),
        st.builds(Move, st.sampled_from(STONES), places),
        st.builds(lambda points: Mark(TABLE.score("chips"), points), st.integers(-20, 20)),
        st.builds(lambda of, name, value: Set(of, **{name: value}), OWNERS, NAMES, VALUES),
        st.builds(Del, OWNERS, NAMES),
        st.builds(Distribute, places, st.lists(places, min_size=1, max_size=3)),
        st.builds(lambda place: Sort(place, "rank"), places),
        st.builds(Shuffle, places),
        st.just(Roll(TABLE.dice())),
        st.builds(lambda kept: Roll(TABLE.dice(), keep=kept), st.lists(st.integers(1, 6), max_size=2)),
        st.builds(lambda some: Show(some, "North"), cards),
        st.builds(Tell, st.text(max_size=8)),
        st.builds(lambda text: Refuse(text, PLACES[0]), st.text(max_size=8)),
        st.just(FinishPlay(winners=["South East"])),
        st.just(FinishPlay(ranks=[["South East"], ["North"]], points={"North": 1.5, "South East": -2})),
        st.just(FinishPlay(draw=True)),
    )


def whole(table: Table) -> tuple[object, ...]:
    return (table.key(), tuple(table.where), tuple(table.play_state))


@given(st.lists(actions(), max_size=8), st.integers(0, 1000))
def test_any_sequence_of_actions_can_be_undone_exactly(sequence: list[Action], seed: int) -> None:
    table = TABLE.copy()
    rng = Random(seed)
    history = [(table.mark(), whole(table))]
    for action in sequence:
        try:
            draw_and_do(action, table, rng)
        except (RuleError, TypeError):  # such as sorting stones, which have no rank
            table.roll_back(history[-1][0])
            continue
        history.append((table.mark(), whole(table)))

    for mark, before in reversed(history):
        table.roll_back(mark)
        assert whole(table) == before


@given(st.lists(actions(), min_size=1, max_size=4))
def test_what_an_action_says_of_itself_is_read_back(parts: list[Action]) -> None:
    action = parts[0]
    for part in parts[1:]:
        action += part

    assert parse_action(action.describe(), TABLE).describe() == action.describe()


@given(st.text(max_size=30))
def test_text_that_is_no_action_is_refused_with_a_sentence(text: str) -> None:
    with contextlib.suppress(RuleError):
        action = parse_action(text, TABLE)
        assert parse_action(action.describe(), TABLE).describe() == action.describe()


@pytest.mark.parametrize(
    ("finish", "text"),
    [
        (FinishPlay(winners="North"), "finish winners North"),
        (FinishPlay(losers=["South East"]), 'finish losers "South East"'),
        (FinishPlay(draw=True), "finish draw"),
        (FinishPlay(ranks=["North", ["South East", "X"]]), 'finish ranks North | "South East" X'),
        (FinishPlay(points={"North": 1.5, "South East": -2}), 'finish points North 1.5 "South East" -2'),
    ],
)
def test_the_end_of_a_play_says_only_what_was_given(finish: FinishPlay, text: str) -> None:
    assert finish.describe() == text


def test_points_may_come_before_winners() -> None:
    action = parse_action('finish points North 2 "South East" 1 winners North', TABLE)

    assert action.describe() == 'finish winners North points North 2 "South East" 1'


@pytest.mark.parametrize("count", ["two", "-1", "100000", "\N{ARABIC-INDIC DIGIT TWO}"])
def test_what_is_no_count_is_refused(count: str) -> None:
    with pytest.raises(RuleError, match="is not a count"):
        parse_action(f"roll dice {count}", TABLE)


def test_added_actions_are_one_action_with_one_name() -> None:
    table = TABLE.copy()
    action = Move(CARDS[7], to=PLACES[0]).named("take the seven") + Mark(TABLE.score("chips"), 5)

    table.do(action)

    assert action.text(table) == "take the seven"
    assert (table.top("left"), table.value(table.score("chips"))) == (CARDS[7], 15)
    table.undo()
    assert (table.top("left"), table.value(table.score("chips"))) == (None, 10)


def test_distributing_goes_round_from_the_top_and_gives_owners() -> None:
    table = TABLE.copy()
    hands = table.area("hand").positions

    table.do(Distribute(table.assortment("deck"), hands, each=2))

    assert [card.name for card in table[hands[0]]] == ["all", "6S"]
    assert [card.name for card in table[hands[1]]] == ["7S", "5S"]
    assert table.owner(table[hands[1]][0]) == "South East"
    table.do(Move(table[hands[1]], to=PLACES[0]))
    assert table.owner(table["left"][0]) == "South East"


def test_endless_elements_lie_in_many_places_and_return_to_nowhere() -> None:
    table = TABLE.copy()
    stone = STONES[0]
    table.do(Move(stone, to=PLACES[0]) + Move(stone, to=PLACES[1]))

    table.do(Move(stone, to=table.assortment("stones"), source=PLACES[0]))

    assert (table["left"], table["the right one"]) == ((), (stone,))
    assert len(table["stones"]) == 2


def test_an_attribute_that_was_deleted_is_gone_although_the_rule_declares_it() -> None:
    table = TABLE.copy()

    table.do(Del(CARDS[3], "rank"))

    assert table.get("rank", "none", of=CARDS[3]) == "none"
    assert CARDS[3] not in table.elements(rank=3)


def test_outcomes_of_dice_have_their_probabilities() -> None:
    table = TABLE.copy()

    found = {outcome[0]: probability for probability, outcome in all_outcomes(Roll(table.dice()), table, 100)}

    assert len(found) == 21
    assert found[1, 1] == pytest.approx(1 / 36)
    assert found[1, 2] == pytest.approx(1 / 18)
    assert sum(found.values()) == pytest.approx(1)


def test_dice_that_are_kept_stay_and_the_others_are_rolled() -> None:
    action = Roll(TABLE.dice(), keep=(4,))
    table = TABLE.copy()

    found = {outcome[0]: probability for probability, outcome in all_outcomes(action, table, 100)}
    do_with_text(action, table, "2")

    assert found == {(face,): pytest.approx(1 / 6) for face in range(1, 7)}
    assert table.value(table.dice()) == (2, 4)
    assert action.describe() == "roll dice keep 4"
    assert action.short(table) == "keep 4"


def test_a_deck_has_too_many_orders_to_list() -> None:
    with pytest.raises(TooManyOutcomesError, match="more than 1000 orders"):
        list(all_outcomes(Shuffle(TABLE.assortment("deck")), TABLE.copy(), 1000))


def test_what_chance_came_to_is_read_back_from_its_text() -> None:
    action = Shuffle(TABLE.assortment("deck")) + Move(TABLE.assortment("deck"), PLACES[0], count=3) + Roll(TABLE.dice())
    first, second = TABLE.copy(), TABLE.copy()
    drawn = draw_and_do(action, first, Random(5))

    read = do_with_text(action, second, outcomes_text(action, drawn))

    assert read == drawn
    assert first.key() == second.key()


@pytest.mark.parametrize(
    ("text", "message"),
    [("0S 1S", "does not name what lies at"), ("7 7", "does not name"), ("", "does not name")],
)
def test_outcomes_that_cannot_be_are_refused(text: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        do_with_text(Shuffle(TABLE.assortment("deck")), TABLE.copy(), text)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Move(WRONG, to=PLACES[0]), "Move takes an Element"),
        (lambda: Move(CARDS[0], to=WRONG), "Position or an Assortment"),
        (lambda: Mark(WRONG, 5), "Mark takes a Score"),
        (lambda: Roll(WRONG), "Roll takes Dice"),
        (lambda: Roll(TABLE.dice(), keep=(7,)), "cannot keep 7, which is no face"),
        (lambda: Roll(TABLE.dice(), keep=(1, 1, 1)), "cannot keep 3 faces: there are 2 dice"),
        (lambda: Roll(Dice("cup", 2, ordered=True), keep=(1,)), "make each die its own Dice"),
        (FinishPlay, "needs winners"),
        (lambda: Set(None, seen=[1]), "use a tuple"),
        (lambda: Distribute(PLACES[0], []), "needs places"),
    ],
)
def test_actions_that_make_no_sense_are_refused_where_they_are_made(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(RuleError, match=message):
        make()


def test_moving_what_is_not_there_is_refused() -> None:
    table = TABLE.copy()

    with pytest.raises(RuleError, match="does not lie at left"):
        table.do(Move(CARDS[0], to=PLACES[1], source=PLACES[0]))
    with pytest.raises(RuleError, match="only 9 lie there"):
        table.do(Distribute(table.assortment("deck"), PLACES[:2], each=5))
    with pytest.raises(RuleError, match="who is no player"):
        table.do(FinishPlay(winners=["West"]))

from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import State
from ludens.tabletop import Move, TabletopState
from tests.games.tabletop.contract import check_contract


def cards() -> list[str]:
    state = ludens.load("uno").initial_state()
    assert isinstance(state, TabletopState)
    return [card.name for card in state.table.assortment("deck").elements]


def dealt(hands: list[list[str]], opened: str, *, options: str = "", yard: tuple[str, ...] = ()) -> State:
    """A state after the deal; hands are filled up with what is left, which ``yard`` comes before when drawn."""
    left = cards()
    for name in (*(card for hand in hands for card in hand), opened, *yard):
        left.remove(name)
    # Numbers that match nothing in the tests fill the hands.
    spare = [name for name in left if name.startswith(("blue", "yellow")) and name.split()[1] in "1234678"]
    for hand in hands:
        while len(hand) < 7:
            hand.append(spare.pop())
            left.remove(hand[-1])
    top = [hand[n] for n in range(7) for hand in hands] + [opened, *yard]
    order = [f'"{name}"' for name in (*left, *reversed(top))]
    state: State = ludens.load(f"uno:{len(hands)}{options}").initial_state()
    return state.play({"player1": f"deal = {' '.join(order)}"})


@pytest.mark.parametrize("name", ["uno", pytest.param("uno:4", marks=pytest.mark.slow)])
def test_uno_keeps_the_contract(name: str) -> None:
    check_contract(ludens.load(name), matches=1)


def test_there_are_108_cards() -> None:
    found = cards()

    assert len(found) == 108
    assert [found.count(name) for name in ("red 0", "red 1", "green skip", "wild")] == [1, 2, 2, 4]


def test_colour_or_face_must_match() -> None:
    state = dealt([["red 3", "green 7", "green 8", "wild", "wild draw four"], []], "red 7")

    moves = set(state.legal_moves("player1"))

    assert {"red 3", "green 7", "wild for red", "wild for blue"} <= moves
    assert "green 8" not in moves
    assert not any(move.startswith("wild draw four") for move in moves)  # there is a red card


def test_skip_reverse_and_draw_two_work() -> None:
    three = [["red skip", "red reverse", "red draw two"], [], []]

    assert dealt(three, "red 7").play({"player1": "red skip"}).legal_moves("player3")
    assert not dealt(three, "red 7").play({"player1": "red skip"}).legal_moves("player2")
    assert dealt(three, "red 7").play({"player1": "red reverse"}).legal_moves("player3")
    drew = dealt(three, "red 7").play({"player1": "red draw two"})
    assert isinstance(drew, TabletopState)
    assert [len(drew.table[drew.table.hand(player)]) for player in drew.game.roles] == [6, 9, 7]
    assert drew.legal_moves("player3")


def test_who_holds_the_very_same_card_may_jump_in() -> None:
    state = dealt([["red 5"], ["green 1", "green 2"], ["red 5"], []], "red 9").play({"player1": "red 5"})

    assert state.is_race
    assert state.legal_moves("player3") == ("jump in with red 5", "wait")
    assert state.legal_moves("player4") == ()
    jumped = state.play({"player3": "jump in with red 5"})
    assert jumped.legal_moves("player4")
    assert not jumped.legal_moves("player2")


def test_waiting_does_not_win_the_race() -> None:
    state = dealt([["red 5"], ["red 6"], ["red 5"], []], "red 9").play({"player1": "red 5"})

    assert state.race_winner({"player3": "wait"}, ["player2"]) is None
    assert state.race_winner({"player3": "wait", "player2": "red 6"}, []) == "player2"
    assert state.race_winner({"player3": "jump in with red 5", "player2": "red 6"}, []) == "player3"


def test_who_cannot_play_draws_and_may_play_what_it_drew() -> None:
    state = dealt([[], []], "red 0", yard=("red 1",))

    assert state.legal_moves("player1") == ("draw",)
    drawn = state.play({"player1": "draw"})
    assert set(drawn.legal_moves("player1")) == {"red 1", "keep"}
    assert drawn.play({"player1": "keep"}).legal_moves("player2")


def test_others_do_not_see_what_is_drawn() -> None:
    state = dealt([[], []], "red 0", yard=("red 1",)).play({"player1": "draw"})

    assert any("red 1" in percept for percept in state.percepts("player1"))
    assert not any("red 1" in percept for percept in state.percepts("player2"))


def test_the_pile_is_shuffled_into_a_deck_that_has_too_few_cards_for_a_penalty() -> None:
    first = dealt([["red draw two", "red 3"], ["red 4"]], "red 7")
    assert isinstance(first, TabletopState)
    table = first.table.copy()
    deck, pile = table.assortment("deck"), table.position("pile")
    *most, last = table[deck]
    table.do(Move(most, to=pile))
    table.do(Move(table[pile][0], to=pile))  # the open card comes on top again
    state = TabletopState(first.game, table)
    assert table[deck] == (last,)

    after = state.sample({"player1": "red draw two"}, Random(1))

    assert isinstance(after, TabletopState)
    assert len(after.table[after.table.hand("player2")]) == 9
    assert [card.name for card in after.table["pile"]] == ["red 7", "red draw two"]


def counts(state: State) -> list[int]:
    assert isinstance(state, TabletopState)
    return [len(state.table[state.table.hand(player)]) for player in state.game.roles]


def test_a_wild_draw_four_can_be_challenged() -> None:
    bluff = dealt([["red 3", "wild draw four"], [], []], "red 7", options=",challenge=on")
    honest = dealt([["green 8", "wild draw four"], [], []], "red 7", options=",challenge=on")
    bluff, honest = (state.play({"player1": "wild draw four for green"}) for state in (bluff, honest))

    assert bluff.legal_moves("player2") == ("accept", "challenge")
    accepted = bluff.play({"player2": "accept"})
    assert (counts(accepted), bool(accepted.legal_moves("player3"))) == ([6, 11, 7], True)
    won, lost = (state.play({"player2": "challenge"}) for state in (bluff, honest))
    assert (counts(won), bool(won.legal_moves("player2"))) == ([10, 7, 7], True)
    assert (counts(lost), bool(lost.legal_moves("player3"))) == ([6, 13, 7], True)
    assert "red 3" in " ".join(won.percepts("player2"))
    assert "red 3" not in " ".join(won.percepts("player3"))


@pytest.mark.slow
def test_uno_with_challenges_keeps_the_contract() -> None:
    check_contract(ludens.load("uno:3,challenge=on"), matches=1)


def test_the_opening_card_is_a_number_and_cards_skipped_for_it_are_not_drawn_first() -> None:
    game = ludens.load("uno:3")
    start = game.initial_state()
    [player] = [role for role in game.roles if start.legal_moves(role)]
    tops = []
    for seed in range(200):
        state = start.sample({player: "deal"}, Random(seed))
        assert isinstance(state, TabletopState)
        table = state.table
        assert table["pile"][-1].face_name.isdecimal()
        assert not any(card.face_name.isdecimal() for card in table["pile"][:-1])  # skipped
        tops.append(table["deck"][-1])

    actions = sum(not card.face_name.isdecimal() for card in tops)
    assert 0.18 < actions / len(tops) < 0.42  # 32 of 108 cards

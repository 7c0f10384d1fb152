from __future__ import annotations

import pytest

import ludens
from ludens.core import State
from ludens.tabletop import TabletopState
from tests.games.tabletop.contract import check_contract
from tests.games.tabletop.dealing import deal_text

FLIP = "turn a card"


def cards() -> list[str]:
    state = ludens.load("totem:2,4").initial_state()
    assert isinstance(state, TabletopState)
    return [card.name for card in state.table.assortment("cards").elements]


def dealt(*stacks: list[str]) -> State:
    """A deal of 22 cards in which these are turned first."""
    left = cards()
    for name in (name for stack in stacks for name in stack):
        left.remove(name)
    each = len(cards()) // len(stacks)
    hands = []
    for stack in stacks:
        # What is turned first is dealt last.
        hands.append([left.pop() for _ in range(each - len(stack))] + stack[::-1])
    return ludens.load(f"totem:{len(stacks)},4").initial_state().play({"player1": deal_text(hands, left)})


def turned(state: State, *players: str) -> State:
    """The state after these have turned a card and nobody reacted."""
    for player in players[:-1]:
        state = state.play({player: FLIP}).play({"player1": "wait"})
    return state.play({players[-1]: FLIP})


def counts(state: State) -> dict[str, tuple[int, int]]:
    """Cards face down and open of each player."""
    assert isinstance(state, TabletopState)
    return {
        player: (len(state.table[f"stack {player}"]), len(state.table[f"pile {player}"])) for player in state.game.roles
    }


@pytest.mark.parametrize("name", ["totem:2,6,30", pytest.param("totem:4,6,30", marks=pytest.mark.slow)])
def test_totem_keeps_the_contract(name: str) -> None:
    check_contract(ludens.load(name), matches=2)


def test_who_grabs_first_of_two_alike_gives_its_cards_away() -> None:
    state = turned(dealt(["red anchor"], ["green anchor"]), "player1", "player2")
    assert state.is_race
    assert state.race_winner({"player2": "wait"}, ["player1"]) is None
    assert state.race_winner({"player2": "grab", "player1": "grab"}, []) == "player2"
    assert state.race_winner({"player2": "wait", "player1": "grab"}, []) == "player1"

    after = state.play({"player2": "grab"})

    assert counts(after) == {"player1": (12, 0), "player2": (10, 0)}
    assert after.legal_moves("player1") == (FLIP,)


def test_what_is_taken_lies_below_the_stack() -> None:
    state = turned(dealt(["red anchor", "red bow"], ["green anchor"]), "player1", "player2").play({"player2": "grab"})

    again = state.play({"player1": FLIP})

    assert isinstance(again, TabletopState)
    assert [card.name for card in again.table["pile player1"]] == ["red bow"]


def test_a_wrong_grab_takes_all_open_cards() -> None:
    state = turned(dealt(["red anchor"], ["green bow"], ["red circle"]), "player1", "player2", "player3")

    after = state.play({"player1": "grab"})

    assert isinstance(after, TabletopState)
    assert counts(after)["player1"] == (6 + 3 + 1, 0)  # and the card that was left over
    assert counts(after)["player2"] == (6, 0)


def test_while_colours_count_shapes_do_not() -> None:
    stacks = (["colours count", "red anchor"], ["green bow"], ["red circle"])
    state = turned(dealt(*stacks), "player1", "player2", "player3").play({"player1": "wait"})
    state = state.play({"player1": FLIP})

    won = state.play({"player1": "grab"})

    assert counts(won)["player1"][1] == 0
    assert counts(won)["player3"][0] > 6
    assert isinstance(won, TabletopState)
    assert won.table.get("by_colour") is False


def test_when_all_may_grab_the_first_lays_its_pile_into_the_pot() -> None:
    state = turned(dealt(["red anchor"], ["all grab"]), "player1", "player2")

    after = state.play({"player1": "grab"})

    assert isinstance(after, TabletopState)
    assert [card.name for card in after.table["pot"]] == ["red anchor"]
    assert counts(after) == {"player1": (10, 0), "player2": (10, 1)}


def test_all_turn_a_card_when_one_says_so() -> None:
    state = turned(dealt(["all turn"], ["green bow"], ["red circle"]), "player1")

    assert [opened for _, opened in counts(state).values()] == [2, 1, 1]


def test_nobody_sees_what_lies_face_down() -> None:
    state = dealt(["red anchor"], ["green bow"])

    assert all("red anchor" not in str(state.view(player)) for player in state.game.roles)
    flipped = state.play({"player1": FLIP})
    assert all("red anchor at pile player1" in flipped.percepts(player) for player in state.game.roles)


def test_who_has_no_cards_left_wins() -> None:
    state = turned(dealt(["red anchor"], ["green anchor"]), "player1", "player2")
    assert isinstance(state, TabletopState)
    table = state.table.copy()
    table.contents[table.place("stack player2").index] = ()

    won = TabletopState(state.game, table).play({"player2": "grab"})

    assert won.goals == {"player1": 0, "player2": 100}


def test_who_has_the_fewest_cards_wins_in_the_end() -> None:
    state: State = ludens.load("totem:2,4,10").initial_state()
    state = state.play({"player1": deal_text([cards()[:11], cards()[11:]])})
    while not state.is_terminal:
        role = next(role for role in state.game.roles if state.legal_moves(role))
        state = state.play({role: state.legal_moves(role)[0]})

    assert state.points == {"player1": -11, "player2": -11}
    assert state.goals == {"player1": 50, "player2": 50}

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

import ludens
from ludens.core import State
from ludens.tabletop import TabletopState
from tests.games.tabletop.contract import check_contract
from tests.games.tabletop.dealing import hand_of, play

FILLING = ("squire", "squire", "giant", "giant")


def chosen(anna: Sequence[str] = FILLING, bert: Sequence[str] = FILLING, health: int = 12) -> State:
    """Decks of four cards, drawn in this order; Anna has all four of hers, Bert three."""
    state: State = ludens.load(f"deck_duel:4,{health}").initial_state()
    for one, other in zip(anna, bert, strict=True):
        state = state.play({"Anna": one, "Bert": other})
    orders = [
        " ".join(f'"{title} of {player}"' for title in reversed(deck))
        for player, deck in (("Anna", anna), ("Bert", bert))
    ]
    return state.play({"Anna": f"shuffle = {orders[0]} ; {orders[1]}"})


def health_of(state: State) -> tuple[float, float]:
    return state.points["Anna"], state.points["Bert"]


def field(state: State, player: str) -> list[str]:
    assert isinstance(state, TabletopState)
    return [card.title for card in state.table[f"field {player}"]]


def later(state: State, turns: int) -> State:
    """The same after some turns in which nothing is done."""
    return play(state, *("end turn",) * turns)


def test_deck_duel_keeps_the_contract() -> None:
    check_contract(ludens.load("deck_duel"), matches=2)


def test_decks_are_chosen_in_secret_two_of_a_kind_at_most() -> None:
    state: State = ludens.load("deck_duel").initial_state()
    for _ in range(2):
        state = state.play({"Anna": "giant", "Bert": "wolf"})

    assert "giant" not in state.legal_moves("Anna")
    assert "giant" in state.legal_moves("Bert")
    assert not any("giant" in percept for percept in state.percepts("Bert"))


def test_mana_grows_and_pays_for_cards() -> None:
    state = chosen()
    assert set(state.legal_moves("Anna")) == {"squire", "end turn"}

    assert set(play(state, "squire").legal_moves("Anna")) == {"end turn"}
    second = later(chosen(("squire", "squire", "wolf", "wolf")), 2)
    assert set(second.legal_moves("Anna")) == {"squire", "wolf", "end turn"}


def test_creatures_attack_from_their_second_turn_and_wolves_at_once() -> None:
    state = play(chosen(), "squire")
    assert not any("attacks" in move for move in state.legal_moves("Anna"))
    assert "squire 1 attacks hero" in later(state, 2).legal_moves("Anna")

    wolf = play(later(chosen(("wolf", "wolf", "squire", "squire")), 2), "wolf")

    assert health_of(play(wolf, "wolf 1 attacks hero")) == (11, 10)  # her deck is empty


def test_creatures_strike_back_and_archers_are_not_struck() -> None:
    state = play(chosen(("squire", "archer", "archer", "giant"), ("guard", "guard", "giant", "giant")), "squire")
    state = play(state, "end turn", "end turn", "archer", "end turn", "guard", "end turn")

    struck = play(state, "squire 1 attacks guard 1")
    shot = play(state, "archer 2 attacks guard 1")

    assert field(struck, "Anna") == ["archer"]
    assert field(shot, "Anna") == ["squire", "archer"]
    assert isinstance(shot, TabletopState)
    assert shot.table.get("damage", of=shot.table["field Bert"][0]) == 2


def test_guards_must_be_attacked_first() -> None:
    state = play(chosen(FILLING, ("guard", "squire", "giant", "giant")), "squire", "end turn", "end turn", "end turn")
    state = play(state, "guard", "end turn")

    assert {move for move in state.legal_moves("Anna") if "attacks" in move} == {"squire 1 attacks guard 1"}


def test_spells_hit_storm_and_draw() -> None:
    bolt = later(chosen(("bolt", "scroll", "storm", "giant")), 2)
    assert health_of(play(bolt, "bolt on hero")) == (11, 9)  # Anna's deck is empty in her second turn

    drawn = later(chosen(("scroll", "giant", "giant", "bolt"), FILLING), 2)
    assert health_of(play(drawn, "scroll")) == (11 - 2 - 3, 12)

    state = play(chosen(("storm", "giant", "giant", "bolt")), "end turn", "squire")
    state = later(state, 7)
    assert field(state, "Bert") == ["squire"]
    assert field(play(state, "storm"), "Bert") == []


def test_healers_give_health_up_to_the_most() -> None:
    state = later(chosen(("healer", "giant", "giant", "bolt")), 4)
    before = health_of(state)[0]

    assert health_of(play(state, "healer"))[0] == min(12, before + 3)


def test_an_empty_deck_hurts_more_each_time_and_ends_the_game() -> None:
    state = later(chosen(health=5), 2)
    assert health_of(state) == (4, 5)
    state = later(state, 1)
    assert health_of(state) == (4, 4)
    state = later(state, 1)
    assert health_of(state) == (2, 4)

    while not state.is_terminal:
        state = later(state, 1)

    assert state.goals == {"Anna": 0, "Bert": 100}


def test_nobody_sees_the_others_hand() -> None:
    state = chosen()

    assert len(hand_of(state, "Anna")) == 2  # squires and giants
    assert "giant of Anna" not in str(state.view("Bert"))
    assert "giant of Anna" in str(state.view("Anna"))


@pytest.mark.parametrize("player", ["Anna", "Bert"])
def test_worlds_keep_what_a_player_has_chosen(player: str) -> None:
    state = chosen(("squire", "wolf", "knight", "giant"), ("bolt", "bolt", "storm", "giant"))
    for _ in range(5):
        world = state.view(player).sample(Random(1))
        assert isinstance(world, TabletopState)
        assert hand_of(world, player) == hand_of(state, player)

from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import State
from tests.games.tabletop.contract import check_contract
from tests.games.tabletop.openspiel import COUNTS, open_spiel
from tests.peers import peer

ACTIONS = {
    "kuhn_poker": {"pass": 0, "bet": 1},
    "leduc_poker": {"fold": 0, "call": 1, "raise": 2},
}
CARDS = {"kuhn_poker": ["J", "Q", "K"], "leduc_poker": ["JH", "JS", "QH", "QS", "KH", "KS"]}


@pytest.mark.parametrize("name", ACTIONS)
def test_small_poker_keeps_the_contract(name: str) -> None:
    check_contract(ludens.load(f"{name}@tabletop"), matches=30)


@peer("openspiel")
@pytest.mark.parametrize("games", COUNTS)
@pytest.mark.parametrize("name", ACTIONS)
def test_random_matches_go_as_in_open_spiel(name: str, games: int) -> None:
    other = open_spiel().load_game(name)
    game = ludens.load(f"{name}@tabletop")
    actions, cards = ACTIONS[name], CARDS[name]
    rng = Random(4)
    for _ in range(games):
        order = rng.sample(cards, len(cards))
        dealt = iter(order)
        theirs = other.new_initial_state()
        state: State = game.initial_state().play({"First": f"deal = {' '.join(order[::-1])}"})
        while True:
            while theirs.is_chance_node():
                theirs.apply_action(cards.index(next(dealt)))
            if theirs.is_terminal():
                break
            role = game.roles[theirs.current_player()]
            legal = state.legal_moves(role)
            assert sorted(actions[move] for move in legal) == theirs.legal_actions()
            move = rng.choice(legal)
            state = state.play({role: move})
            theirs.apply_action(actions[move])
        assert state.is_terminal
        assert list(state.points.values()) == theirs.returns()

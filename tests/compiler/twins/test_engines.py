"""Engines of pages in C++: they play as the pages do, and the comparison finds what differs."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest

import ludens
from ludens.compiler.native.bitcode import Library
from ludens.games.tabletop import twins
from ludens.games.tabletop.kuhn_poker import KuhnPoker
from ludens.games.tabletop.liars_dice import LiarsDice
from ludens.games.tabletop.twins import holdem
from ludens.tabletop import EngineTwin, FinishPlay, Rule, Table, TabletopGame, french_deck
from ludens.tabletop.machine_code import load_machine_code
from ludens.tabletop.poker import strength
from ludens.testing import CheckFailed, check_game
from tests.compiler.twins.test_twins import follow, silent
from tests.thorough import part_of, slow_among

QUICK = (
    "kuhn_poker@tabletop",
    "leduc_poker@tabletop",
    "liars_dice:3",
    "liars_dice:game=round,wild=off",
    "dominoes",
    "dominoes:4,game=block",
    "chinese_poker",
    "deck_duel",
    "holdem",
    "holdem:3,hands=3,stacks=5-7-30,rise=2",
    "hexwar:scenario=assault",
    "mahjong",
    "uno:4",
)
LONG = (
    "backgammon@tabletop",
    "backgammon:cube=on@tabletop",
    "cant_stop:3@tabletop",
    "chinese_checkers:3",
    "deck_duel:starting_player=Bert",
    "estates:2,rounds=200",
    "estates:5,trade=off",
    "hexwar",
    "hexwar:scenario=breakthrough",
    "holdem:4,hands=12,stacks=5-7-30-90,rise=2,betting=limit",
    "holdem:9,hands=5",
    "mahjong:least=3,prevailing=west",
    "memory:4",
    "outpost",
    "shogi",
    "stratego",
    "stratego:small",
    "totem:2",
    "totem:8,shapes=16",
    "uno:2,jump_in=off,must_play=off",
    "uno:3,challenge=on",
)


@pytest.mark.parametrize("name", slow_among([*QUICK, *LONG], LONG))
def test_an_engine_goes_as_its_page(name: str) -> None:
    game = ludens.load(name)
    assert isinstance(game, TabletopGame)
    assert isinstance(game.twin, EngineTwin)
    for seed in range(part_of(4)):
        turns, difference = follow(game, seed)
        assert not difference
        assert turns


@pytest.mark.parametrize("name", ["leduc_poker@tabletop", "liars_dice", "dominoes:3", "uno:3"])
def test_playouts_of_an_engine_are_worth_what_those_of_the_page_are(name: str) -> None:
    game = ludens.load(name)
    state = game.initial_state()
    rng = Random(5)
    while len(state.legal_moves(game.roles[0])) < 2:
        state = state.sample({role: moves[0] for role in game.roles if (moves := state.legal_moves(role))}, rng)
    by_page = np.array([state.play_out(rng, 1000) for _ in range(60)])
    native = game.native_playouts(1)
    assert native is not None

    goals = native.play_out([state], 4000, 1000)[0]

    error = np.hypot(by_page.std(axis=0) / 60**0.5, goals.std(axis=0) / 4000**0.5)
    assert (abs(goals.mean(axis=0) - by_page.mean(axis=0)) < 4 * error).all()


def test_playouts_after_moves_begin_with_them() -> None:
    game = ludens.load("kuhn_poker@tabletop")
    state = game.initial_state().sample({"First": "deal"}, Random(1)).play({"First": "bet"})
    native = game.native_playouts(1)
    assert native is not None

    goals = native.play_out_moves([state], "Second", ["pass", "bet"], 8, 10)

    assert (goals[0, 0] == [75, 25]).all()  # folded: a chip each, from -2 to 2
    assert np.isin(goals[1, 0], [0, 100]).all()  # the showdown: two chips


class Mistaken(KuhnPoker):
    """A page whose words the engine takes for one another."""

    def twin(self) -> EngineTwin:
        return replace(super().twin(), move=lambda table, player, number: ("bet", "pass")[number])


class Blind(KuhnPoker):
    """A page that passes over what was paid."""

    def twin(self) -> EngineTwin:
        twin = super().twin()

        def position(table: Table) -> list[int] | None:
            found = twin.position(table)
            return None if found is None else [*found[:3], 1, 1, *found[5:]]

        return replace(twin, position=position)


class Longer(KuhnPoker):
    """A page with a number more than its engine has."""

    def twin(self) -> EngineTwin:
        twin = super().twin()

        def position(table: Table) -> Sequence[int]:
            return [*(twin.position(table) or [0] * 9), 0]

        return replace(twin, position=position)


class Generous(KuhnPoker):
    """A page that pays otherwise."""

    def result(self, table: Table) -> FinishPlay | None:
        found = super().result(table)
        return None if found is None else FinishPlay(points=dict.fromkeys(self.players, 0))


class Unsettled(LiarsDice):
    """A page whose twin does not say that dice are drawn."""

    def twin(self) -> EngineTwin:
        return replace(super().twin(), settled=None)


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        (Mistaken, "number 3 of the twin's position is 1, and on the page 2|number 6 of the twin's position"),
        (Blind, "number [34] of the twin's position is 2, and on the page 1"),
        (Longer, "a position of Kuhn poker has 10 numbers, its engine 9"),
        (Generous, "the points of the twin are"),
        (Unsettled, "no outcome in the twin is that of the page"),
    ],
)
def test_the_comparison_says_where_an_engine_differs(rule: type[Rule], reason: str) -> None:
    with pytest.raises((CheckFailed, ludens.tabletop.RuleError), match=reason):
        check_game(TabletopGame(rule()), matches=6, report=silent)


def test_hands_of_poker_are_as_strong_as_on_the_page() -> None:
    library = load_machine_code(twins.PACKAGE, "holdem")
    function = library.function("ludens_poker_strength", ctypes.c_int64, *[ctypes.c_void_p] * 2, ctypes.c_int64)
    rng = Random(1)
    cards = french_deck().elements
    suits = {name: number for number, name in enumerate(sorted({card.attributes["suit"] for card in cards}))}
    seen = set()
    for _ in range(1500):
        few = [card for card in cards if card.attributes["rank"] in rng.sample(range(2, 15), rng.choice((5, 13)))]
        hand = rng.sample(few, rng.choice((3, 5, 6, 7)))
        if rng.random() < 0.3:  # flushes
            hand = [card for card in few if card.attributes["suit"] == hand[0].attributes["suit"]][:7]
        numbers = np.array(
            [[card.attributes["rank"], suits[card.attributes["suit"]]] for card in hand], np.int32
        ).T.copy()
        found = function(numbers[0].ctypes.data, numbers[1].ctypes.data, len(hand))

        assert found == strength(hand), hand
        seen.add(found >> 20)
    assert seen == set(range(9))  # all categories


def test_an_engine_that_lists_too_many_raises_is_not_used() -> None:
    rule = ludens.load("holdem:2,stack=3000")
    assert isinstance(rule, TabletopGame)
    assert rule.twin is None
    assert holdem.MOST_CHIPS < 6000


def test_the_bitcode_of_an_engine_has_no_undefined_function() -> None:
    for name in ("uno", "shogi", "estates"):
        assert isinstance(load_machine_code(twins.PACKAGE, name), Library)

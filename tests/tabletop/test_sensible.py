"""Rules that say how sensible players play: playouts follow them, and searches try what is promising."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from ludens.core import Clock, Deadline
from ludens.players.ismcts import IsmctsPlayer
from ludens.tabletop import (
    Action,
    Area,
    FinishPlay,
    Move,
    Rule,
    RuleError,
    Shuffle,
    Stage,
    Table,
    TabletopGame,
    alternate,
    french_deck,
)
from ludens.tabletop.actions.moving import Distribute

PLAYED = 2


class High(Rule):
    """Each plays a card of its hand; the higher one wins."""

    name = "High"
    players = ("Ann", "Bob")

    def equipment(self, table: Table) -> None:
        table.add(french_deck(ranks="23456", suits="S"))
        table.add(Area.hands("hand", self.players))
        table.add(Area.hands("pile", self.players, visibility="public"))

    def setup(self, table: Table) -> Action:
        deck = table.assortment("deck")
        return (Shuffle(deck) + Distribute(deck, table.area("hand"), each=PLAYED)).named("deal")

    def turns(self) -> list[Stage]:
        return alternate(self.players, self.card)

    def card(self, table: Table) -> list[Action]:
        player = table.current_player
        return [
            Move(card, to=table.hand(player, "pile")).named(card.name)
            for card in sorted(table[table.hand(player)], key=str)
        ]

    def result(self, table: Table) -> FinishPlay | None:
        piles = [table[table.hand(player, "pile")] for player in self.players]
        if not all(piles):
            return None
        return FinishPlay(points={player: pile[0].rank for player, pile in zip(self.players, piles, strict=True)})


class Sensible(High):
    """Sensible players play their highest card."""

    def sensible_action(self, table: Table, actions: Sequence[Action], rng: Random) -> Action:
        return max(actions, key=lambda action: action.moved_elements()[0].rank)


class Stubborn(High):
    """Searches try the first card only."""

    def promising(self, table: Table, moves: Sequence[str]) -> Sequence[str]:
        return moves[:1]


class Wrong(High):
    """Promises what is not there."""

    def promising(self, table: Table, moves: Sequence[str]) -> Sequence[str]:
        return ["AS"]


def test_playouts_follow_the_rule() -> None:
    game = TabletopGame(Sensible())
    state = game.initial_state().sample({"Ann": "deal"}, Random(4))
    results = {tuple(state.play_out(Random(seed), 100)) for seed in range(20)}
    assert len(results) == 1  # nothing is left to chance
    after = state.play_out_after({"Ann": max(state.legal_moves("Ann"))}, Random(1), 100)
    assert tuple(after) in results
    plain = TabletopGame(High()).initial_state().sample({"Ann": "deal"}, Random(4))
    assert len({tuple(plain.play_out(Random(seed), 100)) for seed in range(20)}) > 1


def test_a_search_with_sensible_playouts_finds_the_better_card() -> None:
    game = TabletopGame(Sensible())
    state = game.initial_state().sample({"Ann": "deal"}, Random(4))
    player = IsmctsPlayer(iterations=60)
    player.start(game, "Ann", 1, Clock(10, 10))
    assert player.choose(state.view("Ann"), Deadline(10)).move == max(state.legal_moves("Ann"))


def test_a_search_tries_promising_moves_only() -> None:
    game = TabletopGame(Stubborn())
    state = game.initial_state().sample({"Ann": "deal"}, Random(4))
    player = IsmctsPlayer(iterations=30)
    player.start(game, "Ann", 1, Clock(10, 10))
    assert state.promising_moves("Ann") == state.legal_moves("Ann")[:1]
    decision = player.choose(state.view("Ann"), Deadline(10))
    assert [report.move for report in decision.thinking.moves] == [decision.move] == [state.legal_moves("Ann")[0]]


def test_promising_moves_must_be_legal() -> None:
    state = TabletopGame(Wrong()).initial_state().sample({"Ann": "deal"}, Random(4))
    with pytest.raises(RuleError, match=r"Wrong.promising\(\) must return some of the moves"):
        state.promising_moves("Ann")

"""Tricks that are played out as bits: by the rules of the game, and as sensible players play."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

import pytest

import ludens
from ludens.games.tabletop.shared.trick_play import CardBits, TrickPlay, bits
from ludens.games.tabletop.shared.tricks import TrickTaking
from ludens.tabletop import TabletopGame, TabletopState
from ludens.tabletop.light_table import LightTable
from ludens.tabletop.playouts import play_on

NAMES = ("hearts", "hearts:queen_breaks=on", "spades", "skat", "bridge")


class Half(Random):
    """Draws no card at random."""

    def random(self) -> float:
        return 0.5


def mover(state: TabletopState) -> str:
    return next(role for role in state.game.roles if state.legal_moves(role))


def random_match(game: TabletopGame, seed: int) -> Iterator[TabletopState]:
    """The states of a match in which a card is played."""
    rng = Random(seed)
    state = game.initial_state()
    while not state.is_terminal:
        if state.stage.startswith(("play", "dummy")):
            yield state
        moves = {role: rng.choice(legal) for role in game.roles if (legal := state.legal_moves(role))}
        state = state.sample(moves, rng)


def load(name: str) -> tuple[TabletopGame, TrickTaking]:
    game = ludens.load(name)
    assert isinstance(game, TabletopGame)
    assert isinstance(game.rule, TrickTaking)
    return game, game.rule


@pytest.mark.parametrize("name", NAMES)
def test_cards_of_playouts_are_the_legal_ones(name: str) -> None:
    game, rule = load(name)
    for state in random_match(game, 3):
        play = rule.trick_play(state.table)
        allowed = rule.allowed(state.table, play, play.following())
        assert {play.deck.card[card].name for card in bits(allowed)} == set(state.legal_moves(mover(state)))


@pytest.mark.parametrize("name", NAMES)
def test_a_playout_ends_as_the_same_cards_played_one_by_one(name: str) -> None:
    game, rule = load(name)
    for number, state in enumerate(random_match(game, 5)):
        if number % 7:
            continue
        table = LightTable.of(state.table)
        play = rule.trick_play(table)
        chosen: list[str] = []

        def choose(play: TrickPlay, cards: int, chosen: list[str] = chosen) -> int:
            card = max(bits(cards), key=lambda bit: play.deck.card[bit].name)
            chosen.append(play.deck.card[card].name)
            return card

        play.run(partial(rule.allowed, table), choose, Half())
        after = state
        while not after.is_terminal and any(after.table[hand] for hand in rule.hands.values()):
            legal = after.legal_moves(mover(after))
            after = after.play({mover(after): legal[0] if len(legal) == 1 else chosen.pop(0)})
        if rule.name == "Skat" and after.table.get("game") == "null":
            continue  # ends early
        assert not chosen
        played = play.won[:]
        played[play.winner] |= sum(play.trick)
        for player, won in zip(rule.players, played, strict=True):
            assert set(play.deck.cards(won)) == set(after.table[table.hand(player, "won")])


@pytest.mark.parametrize("name", NAMES)
def test_a_playout_with_a_shortcut_finishes_the_play(name: str) -> None:
    game, _ = load(name)
    for seed in range(3):
        table = LightTable.of(game.first)
        turns = play_on(game, table, Random(seed), 500)
        end = TabletopState(game, table)
        assert end.is_terminal
        assert turns < 52
        assert len(end.goals) == len(game.roles)


def four_hands(*hands: str, trick: str = "", sides: tuple[int, ...] = (0, 1, 0, 1), trump: str = "") -> TrickPlay:
    """Hands in order of seats, the first to play; cards as ``AS 2H``."""
    game, _ = load("hearts")
    cards = game.first.assortment("deck").elements
    deck = CardBits([(card, card.suit, card.rank) for card in cards], trump)
    masks = [sum(deck.named[name] for name in hand.split()) for hand in hands]
    return TrickPlay(deck, masks, [0, 0, 0, 0], [deck.named[name] for name in trick.split()], 0, sides)


def name_of(play: TrickPlay, card: int) -> str:
    return play.deck.card[card].name


def test_who_ducks_plays_the_highest_card_below_the_best() -> None:
    play = four_hands("2H 9H QH AH", "", "", "", trick="3H TH")
    assert name_of(play, play.duck(play.following())) == "9H"


def test_who_cannot_duck_plays_high_only_in_the_last_seat() -> None:
    play = four_hands("JH QH", "", "", "", trick="TH")
    assert name_of(play, play.duck(play.following())) == "JH"
    play = four_hands("JH QH", "", "", "", trick="TH 2H 3H")
    assert name_of(play, play.duck(play.following())) == "QH"


def test_a_trick_is_left_to_a_partner_who_is_sure_of_it() -> None:
    play = four_hands("2H AH", "", "", "", trick="3H KH 4H")
    assert name_of(play, play.take(play.following())) == "2H"
    play = four_hands("2H AH", "", "", "", trick="KH 3H 4H")
    assert name_of(play, play.take(play.following())) == "AH"


def test_the_lowest_trump_takes_a_trick_that_cannot_be_followed() -> None:
    play = four_hands("2S 9S KD", "", "", "", trick="AH 3H 4H", trump="S")
    assert name_of(play, play.take(play.following())) == "2S"


def test_sensible_players_of_hearts_get_rid_of_the_queen() -> None:
    game, rule = load("hearts")
    play = four_hands("QS AD KH", "", "", "", trick="3C", sides=(0, 1, 2, 3))
    assert name_of(play, rule.sensible_card(game.first, play, play.following())) == "QS"


def test_promising_passes_are_few_and_dangerous() -> None:
    game, _ = load("hearts")
    state = game.initial_state().sample({"North": "deal"}, Random(1))
    moves = state.promising_moves("East")
    assert set(moves) < set(state.legal_moves("East"))
    assert len(moves) == 10
    assert len(state.legal_moves("East")) == 286


def skat_card(*hands: str, trick: str = "", declarer: int = 0) -> str:
    """The card that the first seat plays at clubs, by sensible players of skat."""
    game, rule = load("skat")
    state = game.initial_state()
    for move in ("deal", "pass", "pass", "18", "hand", "clubs"):
        state = state.sample({mover(state): move}, Random(1))
    deck = rule.trick_play(state.table).deck
    masks = [sum(deck.named[name] for name in hand.split()) for hand in hands]
    sides = [int(seat == declarer) for seat in range(3)]
    play = TrickPlay(deck, masks, [0, 0, 0], [deck.named[name] for name in trick.split()], 0, sides)
    return name_of(play, rule.sensible_card(state.table, play, play.following()))


def test_declarer_of_skat_draws_trumps_while_it_can_afford_to() -> None:
    assert skat_card("JC 7C AH", "JS 8C 7H", "9C TH KH") == "JC"
    assert skat_card("TC 9C 7C AH", "JS 8C 7H 8H", "QC TH KH 9H") == "7C"
    assert skat_card("TC 7C AH", "JS 8C 7H", "QC TH KH") == "AH", "two trumps are kept"
    assert skat_card("JC 7C AH", "7S 8S 7H", "9S TH KH") == "AH", "nobody else has trumps"


def test_declarer_of_skat_takes_cheap_tricks_too() -> None:
    assert skat_card("AH 9H", "KH 8S", "TH", trick="7H") == "AH"
    assert skat_card("TC 7C", "KH", "TH", trick="AH 8H") == "TC", "the last card is safe"
    assert skat_card("7D 7C", "KC", "TH", trick="JS 8C") == "7C", "follows"
    assert skat_card("7D KD", "KC", "TH", trick="JS 8C") == "7D"


def test_opponents_at_skat_give_points_only_to_a_partner_who_is_sure_of_the_trick() -> None:
    assert skat_card("TH 9H", "KS", "QS", trick="8H AH", declarer=1) == "TH"
    assert skat_card("TH 9H", "AH", "QS", trick="KH", declarer=1) == "9H"

"""How hold'em is played out in bulk, and what its model of players says."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import ludens
from ludens.core import Clock, Deadline
from ludens.games.tabletop.shared.holdem_boards import Board, board_of, first_quality, hand_number, quality_of_hands
from ludens.games.tabletop.shared.holdem_deals import Deals, Spot
from ludens.games.tabletop.shared.holdem_record import CALL, FOLD, NOTHING_RECORDED, RAISE, Act, add_to_record
from ludens.games.tabletop.shared.holdem_rollouts import rollouts, shares_of_pots
from ludens.games.tabletop.shared.holdem_styles import STYLES, choice_shares, parameters, style_shares
from ludens.players.ismcts import IsmctsPlayer
from ludens.tabletop.bulk_poker import Array
from tests.games.tabletop.test_holdem import BOARD, dealt, play
from tests.tabletop.test_bulk_poker import cards

NAMES = list(STYLES)


def spot(hand: str, board: str = "", acts: tuple[Act, ...] = (), **changes: Any) -> Spot:
    """The small blind of a limit game, or the big one after the flop, has to choose."""
    laid = cards(board)
    street = max(0, len(laid) - 2)
    settings: dict[str, Any] = {
        "names": ("a", "b"),
        "chips": [100, 100],
        "left": [98, 98] if street else [99, 98],
        "bets": [0, 0] if street else [1, 2],
        "folded": [False, False],
        "pending": [True, True],
        "actor": 1 if street else 0,
        "hand": frozenset(cards(hand)),
        "board": laid,
        "street": street,
        "high": 0 if street else 2,
        "raised": 2,
        "count": 0 if street else 1,
        "blind": 2,
        "most_bets": 4,
        "acts": acts,
        "records": [NOTHING_RECORDED] * 2,
    }
    return Spot(**(settings | changes))


def quality(table: Array, hand: str) -> float:
    return float(table[hand_number(frozenset(cards(hand)))])


def test_hands_are_ordered_as_everybody_knows_before_the_flop() -> None:
    order = ["AS AH", "KS KH", "8C 8D", "KS TS", "JC TC", "TC 6D", "7C 2D"]

    found = [quality(first_quality(), hand) for hand in order]

    assert found == sorted(found, reverse=True)
    assert found[0] > 0.99
    assert found[-1] < 0.1


def test_the_quality_on_a_board_is_the_share_of_hands_that_are_not_better() -> None:
    river = Board(cards("AS KS 8D 2C 3D")).quality
    assert quality(river, "AH AD") > 0.98
    assert quality(river, "4C 6H") < 0.1

    flop = Board(cards("AS KS 8D")).quality
    assert quality(flop, "QS JS") > 0.75  # a flush draw and a straight draw
    assert quality(flop, "AH AD") > quality(flop, "AC 2D") > quality(flop, "8C 7C") > quality(flop, "2C 3D")


def test_on_the_way_to_a_run_out_nobody_knows_its_last_card() -> None:
    board = board_of(frozenset(cards("AS KS 8D")))
    draw = hand_number(frozenset(cards("5S 4S")))
    same, turns = board.streets[2]

    made = board.streets[3][1][:, draw] > 0.9
    free = (board.bits & (1 << cards("5S")[0] | 1 << cards("4S")[0])) == 0

    assert same == 1
    assert made[free].any()
    is_early = turns[:, draw] < 0.9  # the flush was not there after the turn
    assert (made & is_early & free).any()


@pytest.mark.parametrize("name", NAMES)
def test_every_style_is_a_distribution_in_which_better_hands_fold_less(name: str) -> None:
    style = parameters()[NAMES.index(name)]
    qualities = np.linspace(0, 1, 21)

    for street, part, can_raise in ((0, 0.33, 1), (2, 0.9, 0), (3, 0.0, 1)):
        shares = choice_shares(qualities, part, 0.5, street, can_raise, style)

        assert (shares >= 0).all()
        assert shares.sum(axis=0) == pytest.approx(1)
        assert (np.diff(shares[FOLD]) <= 1e-9).all()
        assert (np.diff(shares[RAISE]) >= -1e-9).all()
        assert part or not shares[FOLD].any()
        assert can_raise or not shares[RAISE].any()


def test_a_raise_makes_good_hands_more_likely_and_calls_a_player_who_calls() -> None:
    raised = Deals(spot("7C 2D", acts=(("b", RAISE, 0, 2, 6, 1),)), 64, Random(1)).weights(1)
    called = Deals(spot("7C 2D", acts=tuple(("b", CALL, 0, 4, 8, 1) for _ in range(4))), 64, Random(1)).weights(1)

    aces, rags = (hand_number(frozenset(cards(hand))) for hand in ("AS AH", "8C 3D"))
    assert raised[:, aces].sum() > 2 * raised[:, rags].sum()
    shares = called.sum(axis=1) / called.sum()
    assert shares[NAMES.index("calling")] > 2 * STYLES["calling"][0]


def test_cards_of_others_are_drawn_by_their_weights_and_never_twice() -> None:
    deals = Deals(spot("AS AH", "AD KD 2C"), 400, Random(1))

    assert len(deals.rank) > 390
    assert deals.quality.shape == (len(deals.rank), 2, 4)
    assert (deals.quality[:, 1, 1] == deals.quality[0, 1, 1]).all()  # own cards are known
    assert len(np.unique(deals.quality[:, 0, 1])) > 100
    assert deals.quality[:, 1, 3].mean() > 0.95  # three aces are mostly the best hand in the end


def test_who_owes_its_last_chips_wins_by_the_strength_of_the_hand() -> None:
    all_in: dict[str, Any] = {"left": [0, 40], "bets": [60, 0], "high": 60, "pending": [False, True], "count": 1}
    best = rollouts(spot("AS AH", "AD AC 2C 7H 9D", **all_in), [(FOLD, 0), (CALL, 0)], Random(1))
    worst = rollouts(spot("3S 4H", "AD QC KC 6H 9D", **all_in), [(FOLD, 0), (CALL, 0)], Random(1))

    assert (best[0] == 40).all()
    assert (best[1] == 200).all()
    assert worst[1].mean() < 30


def test_the_same_deals_serve_all_choices() -> None:
    found = rollouts(spot("AS AH"), [(FOLD, 0), (CALL, 0), (RAISE, 4)], Random(1))

    assert (found[0] == 99).all()
    assert found[1].mean() > 102
    assert found[2].mean() > 102
    assert np.corrcoef(found[1], found[2])[0, 1] > 0.2


@pytest.mark.parametrize("players", [2, 3, 6])
def test_pots_are_shared_as_by_the_rules(players: int) -> None:
    game: Any = ludens.load(f"holdem:{players}")
    rule, names = game.rule, game.rule.players
    rng = Random(players)
    for _ in range(200):
        paid = [rng.choice((0, 4, 10, 10, 25)) for _ in names]
        active = sorted(rng.sample(range(players), rng.randint(1, players)))
        best = max(paid[seat] for seat in active)
        paid = [min(amount, best) for amount in paid]
        rank = [rng.randrange(3) for _ in names]
        strengths = {names[seat]: rank[seat] + 1 for seat in active}
        want = rule.shares(dict(zip(names, paid, strict=True)), [names[seat] for seat in active], strengths)

        is_active = np.array([[seat in active for seat in range(players)]])
        for seat in range(players):
            found = shares_of_pots(np.array([paid]), is_active, np.array([rank]), seat)
            assert abs(found[0] - want[names[seat]]) < 2.5  # odd chips


def test_playouts_of_several_players_keep_within_all_chips() -> None:
    three: dict[str, Any] = {
        "names": ("a", "b", "c"), "chips": [100, 40, 70], "left": [99, 38, 70], "bets": [1, 2, 0],
        "folded": [False] * 3, "pending": [True] * 3, "actor": 2, "records": [NOTHING_RECORDED] * 3, "most_bets": 0,
    }  # fmt: skip
    found = rollouts(spot("AS AH", **three), [(FOLD, 0), (CALL, 0), (RAISE, 70)], Random(1))

    assert (found[0] == 70).all()
    assert found.min() >= 0
    assert found.max() <= 210
    assert found[2].mean() > 70


def test_rollouts_know_nothing_of_the_cards_of_others() -> None:
    game: Any = ludens.load("holdem:betting=limit")
    results = []
    for other in (["3C", "4D"], ["KS", "KD"]):
        state: Any = play(dealt(game.initial_state(), [["AS", "AH"], other], BOARD), "call")
        state = play(state, "check", "check")
        moves = state.legal_moves("player1")
        results.append(np.array(game.rollouts(state.table, "player1", moves, Random(7))))

    assert (results[0] == results[1]).all()
    assert len(results[0]) == len(moves)


def test_what_players_do_is_noted_in_a_hand_and_counted_in_a_session() -> None:
    hands = [["AS", "AH"], ["3C", "4D"]]
    state: Any = play(dealt(ludens.load("holdem:hands=3").initial_state(), hands, BOARD), "raise to 6", "call", "check")

    assert state.table.get("acts") == (
        ("player1", RAISE, 0, 1, 3, 1),
        ("player2", CALL, 0, 4, 8, 1),
        ("player2", CALL, 1, 0, 12, 1),
    )
    state = dealt(play(state, "raise to 10", "fold"), hands, BOARD)

    assert state.table.get("acts") == ()
    assert state.table.get("record", of="player2") == (0, 1, 0, 1, 0, 0, 0, 1, 0)


def test_a_player_who_always_called_is_taken_for_one_who_calls() -> None:
    acts: list[Act] = [("b", CALL, 0, 2, 6, 1), ("b", CALL, 1, 4, 12, 1), ("b", CALL, 2, 0, 16, 1)]
    record: tuple[int, ...] = NOTHING_RECORDED
    for _ in range(15):
        record = add_to_record(record, acts, "b")

    assert style_shares(NOTHING_RECORDED) == pytest.approx([share for share, _ in STYLES.values()])
    assert style_shares(record)[NAMES.index("calling")] > 0.9


def test_information_set_search_uses_rollouts_and_raises_with_the_best_hand() -> None:
    game = ludens.load("holdem:betting=limit")
    best = play(dealt(game.initial_state(), [["QS", "TH"], ["3C", "4D"]], BOARD), "call", *["check"] * 6)
    worst = play(dealt(game.initial_state(), [["3C", "4D"], ["QS", "TH"]], BOARD), "call", *["check"] * 5, "raise to 4")
    chosen = []
    for state in (best, worst):
        player = IsmctsPlayer(iterations=1)
        player.start(game, "player1", 1, Clock(60, 60))
        decision = player.choose(state.view("player1"), Deadline(60))
        chosen.append(decision.move)
        assert decision.thinking.iterations > 500  # hundreds at once

    assert chosen == ["raise to 4", "fold"]


def test_without_a_model_of_opponents_there_are_no_rollouts() -> None:
    game = ludens.load("holdem")
    state = dealt(game.initial_state(), [["QS", "TH"], ["3C", "4D"]], BOARD)
    worlds = game.worlds("player1", Random(1))
    worlds.observe(state.view("player1"))
    assert worlds.has_rollouts

    worlds.models_opponents = False

    assert not worlds.has_rollouts


def test_the_quality_before_a_street_is_that_of_the_board_then() -> None:
    board = cards("2C 7D 9H JS KC")

    assert (quality_of_hands(board, 0) == first_quality()).all()
    assert (quality_of_hands(board, 2) == board_of(frozenset(board[:4])).quality).all()

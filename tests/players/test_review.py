"""The review of a match finds what was lost, and says only what it is sure of."""

from __future__ import annotations

import time

import pytest

import ludens
from ludens.core import Deadline, Decision, Player, View
from ludens.players import review as review_module
from ludens.players.review import BEST, BLUNDER, GOOD, MISTAKE, UNSURE, Judgement, choices, review

X, O = "xplayer", "oplayer"  # noqa: E741 - its name


def tic_tac_toe(*moves: str) -> list[dict[str, str]]:
    """A line of play, x first."""
    return [
        {X: f"(mark {move})", O: "noop"} if n % 2 == 0 else {X: "noop", O: f"(mark {move})"}
        for n, move in enumerate(moves)
    ]


def test_a_move_that_gives_a_win_away_is_found_exactly() -> None:
    game = ludens.load("tic_tac_toe", wait=True)
    turns = tic_tac_toe("2 2", "1 2", "1 1", "1 3", "3 2", "2 1")
    found = list(review(game, turns, 0.2))
    assert choices(game, turns) == len(found) == 6
    by_turn = {one.turn: one for one in found}
    assert (by_turn[2].verdict, by_turn[2].is_exact, by_turn[2].value, by_turn[2].best_value) == (
        BLUNDER,
        True,
        0.0,
        50.0,
    )
    assert (by_turn[4].verdict, by_turn[4].loss) == (BEST, 0.0)  # x wins whatever o does
    assert (by_turn[5].verdict, by_turn[5].best, by_turn[5].loss) == (BLUNDER, "(mark 3 3)", 50.0)
    assert by_turn[1].verdict == BEST


def test_hidden_cards_are_judged_by_what_the_role_knew() -> None:
    game = ludens.load("kuhn_poker", wait=True)
    deal = {"first": "noop", "second": "noop", "random": "(deal jack king)"}
    state = game.initial_state().play(deal)
    role = max(game.roles, key=lambda name: len(state.legal_moves(name)))
    turn = {name: state.legal_moves(name)[0] for name in game.roles if state.legal_moves(name)}
    (judgement,) = review(game, [deal, turn], 0.1)
    assert (judgement.turn, judgement.role, judgement.move) == (2, role, turn[role])


def judgement(value: float, best_value: float, margin: float) -> Judgement:
    return Judgement(1, "r", "a", value, "b", best_value, margin, is_exact=margin == 0)


def test_verdicts_need_certainty() -> None:
    assert judgement(20, 60, 5).verdict == BLUNDER
    assert judgement(20, 60, 15).verdict == MISTAKE
    assert judgement(20, 60, 35).verdict == UNSURE
    assert judgement(58, 60, 1).verdict == GOOD
    assert judgement(58, 60, 8).verdict == UNSURE
    assert judgement(50, 50, 0).verdict == BEST
    assert judgement(60, 50, 1).loss == 0


def test_a_busy_machine_does_not_shorten_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    waited, left = 0.0, []
    monotonic = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: monotonic() + waited)

    class Starved(Player):
        def choose(self, view: View, deadline: Deadline) -> Decision:
            nonlocal waited
            before = deadline.remaining()
            waited += 2 * before  # in which other programs had the processor
            left.append(deadline.remaining() / before)
            waited += 1_000
            assert deadline.remaining() <= 0  # though nobody waits for ever
            return Decision(view.legal_moves[0])

    monkeypatch.setattr(review_module, "make_player", lambda _: Starved())
    list(review(ludens.load("tic_tac_toe"), tic_tac_toe("2 2"), 100.0))
    assert left
    assert min(left) > 0.9

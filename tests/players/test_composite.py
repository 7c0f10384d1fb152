from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import Clock, Deadline, Game, Player, State
from ludens.players import make_player

CLOCK = Clock(1.0, 20.0)


def ready(text: str, game: Game, role: str) -> Player:
    player = make_player(text)
    player.start(game, role, 1, CLOCK)
    return player


def against_random(text: str, name: str, role: str, seed: int) -> int:
    """The goal of a player against random moves."""
    game = ludens.load(name, wait=True)
    player = ready(text, game, role)
    rng = Random(seed)
    state: State = game.initial_state()
    while not state.is_terminal:
        moves = {other: rng.choice(state.legal_moves(other)) for other in game.roles}
        moves[role] = player.choose(state.view(role), Deadline(5.0)).move
        state = state.play(moves)
    player.stop()
    return state.goals[role]


@pytest.mark.parametrize("text", ["decomposition", "auto"])
@pytest.mark.parametrize("name", ["nim:3,4,5", "nim:3,4,5,misere"])
def test_a_won_sum_of_heaps_is_won(text: str, name: str) -> None:
    assert against_random(text, name, "first", 1) == 100


def test_the_move_that_keeps_the_value_is_chosen_at_once() -> None:
    game = ludens.load("nim:11,12,15,25", wait=True)
    player = ready("decomposition", game, "first")

    decision = player.choose(game.initial_state().view("first"), Deadline(5.0))

    assert decision.move == "(reduce d 8)"
    assert decision.thinking.value == 100
    assert "nim-sum 17" in decision.thinking.note


def test_subgames_that_are_ready_after_the_start_clock_are_used_from_then_on() -> None:
    game = ludens.load("nim:11,12,15,25", wait=True)
    player = make_player("decomposition")
    player.start(game, "first", 1, Clock(1.0, 0.0))

    decisions = (player.choose(game.initial_state().view("first"), Deadline(0.05)) for _ in range(500))
    exact = next(decision for decision in decisions if decision.thinking.extra.get("exact"))

    assert exact.move == "(reduce d 8)"
    player.stop()


def test_what_does_not_fall_apart_is_left_to_monte_carlo_search() -> None:
    game = ludens.load("tic_tac_toe", wait=True)
    player = ready("decomposition", game, "xplayer")

    decision = player.choose(game.initial_state().view("xplayer"), Deadline(0.3))

    assert decision.move in game.initial_state().legal_moves("xplayer")
    assert "stays whole" in player.why  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "chosen"),
    [("eight_puzzle", "single"), ("nim:2,3", "decomposition"), ("rock_paper_scissors", "decomposition")],
)
def test_auto_tells_whom_it_chose_and_why(name: str, chosen: str) -> None:
    game = ludens.load(name, wait=True)
    role = game.roles[0]
    player = ready("auto", game, role)

    decision = player.choose(game.initial_state().view(role), Deadline(0.5))

    assert decision.thinking.extra["player"] == chosen
    assert decision.thinking.note.startswith(f"{chosen}, because")


def test_auto_plays_rules_that_are_not_compiled() -> None:
    game = ludens.load("nim:1,2", backend="reference")
    player = ready("auto", game, "first")

    assert player.choose(game.initial_state().view("first"), Deadline(0.3)).thinking.extra["player"] == "mcts"

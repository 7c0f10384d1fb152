from __future__ import annotations

from functools import cache
from random import Random

import pytest

import ludens
from ludens.core import Clock, Deadline, Decision, Game, Player, Role, State
from ludens.players import make_player

CLOCK = Clock(play=600.0, start=600.0)
BOTH = pytest.mark.parametrize("native", ["on", "off"])


def ready(options: str, game: Game, role: Role, seed: int = 1) -> Player:
    player = make_player(f"mcts:{options}")
    player.start(game, role, seed, CLOCK)
    return player


def decision(options: str, state: State, role: Role, seed: int = 1) -> Decision:
    return ready(options, state.game, role, seed).choose(state.view(role), Deadline(600))


def after(name: str, *moves: tuple[Role, str]) -> State:
    """The position after moves of one role each, the others waiting."""
    state = ludens.load(name, wait=True).initial_state()
    for role, move in moves:
        state = state.play({each: state.legal_moves(each)[0] for each in state.game.roles} | {role: move})
    return state


def one_from_winning() -> State:
    x, o = "xplayer", "oplayer"
    return after("tic_tac_toe", (x, "(mark 1 1)"), (o, "(mark 3 3)"), (x, "(mark 1 2)"), (o, "(mark 3 2)"))


@pytest.mark.smoke
@BOTH
def test_a_win_in_one_move_is_found_and_proven(native: str) -> None:
    found = decision(f"native={native},iterations=500", one_from_winning(), "xplayer")

    assert found.move == "(mark 1 3)"
    assert found.thinking.moves[0].proven
    assert found.thinking.value == 100


@BOTH
def test_tic_tac_toe_is_proven_to_be_a_draw(native: str) -> None:
    found = decision(
        f"native={native},iterations=40000", ludens.load("tic_tac_toe", wait=True).initial_state(), "xplayer"
    )

    assert found.thinking.value == 50
    assert found.thinking.moves[0].proven
    assert found.thinking.extra["native"] == (native == "on")


@BOTH
@pytest.mark.parametrize(
    "game", ["connect_four", "connect_four_3p", "rock_paper_scissors", "eight_puzzle", "twenty_one"]
)
def test_a_seed_means_the_same_search(game: str, native: str) -> None:
    state = ludens.load(game, wait=True).initial_state()
    role = state.game.roles[0]

    def search(seed: int) -> tuple[object, ...]:
        found = decision(f"native={native},iterations=100", state, role, seed)
        return found.move, found.thinking.value, found.thinking.moves

    assert search(5) == search(5)
    assert game == "eight_puzzle" or search(5) != search(6)  # where nothing is ever reached, all seeds see the same


def test_a_win_in_two_moves_is_proven() -> None:
    """Whoever completes a row of three with open ends in connect four wins two moves later."""
    red, black = "red", "black"
    state = after("connect_four", *[(red, "(drop 4)"), (black, "(drop 4)"), (red, "(drop 3)"), (black, "(drop 3)")])

    found = decision("iterations=20000", state, red)

    assert found.thinking.value == 100
    assert found.move in {"(drop 2)", "(drop 5)"}


COLUMNS, ROWS = 7, 6


def has_four(stones: frozenset[tuple[int, int]]) -> bool:
    directions = ((1, 0), (0, 1), (1, 1), (1, -1))
    return any(all((x + n * dx, y + n * dy) in stones for n in range(4)) for x, y in stones for dx, dy in directions)


@cache
def connect_four_value(own: frozenset[tuple[int, int]], other: frozenset[tuple[int, int]]) -> int:
    """The goal of the role to move, by plain negamax."""
    if has_four(other):
        return 0
    heights = [sum((x, y) in own or (x, y) in other for y in range(ROWS)) for x in range(COLUMNS)]
    replies = [(x, height) for x, height in enumerate(heights) if height < ROWS]
    return max((100 - connect_four_value(other, own | {stone}) for stone in replies), default=50)


def late_connect_four(rng: Random, empty: int) -> tuple[State, int]:
    """A random position with so many empty cells that is not over, and the value for who is to move."""
    while True:
        state = ludens.load("connect_four", wait=True).initial_state()
        stones: list[frozenset[tuple[int, int]]] = [frozenset(), frozenset()]
        for turn in range(COLUMNS * ROWS - empty):
            mover = state.game.roles[turn % 2]
            move = rng.choice(state.legal_moves(mover))
            column = int(move.split()[1].rstrip(")")) - 1
            height = sum(x == column for own in stones for x, _ in own)
            stones[turn % 2] |= {(column, height)}
            state = state.play({role: state.legal_moves(role)[0] for role in state.game.roles} | {mover: move})
            if state.is_terminal:
                break
        else:
            return state, connect_four_value(stones[0], stones[1])


def test_the_last_ten_plies_of_connect_four_are_solved() -> None:
    rng = Random(3)
    for _ in range(4):
        state, value = late_connect_four(rng, 10)

        found = decision("iterations=1000000", state, "red")

        assert all(report.proven for report in found.thinking.moves[:1])
        assert found.thinking.value == value


def test_a_tree_that_is_full_goes_on_with_what_was_visited_most() -> None:
    state = ludens.load("connect_four", wait=True).initial_state()

    found = decision("iterations=30000,memory=1", state, "red")

    assert sum(report.visits for report in found.thinking.moves) >= 30_000
    assert 0 < found.thinking.nodes < 2_000
    assert found.move == "(drop 4)"


def test_the_tree_is_found_again_after_a_move() -> None:
    state = ludens.load("connect_four", wait=True).initial_state()
    player = ready("iterations=2000", state.game, "red")
    first = player.choose(state.view("red"), Deadline(600))
    for _ in range(2):
        mover = next(role for role in state.game.roles if len(state.legal_moves(role)) > 1)
        move = first.move if mover == "red" else first.thinking.line[1]
        state = state.play({role: state.legal_moves(role)[0] for role in state.game.roles} | {mover: move})

    second = player.choose(state.view("red"), Deadline(600))

    assert sum(report.visits for report in second.thinking.moves) > 2_016


@BOTH
def test_of_moves_at_the_same_time_the_dominant_one_is_found(native: str) -> None:
    state = ludens.load("prisoners_dilemma", wait=True).initial_state()

    found = decision(f"native={native},iterations=2000", state, state.game.roles[0])

    assert found.thinking.moves[0].move == "defect"
    assert found.thinking.extra["native"] == (native == "on")


@BOTH
def test_two_in_the_same_situation_do_not_take_each_other_for_their_shadow(native: str) -> None:
    """Whoever changes its mind whenever the other does thinks that the other cooperates because it does itself."""
    state = ludens.load("prisoners_dilemma", wait=True).initial_state()
    for _ in range(9):
        state = state.play({"left": "defect", "right": "defect"})

    found = [decision(f"native={native},iterations=8000", state, "left", seed) for seed in range(1, 4)]

    reports = [report for one in found for report in one.thinking.moves]
    defecting, cooperating = (
        sum(report.visits for report in reports if report.move == move) for move in ("defect", "cooperate")
    )
    assert defecting > 2 * cooperating


def test_all_kinds_of_statistics_search() -> None:
    state = one_from_winning()
    for options in (
        "rave=100",
        "mast=on",
        "lanes=1,leaves=1",
        "lanes=64",
        "cutoff=1,guess=off",
        "rave=10,native=off,mast=on",
        "cutoff=1",
        "rave=100,grave=50",
        "rave=100,grave=50,native=off",
    ):
        assert decision(f"iterations=400,{options}", state, "xplayer").move == "(mark 1 3)"


def test_playouts_that_are_given_up_count_by_what_was_learnt() -> None:
    state = ludens.load("breakthrough", wait=True).initial_state()

    plain = decision("iterations=64,cutoff=1,guess=off", state, "white").thinking
    guessed = decision("iterations=64,cutoff=1", state, "white").thinking

    assert {found.value for found in plain.moves} == {50.0}
    assert len({found.value for found in guessed.moves}) > 1


def test_never_loses_tic_tac_toe_against_random_players() -> None:
    game = ludens.load("tic_tac_toe", wait=True)
    rng = Random(1)
    for number in range(8):
        own = game.roles[number % 2]
        player = ready("iterations=3000", game, own, number)
        state: State = game.initial_state()
        while not state.is_terminal:
            joint_move = {role: rng.choice(state.legal_moves(role)) for role in game.roles}
            joint_move[own] = player.choose(state.view(own), Deadline(600)).move
            state = state.play(joint_move)
        assert state.goals[own] >= 50

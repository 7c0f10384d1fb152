from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import State
from ludens.tabletop import TabletopState
from tests.games.tabletop.contract import check_contract
from tests.games.tabletop.openspiel import COUNTS, open_spiel
from tests.peers import peer

LETTERS = "ABCDEFGHJ"


def play(state: State, *moves: str) -> State:
    for move in moves:
        role = next(role for role in state.game.roles if state.legal_moves(role))
        state = state.play({role: move})
    return state


def test_go_keeps_the_contract() -> None:
    check_contract(ludens.load("go:5"), matches=3)


def test_stones_without_liberties_are_taken() -> None:
    state = play(ludens.load("go:5").initial_state(), "B1", "A1", "A2")

    assert "A1" in state.legal_moves("White") or state.legal_moves("White")
    assert str(state).splitlines()[-2].split()[1] == "."


def test_suicide_is_not_allowed_unless_it_takes() -> None:
    # Black surrounds A1, so White may not go there.
    state = play(ludens.load("go:5").initial_state(), "B1", "E5", "A2")
    assert "A1" not in state.legal_moves("White")
    # With White stones around Black's, filling A1 takes B1.
    state = play(ludens.load("go:5").initial_state(), "B1", "C1", "E5", "B2", "A2", "A3", "E4")
    assert "A1" in state.legal_moves("White")


def ko() -> State:
    """Black has just taken at C2 in a ko."""
    moves = ("B1", "C1", "A2", "D2", "B3", "C3", "C2", "B2", "E5", "pass")
    return play(ludens.load("go:5").initial_state(), *moves)


def test_a_ko_cannot_be_taken_back_at_once() -> None:
    state = ko()
    # White took C2 with B2; Black may take back at C2 now, since the board differs by E5.
    taken = play(state, "C2")
    assert "B2" not in taken.legal_moves("White")
    later = play(taken, "E1", "E2")
    assert "B2" in later.legal_moves("White")


def test_areas_are_counted_by_chinese_rules() -> None:
    state = play(ludens.load("go:3,0.5").initial_state(), "B1", "pass", "B2", "pass", "B3", "pass", "pass")

    assert state.is_terminal
    assert state.points == {"Black": 8.5, "White": -8.5}
    assert state.goals == {"Black": 100, "White": 0}


def test_a_region_that_both_touch_is_nobodys() -> None:
    state = play(ludens.load("go:3,0").initial_state(), "A1", "C3", "pass", "pass")

    assert state.points == {"Black": 0, "White": 0}
    assert state.goals == {"Black": 50, "White": 50}


@peer("openspiel")
@pytest.mark.parametrize("games", COUNTS)
def test_random_matches_go_as_in_open_spiel(games: int) -> None:
    size = 9
    other = open_spiel().load_game("go(board_size=9,komi=7.5)")
    game = ludens.load("go:9,7.5,162")
    rng = Random(7)
    finished = 0
    for number in range(games):
        theirs = other.new_initial_state()
        state: State = game.initial_state()
        while not theirs.is_terminal():
            role = game.roles[theirs.current_player()]
            mine = set(state.legal_moves(role))
            legal = {
                "pass" if action == size * size else f"{LETTERS[action % size]}{action // size + 1}": action
                for action in theirs.legal_actions()
            }
            assert mine <= set(legal)
            refused = set(legal) - mine
            if refused:
                assert all(repeats(state, role, move) for move in refused)
                break
            # Passing now and then, so that some matches end early.
            move = "pass" if number % 2 and rng.random() < 0.05 else rng.choice(sorted(mine))
            state = state.play({role: move})
            theirs.apply_action(legal[move])
        else:
            assert state.is_terminal
            assert [points > 0 for points in state.points.values()] == [value > 0 for value in theirs.returns()]
            finished += 1
    assert finished > games // 4


def repeats(state: State, role: str, move: str) -> bool:
    """True if a stone there would be legal but for the board that it makes, which was there before."""
    assert isinstance(state, TabletopState)
    free = state.table.copy()
    free.attributes[None, "past"] = frozenset()
    return move in TabletopState(state.game, free).legal_moves(role)


def test_phantom_go_keeps_the_contract() -> None:
    check_contract(ludens.load("phantom_go:4"), matches=1)


def test_phantom_go_refuses_and_lets_try_again() -> None:
    state = play(ludens.load("phantom_go:5").initial_state(), "C3", "C3")

    assert isinstance(state, TabletopState)
    assert state.refused == ("White", "the point is occupied")
    assert state.percepts("White")[-1] == "refused: the point is occupied"
    assert "C3" not in state.legal_moves("White")
    assert not any("C3" in percept for percept in state.percepts("Black"))


def test_phantom_go_does_not_tell_where_the_other_plays() -> None:
    state = play(ludens.load("phantom_go:5").initial_state(), "C3")

    assert not any("C3" in percept for percept in state.percepts("White"))
    assert "C3" in state.legal_moves("White")


def test_phantom_go_tells_what_is_taken() -> None:
    state = play(ludens.load("phantom_go:5").initial_state(), "B1", "A1", "A2")

    assert "Black takes A1" in state.percepts("White")
    assert "Black takes A1" in state.percepts("Black")


def test_worlds_of_phantom_go_have_as_many_stones_and_no_dead_ones() -> None:
    rng = Random(2)
    state: State = ludens.load("phantom_go:5").initial_state()
    for _ in range(14):
        role = next(role for role in state.game.roles if state.legal_moves(role))
        state = state.play({role: rng.choice([move for move in state.legal_moves(role) if move != "pass"])})
    real = str(state)
    for role in state.game.roles:
        for _ in range(20):
            world = state.view(role).sample(rng)
            assert isinstance(world, TabletopState)
            assert (str(world).count("X"), str(world).count("O")) == (real.count("X"), real.count("O"))
            assert world.game.rule.possible(world.table)

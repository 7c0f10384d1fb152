from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

import ludens
from ludens.core import State
from ludens.core.perft import perft
from ludens.games.tabletop.shared import shogi_moves
from ludens.tabletop import TabletopState
from tests.games.tabletop.contract import check_contract
from tests.games.tabletop.openspiel import open_spiel
from tests.peers import peer


def position(sfen: str, **options: int) -> TabletopState:
    """The position that a text in SFEN stands for; who is to move and the pieces in hand included."""
    board, turn, hands = sfen.split()[:3]
    suffix = ":" + ",".join(f"{name}={value}" for name, value in options.items()) if options else ""
    first = ludens.load(f"shogi{suffix}").initial_state()
    assert isinstance(first, TabletopState)
    table = first.table.copy()
    pieces = {piece.name: piece for piece in table.assortment("pieces").elements}
    for place in table.inventory.positions:
        table.contents[place.index] = ()
    square = 0
    sign = ""
    for letter in board.replace("/", ""):
        if letter == "+":
            sign = "+"
        elif letter.isdecimal():
            square += int(letter)
        else:
            table.contents[table.position(shogi_moves.SQUARES[square]).index] = (pieces[sign + letter],)
            sign = ""
            square += 1
    count = ""
    for letter in hands if hands != "-" else "":
        if letter.isdecimal():
            count += letter
        else:
            hand = table.hand("Black" if letter.isupper() else "White")
            table.contents[hand.index] += (pieces[letter],) * int(count or 1)
            count = ""
    table.play_state[0] = "wait Black" if turn == "b" else "wait White"
    table.attributes[None, "past"] = ((0, False),)
    return TabletopState(first.game, table)


def play(state: State, *moves: str) -> State:
    for move in moves:
        role = next(role for role in state.game.roles if state.legal_moves(role))
        state = state.play({role: move})
    return state


def test_shogi_keeps_the_contract() -> None:
    check_contract(ludens.load("shogi:40"), matches=2)


@pytest.mark.parametrize(
    ("depth", "count"), [(1, 30), (2, 900), (3, 25_470), pytest.param(4, 719_731, marks=pytest.mark.slow)]
)
def test_positions_from_the_beginning_are_as_many_as_everybody_counts(depth: int, count: int) -> None:
    assert perft(ludens.load("shogi").initial_state(), depth) == count


def test_a_pawn_is_not_dropped_on_a_file_with_another() -> None:
    state = position("4k4/9/9/9/9/9/4P4/9/4K4 b P")
    drops = {move for move in state.legal_moves("Black") if move.startswith("P*")}

    assert "P*4e" in drops
    assert not any(move.startswith("P*5") for move in drops)
    assert not any(move.endswith("a") for move in drops)


def test_a_promoted_pawn_does_not_count_as_one_on_its_file() -> None:
    assert "P*5e" in position("k8/9/9/9/9/9/4+P4/9/4K4 b P").legal_moves("Black")


def test_a_dropped_pawn_must_not_mate_and_a_pushed_one_may() -> None:
    # The lances guard 1b and 2b; 2a is blocked by White's own knight.
    dropped = position("7nk/9/9/7LL/9/9/9/9/4K4 b P")
    pushed = position("7nk/9/8P/7LL/9/9/9/9/4K4 b -")

    assert "P*1b" not in dropped.legal_moves("Black")
    assert "P*1b" in position("8k/9/9/8L/9/9/9/9/4K4 b P").legal_moves("Black")  # 2a is free
    assert play(pushed, "1c1b").goals == {"Black": 100, "White": 0}


def test_pieces_that_could_not_move_again_must_be_promoted() -> None:
    state = position("4k4/2P6/1N7/9/9/9/9/9/4K4 b -")

    assert {move for move in state.legal_moves("Black") if move.startswith(("7b", "8c"))} == {
        "7b7a+", "8c7a+", "8c9a+",
    }  # fmt: skip


def test_a_captured_piece_loses_its_promotion_and_changes_sides() -> None:
    state = play(position("4k4/9/9/9/4+r4/4L4/9/9/4K4 b -"), "5f5e")

    assert isinstance(state, TabletopState)
    assert [piece.name for piece in state.table["hand Black"]] == ["R"]


def test_a_position_that_comes_for_the_fourth_time_is_a_draw() -> None:
    state = play(ludens.load("shogi").initial_state(), *("2h3h", "8b7b", "3h2h", "7b8b") * 3)

    assert state.is_terminal
    assert state.goals == {"Black": 50, "White": 50}


def test_perpetual_check_loses() -> None:
    state = play(position("7k1/9/9/9/9/9/9/9/K6R1 w -"), *("2a1a", "2i1i", "1a2a", "1i2i") * 3, "2a1a")

    assert state.is_terminal
    assert state.goals == {"Black": 0, "White": 100}


def test_a_king_in_the_far_camp_with_enough_points_wins_by_declaration() -> None:
    enough = "K1+R+B5/GGGGSSSS1/PP7/9/9/9/9/9/8k b RB"

    assert "win" in position(enough + "P").legal_moves("Black")
    assert play(position(enough + "P"), "win").goals == {"Black": 100, "White": 0}
    assert "win" not in position(enough.replace("PP7", "9").replace("SSSS", "S3")).legal_moves("Black")
    assert "win" not in position("1r1K5" + enough[9:]).legal_moves("Black")


def test_the_game_is_drawn_after_so_many_turns() -> None:
    state = play(ludens.load("shogi:2").initial_state(), "2h3h", "8b7b")

    assert state.goals == {"Black": 50, "White": 50}


def play_beside_python_shogi(choose: Callable[[Sequence[str], int], str], limit: int = 150) -> str:
    """Play a match in both, compare moves and end, and return how it ended: mate, repetition or limit."""
    import shogi  # noqa: PLC0415 - an extra

    game = ludens.load(f"shogi:{limit}")
    state = game.initial_state()
    board = shogi.Board()
    turns = 0
    while not state.is_terminal:
        assert not board.is_game_over(), board.sfen()
        role = game.roles[board.turn]
        legal = [move for move in state.legal_moves(role) if move != "win"]
        assert sorted(legal) == sorted(move.usi() for move in board.legal_moves), board.sfen()
        move = choose(legal, turns)
        state = state.play({role: move})
        board.push_usi(move)
        turns += 1
    mover, other = game.roles[board.turn], game.roles[1 - board.turn]
    if not any(True for _ in board.legal_moves):
        assert state.goals == {mover: 0, other: 100}, board.sfen()
        return "mate"
    assert state.goals == {mover: 50, other: 50}, board.sfen()
    if board.is_fourfold_repetition():
        return "repetition"
    assert turns == limit, board.sfen()
    return "limit"


def at_random(seed: int) -> Callable[[Sequence[str], int], str]:
    rng = Random(seed)
    return lambda legal, turn: rng.choice(legal)


@peer("shogi")
@pytest.mark.parametrize("matches", [2, pytest.param(250, marks=pytest.mark.slow)])
def test_random_matches_go_as_in_python_shogi(matches: int) -> None:
    # The match of seed 1 ends with mate after 112 turns.
    endings = {play_beside_python_shogi(at_random(seed)) for seed in range(matches)}

    assert {"mate", "limit"} <= endings


@peer("shogi")
def test_a_match_ends_by_repetition_when_it_does_in_python_shogi() -> None:
    forth_and_back = ("2h3h", "8b7b", "3h2h", "7b8b")

    assert play_beside_python_shogi(lambda legal, turn: forth_and_back[turn % 4]) == "repetition"


@peer("openspiel")
@pytest.mark.parametrize("matches", [2, pytest.param(1000, marks=pytest.mark.slow)])
def test_random_matches_go_as_in_open_spiel(matches: int) -> None:
    other = open_spiel().load_game("shogi")
    game = ludens.load("shogi:200")
    ended = 0
    for seed in range(matches):  # the match of seed 1 ends with mate after 112 turns
        choose = at_random(seed)
        state: State = game.initial_state()
        theirs = other.new_initial_state()
        turns = 0
        while not (state.is_terminal or theirs.is_terminal()):
            role = game.roles[theirs.current_player()]
            named = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
            legal = [move for move in state.legal_moves(role) if move != "win"]
            assert sorted(legal) == sorted(named), str(theirs)
            move = choose(legal, turns)
            state = state.play({role: move})
            theirs.apply_action(named[move])
            turns += 1
        if theirs.is_terminal():
            assert list(state.goals.values()) == [50 + 50 * value for value in theirs.returns()], str(theirs)
            ended += 1
        else:
            assert turns == 200

    assert ended


def test_positions_that_differ_in_a_pawn_and_a_lance_are_not_the_same() -> None:
    """Python gives -1 and -2, which stand for White's pawn and lance, the same hash."""
    game: Any = ludens.load("shogi")
    hands = [[0] * 7] * 2

    assert game.rule.key([-1, -2], hands, 1) != game.rule.key([-2, -1], hands, 1)
    assert game.rule.key([-1, -2], hands, 1) != game.rule.key([-1, -2], hands, -1)

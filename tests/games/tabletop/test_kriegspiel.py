from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import State
from ludens.games.tabletop.shared import chess_moves
from ludens.tabletop import Refuse, TabletopState
from tests.games.tabletop.contract import check_contract
from tests.games.tabletop.dealing import play
from tests.peers import peer


def allowed(state: State, role: str) -> set[str]:
    """The moves that the umpire would not refuse."""
    assert isinstance(state, TabletopState)
    choices = state.actions(role)
    return {
        str(text) for text, (action, _) in choices.items() if not any(isinstance(part, Refuse) for part in action.parts)
    }


def test_kriegspiel_keeps_the_contract() -> None:
    check_contract(ludens.load("kriegspiel:12"), matches=1)


def test_nobody_sees_the_others_pieces() -> None:
    state = play(ludens.load("kriegspiel").initial_state(), "e2e4")

    assert not any(letter in str(state.view("White")) for letter in "rnqkp")
    assert state.percepts("Black") == ["White: moves"]


def test_a_refused_move_is_known_to_its_player_only_and_not_offered_again() -> None:
    state = play(ludens.load("kriegspiel").initial_state(), "e2e4", "e7e5", "e4e5")

    assert state.percepts("White")[-1] == "refused: the move is not legal"
    assert "e4e5" not in state.legal_moves("White")
    assert not any("e4e5" in percept for percept in state.percepts("Black"))
    assert any("is refused" in percept for percept in state.percepts("Black"))
    assert "e4e5" not in str(state.view("Black").observation)  # type: ignore[attr-defined]
    assert "e4e5" in str(state.view("White").observation)  # type: ignore[attr-defined]


def test_captures_and_pawn_tries_are_announced() -> None:
    state = play(ludens.load("kriegspiel").initial_state(), "e2e4", "d7d5")
    assert "White has 1 pawn try" in state.percepts("White")
    assert {"e4d5", "e4f5"} <= set(state.legal_moves("White"))

    taken = play(state, "e4d5")

    assert "White takes a pawn on d5" in taken.percepts("Black")
    assert "Black has" not in " ".join(taken.percepts("Black"))
    assert not any(move in taken.legal_moves("Black") for move in ("c7d6", "e7d6"))


def test_a_pawn_taken_in_passing_is_announced_where_it_stood() -> None:
    state = play(ludens.load("kriegspiel").initial_state(), "e2e4", "a7a6", "e4e5", "d7d5")
    assert "White has 1 pawn try" in state.percepts("White")

    assert "White takes a pawn on d5" in play(state, "e5d6").percepts("Black")


@pytest.mark.parametrize(
    ("moves", "check"),
    [
        (("e2e4", "f7f6", "d1h5"), "check on the short diagonal"),
        (("e2e4", "e7e6", "d2d4", "f8b4"), "check on the long diagonal"),
        (("b1c3", "a7a6", "c3d5", "a6a5", "d5c7"), "check by a knight"),
        (("e2e4", "d7d5", "e4d5", "d8d5", "g1f3", "d5e4"), "check on the file"),
    ],
)
def test_checks_are_told_by_where_they_come_from(moves: tuple[str, ...], check: str) -> None:
    assert check in play(ludens.load("kriegspiel").initial_state(), *moves).percepts("White")


def test_mate_ends_the_game() -> None:
    state = play(ludens.load("kriegspiel").initial_state(), "f2f3", "e7e5", "g2g4", "d8h4")

    assert state.goals == {"White": 0, "Black": 100}


def test_worlds_agree_with_what_the_umpire_said() -> None:
    rng = Random(1)
    state = play(ludens.load("kriegspiel").initial_state(), "e2e4", "e7e6", "d2d4", "f8b4")
    for _ in range(5):
        world = state.view("White").sample(rng)
        assert isinstance(world, TabletopState)
        assert world.game.rule.possible(world.table)
        assert sorted(world.legal_moves("White")) == sorted(state.legal_moves("White"))


@pytest.mark.parametrize("turns", [13, pytest.param(40, marks=pytest.mark.slow)])
def test_the_other_can_move_in_every_world(turns: int) -> None:
    """What is not known of it, such as whether it may castle, is as at the beginning."""
    rng = Random(5)
    state: State = ludens.load("kriegspiel").initial_state()
    for turn in range(turns):
        role = next(role for role in state.game.roles if state.legal_moves(role))
        other = "White" if role == "Black" else "Black"
        if turn % 4 == 0:
            assert state.view(other).sample(rng).legal_moves(role)
        state = state.play({role: rng.choice(sorted(allowed(state, role)))})


def judged_alike(match: int) -> int:
    """Play a random match beside python-chess and assert that they agree; returns the number of positions."""
    import chess  # noqa: PLC0415 - an extra

    game = ludens.load("kriegspiel:150")
    rng = Random(match)
    state: State = game.initial_state()
    board = chess.Board()
    positions = 1
    while not state.is_terminal:
        role = game.roles[board.turn == chess.BLACK]
        legal = {move.uci(): move for move in board.legal_moves}
        assert allowed(state, role) == set(legal), board.fen()
        assert isinstance(state, TabletopState)
        checks, tries = state.table.get("said")
        assert len(checks) == len(board.checkers())
        takes = {text[:4] for text, move in legal.items() if board.piece_type_at(move.from_square) == chess.PAWN
                 and board.is_capture(move)}  # fmt: skip
        assert tries == len(takes)
        text = rng.choice(list(state.legal_moves(role)) if rng.random() < 0.1 else sorted(legal))
        state = state.play({role: text})
        positions += 1
        if text in legal:
            board.push(legal[text])
    is_drawn = (
        board.is_insufficient_material() or board.is_repetition(3) or board.is_fifty_moves() or board.is_stalemate()
    )
    assert isinstance(state, TabletopState)
    if board.is_checkmate():
        assert state.goals[game.roles[board.turn == chess.BLACK]] == 0
    else:
        assert is_drawn or state.table.get("turn") == 150
        assert state.goals == {"White": 50, "Black": 50}
    return positions


@peer("chess")
@pytest.mark.parametrize("matches", [3, pytest.param(1000, marks=pytest.mark.slow)])
def test_the_umpire_judges_as_python_chess(matches: int) -> None:
    assert sum(judged_alike(match) for match in range(matches)) > matches


def test_a_pawn_imagined_on_its_last_rank_does_not_move() -> None:
    board = [0] * 64
    board[4], board[60], board[56], board[1] = chess_moves.KING, -chess_moves.KING, chess_moves.PAWN, -chess_moves.PAWN

    for side, pawn in ((chess_moves.WHITE, 56), (chess_moves.BLACK, 1)):
        moves = chess_moves.legal_moves(tuple(board), side, (False, False), chess_moves.NOWHERE)
        assert moves
        assert pawn not in {source for source, _, _ in moves}

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path
from random import Random

import pytest

import ludens
from ludens.core import random_joint_move
from ludens.core.perft import perft
from ludens.games.endings import cause_of_end
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.read import read_term
from ludens.gdl.terms import Term, functor
from ludens.protocols.uci.fen import facts_of_fen
from ludens.protocols.uci.squares import uci_move
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game
from tests.peers import optional_module, peer
from tests.thorough import part_of

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"
POSITION_3 = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -"
POSITION_4 = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -"

CASTLES = {"(castle kingside)", "(castle queenside)"}


def position(fen: str) -> GdlState:
    return shelf_game("chess").state(facts_of_fen(fen))


def mover(state: GdlState) -> str:
    return next(role for role in state.game.roles if ("control", role) in state.facts)


def moves(state: GdlState) -> set[str]:
    return {str(move) for move in state.legal_moves(mover(state))}


def targets(state: GdlState, square: str) -> set[str]:
    """Where the piece on a square can go without castling, such as ``{"e3", "e4"}``."""
    words = [move.strip("()").split() for move in moves(state) - CASTLES]
    return {x + y for _, f, r, x, y, *_ in words if f + r == square}


def after(state: GdlState, *line: str) -> GdlState:
    for move in line:
        waiting = dict.fromkeys(state.game.roles, "noop")
        state = state.play(waiting | {mover(state): move})
    return state


def board(state: GdlState) -> set[Term]:
    return {fact for fact in state.facts if functor(fact) == "cell"}


def board_of_fen(placement: str) -> set[Term]:
    return {fact for fact in facts_of_fen(f"{placement} w - -") if functor(fact) == "cell"}


# Published counts


def test_initial_state_is_the_start_position() -> None:
    assert shelf_game("chess").initial_state() == position(START)


@pytest.mark.parametrize(
    ("name", "fen"), [("kiwipete", KIWIPETE), ("position_3", POSITION_3), ("position_4", POSITION_4)]
)
def test_position_file_holds_the_position_of_its_fen(name: str, fen: str) -> None:
    text = (Path(__file__).parent / "positions" / f"chess_{name}.kif").read_text(encoding="utf-8")
    assert {read_term(line) for line in text.splitlines()} == facts_of_fen(fen)


@pytest.mark.parametrize(
    ("fen", "counts"),
    [(START, (20, 400)), (KIWIPETE, (48, 2039)), (POSITION_3, (14, 191)), (POSITION_4, (6, 264))],
)
def test_perft_counts_are_the_published_ones(fen: str, counts: tuple[int, ...]) -> None:
    state = position(fen)
    assert tuple(perft(state, plies) for plies in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize(
    ("fen", "plies", "count"),
    [
        (START, 3, 8902),
        pytest.param(START, 4, 197281, marks=pytest.mark.slow),
        pytest.param(KIWIPETE, 3, 97862, marks=pytest.mark.slow),
        (POSITION_3, 3, 2812),
        (POSITION_4, 3, 9467),
    ],
)
def test_deep_perft_counts_are_the_published_ones(fen: str, plies: int, count: int) -> None:
    assert perft(position(fen), plies) == count


# Turns


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(shelf_game("chess"), playouts=3)


def test_the_role_that_is_not_to_move_can_only_wait() -> None:
    state = shelf_game("chess").initial_state()
    assert state.legal_moves("black") == ("noop",)
    assert after(state, "(move e 2 e 4)").legal_moves("white") == ("noop",)


def test_capture_replaces_the_piece() -> None:
    state = after(position("6k1/8/8/3p4/8/4N3/8/K7 w - -"), "(move e 3 d 5)")
    assert board(state) == board_of_fen("6k1/8/8/3N4/8/8/8/K7")


def test_knight_jumps_to_eight_squares() -> None:
    state = position("6k1/8/8/8/3N4/8/8/K7 w - -")
    assert targets(state, "d4") == {"b3", "b5", "c2", "c6", "e2", "e6", "f3", "f5"}


# Pawns


def test_pawn_steps_twice_only_from_its_first_rank_and_over_empty_squares() -> None:
    state = position("6k1/8/1p6/3P4/5p2/2p5/1PP2P2/K7 w - -")
    assert targets(state, "b2") == {"b3", "b4", "c3"}
    assert targets(state, "c2") == set()
    assert targets(state, "f2") == {"f3"}
    assert targets(state, "d5") == {"d6"}


def test_promotion_is_a_choice_of_four_pieces() -> None:
    state = position("1n4k1/P7/8/8/8/8/8/K7 w - -")
    kinds = ("queen", "rook", "bishop", "knight")
    promotions = {f"(promote a 7 {square} 8 {kind})" for square in "ab" for kind in kinds}
    assert {move for move in moves(state) if " a 7 " in move} == promotions
    assert board(after(state, "(promote a 7 b 8 knight)")) == board_of_fen("1N4k1/8/8/8/8/8/8/K7")


def test_black_promotes_on_the_first_rank() -> None:
    state = position("6k1/8/8/8/8/8/7p/K7 b - -")
    assert board(after(state, "(promote h 2 h 1 rook)")) == board_of_fen("6k1/8/8/8/8/8/8/K6r")


# Taking en passant


def test_en_passant_takes_the_pawn_that_went_two_steps() -> None:
    state = after(position("6k1/3p4/8/4P3/8/8/8/K7 b - -"), "(move d 7 d 5)", "(move e 5 d 6)")
    assert board(state) == board_of_fen("6k1/8/3P4/8/8/8/8/K7")


def test_black_takes_en_passant_too() -> None:
    state = after(position("6k1/8/8/8/5p2/8/6P1/K7 w - -"), "(move g 2 g 4)", "(move f 4 g 3)")
    assert board(state) == board_of_fen("6k1/8/8/8/8/6p1/8/K7")


def test_en_passant_is_lost_after_another_move() -> None:
    state = after(position("6k1/3p4/8/4P3/8/8/8/K7 b - -"), "(move d 7 d 5)")
    assert "(move e 5 d 6)" in moves(state)
    assert "(move e 5 d 6)" not in moves(after(state, "(move a 1 a 2)", "(move g 8 g 7)"))


def test_single_steps_cannot_be_taken_en_passant() -> None:
    state = after(position("6k1/8/3p4/4P3/8/8/8/K7 b - -"), "(move d 6 d 5)")
    assert targets(state, "e5") == {"e6"}


def test_only_pawns_take_en_passant() -> None:
    state = after(position("6k1/8/8/2Pp4/5B2/8/8/K7 w - d6"), "(move f 4 d 6)")
    assert board(state) == board_of_fen("6k1/8/3B4/2Pp4/8/8/8/K7")


def test_only_pawns_beside_it_take_a_pawn_en_passant() -> None:
    state = position("6k1/8/8/2Pp2P1/2P1P3/8/8/K7 w - d6")
    assert targets(state, "c5") == {"c6", "d6"}
    assert targets(state, "g5") == {"g6"}
    assert targets(state, "c4") == {"d5"}
    assert targets(state, "e4") == {"d5", "e5"}


def test_pawns_go_forward_en_passant() -> None:
    state = position("6k1/8/8/2Pp4/4P3/8/8/K7 w - d6")
    assert "(move e 4 d 3)" not in moves(state)


def test_pawn_that_is_not_taken_en_passant_stays() -> None:
    state = position("6k1/8/8/2Pp3P/8/8/8/K7 w - d6")
    assert board(after(state, "(move h 5 h 6)")) == board_of_fen("6k1/8/7P/2Pp4/8/8/8/K7")
    state = position("6k1/8/3p4/2Pp4/8/8/8/K7 w - -")
    assert board(after(state, "(move c 5 d 6)")) == board_of_fen("6k1/8/3P4/3p4/8/8/8/K7")


def test_rook_that_goes_two_steps_cannot_be_taken_en_passant() -> None:
    state = after(position("6k1/8/8/8/6p1/8/7R/K7 w - -"), "(move h 2 h 4)")
    assert targets(state, "g4") == {"g3"}


@pytest.mark.parametrize(("rank", "remembered"), [("4p3", True), ("p7", False), ("4P3", False), ("4n3", False)])
def test_double_step_is_remembered_only_if_a_pawn_could_take(rank: str, *, remembered: bool) -> None:
    state = after(position(f"6k1/8/8/8/{rank}/8/3P4/K7 w - -"), "(move d 2 d 4)")
    assert (("en_passant", "d") in state.facts) is remembered


@pytest.mark.parametrize("rank", ["K2pP2r", "q2pP2K", "K2pP1q1", "1r1pP1K1"])
def test_en_passant_may_not_open_the_rank_to_the_king(rank: str) -> None:
    state = position(f"6k1/8/8/{rank}/8/8/8/8 w - d6")
    assert targets(state, "e5") == {"e6"}


@pytest.mark.parametrize("rank", ["K1PpP2r", "K2pPP1r", "K2pP1nr", "KN1pP2r", "r1npP2K", "K2pP2b", "r2pP2r"])
def test_en_passant_may_open_the_rank_if_the_king_stays_covered(rank: str) -> None:
    king_elsewhere = "8" if "K" in rank else "2K5"
    state = position(f"6k1/8/8/{rank}/8/8/8/{king_elsewhere} w - d6")
    assert targets(state, "e5") == {"e6", "d6"}


def test_en_passant_takes_a_pawn_that_gives_check() -> None:
    state = position("6k1/8/8/3pP3/4K3/8/8/8 w - d6")
    assert targets(state, "e5") == {"d6"}


def test_en_passant_does_not_answer_another_check() -> None:
    state = position("4r1k1/8/8/2Pp4/8/8/8/4K3 w - d6")
    assert targets(state, "c5") == set()


def test_pinned_pawn_may_not_leave_its_line_en_passant() -> None:
    state = position("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6")
    assert targets(state, "e5") == {"e6"}


# Check and pins


def test_check_is_answered_by_capture_block_or_flight() -> None:
    state = position("4r1k1/8/8/7B/8/2p5/3P4/2R1K3 w - -")
    assert targets(state, "h5") == {"e8", "e2"}
    assert targets(state, "d2") == set()
    assert targets(state, "c1") == set()
    assert targets(state, "e1") == {"d1", "f1", "f2"}


def test_pawn_check_is_answered_by_taking_the_pawn() -> None:
    state = position("6k1/8/8/3p4/R3K3/4N3/8/8 w - -")
    assert targets(state, "a4") == set()
    assert targets(state, "e3") == {"d5"}


def test_pawns_do_not_give_check_backwards() -> None:
    assert targets(position("6k1/8/8/8/4K3/3p4/8/7N w - -"), "h1") == {"f2", "g3"}


def test_knight_check_is_answered_by_taking_the_knight_or_flight() -> None:
    state = position("6k1/8/8/8/8/3n4/8/RB2K3 w - -")
    assert targets(state, "a1") == set()
    assert targets(state, "b1") == {"d3"}
    assert targets(state, "e1") == {"d1", "d2", "e2", "f1"}


def test_only_the_king_moves_out_of_double_check() -> None:
    state = position("4r1k1/8/8/8/8/3n4/8/3QKB2 w - -")
    assert moves(state) == {"(move e 1 d 2)"}


def test_king_may_not_retreat_along_the_line_of_check() -> None:
    assert targets(position("6k1/8/8/8/r3K3/8/8/8 w - -"), "e4") == {"d3", "e3", "f3", "d5", "e5", "f5"}


def test_king_may_not_take_a_protected_piece() -> None:
    assert targets(position("6k1/8/8/8/8/5p2/4n3/4K3 w - -"), "e1") == {"d1", "d2", "f1", "f2"}


def test_kings_keep_apart() -> None:
    assert targets(position("8/8/8/4k3/8/4K3/8/8 w - -"), "e3") == {"d3", "f3", "d2", "e2", "f2"}


def test_pinned_piece_moves_only_along_the_line_of_the_pin() -> None:
    assert targets(position("4r1k1/8/8/4R3/8/8/8/4K3 w - -"), "e5") == {"e2", "e3", "e4", "e6", "e7", "e8"}
    assert targets(position("4r1k1/8/8/4B3/8/8/8/4K3 w - -"), "e5") == set()


def test_pinned_knight_cannot_move() -> None:
    assert targets(position("6k1/8/8/8/1b6/8/3N4/4K3 w - -"), "d2") == set()


def test_pinned_pawn_steps_along_its_file_but_does_not_take() -> None:
    assert targets(position("4r1k1/8/8/8/8/3p1p2/4P3/4K3 w - -"), "e2") == {"e3", "e4"}


def test_slantwise_pinned_pawn_takes_only_the_pinning_piece() -> None:
    assert targets(position("6k1/8/8/8/8/4p1b1/5P2/4K3 w - -"), "f2") == {"g3"}


# Castling


@pytest.mark.parametrize(
    ("control", "side", "placement"),
    [
        ("w", "kingside", "r3k2r/8/8/8/8/8/8/R4RK1"),
        ("w", "queenside", "r3k2r/8/8/8/8/8/8/2KR3R"),
        ("b", "kingside", "r4rk1/8/8/8/8/8/8/R3K2R"),
        ("b", "queenside", "2kr3r/8/8/8/8/8/8/R3K2R"),
    ],
)
def test_castling_moves_king_and_rook(control: str, side: str, placement: str) -> None:
    state = position(f"r3k2r/8/8/8/8/8/8/R3K2R {control} KQkq -")
    assert board(after(state, f"(castle {side})")) == board_of_fen(placement)


@pytest.mark.parametrize(
    ("placement", "castles"),
    [
        ("4k3/8/8/8/4r3/8/8/R3K2R", set()),  # out of check
        ("4k3/8/8/8/5r2/8/8/R3K2R", {"(castle queenside)"}),  # through check
        ("4k3/8/8/8/6r1/8/8/R3K2R", {"(castle queenside)"}),  # into check
        ("4k3/8/8/8/3r4/8/8/R3K2R", {"(castle kingside)"}),
        ("4k3/8/8/8/2r5/8/8/R3K2R", {"(castle kingside)"}),
        ("4k3/8/8/8/7r/8/8/R3K2R", CASTLES),  # the rook may be attacked
        ("4k3/8/8/8/1r6/8/8/R3K2R", CASTLES),  # and may pass an attacked square
        ("4k3/8/8/8/8/8/8/RN2K1NR", set()),  # nothing may stand between
        ("4k3/8/8/8/8/8/8/R2QKB1R", set()),
        ("4k3/8/8/8/8/8/8/R1b1K2R", {"(castle kingside)"}),
    ],
)
def test_castling_needs_an_empty_way_and_no_check_on_it(placement: str, castles: set[str]) -> None:
    assert moves(position(f"{placement} w KQ -")) & CASTLES == castles


@pytest.mark.parametrize(
    ("there", "back", "castles"),
    [
        ("(move e 1 e 2)", "(move e 2 e 1)", set()),
        ("(move h 1 h 2)", "(move h 2 h 1)", {"(castle queenside)"}),
        ("(move a 1 a 2)", "(move a 2 a 1)", {"(castle kingside)"}),
    ],
)
def test_moving_king_or_rook_loses_castling_for_good(there: str, back: str, castles: set[str]) -> None:
    state = position("4k3/p7/8/8/8/8/8/R3K2R w KQ -")
    state = after(state, there, "(move a 7 a 6)", back, "(move a 6 a 5)")
    assert moves(state) & CASTLES == castles


def test_capture_of_the_rook_loses_castling() -> None:
    state = after(position("4k3/8/8/4b3/8/8/7R/R3K2R b KQ -"), "(move e 5 a 1)", "(move h 2 a 2)")
    state = after(state, "(move e 8 e 7)", "(move a 2 a 1)", "(move e 7 e 8)")
    assert moves(state) & CASTLES == {"(castle kingside)"}


def test_rook_that_takes_a_rook_at_home_loses_castling_for_both() -> None:
    state = after(position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"), "(move h 1 h 8)")
    rights = {fact for fact in state.facts if functor(fact) == "can_castle"}
    assert rights == {("can_castle", "white", "queenside"), ("can_castle", "black", "queenside")}


# The end


def test_mate_wins() -> None:
    fools_mate = ("(move f 2 f 3)", "(move e 7 e 5)", "(move g 2 g 4)", "(move d 8 h 4)")
    state = after(shelf_game("chess").initial_state(), *fools_mate)
    assert state.is_terminal
    assert state.goal_values("white") == [0]
    assert state.goal_values("black") == [100]


def test_stalemate_is_a_draw() -> None:
    state = after(position("7k/8/5KQ1/8/8/8/8/8 w - -"), "(move f 6 f 7)")
    assert state.is_terminal
    assert state.goals == {"white": 50, "black": 50}


def test_king_that_cannot_move_is_no_stalemate_while_a_pawn_can() -> None:
    state = position("7k/5K2/6Q1/8/8/8/p7/8 b - -")
    assert not state.is_terminal
    assert targets(state, "a2") == {"a1"}


def test_fifty_moves_without_progress_are_a_draw() -> None:
    state = after(position("7k/8/8/8/8/8/8/K5Q1 w - - 98 80"), "(move g 1 g 2)")
    assert not state.is_terminal
    state = after(state, "(move h 8 h 7)")
    assert state.is_terminal
    assert state.goals == {"white": 50, "black": 50}


def test_mate_on_the_last_move_wins() -> None:
    state = after(position("7k/8/5K2/8/8/8/8/6Q1 w - - 99 80"), "(move g 1 g 7)")
    assert state.is_terminal
    assert state.goals == {"white": 100, "black": 0}


@pytest.mark.parametrize(
    ("fen", "move", "count"),
    [
        ("k7/8/8/8/8/8/4P3/K7 w - - 30 1", "(move e 2 e 3)", "0"),
        ("k7/8/8/8/8/8/4p3/K3R3 w - - 30 1", "(move e 1 e 2)", "0"),
        ("8/P7/8/8/8/8/8/K5k1 w - - 30 1", "(promote a 7 a 8 queen)", "0"),
        ("k7/8/8/3pP3/8/8/8/K7 w - d6 30 1", "(move e 5 d 6)", "0"),
        ("k7/8/8/8/8/8/8/4K2R w K - 30 1", "(castle kingside)", "31"),
        ("k7/8/8/8/8/8/4p3/K3R3 w - - 30 1", "(move e 1 d 1)", "31"),
    ],
)
def test_pawn_moves_and_captures_are_progress(fen: str, move: str, count: str) -> None:
    assert ("quiet", count) in after(position(fen), move).facts


def loaded(name: str, backend: str) -> GdlGame:
    game = ludens.load(name, backend=backend)
    assert isinstance(game, GdlGame)
    return game


KNIGHTS = ("(move g 1 f 3)", "(move g 8 f 6)", "(move f 3 g 1)", "(move f 6 g 8)")


@pytest.mark.parametrize("backend", ["interpreter", "reference", "circuit"])
def test_the_third_occurrence_of_a_position_is_a_draw(backend: str) -> None:
    game = loaded("chess", backend)
    state = after(game.initial_state(), *KNIGHTS, *KNIGHTS[:3])
    assert not state.is_terminal

    last = after(state, KNIGHTS[3])

    assert last.is_terminal
    assert last.goals == {"white": 50, "black": 50}
    assert not last.legal_moves("white")
    assert cause_of_end(last) == "the position occurred for the third time"
    assert last != game.initial_state()
    assert pickle.loads(pickle.dumps(last)).is_terminal
    assert after(pickle.loads(pickle.dumps(state)), KNIGHTS[3]).is_terminal


def test_rights_that_are_lost_make_another_position() -> None:
    game = loaded("chess", "interpreter")
    rooks = ("(move h 1 g 1)", "(move h 8 g 8)", "(move g 1 h 1)", "(move g 8 h 8)")
    state = game.state(facts_of_fen("r3k2r/p7/8/8/8/8/P7/R3K2R w KQkq - 0 1"))

    assert not after(state, *rooks, *rooks).is_terminal
    assert after(state, *rooks, *rooks, *rooks[:2]).is_terminal


def test_a_limit_of_moves_is_an_option() -> None:
    game = loaded("chess:3", "interpreter")
    state = after(game.initial_state(), "(move e 2 e 4)", "(move e 7 e 5)")
    assert not state.is_terminal
    last = after(state, "(move d 2 d 4)")
    assert last.is_terminal
    assert last.goals == {"white": 50, "black": 50}
    assert cause_of_end(last) == "the limit of 3 moves was reached"


@peer("chess")
def test_ends_are_those_of_python_chess_in_random_games() -> None:
    chess = optional_module("chess")
    game, rng = loaded("chess", "circuit"), Random(5)
    reasons: Counter[str] = Counter()
    for _ in range(part_of(40)):
        state, board = game.initial_state(), chess.Board()
        while not state.is_terminal:
            joint_move = random_joint_move(state, rng)
            text = next(uci_move(game, role, move) for role, move in joint_move.items() if move != "noop")
            state = state.play(joint_move)
            board.push_uci(text)
            outcome = board.outcome()
            ended = bool(outcome and outcome.termination.name in ("CHECKMATE", "STALEMATE"))
            draw = board.is_repetition(3) or board.halfmove_clock >= 100
            assert state.is_terminal == (ended or draw)
        reasons[cause_of_end(state)] += 1
    assert len(reasons) >= 3


def test_unfinished_game_is_worth_a_draw() -> None:
    assert shelf_game("chess").initial_state().goals == {"white": 50, "black": 50}

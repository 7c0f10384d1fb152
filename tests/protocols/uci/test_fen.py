"""Chess positions in FEN and back, and FENs that are none."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.core import GameError, random_joint_move
from ludens.gdl.terms import arguments, functor
from ludens.protocols.uci.fen import facts_of_fen, fen_of_facts
from tests.games.shelf import shelf_game

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def test_the_start_position_is_the_known_one() -> None:
    assert fen_of_facts(shelf_game("chess").initial_state().facts) == START


def test_positions_of_random_play_come_back_from_their_fen() -> None:
    state, rng = shelf_game("chess").initial_state(), Random(3)

    for _ in range(60):
        state = state.play(random_joint_move(state, rng))
        if state.is_terminal:
            break
        assert facts_of_fen(fen_of_facts(state.facts)) == state.facts


def test_en_passant_is_kept_only_where_it_can_be_taken() -> None:
    useless = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    useful = "rnbqkbnr/pppp1ppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR b KQkq e3 0 1"

    assert not any(functor(fact) == "en_passant" for fact in facts_of_fen(useless))
    assert ("en_passant", "e") in facts_of_fen(useful)


def test_rights_to_castle_need_king_and_rook_at_home() -> None:
    facts = facts_of_fen("4k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1")

    assert {arguments(fact) for fact in facts if functor(fact) == "can_castle"} == {
        ("white", "queenside"),
        ("black", "kingside"),
    }


def test_rights_named_by_files_are_those_of_chess_where_king_and_rooks_are_at_home() -> None:
    placement = "r3k2r/8/8/8/8/8/8/R3K2R w"

    assert facts_of_fen(f"{placement} HAha - 0 1") == facts_of_fen(f"{placement} KQkq - 0 1")


def test_moves_without_progress_are_part_of_the_position() -> None:
    facts = facts_of_fen("k7/8/8/8/8/8/8/K7 w - - 57 99")

    assert ("quiet", "57") in facts
    assert fen_of_facts(facts) == "k7/8/8/8/8/8/8/K7 w - - 57 1"


@pytest.mark.parametrize(
    ("fen", "problem"),
    [
        ("", "it needs a board"),
        ("8/8/8 w - -", "3 ranks, not 8"),
        ("k7/8/8/8/8/8/8/K6 w - -", "not 8 squares"),
        ("k7/8/8/8/8/8/8/K8 w - -", "not 8 squares"),
        ("k7/8/8/8/8/8/8/KX6 w - -", "rank 1"),
        ("8/8/8/8/8/8/8/K7 w - -", "black needs exactly one king"),
        ("kP6/8/8/8/8/8/8/K7 w - -", "a pawn on the first or the last rank"),
        ("k7/8/8/8/8/8/8/K7 x - -", "w or b, not x"),
        ("k7/8/8/8/8/8/8/K7 w xy -", "castling"),
        ("k7/8/8/8/8/8/8/K7 w - e3", "a square of rank 6"),
        ("k7/8/8/8/8/8/8/K7 w - - x 1", "is no number"),
        ("k6R/8/8/8/8/8/8/K7 w - - 0 1", "white is to move, but could take the king"),
        ("k7/1P6/8/8/8/8/8/K7 w - - 0 1", "white is to move, but could take the king"),
        ("k7/8/8/8/8/2n5/8/1K6 b - - 0 1", "black is to move, but could take the king"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 +2+3", "it needs a board"),
        ("nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1", "Chess960, which is not played here"),
        ("nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1", "king on c1 would castle with the rook on g1"),
        ("1r2k2r/8/8/8/8/8/8/4K3 b q - 0 1", "Chess960"),
    ],
)
def test_what_is_no_fen_is_refused_with_the_reason(fen: str, problem: str) -> None:
    with pytest.raises(GameError, match=problem):
        facts_of_fen(fen)


@given(st.one_of(st.text(), st.text(alphabet="kKpPrR12345678/ wb-KQkqe36", max_size=90)))
def test_any_text_is_a_position_or_an_error(text: str) -> None:
    try:
        facts = facts_of_fen(text)
    except GameError:
        return
    assert facts_of_fen(fen_of_facts(facts)) == facts

"""The quick form of kriegspiel plays as the page does."""

from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import random_joint_move
from ludens.games.tabletop.shared import chess_moves as chess
from ludens.games.tabletop.shared.kriegspiel_form import KriegspielForm, Mover, Position, interpret, parse
from ludens.games.tabletop.shared.kriegspiel_umpire import candidate_moves, check_lines, move_text
from ludens.tabletop import QuickTurn, TabletopState


def position_of(text: str, side: int = chess.WHITE, tries: int = 0, passant: str = "") -> Position:
    """A position from eight ranks, the eighth first."""
    ranks = text.split("/")[::-1]
    board = [
        0 if letter == "." else chess.PIECES.index(letter.upper()) * (1 if letter.isupper() else -1)
        for rank in ranks
        for letter in rank
    ]
    squares = bytes(piece & 0xFF for piece in board)
    white, black = (sum(1 << at for at, piece in enumerate(board) if piece * of > 0) for of in (1, -1))
    rights = ((True, True), (True, True))
    return Position(
        squares, white, black, side, rights, chess.SQUARES.index(passant) if passant else chess.NOWHERE, 0, 0, tries
    )


def check_against_chess(at: Position) -> None:
    """Compare a position with the slower functions for chess."""
    mover = Mover(at)
    legal = chess.legal_moves(tuple(mover.board), at.side, mover.rights, at.passant)
    captures = {
        (source, target)
        for source, target, _ in legal
        if abs(mover.board[source]) == chess.PAWN and (source - target) % chess.SIZE
    }
    assert set(mover.legal_moves()) == legal
    tries = list(candidate_moves(mover.board, at.side, mover.rights, at.tries > 0))
    assert mover.count_tries() == len(tries)
    assert {move for move in tries if mover.is_legal(move)} == {move for move in tries if move in legal}
    assert mover.check_lines() == check_lines(mover.board, at.side)
    assert mover.count_captures() == (len(captures), any(target == at.passant for _, target in captures))


@pytest.mark.parametrize("seed", range(4))
def test_moves_checks_and_captures_are_those_of_chess(seed: int) -> None:
    rng = Random(seed)
    at = position_of("rnbqkbnr/pppppppp/......../......../......../......../PPPPPPPP/RNBQKBNR")
    for _ in range(120):
        mover = Mover(at)
        at = at._replace(tries=mover.count_captures()[0])
        check_against_chess(at)
        legal = sorted(mover.legal_moves())
        if not legal:
            return
        at = mover.after(rng.choice(legal))[0]


@pytest.mark.parametrize(
    "at",
    [
        position_of("r...k..r/......../......../......../......../......../......../R...K..R", tries=1),
        position_of("r...k..r/......../......../......../......../......../...q..../R...K..R"),
        position_of("....k.../......../......../KPp....r/......../......../......../........", passant="c6", tries=1),
        position_of("....k.../......../......../.Pp...../......../......../......../....K...", passant="c6", tries=1),
        position_of("n...k.../.P....../......../......../......../......../......../....K...", tries=1),
        position_of("....r..k/......../......../......../......../...p.n../....P.../....K...", tries=1),
    ],
    ids=["castling", "in check", "pinned in passing", "in passing", "promotion", "pinned pawn"],
)
def test_special_moves_are_those_of_chess(at: Position) -> None:
    check_against_chess(at)


def start() -> tuple[TabletopState, KriegspielForm]:
    state = ludens.load("kriegspiel").initial_state()
    assert isinstance(state, TabletopState)
    form = state.game.quick_form
    assert isinstance(form, KriegspielForm)
    return state, form


def test_a_match_is_followed_and_replies_are_those_that_fit() -> None:
    state, form = start()
    rng = Random(5)
    at = form.first(state.table)
    for number in range(60):
        before, joint_move = state, random_joint_move(state, rng)
        state = state.play(joint_move)
        ((mover, move),) = joint_move.items()
        role = next(one for one in state.game.roles if one != mover)
        turn = QuickTurn(role, mover, None, tuple(state.percepts(role)), is_over=False)
        if number % 12 == 11:
            after = {one: before.play({mover: one}) for one in before.legal_moves(mover)}
            fitting = [one for one, to in after.items() if tuple(to.percepts(role)) == turn.percepts]
            assert (sorted(form.replies(at, turn)[0]), form.replies(at, turn)[1]) == (sorted(fitting), len(after))
        followed = form.play(at, move, turn)
        own = QuickTurn(mover, mover, move, tuple(state.percepts(mover)), is_over=False)
        assert followed == form.play(at, move, own)
        assert isinstance(followed, Position)
        assert Mover(followed).board == list(form._board(state.table))
        at = followed


def test_mate_does_not_fit_a_match_that_goes_on() -> None:
    _, form = start()
    at = position_of("......k./.....ppp/......../......../......../......../......../R...K...")
    percepts = ("White: moves", "check on the rank")

    assert form.play(at, "a1a8", QuickTurn("Black", "White", None, percepts, is_over=True)) is not None
    assert form.play(at, "a1a8", QuickTurn("Black", "White", None, percepts, is_over=False)) is None


def test_what_the_umpire_says_is_understood() -> None:
    said = interpret(("White: moves", "White takes a pawn on b7", "check by a knight", "Black has 2 pawn tries"))

    assert (said.taken, said.took_pawn, said.checks, said.tries) == (49, True, ("by a knight",), 2)
    assert interpret(("White: set, is refused",)).is_refused
    assert [move_text(parse(text)) for text in ("e2e4", "b7a8n")] == ["e2e4", "b7a8n"]


@pytest.mark.parametrize(("rank", "nearer"), [("..n.....", True), ("..p.....", False), ("...n....", False)])
def test_a_position_is_nearer_if_what_was_taken_is_there_already(rank: str, nearer: bool) -> None:
    _, form = start()
    turn = QuickTurn(
        "White", "White", "b4c5", ("White: b4c5", "White takes a piece on c5", "Black has 0 pawn tries"), False
    )

    found = form.nearness(position_of(f"....k.../......../......../{rank}/......../......../......../....K..."), turn)

    assert found == (form.FITTING if nearer else 1.0)

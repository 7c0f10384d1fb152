"""The quick form of kriegspiel plays as the page does."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest

import ludens
from ludens.core import random_joint_move
from ludens.games.tabletop.shared import chess_moves as chess
from ludens.games.tabletop.shared.kriegspiel_form import (
    KriegspielForm,
    Position,
    Said,
    code_of,
    interpret,
    machine,
    text_of,
)
from ludens.games.tabletop.shared.kriegspiel_umpire import candidate_moves, check_lines, move_text, rights_after
from ludens.tabletop import QuickTurn, TabletopState


class Case(NamedTuple):
    """A position of chess."""

    board: chess.Board
    side: int = chess.WHITE
    tries: int = 0
    passant: int = chess.NOWHERE
    rights: int = 0b1111

    @property
    def position(self) -> Position:
        """The same in the quick form."""
        return Position(machine().pack(*self))

    @property
    def own_rights(self) -> tuple[bool, bool]:
        """Whether the side to move may castle on either side."""
        bits = self.rights >> 2 * (self.side == chess.BLACK)
        return bool(bits & 1), bool(bits & 2)


def case(text: str, tries: int = 0, passant: str = "") -> Case:
    """A position from eight ranks, the eighth first."""
    board = tuple(
        0 if letter == "." else chess.PIECES.index(letter.upper()) * (1 if letter.isupper() else -1)
        for rank in text.split("/")[::-1]
        for letter in rank
    )
    return Case(board, tries=tries, passant=chess.SQUARES.index(passant) if passant else chess.NOWHERE)


def check_against_chess(at: Case) -> None:
    """Compare a position with the functions of the page."""
    legal = chess.legal_moves(at.board, at.side, at.own_rights, at.passant)
    captures = {
        (source, target)
        for source, target, _ in legal
        if abs(at.board[source]) == chess.PAWN and (source - target) % chess.SIZE
    }
    packed = at.position.packed
    assert machine().unpack(packed) == list(at.board)
    assert sorted(map(text_of, machine().legal_moves(packed))) == sorted(map(move_text, legal))
    checks = Said(False, chess.NOWHERE, False, check_lines(at.board, at.side), 0).numbers[3]
    assert machine().umpire(packed) == (checks, len(captures), any(target == at.passant for _, target in captures))
    tries = list(candidate_moves(at.board, at.side, at.own_rights, at.tries > 0))
    ((refused, count),) = machine().replies(packed, interpret(("refused",)).numbers)
    assert count == len(tries)
    assert sorted(map(text_of, refused)) == sorted(move_text(move) for move in tries if move not in legal)


@pytest.mark.parametrize("seed", range(4))
def test_moves_checks_and_captures_are_those_of_chess(seed: int) -> None:
    rng = Random(seed)
    at = case("rnbqkbnr/pppppppp/......../......../......../......../PPPPPPPP/RNBQKBNR")
    for _ in range(120):
        at = at._replace(tries=rng.randrange(2))
        check_against_chess(at)
        legal = sorted(chess.legal_moves(at.board, at.side, at.own_rights, at.passant))
        if not legal:
            return
        move = rng.choice(legal)
        board, taken = chess.after_move(at.board, move)
        is_double = abs(at.board[move[0]]) == chess.PAWN and abs(move[0] - move[1]) == 2 * chess.SIZE
        rights = at.rights
        for side, square in ((at.side, move[0]), (-at.side, taken)):
            shift = 2 * (side == chess.BLACK)
            left = rights_after((bool(rights >> shift & 1), bool(rights >> shift & 2)), side, square)
            rights = rights & ~(0b11 << shift) | (left[0] | left[1] << 1) << shift
        passant = (move[0] + move[1]) // 2 if is_double else chess.NOWHERE
        at = Case(tuple(board), -at.side, 0, passant, rights)


@pytest.mark.parametrize(
    "at",
    [
        case("r...k..r/......../......../......../......../......../......../R...K..R", tries=1),
        case("r...k..r/......../......../......../......../......../...q..../R...K..R"),
        case("....k.../......../......../KPp....r/......../......../......../........", passant="c6", tries=1),
        case("....k.../......../......../.Pp...../......../......../......../....K...", passant="c6", tries=1),
        case("n...k.../.P....../......../......../......../......../......../....K...", tries=1),
        case("....r..k/......../......../......../......../...p.n../....P.../....K...", tries=1),
        case("....k.../......../......../......../......../.....n../......../R...K..R"),
        case("....k.../....r.../......../......../.......b/......../......../R...K..R"),
    ],
    ids=[
        "castling",
        "in check",
        "pinned in passing",
        "in passing",
        "promotion",
        "pinned pawn",
        "knight",
        "double check",
    ],
)
def test_special_moves_are_those_of_chess(at: Case) -> None:
    check_against_chess(at)
    check_against_chess(at._replace(side=chess.BLACK, passant=chess.NOWHERE))


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
        assert machine().unpack(followed.packed) == list(form._board(state.table))
        at = followed


def test_mate_does_not_fit_a_match_that_goes_on() -> None:
    _, form = start()
    at = case("......k./.....ppp/......../......../......../......../......../R...K...").position
    percepts = ("White: moves", "check on the rank")

    assert form.play(at, "a1a8", QuickTurn("Black", "White", None, percepts, is_over=True)) is not None
    assert form.play(at, "a1a8", QuickTurn("Black", "White", None, percepts, is_over=False)) is None


def test_what_the_umpire_says_is_understood() -> None:
    said = interpret(("White: moves", "White takes a pawn on b7", "check by a knight", "Black has 2 pawn tries"))

    assert (said.taken, said.took_pawn, said.checks, said.tries) == (49, True, ("by a knight",), 2)
    assert interpret(("White: set, is refused",)).is_refused
    assert [text_of(code_of(text)) for text in ("e2e4", "b7a8n")] == ["e2e4", "b7a8n"]


@pytest.mark.parametrize(
    ("rank", "weight"),
    [("..n.....", KriegspielForm.FITTING), ("..p.....", 1.0), ("...n....", 1.0), ("...r....", KriegspielForm.NEARLY)],
)
def test_a_position_is_nearer_if_what_was_taken_is_there_already(rank: str, weight: float) -> None:
    _, form = start()
    turn = QuickTurn(
        "White", "White", "c1c5", ("White: c1c5", "White takes a piece on c5", "Black has 0 pawn tries"), False
    )

    found = form.nearness(case(f"....k.../......../......../{rank}/......../......../......../..R.K...").position, turn)

    assert found == weight


@pytest.mark.parametrize(
    ("move", "said", "positions"),
    [
        pytest.param(
            "a1a8",
            ("White: a1a8 is refused",),
            [
                "....k.../......../......../p......./......../......../......../R...K...",  # something is in the way
                "....k.../......../......../..n...../......../......../......../R...K...",  # a knight can come to a4
                "....k.../......../......../.....p../......../......../......../R...K...",
            ],
            id="a refused move",
        ),
        pytest.param(
            "a1a4",
            ("White: moves",),
            [
                "....k.../......../......../......../......../......../......../R...K...",
                "....k.../......../......../......../......../p......./......../R...K...",  # one piece is in the way
                "....k.../......../......../......../......../p......./n......./R...K...",
            ],
            id="a move past others",
        ),
        pytest.param(
            "a1a5",
            ("White: moves", "check on the rank"),
            [
                "......../......../......../....k.../......../......../......../R...K...",
                "......../......../....k.../......../......../......../......../R...K...",  # the king is a step away
                "....k.../......../......../......../......../......../......../R...K...",
            ],
            id="a check",
        ),
        pytest.param(
            "a1a5",
            ("White: moves", "White takes a pawn on a5"),
            [
                "....k.../......../......../p......./......../......../......../R...K...",
                "....k.../......../p......./......../......../......../......../R...K...",  # a pawn is a step away
                "....k.../..p...../......../......../......../......../......../R...K...",
                "....k.../......../......../......../.p....../......../......../R...K...",  # it has passed
            ],
            id="a captured pawn",
        ),
    ],
)
def test_positions_grow_nearer_step_by_step(move: str, said: tuple[str, ...], positions: list[str]) -> None:
    _, form = start()
    turn = QuickTurn("White", "White", move, said, is_over=False)

    weights = [form.nearness(case(position).position, turn) for position in positions]

    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == len(weights)


def test_a_check_to_come_is_near_if_a_piece_can_give_it_after_two_moves() -> None:
    _, form = start()
    turn = QuickTurn("Black", "White", None, ("White: moves", "check on the long diagonal"), is_over=False)
    ranks = {
        "at once": "k......./......../......../......../......../......../......../....KB..",
        "soon": "k......./......../......../......../......../.......B/......P./....K...",
        "never": "k......./......../......../......../......../......../......../N...K...",
    }

    weights = [form.nearness(case(position).position, turn) for position in ranks.values()]

    assert weights == [form.FITTING, form.NEARLY, 1.0]


@pytest.mark.parametrize("with_goal", [False, True])
def test_changed_histories_fit_all_that_was_perceived(with_goal: bool) -> None:
    state, form = start()
    rng = Random(3)
    first, moves, turns = form.first(state.table), list[str](), list[QuickTurn]()
    for _ in range(24):
        joint_move = random_joint_move(state, rng)
        ((mover, move),) = joint_move.items()
        state = state.play(joint_move)
        own = move if mover == "White" else None
        turns.append(QuickTurn("White", mover, own, tuple(state.percepts("White")), is_over=False))
        moves.append(move)
    past, goal = (turns[:-1], turns[-1]) if with_goal else (turns, None)

    changed = form.change_in([(first, moves[: len(past)])] * 20, past, goal, rng)

    fitting = [history for history, fits in changed if fits]
    assert len({tuple(history) for history in fitting}) > 5
    for history in fitting:
        at: Position | None = first
        for move, turn in zip(history, turns, strict=True):
            assert turn.move in (None, move)
            assert at is not None
            at = form.play(at, move, turn)
        assert at is not None
    if not with_goal:
        assert all(history != moves for history in fitting)

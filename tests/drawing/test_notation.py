"""Moves as people write them, and what people type."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

import ludens
from ludens.core import Game, GameError, State, random_joint_move
from ludens.drawing.notation import MoveWriter, writer_of
from ludens.games import library
from ludens.games.cards import read_card
from ludens.gdl.game import GdlGame
from ludens.protocols.uci.squares import uci_move
from tests.peers import peer

DASH = "\N{EN DASH}"

TREK = """
(role me) (role you)
(init (sq a 1 mine)) (init (sq b 2 yours)) (init (control me))
(<= (base (sq ?x ?y ?w)) (file ?x) (rank ?y) (whose ?w)) (whose mine) (whose yours)
(file a) (file b) (file c) (rank 1) (rank 2) (rank 3)
(<= (base (control ?r)) (role ?r))
(<= (legal me (hop (at a 1) (at ?x ?y))) (true (control me)) (file ?x) (rank ?y) (distinct ?x a))
(<= (legal me (shove_piece ?x ?y hard)) (true (control me)) (file ?x) (rank ?y))
(<= (legal me (shove_piece ?x ?y soft)) (true (control me)) (file ?x) (rank ?y))
(legal you noop)
(<= (next (sq ?x ?y ?w)) (true (sq ?x ?y ?w)))
(<= (next (control you)) (true (control me)))
(<= terminal (true (control you)))
(goal me 100) (goal you 0)
"""


@cache
def load(name: str) -> Game:
    return ludens.load(name, backend="interpreter")


def texts_after(name: str, *moves: str) -> dict[str, str]:
    """The texts of the legal moves of who is to move after some moves, by the moves."""
    game = load(name)
    state = after(game, *moves)
    return {str(move): text for move, text in writer_of(game).texts(state.view(mover_in(state))).items()}


def mover_in(state: State) -> str:
    return next(role for role in state.game.roles if state.legal_moves(role)[0] != "noop")


def after(game: Game, *moves: str) -> State:
    state: State = game.initial_state()
    for move in moves:
        mover = mover_in(state)
        state = state.play({role: move if role == mover else "noop" for role in game.roles})
    return state


@pytest.mark.parametrize(
    ("game", "move", "text"),
    [
        ("chess", "(move g 1 f 3)", "Nf3"),
        ("chess", "(move e 2 e 4)", "e4"),
        ("checkers", "(move 3 3 4 4)", "11-15"),
        ("go", "D4", "D4"),
        ("go", "pass", "pass"),
        ("breakthrough", "(move 3 2 4 3)", f"c2{DASH}d3"),
        ("clobber", "(move 3 1 2 1)", "c1xb1"),
        ("tic_tac_toe", "(mark 1 3)", "a3"),
        ("double_tic_tac_toe", "(mark2 1 2)", "mark2 a2"),
        ("connect_four", "(drop 3)", "drop 3"),  # columns are called by their numbers, on the board, too
        ("sudoku", "(mark 3 7 2)", "c7 2"),
        ("chinese_checkers", "F14 G13", f"F14{DASH}G13"),
        ("kayles", "(two 1 2)", "two 1 2"),
        ("cant_stop", "(climb_once 7)", "climb once 7"),
    ],
)
def test_moves_are_written_in_the_notation_of_the_game(game: str, move: str, text: str) -> None:
    loaded = load(game)
    state = loaded.initial_state()
    assert writer_of(loaded).text(state, loaded.roles[0], move) == text


def test_draughts_jumps_have_a_cross() -> None:
    texts = texts_after("checkers", "(move 3 3 4 4)", "(move 2 6 3 5)")
    assert texts == {"(jump 4 4 2 6)": "15x24"}


def test_short_texts_say_as_much_as_needed() -> None:
    opening = ["(move e 2 e 4)", "(move d 7 d 5)"]
    assert texts_after("chess", *opening)["(move e 4 d 5)"] == "exd5"
    knights = [
        "(move b 1 c 3)",
        "(move a 7 a 6)",
        "(move g 1 f 3)",
        "(move a 6 a 5)",
        "(move d 2 d 4)",
        "(move h 7 h 6)",
    ]
    texts = texts_after("chess", *knights, "(move e 2 e 3)", "(move h 6 h 5)", "(move c 3 e 2)", "(move h 5 h 4)")
    assert texts["(move f 3 g 1)"] == "Nfg1"
    assert texts["(move e 2 g 1)"] == "Neg1"


def test_mate_and_check_are_marked() -> None:
    game = load("chess")
    before = after(game, "(move f 2 f 3)", "(move e 7 e 5)", "(move g 2 g 4)")
    end = before.play({"white": "noop", "black": "(move d 8 h 4)"})
    assert writer_of(game).text(before, "black", "(move d 8 h 4)", end) == "Qh4#"
    moves = ["(move f 2 f 3)", "(move e 7 e 5)", "(move g 2 g 4)", "(move d 8 h 4)"]
    assert writer_of(game).line(game.initial_state(), moves) == ["f3", "e5", "g4", "Qh4#"]


def test_unknown_rules_are_written_by_their_structure(tmp_path: Path) -> None:
    (tmp_path / "trek.kif").write_text(TREK)
    game = ludens.load(str(tmp_path / "trek.kif"), backend="interpreter")
    texts = {str(move): text for move, text in writer_of(game).texts(game.initial_state().view("me")).items()}
    assert texts["(hop (at a 1) (at c 3))"] == f"hop a1{DASH}c3"
    assert texts["(shove_piece b 3 hard)"] == "shove piece b3 hard"
    assert len(set(texts.values())) == len(texts)


def test_equal_texts_become_those_of_the_rules() -> None:
    class Same(MoveWriter):
        def _written(self, seen: object, role: object, moves: object) -> dict[str, str]:
            return dict.fromkeys(moves, "same")  # type: ignore[call-overload,no-any-return]

    game = load("tic_tac_toe")
    texts = Same(game).texts(game.initial_state().view("xplayer"))
    assert texts["(mark 1 3)"] == "mark 1 3"
    assert len(set(texts.values())) == 9


SOME = ("chess", "go", "kriegspiel", "nim", "quoridor", "sudoku", "tron")


@pytest.mark.parametrize(
    "name",
    [*SOME, *(pytest.param(name, marks=pytest.mark.slow) for name in sorted(library.entries()) if name not in SOME)],
)
def test_distinct_moves_have_distinct_texts_that_can_be_typed(name: str) -> None:
    game = load(name)
    state, rng = game.initial_state(), Random(name)
    writer = writer_of(game)
    for _ in range(3):
        if state.is_terminal:
            break
        for role in game.roles:
            view = state.view(role)
            texts = writer.texts(view)
            assert len(set(texts.values())) == len(texts) == len(view.legal_moves)
            for move in rng.sample(list(texts), min(2, len(texts))):
                assert writer.read(texts[move], view) == move
                assert writer.read(move, view) == move
        state = state.sample(random_joint_move(state, rng), rng)


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("Nf3", "(move g 1 f 3)"),
        ("nf3!", "(move g 1 f 3)"),
        ("g1f3", "(move g 1 f 3)"),
        ("e2-e4", "(move e 2 e 4)"),
        ("move e 2 e 4", "(move e 2 e 4)"),
        ("move(e,2,e,4)", "(move e 2 e 4)"),
        ("e 2 e 4", "(move e 2 e 4)"),
        ("e5", None),
        ("Nd2", None),
        ("", None),
        ("–", None),  # noqa: RUF001 - what a person may type
    ],
)
def test_typed_moves_are_found_in_any_form(typed: str, move: str | None) -> None:
    game = load("chess")
    assert writer_of(game).read(typed, game.initial_state().view("white")) == move


def test_castling_is_read_with_zeros() -> None:
    game = load("chess")
    state = after(game, "(move g 1 f 3)", "(move a 7 a 6)", "(move g 2 g 3)", "(move b 7 b 6)", "(move f 1 g 2)")
    state = state.play({"white": "noop", "black": "(move c 7 c 6)"})
    for typed in ("O-O", "0-0", "o-o"):
        assert writer_of(game).read(typed, state.view("white")) == "(castle kingside)"


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ('style = "long"', "one of short"),
        ('pieces = "K"', "a table of texts"),
        ("letters = {}", "no key 'letters'"),
    ],
)
def test_mistakes_in_the_table_are_explained(tmp_path: Path, table: str, problem: str) -> None:
    path = tmp_path / "card.toml"
    path.write_text(f'title = "A game"\n[notation]\n{table}\n')
    with pytest.raises(GameError, match=problem):
        read_card(path)


@peer("chess")
@pytest.mark.parametrize("seed", range(2))
def test_chess_is_written_as_python_chess_writes_it(seed: int) -> None:
    import chess  # noqa: PLC0415 - a peer

    game = load("chess")
    assert isinstance(game, GdlGame)
    state, board, rng = game.initial_state(), chess.Board(), Random(seed)
    for _ in range(60):
        if state.is_terminal:
            break
        mover = mover_in(state)
        texts = writer_of(game).texts(state.view(mover))
        for move, text in texts.items():
            assert board.san(chess.Move.from_uci(uci_move(game, mover, move))).rstrip("+#") == text
        move = rng.choice(list(texts))
        idle = next(role for role in game.roles if role != mover)
        after_it = state.play({mover: move, idle: "noop"})
        its_uci = chess.Move.from_uci(uci_move(game, mover, move))
        assert writer_of(game).text(state, mover, move, after_it) == board.san(its_uci)
        board.push(its_uci)
        state = after_it

"""PGN and SGF: what is written can be opened, here and by others; files that are wrong are refused with a sentence."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path
from random import Random

import pytest

import ludens
from ludens.core import Game, LudensError
from ludens.protocols.exchange.exporting import export_record
from ludens.protocols.exchange.formats import PGN, SGF, foreign_format
from ludens.protocols.exchange.opening import open_foreign
from ludens.protocols.exchange.pgn import read_pgn, write_pgn
from ludens.referee.reading import Record, parse_record
from ludens.referee.verify import verify
from tests.peers import peer

OPERA = """[Event "Opera \\"A Night\\""]
[White "Morphy"]
[Black "Allies"]
[Result "1-0"]

1.e4 e5 2.Nf3 d6 {a comment (with brackets)} 3.d4 Bg4?! (3...exd4 4.Nxd4 (4.Qxd4)) 4.dxe5 Bxf3 5.Qxf3 dxe5
6.Bc4 Nf6 7.Qb3 Qe7 8.Nc3 c6 ; to the end of the line
9.Bg5 b5 10.Nxb5 cxb5 11.Bxb5+ Nbd7 12.0-0-0 Rd8 13.Rxd7 Rxd7 14.Rd1 Qe6 15.Bxd7+ Nxd7 16.Qb8+ $3 Nxb8 17.Rd8# 1-0

[Event "the next game"]
1. d4 *
"""
SMALL_GO = "(;GM[1]SZ[5]KM[0.5]PB[Ann]PW[Bob \\] C]RE[B+R];B[cc];W[dc](;B[];W[tt])(;B[aa]))"


@cache
def load(name: str) -> Game:
    return ludens.load(name, backend="interpreter")


@cache
def opened(text: str, wanted: str) -> Record:
    return parse_record(Path("file"), open_foreign(text.encode(), wanted))


def test_a_pgn_file_is_opened() -> None:
    record = opened(OPERA, PGN)
    assert record.start.game == "chess"
    assert dict(record.start.players) == {"white": "Morphy", "black": "Allies"}
    assert len(record.turns) == 33
    assert record.turns[23].moves["white"] == "(castle queenside)"
    assert record.end is not None
    assert record.end["reason"] == "terminal"
    assert record.end["goals"] == {"white": 100, "black": 0}
    assert list(verify(record, load("chess"))) == []


def test_what_was_exported_is_what_was_opened() -> None:
    written = export_record(opened(OPERA, PGN), load("chess"), PGN)
    assert read_pgn(written).moves[-3:] == ["Qb8+", "Nxb8", "Rd8#"]
    assert read_pgn(written).tags["White"] == "Morphy"
    again = opened(written, PGN)
    assert [turn.moves for turn in again.turns.values()] == [turn.moves for turn in opened(OPERA, PGN).turns.values()]
    assert max(map(len, written.splitlines())) <= 80


def test_an_sgf_file_is_opened_and_exported() -> None:
    record = opened(SMALL_GO, SGF)
    game = load(record.start.game)
    assert record.start.game.startswith("go:5,0.5")
    assert record.turns[1].moves["Black"] == "C3"
    assert len(record.turns) == 4
    assert list(verify(record, game)) == []
    written = export_record(record, game, SGF)
    assert "SZ[5]KM[0.5]PB[Ann]" in written
    assert written.count(";B[") + written.count(";W[") == 4
    again = opened(written, SGF)
    assert [turn.moves for turn in again.turns.values()] == [turn.moves for turn in record.turns.values()]


def test_a_resignation_stays_one() -> None:
    record = opened("(;SZ[5];B[cc];W[dc]RE[W+Resign])", SGF)
    assert record.end is not None
    assert record.end["forfeited"] == "Black"
    assert "RE[W+R]" in export_record(record, load(record.start.game), SGF)
    unfinished = opened('[White "a"]\n1. e4 *', PGN)
    assert unfinished.end is not None
    assert not unfinished.end["finished"]


def test_other_games_are_not_exported() -> None:
    with pytest.raises(LudensError, match="chess has no SGF: its matches are exchanged as PGN"):
        export_record(opened(OPERA, PGN), load("chess"), SGF)
    with pytest.raises(LudensError, match="as records only"):
        export_record(opened(OPERA, PGN), load("nim"), PGN)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no game in PGN"),
        ('[White "a"]\n1. e4 e5 2. Ke3', r"2\. Ke3 is not a legal move"),
        ('[White "a"]\n1. e4 e5 (2. d4', "does not end"),
        ('[White "a"]\n1. e4 )', "did not begin"),
        ('[White "a"]\n1. e4 {open', "line 2: .* is not PGN"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n*', "set up"),
        ('[Variant "Atomic"]\n1. e4', "variant"),
        ("1. e4 " * 4_000, "more than 3,000 moves"),
        ("1. " + "x" * 1_100_000, "characters"),
        ("1. \x1b[31mred", "not a legal move|not PGN"),
    ],
)
def test_wrong_pgn_is_refused(text: str, problem: str) -> None:
    with pytest.raises(LudensError, match=problem) as error:
        opened(text, PGN)
    assert "\x1b" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", r"begins with \(;"),
        ("(;GM[3])", "another game"),
        ("(;SZ[5];B[zz])", "no point"),
        ("(;SZ[5];B[cc];W[cc])", "move 2, white C3"),
        ("(;SZ[5];B[cc];B[dd])", "move 2, black"),
        ("(;SZ[5]AB[cc];W[dd])", "handicap"),
        ("(;SZ[99];B[cc])", "not supported"),
        ("(;SZ[5]KM[9e99];B[cc])", "komi"),
        ("(;" * 600_000, "characters"),
    ],
)
def test_wrong_sgf_is_refused(text: str, problem: str) -> None:
    with pytest.raises(LudensError, match=problem):
        opened(text, SGF)


def test_nested_files_take_no_long_time() -> None:
    with pytest.raises(LudensError):
        opened('[A "' + "\\" * 100_000, PGN)
    with pytest.raises(LudensError, match="does not end"):
        opened('[White "a"]\n' + "(" * 400_000, PGN)


@pytest.mark.parametrize(
    ("content", "name", "wanted"),
    [
        (OPERA.encode(), "", PGN),
        (b"\xef\xbb\xbf[Event", "", PGN),
        (SMALL_GO.encode(), "", SGF),
        (b"1. e4 e5", "game.PGN", PGN),
        (json.dumps({"event": "start"}).encode(), "", ""),
        (b"\x00\x01", "", ""),
    ],
)
def test_formats_are_recognised(content: bytes, name: str, wanted: str) -> None:
    assert foreign_format(content, name) == wanted


def test_tags_are_escaped() -> None:
    tags = {"White": 'a "b" \\ c\n'}
    assert read_pgn(write_pgn(tags, ["e4"], "*")).tags["White"] == 'a "b" \\ c'


@peer("chess")
@pytest.mark.parametrize("seed", range(2))
def test_python_chess_reads_what_is_written_and_the_other_way(seed: int) -> None:
    import chess  # noqa: PLC0415 - a peer
    import chess.pgn  # noqa: PLC0415

    board, rng = chess.Board(), Random(seed)
    theirs = chess.pgn.Game({"White": "A. Müller", "Result": "*"})
    node: chess.pgn.GameNode = theirs
    for _ in range(50):
        if board.is_game_over():
            break
        move = rng.choice(list(board.legal_moves))
        node = node.add_variation(move, comment="so (") if rng.random() < 0.2 else node.add_variation(move)
        board.push(move)
    record = opened(str(theirs), PGN)
    ours = chess.pgn.read_game(io.StringIO(export_record(record, load("chess"), PGN)))
    assert ours is not None
    assert ours.errors == []
    assert list(ours.mainline_moves()) == list(theirs.mainline_moves())
    assert ours.headers["White"] == "A. Müller"

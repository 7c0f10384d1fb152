"""python-chess as a client of ``ludens uci``: every call of its engine module that a user would make."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from tests.peers import optional_module, peer

chess = optional_module("chess")
if chess is not None:
    chess.engine = import_module("chess.engine")

pytestmark = [peer("chess"), pytest.mark.timeout(600)]

COMMAND = [sys.executable, "-c", "from ludens.cli.main import run; run()", "uci", "--seed", "1", "--start-clock", "300"]
BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
MATE_IN_TWO = "7k/8/5K2/8/8/8/8/R7 w - - 0 1"
FORCED_BLACK = "7k/8/6K1/8/8/8/8/R7 b - - 0 1"
FORCED_WHITE = "r7/8/8/8/8/6k1/8/7K w - - 0 1"
MATED = "k7/8/8/8/8/8/5PPP/r5K1 w - - 0 1"
WINNING = "7k/8/8/8/8/Q7/1R6/K7 w - - 0 1"
NINETY_NINE = "7k/8/5K2/6Q1/8/8/p7/8 w - - 99 90"
"""99 plies without progress."""
ROUND = 16
"""Positions that the search evaluates at once."""


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    found = chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=300)
    found.ping()
    yield found
    with contextlib.suppress(chess.engine.EngineTerminatedError):
        found.quit()


def test_a_session_of_forty_calls(engine: Any, caplog: pytest.LogCaptureFixture) -> None:  # noqa: PLR0915 - one session, in order
    limit, board = chess.engine.Limit, chess.Board()
    calls = 0

    def play(position: Any, bound: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        result = engine.play(position, bound, info=chess.engine.INFO_ALL, **more)
        assert result.move in position.legal_moves
        return result

    def analyse(position: Any, bound: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        return engine.analyse(position, bound, **more)

    def configure(**options: Any) -> None:
        nonlocal calls
        calls += 1
        engine.configure(options)

    assert {"Hash", "Threads", "Ponder", "MultiPV", "UCI_AnalyseMode"} <= set(engine.options)
    assert engine.id["name"].startswith("ludens mcts")
    configure(Hash=16)
    configure(Threads=2)
    configure(Threads=1, UCI_AnalyseMode=True)

    # Both colours, every limit.
    for moves in ("", "e2e4"):
        here = chess.Board()
        for move in moves.split():
            here.push_uci(move)
        for bound in (
            limit(time=0.1),
            limit(nodes=500),
            limit(depth=2),
            limit(white_clock=10, black_clock=10, white_inc=0.1, black_inc=0.1),
            limit(white_clock=5, black_clock=5, remaining_moves=10),
            limit(time=0.1, nodes=100_000),
        ):
            play(here, bound)
        found = analyse(here, limit(nodes=500))
        assert 500 <= found["nodes"] < 500 + ROUND
        assert {"depth", "seldepth", "nps", "hashfull", "time", "score", "pv"} <= found.keys()
        assert found["score"].turn == here.turn

    # Lines and moves to search.
    lines = analyse(board, limit(nodes=2000), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    assert len({line["pv"][0] for line in lines}) == 3
    wanted = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    assert play(board, limit(nodes=500), root_moves=wanted).move in wanted
    assert analyse(board, limit(nodes=500), root_moves=wanted[:1])["pv"][0] == wanted[0]
    assert {line["pv"][0] for line in analyse(board, limit(nodes=500), root_moves=wanted, multipv=2)} == set(wanted)
    assert play(board, limit(time=0.1), root_moves=wanted).move in wanted

    # Mates.
    mate = chess.Board(BACK_RANK)
    assert play(mate, limit(nodes=3000)).info["score"].relative.mate() == 1
    assert analyse(mate, limit(mate=1))["score"].relative.mate() == 1
    assert analyse(chess.Board(MATE_IN_TWO), limit(mate=2))["score"].relative.mate() <= 2
    lost = chess.Board(MATE_IN_TWO)
    lost.push_uci("a1b1")
    assert analyse(lost, limit(nodes=20_000))["score"].relative.mate() < 0
    for fen in (FORCED_BLACK, FORCED_WHITE):  # the only move, and then mate
        score = analyse(chess.Board(fen), limit(nodes=20_000))["score"]
        assert score.relative.mate() == -1
        assert score.white().mate() == (1 if fen == FORCED_BLACK else -1)
    mated = chess.Board(MATED)
    assert engine.play(mated, limit(time=0.1)).move is None

    # What was played before counts.
    winning = chess.Board(WINNING)
    for move in ("b2b3", "h8h7", "b3b2", "h7h8", "b2b3", "h8h7"):
        winning.push_uci(move)
    assert play(winning, limit(nodes=2000)).move != chess.Move.from_uci("b3b2")  # the third time
    assert play(chess.Board(NINETY_NINE), limit(nodes=500)).move == chess.Move.from_uci("g5g7")  # or a draw

    # What there is not.
    with pytest.raises(chess.engine.EngineError, match="does not support option Nonsense"):
        configure(Nonsense=1)
    with pytest.raises(chess.engine.EngineError, match="UCI_Chess960"):
        engine.play(chess.Board.from_chess960_pos(100), limit(nodes=100))

    # Analysis until stop.
    for _ in range(2):
        calls += 1
        with engine.analysis(board) as analysis:
            for seen, info in enumerate(analysis):
                if seen > 3 and info.get("pv"):
                    break
        calls += 1
        best = analysis.wait()
        assert best.move in board.legal_moves

    # Pondering, hit and missed.
    here, ponder = chess.Board(), None
    for number in range(8):
        result = play(here, limit(white_clock=4, black_clock=4), ponder=True)
        here.push(result.move)
        ponder = result.ponder
        if here.is_game_over():
            break
        reply = ponder if ponder in here.legal_moves and number % 2 == 0 else next(iter(here.legal_moves))
        here.push(reply)

    # New games.
    for game in ("first", "second"):
        play(chess.Board(), limit(nodes=100), game=game)
    calls += 1
    engine.ping()

    assert calls >= 40
    # python-chess logs what it does not understand; on a busy machine, the program's log says that a player was late.
    assert not [record for record in caplog.records if "stderr >>" not in record.getMessage()]

    engine.analysis(board)
    engine.ping()
    engine.quit()  # in the middle of a search

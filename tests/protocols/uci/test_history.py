"""What was played before counts: a winning side does not walk into a draw."""

from __future__ import annotations

import queue
from collections.abc import Iterator

import pytest

import ludens
from ludens.protocols.lent_player import LentPlayer
from ludens.protocols.uci.server import UciServer

WINNING = "7k/8/8/8/8/Q7/1R6/K7 w - - 0 1"
SHUFFLE = ["b2b3", "h8h7", "b3b2", "h7h8"]


@pytest.fixture(scope="module")
def lines() -> Iterator[tuple[UciServer, queue.SimpleQueue[str]]]:
    found: queue.SimpleQueue[str] = queue.SimpleQueue()
    lent = LentPlayer("mcts:guess=false", seed=1, start_clock=5.0, log=print)
    server = UciServer(lambda: ludens.load("chess", wait=True), "mcts:guess=false", lent, found.put, seconds=1)
    yield server, found
    server.close()


def best_move(lines: tuple[UciServer, queue.SimpleQueue[str]], position: str, go: str) -> tuple[str, str]:
    """The best move, and the line before it."""
    server, found = lines
    server.do(f"position {position}")
    server.do(f"go {go}")
    before = ""
    while not (line := found.get(timeout=120)).startswith("bestmove"):
        before = line
    return line.split()[1], before


def test_a_move_that_repeats_the_position_for_the_third_time_is_worth_a_draw(
    lines: tuple[UciServer, queue.SimpleQueue[str]],
) -> None:
    position = f"fen {WINNING} moves {' '.join([*SHUFFLE, *SHUFFLE][:-2])}"

    move, info = best_move(lines, position, "nodes 400 searchmoves b3b2")
    assert move == "b3b2"
    assert info.endswith(" pv b3b2 h7h8")  # Black takes the draw

    assert best_move(lines, position, "nodes 2000")[0] != "b3b2"


def test_the_fifty_move_rule_is_seen_before_it_ends_the_game(
    lines: tuple[UciServer, queue.SimpleQueue[str]],
) -> None:
    fen = "7k/8/5K2/6Q1/8/8/p7/8 w - - 99 90"  # mate in one; everything else is a draw

    move, info = best_move(lines, f"fen {fen}", "nodes 400")

    assert move == "g5g7"
    assert "score mate 1" in info
    assert "score cp 0 " in best_move(lines, f"fen {fen}", "nodes 400 searchmoves g5g4")[1]

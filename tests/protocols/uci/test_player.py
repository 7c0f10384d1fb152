"""UCI programs as engines for chess: castling, en passant and promotion go both ways, and nothing else gets through."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludens.core import Clock, Deadline, GameError, Observation
from ludens.protocols.uci.fen import facts_of_fen
from ludens.protocols.uci.info import Info, centipawns
from ludens.protocols.uci.player import UciPlayer
from ludens.protocols.uci.squares import check_chess, moves_by_uci
from tests.games.shelf import shelf_game
from tests.peers import peer
from tests.protocols.ggtp.harness import Rules
from tests.protocols.programs import program

UCI = """
open(sys.argv[0] + ".log", "a").write(line + "\\n")
if line == "uci": say("id name X\\noption name Skill Level type spin default 20 min 0 max 20\\nuciok\\n")
elif line == "isready": say("readyok\\n")
elif line.startswith("go"): say("garbage\\ninfo depth 3 score cp 100 nodes 500 time 20 pv e7e5 g1f3\\nbestmove BEST\\n")
"""


def engine(command: str) -> Rules:
    """Black is played by a program."""
    rules = Rules()
    rules.say("set_rule chess", "set_engine black uci", f"set_engine_option black command {command}")
    rules.say("set_option move_time 20", "start", "set_option genmove on", "set_option show_when_play on")
    return rules


def log(folder: Path) -> list[str]:
    return (folder / "program.py.log").read_text().splitlines()


@pytest.mark.parametrize(
    ("fen", "move", "uci"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "(castle kingside)", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "(castle queenside)", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq -", "(castle kingside)", "e8g8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq -", "(castle queenside)", "e8c8"),
        ("k7/8/8/3pP3/8/8/8/K7 w - d6", "(move e 5 d 6)", "e5d6"),
        ("k7/6P1/8/8/8/8/8/K7 w - -", "(promote g 7 g 8 knight)", "g7g8n"),
        ("k7/8/8/8/8/8/6p1/K7 b - -", "(promote g 2 g 1 queen)", "g2g1q"),
        ("k7/8/8/8/8/8/8/K5Q1 w - -", "(move g 1 b 6)", "g1b6"),
    ],
)
def test_moves_are_written_as_uci_does(fen: str, move: str, uci: str) -> None:
    game = shelf_game("chess")
    role = "white" if " w " in fen else "black"
    legal = game.state(facts_of_fen(fen)).legal_moves(role)

    named = moves_by_uci(game, role, legal)

    assert named[uci] == move
    assert len(named) == len(legal)


def test_the_program_is_told_the_moves_and_its_options(tmp_path: Path) -> None:
    rules = engine(program(tmp_path, UCI.replace("BEST", "e7e5 ponder g1f3")))
    rules.say("set_engine_option black settings Skill Level=3")

    assert rules.say("play white (move e 2 e 4)")[-1] == "-> black plays (move e 7 e 5)"

    said = log(tmp_path)
    assert "setoption name Skill Level value 3" in said
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert said[-2] == f"position fen {start} moves e2e4"
    assert said[-1].startswith("go movetime ")
    rules.session.close()


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (UCI.replace("bestmove BEST", "bestmove"), "names no move"),
        (UCI.replace('say("garbage', 'sys.exit("garbage'), "has gone"),
        (UCI.replace('say("garbage', 'say("x" * 2_000_000 + "garbage'), "more than 1,000,000 bytes"),
        (UCI.replace("BEST", "e2e4"), "3 moves were not possible"),
        (UCI.replace("BEST", "0000"), "3 moves were not possible"),
    ],
)
def test_a_program_that_misbehaves_is_replaced(tmp_path: Path, behaviour: str, reason: str) -> None:
    rules = engine(program(tmp_path, behaviour))

    said = rules.say("play white (move e 2 e 4)")

    assert any(("fails (" in line or "best so far" in line) and reason in line for line in said)
    assert "black plays" in said[-1]
    rules.session.close()


@pytest.mark.parametrize("answer", ["pass", 'say("chatter\\n" * 1000)', "time.sleep(1000)"])
def test_a_program_that_does_not_answer_in_time_is_told_to_stop_and_then_ended(tmp_path: Path, answer: str) -> None:
    behaviour = UCI.replace(
        'say("garbage\\ninfo depth 3 score cp 100 nodes 500 time 20 pv e7e5 g1f3\\nbestmove BEST\\n")', answer
    )
    player = UciPlayer(command=program(tmp_path, behaviour))
    game = shelf_game("chess")
    player.start(game, "white", 1, Clock())

    with pytest.raises(TimeoutError):
        player.choose(game.initial_state().view("white"), Deadline(0.3))

    player.stop()


def test_a_program_that_stops_when_told_is_in_time(tmp_path: Path) -> None:
    waiting = UCI.replace('line.startswith("go")', 'line == "stop"').replace("BEST", "g1f3")
    player = UciPlayer(command=program(tmp_path, waiting))
    game = shelf_game("chess")
    player.start(game, "white", 1, Clock())

    decision = player.choose(game.initial_state().view("white"), Deadline(0.3))

    assert decision.move == "(move g 1 f 3)"
    assert decision.thinking.depth == 3
    player.stop()


@pytest.mark.parametrize("settings", ["Skill Level", "Nonsense=1"])
def test_settings_that_the_program_does_not_know_are_told(tmp_path: Path, settings: str) -> None:
    rules = engine(program(tmp_path, UCI))

    rules.say(f"set_engine_option black settings {settings}")

    assert rules.waits_for("uci of black is lost:")
    rules.session.close()


def test_uci_is_for_chess() -> None:
    with pytest.raises(GameError, match="UCI is for chess"):
        check_chess(shelf_game("tic_tac_toe"))


def test_infos_are_read_as_far_as_possible() -> None:
    info = Info().update(
        ["info", "depth", "7", "score", "cp", "400", "nodes", "900", "time", "30", "pv", "e2e4", "e7e5"]
    )

    assert (info.depth, info.nodes, info.milliseconds, info.line) == (7, 900, 30, ("e2e4", "e7e5"))
    assert info.value == pytest.approx(100 * 10 / 11)
    assert centipawns(info.value or 0) == 400
    assert info.update(["info", "depth", "x", "score", "cp", "nodes", "99999999999999999999999"]) == info
    assert info.update(["info", "score", "mate", "-3"]).value == 0
    assert info.thinking().extra == {"pv": "e2e4 e7e5"}


@peer("stockfish")
def test_stockfish_mates_in_one() -> None:
    game = shelf_game("chess")
    player = UciPlayer(depth=2)
    player.start(game, "white", 1, Clock())
    state = game.initial_state()
    for number, move in enumerate(
        ("(move e 2 e 4)", "(move e 7 e 5)", "(move d 1 h 5)", "(move b 8 c 6)", "(move f 1 c 4)", "(move g 8 f 6)"), 1
    ):
        mover = game.roles[(number + 1) % 2]
        turn = dict.fromkeys(game.roles, "noop") | {mover: move}
        state = state.play(turn)
        player.observe(Observation(number, state.view("white"), turn["white"], turn))

    decision = player.choose(state.view("white"), Deadline(20))
    player.stop()

    assert decision.move == "(move h 5 f 7)"
    assert decision.thinking.value == 100

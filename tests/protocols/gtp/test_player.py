"""GTP programs as engines: told every move, refused nothing, and lost if they do not behave."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludens
from ludens.core import Clock, Deadline, Observation, PlayerError
from ludens.protocols.gtp.player import GtpPlayer
from tests.peers import peer
from tests.protocols.ggtp.harness import Rules
from tests.protocols.programs import program

LOGGING = """
open(sys.argv[0] + ".log", "a").write(line + "\\n")
say("= pass\\n\\n" if line.startswith("genmove") else "=\\n\\n")
"""


def engine(command: str, rule: str = "go:5") -> Rules:
    """White is played by a program."""
    rules = Rules()
    rules.say(f"set_rule {rule}", "set_engine White gtp", f"set_engine_option White command {command}", "start")
    rules.say("set_option genmove on")
    return rules


def log(folder: Path) -> list[str]:
    return (folder / "program.py.log").read_text().splitlines()


def test_the_program_is_told_the_board_and_the_moves(tmp_path: Path) -> None:
    rules = engine(program(tmp_path, LOGGING))

    rules.say("play Black A1", "play Black B2")

    assert log(tmp_path) == [
        *("boardsize 5", "clear_board", "komi 7.5"),
        *("play black a1", "genmove white", "play black b2", "genmove white"),
    ]
    assert rules.answer("list_played_moves") == "= Black A1, White pass, Black B2, White pass"
    rules.session.close()


def test_after_undo_the_program_is_told_the_play_anew(tmp_path: Path) -> None:
    rules = engine(program(tmp_path, LOGGING))

    rules.say("play Black A1", "undo", "undo", "play Black B2")

    assert log(tmp_path)[-3:] == ["clear_board", "play black b2", "genmove white"]
    rules.session.close()


def test_a_program_that_comes_later_is_told_all_moves(tmp_path: Path) -> None:
    rules = engine(program(tmp_path, LOGGING))
    rules.say("play Black A1")

    rules.say(f"set_engine_option White command {program(tmp_path, LOGGING)}", "play Black B2")

    assert log(tmp_path)[-4:] == ["play black a1", "play white pass", "play black b2", "genmove white"]
    rules.session.close()


def test_hex_is_black_from_top_to_bottom_with_an_i(tmp_path: Path) -> None:
    behaviour = LOGGING.replace("= pass", "= i1")
    rules = Rules()
    rules.say("set_rule hex", "set_engine blue gtp", f"set_engine_option blue command {program(tmp_path, behaviour)}")

    said = rules.say("start", "set_option genmove on", "set_option show_when_play on", "play red (place 2 9)")

    assert said[-1] == "-> blue plays (place 1 9)"
    assert log(tmp_path) == ["boardsize 9", "clear_board", "play black i2", "genmove white"]
    rules.session.close()


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ('say("hello\\n" if line.startswith("genmove") else "=\\n\\n")', "answers 'genmove white' with 'hello'"),
        ('say("? no\\n\\n" if line.startswith("play") else "=\\n\\n")', "refuses 'play black a1': no"),
        ('sys.exit() if line.startswith("genmove") else say("=\\n\\n")', "has gone"),
        ('say("= resign\\n\\n" if line.startswith("genmove") else "=\\n\\n")', "resigns"),
        ('say("= x\\n" * 500_000 if line.startswith("genmove") else "=\\n\\n")', "more than 1,000,000 characters"),
    ],
)
def test_a_program_that_misbehaves_is_lost_and_replaced(tmp_path: Path, behaviour: str, reason: str) -> None:
    rules = engine(program(tmp_path, behaviour))

    said = rules.say("play Black A1")

    assert any("gtp of White is lost:" in line and reason in line for line in said)
    assert "a random move is made for White" in said[-1]
    rules.session.close()


def test_a_move_that_is_not_possible_costs_the_move_and_not_the_program(tmp_path: Path) -> None:
    rules = engine(program(tmp_path, 'say("= A1\\n\\n" if line.startswith("genmove") else "=\\n\\n")'))

    said = rules.say("play Black A1")

    assert "3 moves were not possible" in said[-1]
    assert not rules.session.seats.links["White"].failure
    rules.session.close()


def test_a_program_that_is_late_is_begun_anew_for_its_next_move(tmp_path: Path) -> None:
    behaviour = LOGGING.replace('"= pass\\n\\n"', 'time.sleep(1000) or ""')
    player = GtpPlayer(command=program(tmp_path, behaviour))
    game = ludens.load("go:5")
    state = game.initial_state()
    player.start(game, "Black", 1, Clock())

    for _ in range(2):
        with pytest.raises(TimeoutError):  # silent, or so late to begin that it is not even asked
            player.choose(state.view("Black"), Deadline(0.3))

    assert log(tmp_path).count("boardsize 5") == 2
    player.stop()


@pytest.mark.parametrize(
    ("rule", "command", "reason"),
    [
        ("connect_four", "gnugo", "GTP is for Go and Hex"),
        ("phantom_go", "gnugo", "hidden information"),
        ("go", "no_such_program", "there is no program 'no_such_program'"),
    ],
)
def test_a_program_that_cannot_play_is_lost_at_the_start(rule: str, command: str, reason: str) -> None:
    rules = Rules()
    rules.say(f"set_rule {rule}")
    player = rules.session.need_rule().game.roles[1]

    rules.say(f"set_engine {player} gtp", f"set_engine_option {player} command {command}", "start")

    assert rules.waits_for(f"gtp of {player} is lost:", reason)
    rules.session.close()


def test_nobody_moving_cannot_be_told() -> None:
    player = GtpPlayer(command="true")
    player.history = []
    state = ludens.load("go").initial_state()

    with pytest.raises(PlayerError, match="no role moved"):
        player.observe(Observation(1, state.view("Black"), None, {"red": "noop"}))


@peer("gnugo")
def test_gnugo_is_an_engine() -> None:
    rules = engine("gnugo --mode gtp --level 1 --chinese-rules --positional-superko", "go:5")

    said = rules.say("set_option show_when_play on", "play Black C3")

    assert said[-1].startswith("-> White plays ")
    rules.session.close()

"""How the programs of the protocols end: at the end of their input, by quit and by Ctrl-C, as processes."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-c", "from ludens.cli.main import run; run()"]
SLOW = """
import threading
from ludens.core import Decision, Player

class Slow(Player):
    name = "slow"
    description = "prepares itself for ever"
    def start(self, *arguments, **named):
        threading.Event().wait()
    def choose(self, *arguments, **named):
        threading.Event().wait()
"""
MUTE = "import sys\nfor line in sys.stdin: print('acknowledge', flush=True) if line[:4] != 'have' else None\n"


def start(*arguments: str, stdin: int = subprocess.PIPE, stdout: int = subprocess.PIPE) -> subprocess.Popen[str]:
    return subprocess.Popen([*COMMAND, *arguments], stdin=stdin, stdout=stdout, text=True, start_new_session=True)


@pytest.mark.parametrize(
    ("arguments", "lines", "answer"),
    [
        (("uci", "--player", "random", "--start-clock", "0"), "uci\nisready\ngo infinite\n", "uciok"),
        (("gtp", "go:5", "--start-clock", "0"), "name\nlz-analyze b 10\n", "= ludens mcts"),
        (("ggtp",), "set_rule TicTacToe\nset_engine Cross legal\nstart\n", "= Done"),
    ],
)
def test_the_end_of_the_input_ends_a_program(arguments: tuple[str, ...], lines: str, answer: str) -> None:
    with start(*arguments) as program:
        said, _ = program.communicate(lines, timeout=100)

    assert answer in said.splitlines()
    assert program.returncode == 0


def test_quit_ends_uci_while_its_player_prepares(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    arguments = ("uci", "--player", str(tmp_path / "slow.py"), "--backend", "reference", "--start-clock", "0")
    with start(*arguments) as program:
        said, _ = program.communicate("uci\nisready\nposition startpos\ngo infinite\nquit\n", timeout=100)

    assert "uciok" in said
    assert program.returncode == 0


def read_until(end: int, wanted: str, said: str = "") -> str:
    """What a terminal shows, up to some words."""
    while wanted not in said:
        said += os.read(end, 4096).decode(errors="replace")
    return said


def test_ctrl_c_at_a_terminal_stops_the_engine_that_thinks_and_then_ends(tmp_path: Path) -> None:
    (tmp_path / "mute.py").write_text(MUTE)
    ours, theirs = pty.openpty()
    program = start("ggtp", stdin=theirs, stdout=theirs)
    os.close(theirs)

    def give(line: str, wanted: str) -> str:
        os.write(ours, f"{line}\n".encode())
        return read_until(ours, wanted)

    read_until(ours, "ggtp>")
    give("set_rule TicTacToe", "= Done")
    give(f'set_engine Cross process command="{sys.executable} {tmp_path / "mute.py"}"', "= Done")
    give("start", "= Done")
    give("genmove", "= Done")
    program.send_signal(signal.SIGINT)
    shown = read_until(ours, "stopped; genmove goes on")
    assert "Traceback" not in shown + give("get_engine Cross", "= process")

    os.mkfifo(tmp_path / "begun")
    (tmp_path / "silent.sh").write_text(f"echo > {tmp_path / 'begun'}\nread line\nsleep 600\n")
    os.write(ours, f'set_engine Circle process command="sh {tmp_path / "silent.sh"}"\n'.encode())
    (tmp_path / "begun").read_text()
    program.send_signal(signal.SIGINT)
    read_until(ours, "? Stopped.")
    os.write(ours, b"quit\n")

    assert program.wait(60) == 0
    os.close(ours)

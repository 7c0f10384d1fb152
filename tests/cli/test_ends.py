"""How the programs of the protocols end: at the end of their input, by quit and by Ctrl-C, as processes."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from tests.processes import LUDENS, read_until, running

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


def start(
    *arguments: str, stdin: int = subprocess.PIPE, stdout: int = subprocess.PIPE
) -> AbstractContextManager[subprocess.Popen[str]]:
    return running(*LUDENS, *arguments, stdin=stdin, stdout=stdout)


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


@contextmanager
def at_a_terminal() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """``ludens ggtp`` at its prompt, and the keyboard and screen of its terminal."""
    ours, theirs = pty.openpty()
    try:
        with start("ggtp", stdin=theirs, stdout=theirs) as program:
            read_until(ours, "ggtp>")
            yield program, ours
    finally:
        os.close(ours)
        os.close(theirs)


def give(end: int, line: str, wanted: str) -> str:
    """What a terminal shows after a typed line, up to some words."""
    os.write(end, f"{line}\n".encode())
    return read_until(end, wanted)


def test_ctrl_c_at_a_terminal_stops_the_engine_that_thinks_and_then_ends(tmp_path: Path) -> None:
    (tmp_path / "mute.py").write_text(MUTE)
    os.mkfifo(tmp_path / "begun")
    (tmp_path / "silent.sh").write_text(f"echo begun > {tmp_path / 'begun'}\nread line\nsleep 600\n")
    with at_a_terminal() as (program, end), opened(tmp_path / "begun") as begun:
        give(end, "set_rule TicTacToe", "= Done")
        give(end, f'set_engine Cross process command="{sys.executable} {tmp_path / "mute.py"}"', "= Done")
        give(end, "start", "= Done")
        give(end, "genmove", "= Done")
        program.send_signal(signal.SIGINT)
        shown = read_until(end, "stopped; genmove goes on")
        assert "Traceback" not in shown + give(end, "get_engine Cross", "= process")

        os.write(end, f'set_engine Circle process command="sh {tmp_path / "silent.sh"}"\n'.encode())
        read_until(begun, "begun")
        program.send_signal(signal.SIGINT)
        read_until(end, "? Stopped.")
        while program.poll() is None and termios.tcgetattr(end)[3] & termios.ECHO:
            os.sched_yield()  # until the prompt reads key by key
        program.send_signal(signal.SIGINT)
        assert program.wait(60) == 0

        assert termios.tcgetattr(end)[3] & termios.ECHO
        assert termios.tcgetattr(end)[3] & termios.ICANON


@contextmanager
def opened(fifo: Path) -> Iterator[int]:
    """A named pipe, without waiting for the process that will write to it."""
    end = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
    try:
        yield end
    finally:
        os.close(end)

"""An external program on two pipes, robust against anything that it writes or fails to write."""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import shutil
import subprocess

from ludens.core.clock import Deadline
from ludens.core.errors import PlayerError
from ludens.core.process import HAS_PIPES_TO_WAIT_FOR, kill_session

MAX_LINE = 1_000_000
"""Bytes of a line."""
GAMES_FOLDER = "/usr/games"
"""Where Debian installs games, which is not on every path."""
FAREWELL = 1.0
"""Seconds that a program has to end by itself."""
_SLICE = 0.05
"""Seconds between checks whether a wait was cancelled."""


class ProgramError(PlayerError):
    """A program cannot be started, has exited, or violates its protocol."""


class Program:
    """A process whose lines are read on demand: one that writes more fills its pipe and blocks."""

    def __init__(self, command: str) -> None:
        self.name = command
        """The command that started it."""
        if not HAS_PIPES_TO_WAIT_FOR:
            raise ProgramError(f"{command!r} cannot be used here: Windows cannot wait for pipes")
        try:
            self._process = subprocess.Popen(
                _words(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # so that its children end with it
            )
        except OSError as error:
            raise ProgramError(f"{command!r} cannot be started: {error.strerror or error}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input = self._process.stdin.fileno()
        self._output = self._process.stdout.fileno()
        os.set_blocking(self._input, False)
        self._buffer = b""

    def send(self, line: str, deadline: Deadline) -> None:
        """Write some words as a line. Raises `TimeoutError` if the program does not read it, `ProgramError` if it has
        gone."""
        self.send_exactly(" ".join(line.split()), deadline)

    def send_exactly(self, line: str, deadline: Deadline) -> None:
        """Write a line in which every space counts, such as JSON; it must not contain the end of a line."""
        data = line.encode("utf-8", "backslashreplace") + b"\n"
        while data:
            _, ready, _ = select.select([], [self._input], [], self._left(deadline, f"did not read {line[:200]!r}"))
            if ready:
                try:
                    data = data[os.write(self._input, data) :]
                except OSError:
                    raise self.error("has gone") from None

    def line(self, deadline: Deadline) -> str:
        """The next line it writes. Raises `TimeoutError` if there is none in time, `ProgramError` if it has gone."""
        while b"\n" not in self._buffer:
            ready, _, _ = select.select([self._output], [], [], self._left(deadline, "was silent"))
            if not ready:
                continue
            data = os.read(self._output, 65_536)
            if not data:
                raise self.error("has gone")
            self._buffer += data
            if len(self._buffer) > MAX_LINE and b"\n" not in self._buffer:
                raise self.error(f"wrote a line of more than {MAX_LINE:,} bytes")
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line.decode("utf-8", "replace").rstrip("\r")

    def error(self, reason: str) -> ProgramError:
        """The error to raise when the program violates its protocol."""
        return ProgramError(f"{self.name!r} {reason}")

    def _left(self, deadline: Deadline, reproach: str) -> float:
        left = deadline.remaining()
        if left <= 0:
            raise TimeoutError(f"{self.name!r} {reproach}")
        return min(left, _SLICE)

    def close(self, farewell: str) -> None:
        """End the program: send the quit command, and kill it if that is not enough."""
        with contextlib.suppress(OSError, ProgramError, TimeoutError):
            self.send(farewell, Deadline(FAREWELL))
        self._close_pipes()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(FAREWELL)
        self.kill()

    def kill(self) -> None:
        """End the program, and all that it started, at once."""
        self._close_pipes()
        kill_session(self._process.pid)
        self._process.wait()

    def _close_pipes(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]  # both are pipes


def find_program(name: str) -> str | None:
    """The path of a program, also in Debian's folder of games; None if there is none."""
    return shutil.which(name) or shutil.which(name, path=GAMES_FOLDER)


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ProgramError(f"{command!r} is not a command: {error}") from None
    if not words:
        raise ProgramError("the option 'command' is empty: it is the program to start, with its arguments")
    found = find_program(words[0])
    if found is None:
        raise ProgramError(f"there is no program {words[0]!r} (make peers installs gnugo and stockfish on Debian)")
    return [found, *words[1:]]

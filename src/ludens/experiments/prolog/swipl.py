"""SWI-Prolog as a child process: it receives a translated rule sheet and answers queries about the game."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
import weakref
from pathlib import Path
from typing import IO, Any

from ludens.core import GameError
from ludens.core.process import HAS_PIPES_TO_WAIT_FOR, limit_memory_of
from ludens.experiments.prolog.translation import prolog_program
from ludens.gdl.rules import RuleSheet

MISSING = "SWI-Prolog is not installed; get it with `make peers` (Debian's swi-prolog-nox) and have `swipl` on the PATH"
MEMORY = 2 << 30
"""The memory limit of a Prolog process in bytes, half of it for its stacks."""

_DRIVER = Path(__file__).with_name("driver.pl")


class PrologProcess:
    """A running SWI-Prolog with the rules of one game. The questions are listed in ``prolog_driver.pl``."""

    def __init__(self, sheet: RuleSheet, name: str, seconds: float, *, tabled: bool) -> None:
        """Start it and load the rules. Raises `GameError` if it is missing or takes too long."""
        swipl = shutil.which("swipl")
        if swipl is None:
            raise GameError(MISSING)
        if not HAS_PIPES_TO_WAIT_FOR:
            raise GameError("SWI-Prolog is not supported on Windows, which cannot wait for pipes")
        self.name = name
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._unread = b""
        with tempfile.TemporaryDirectory(prefix="ludens-") as folder:
            rules = Path(folder) / "rules.pl"
            rules.write_text(":- encoding(utf8).\n" + prolog_program(sheet, tabled=tabled), encoding="utf-8")
            command = [
                swipl,
                "-q",
                "-f",
                "none",
                "--no-tty",
                f"--stack-limit={MEMORY // 2}",
                "-g",
                "serve",
                "-t",
                "halt",
            ]
            self._process = subprocess.Popen(
                [*command, str(_DRIVER), str(rules)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
            )
            self.close = weakref.finalize(self, _stop, self._process, self._errors)
            limit_memory_of(self._process.pid, MEMORY)
            self.roles = self.ask("roles", seconds)

    def ask(self, question: str, seconds: float) -> Any:
        """The answer to a query. Raises `GameError` if there is none, or after a timeout in seconds;
        in the latter case the process is stopped."""
        if not self.close.alive:
            raise GameError(f"{self.name}: SWI-Prolog has been stopped")
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(question.encode("utf-8") + b".\n")
            stdin.flush()
        except BrokenPipeError:
            raise self._end_error() from None
        reply = json.loads(self._line(time.monotonic() + seconds, seconds))
        if "error" in reply:
            raise GameError(f"{self.name}: SWI-Prolog reports {str(reply['error'])[:300]}")
        return reply["answer"]

    def _line(self, due: float, seconds: float) -> bytes:
        stdout = self._process.stdout
        assert stdout is not None
        while b"\n" not in self._unread:
            if not select.select([stdout], [], [], max(0.0, due - time.monotonic()))[0]:
                self.close()
                raise GameError(f"{self.name}: SWI-Prolog did not answer within {seconds:g} s")
            more = os.read(stdout.fileno(), 1 << 16)
            if not more:
                raise self._end_error()
            self._unread += more
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def _end_error(self) -> GameError:
        self._process.wait()
        self._errors.seek(0)
        output = self._errors.read(300).decode("utf-8", "replace").strip()
        self.close()
        return GameError(f"{self.name}: SWI-Prolog exited{': ' + output if output else ''}")


def _stop(process: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
    process.kill()
    for stream in (process.stdin, process.stdout, errors):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):
                stream.close()
    process.wait()

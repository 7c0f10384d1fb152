"""Processes that tests talk to: none outlives its test, and none lets a test wait without end."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

LUDENS = (sys.executable, "-c", "from ludens.cli.main import run; run()")
"""The command ``ludens`` as it is here, installed or not."""
PATIENCE = 120.0
"""Seconds for what takes a few, on a busy machine."""


@contextmanager
def running(*command: str, seconds: float = PATIENCE, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """A process in text mode, killed at the end of the block with all that it has started.

    It is also killed after some seconds: whoever reads from it reads the end of its output, and the test fails.
    """
    process = subprocess.Popen(command, text=True, start_new_session=True, **options)
    is_late = threading.Event()

    def end_late() -> None:
        is_late.set()
        _kill_group(process)

    alarm = threading.Timer(seconds, end_late)
    alarm.daemon = True
    alarm.start()
    try:
        yield process
    finally:
        alarm.cancel()
        _kill_group(process)
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
        if is_late.is_set():
            pytest.fail(f"killed after {seconds:g} s: {' '.join(command)}")


def _kill_group(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):  # all have ended
        os.killpg(process.pid, signal.SIGKILL)


def read_until(end: int, wanted: str, seconds: float = PATIENCE) -> str:
    """What comes out of a pipe or a terminal, up to some words. Fails if they do not come in time."""
    said, until = "", time.monotonic() + seconds
    while wanted not in said:
        if not select.select([end], [], [], max(0.0, until - time.monotonic()))[0]:
            pytest.fail(f"no {wanted!r} within {seconds:g} s, but {said!r}")
        said += _read(end) or pytest.fail(f"no {wanted!r} before the end, but {said!r}")
    return said


def read_all(end: int, seconds: float = PATIENCE) -> str:
    """What comes out of a pipe or a terminal until its other end is closed. Fails if that is not in time."""
    said, until = "", time.monotonic() + seconds
    while select.select([end], [], [], max(0.0, until - time.monotonic()))[0]:
        more = _read(end)
        if not more:
            return said
        said += more
    pytest.fail(f"no end within {seconds:g} s, but {said!r}")


def _read(end: int) -> str:
    try:
        return os.read(end, 4096).decode(errors="replace")
    except OSError:  # how Linux says that the other end of a terminal is closed
        return ""

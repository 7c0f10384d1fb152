"""Programs of others: what they write is read as it is wanted, and none outlives its player."""

from __future__ import annotations

import os
import select
from pathlib import Path

import pytest

from ludens.core import Deadline
from ludens.core import program as module
from ludens.core.program import Program, ProgramError
from tests.protocols.programs import program


def started(folder: Path, behaviour: str) -> Program:
    return Program(program(folder, behaviour))


def test_lines_are_sent_and_read(tmp_path: Path) -> None:
    one = started(tmp_path, 'say(f"<{line}>\\r\\n<again>\\n")')

    one.send("a  b\nc", Deadline(20))

    assert [one.line(Deadline(20)), one.line(Deadline(20))] == ["<a b c>", "<again>"]
    one.close("bye")


def test_silence_is_a_timeout_and_a_cancelled_wait_ends(tmp_path: Path) -> None:
    one = started(tmp_path, "pass")
    cancelled = Deadline(1000)
    cancelled.cancel()

    with pytest.raises(TimeoutError, match="was silent"):
        one.line(Deadline(0.1))
    with pytest.raises(TimeoutError, match="was silent"):
        one.line(cancelled)
    one.kill()


def test_a_program_that_does_not_read_is_a_timeout(tmp_path: Path) -> None:
    one = started(tmp_path, "time.sleep(1000)")
    one.send("x", Deadline(20))  # which it reads, and sleeps

    with pytest.raises(TimeoutError, match="did not read"):
        one.send("x" * 10_000_000, Deadline(0.5))
    one.kill()


def test_a_program_that_ends_is_an_error(tmp_path: Path) -> None:
    one = started(tmp_path, "sys.exit()")
    one.send("x", Deadline(20))

    with pytest.raises(ProgramError, match="has gone"):
        one.line(Deadline(20))
    one.close("bye")


def test_a_line_without_end_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_LINE", 1000)
    one = started(tmp_path, 'say("x" * 100_000)')
    one.send("x", Deadline(20))

    with pytest.raises(ProgramError, match="more than 1,000 bytes"):
        one.line(Deadline(20))
    one.kill()


def test_a_program_that_writes_without_end_waits_and_is_ended(tmp_path: Path) -> None:
    one = started(tmp_path, 'while True: say("chatter\\n" * 1000)')
    one.send("x", Deadline(20))

    assert one.line(Deadline(20)) == "chatter"
    one.close("bye")


def test_what_a_program_started_ends_with_it(tmp_path: Path) -> None:
    held = tmp_path / "held"
    os.mkfifo(held)
    child = f"end = open({str(held)!r}, 'w'); print('here', flush=True); import time; time.sleep(1000)"
    one = started(tmp_path, f'import subprocess; subprocess.Popen([sys.executable, "-c", {child!r}])')
    one.send("x", Deadline(20))
    with held.open("rb") as end:
        assert one.line(Deadline(20)) == "here"

        one.kill()

        assert select.select([end], [], [], 20)[0]  # the other end was closed by the child's death
        assert end.read() == b""


@pytest.mark.parametrize(
    ("command", "problem"),
    [("", "is empty"), ("'", "is not a command"), ("no_such_program -x", "there is no program 'no_such_program'")],
)
def test_a_command_that_cannot_be_started_says_why(command: str, problem: str) -> None:
    with pytest.raises(ProgramError, match=problem):
        Program(command)


def test_a_file_that_is_no_program_says_why(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("no program")
    path.chmod(0o755)

    with pytest.raises(ProgramError, match="cannot be started"):
        Program(str(path))

"""Commands as the guide shows them: run in a folder, their output compared with what is printed there."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ludens.cli.main import main
from tests.docs.blocks import ROOT, Block
from tests.processes import running

WIDTH = "120"
ALLOWED = frozenset(
    {"ludens", "python", "g++", "cmake", "printf", "./playouts", "./dice", "./many", "./project/my_program"}
)
"""Programs that a page may run here; others could do anything to this machine, so they are added by hand."""
SERVERS = ("ludens player ", "ludens web", "ludens ggtp --listen")
"""Commands that go on until they are interrupted; they serve the commands that follow in their block."""
_PROMPT = re.compile(r"^\w+> ")
"""What stands before a line that a person types; the program prints it, and nothing of what was typed."""
_SHELL = re.compile(r"[|;&<>$`*]")
_LIMIT = 300


@dataclass(frozen=True, slots=True)
class Command:
    """One command, and the lines that it shall print (none: whatever it prints is fine)."""

    text: str
    expected: tuple[str, ...]
    typed: str = ""
    """What a person types while it runs."""


def commands_of(block: Block) -> list[Command]:
    """The commands of a block: those after ``$`` in ``console``, all lines in ``sh``."""
    text = block.text.replace("\\\n", " ")
    if block.language == "sh":
        lines = (line.strip() for line in text.splitlines())
        return [Command(line, ()) for line in lines if line and not line.startswith("#")]
    commands: list[Command] = []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *shown = part.rstrip("\n").split("\n")
        commands.append(Command(command, *_session(shown)))
    return commands


def _session(shown: list[str]) -> tuple[tuple[str, ...], str]:
    """What is printed, and what is typed, of what is seen at a terminal."""
    printed, typed, begun = [], [], ""
    for line in shown:
        prompt = _PROMPT.match(line)
        if prompt:
            typed.append(line[prompt.end() :] + "\n")
            begun += prompt[0]
        else:
            printed.append(begun + line)
            begun = ""
    return tuple(printed), "".join(typed)


def run_commands(block: Block, folder: Path) -> None:
    """Run the commands of a block one after the other. Raises `AssertionError` where one is not as printed."""
    commands = commands_of(block)
    assert commands, f"{block.place}: no command; commands of 'console' stand after '$ '"
    last = int(block.note("exit ") or 0)
    with contextlib.ExitStack() as servers:
        for command in commands:
            where = f"{block.place}: {command.text}"
            if command.text.startswith(SERVERS):
                printed = servers.enter_context(_serving(command.text, folder))
            else:
                code, printed = _ran(command, folder)
                assert code == (last if command is commands[-1] else 0), f"{where}\nexit code {code}\n{printed}"
            if command.expected:
                difference = first_difference(command.expected, printed.rstrip("\n").split("\n"))
                assert not difference, f"{where}\n{difference}\nprinted:\n{printed}"


def first_difference(expected: tuple[str, ...], printed: list[str]) -> str:
    """Where output is not as expected; ``…`` stands for any text, alone in a line for any lines. Empty if nowhere."""
    wanted = tuple(line.rstrip() for line in expected)
    lines = [line.rstrip() for line in printed]
    while wanted and not wanted[-1]:
        wanted = wanted[:-1]
    return "" if _matches(wanted, lines) else _told(wanted, lines)


def _matches(expected: tuple[str, ...], printed: list[str]) -> bool:
    if not expected:
        return not any(printed)
    first, *rest = expected
    if first.strip() == "…":
        return any(_matches(tuple(rest), printed[start:]) for start in range(len(printed) + 1))
    return bool(printed) and _fits(first, printed[0]) and _matches(tuple(rest), printed[1:])


def _fits(pattern: str, line: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split("…"))), line) is not None


def _told(expected: tuple[str, ...], printed: list[str]) -> str:
    missing = [line for line in expected if line.strip() != "…" and not any(_fits(line, one) for one in printed)]
    return f"not printed: {missing[0]!r}" if missing else "lines are in another order, or there are others between them"


def _ran(command: Command, folder: Path) -> tuple[int, str]:
    """Exit code and output of a command."""
    bare = re.sub(r"\"[^\"]*\"|'[^']*'|#.*", "", command.text)
    programs = set(re.findall(r"(?:^|[|;&])\s*(?:\w+=\S*\s+)*([^\s|;&]+)", bare))
    assert programs <= ALLOWED, f"{command.text}: not among the programs that tests run; mark the block as not run"
    if bare.startswith("ludens ") and not _SHELL.search(bare):
        return _ran_here(shlex.split(command.text, comments=True)[1:], command.typed)
    done = subprocess.run(
        ["bash", "-c", command.text],
        cwd=folder,
        env=_environment(folder),
        input=command.typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=_LIMIT,
        check=False,
    )
    return done.returncode, done.stdout


def _ran_here(arguments: list[str], typed: str) -> tuple[int, str]:
    """The same in this process, which saves the imports."""
    printed = io.StringIO()
    stdin, sys.stdin = sys.stdin, io.StringIO(typed)
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = main(arguments)
    finally:
        sys.stdin = stdin
    return code, printed.getvalue()


@contextlib.contextmanager
def _serving(text: str, folder: Path) -> Iterator[str]:
    """A server while it runs, and the first line that it prints. Ports are as printed, so one block runs at a time."""
    with (ROOT / ".pytest_cache" / "docs-server.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with running(
            *shlex.split(text, comments=True),
            cwd=folder,
            env=_environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process:
            assert process.stdout is not None
            yield process.stdout.readline()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)


def _environment(folder: Path) -> dict[str, str]:
    """The command ``ludens`` and the package, as they are in this process; nothing goes into the user's home."""
    paths = f"{ROOT / 'src'}{os.pathsep}{ROOT}"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": paths, "HOME": str(folder), "BROWSER": "true"}

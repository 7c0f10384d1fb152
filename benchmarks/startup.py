"""How soon ludens is there: CPU seconds and imported modules of small commands. ``make bench``.

``--against`` takes the Python of another checkout's virtual environment, so that before and after are measured in one
run, in turns. Byte code is written by a first run that does not count.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.page import machine, with_section

HEADING = "Start-up"
_COMMAND = "from ludens.cli.main import run; run()"
ROWS: dict[str, tuple[str, ...]] = {
    "import ludens": ("import ludens",),
    "ludens --version": (_COMMAND, "--version"),
    "ludens --help": (_COMMAND, "--help"),
    "ludens games": (_COMMAND, "games"),
    "ludens show chess": (_COMMAND, "show", "chess"),
}
"""The program and its arguments, for each row."""
_COUNTING = "import atexit, json, sys; atexit.register(lambda: print(json.dumps(list(sys.modules)), file=sys.stderr)); "


@dataclass(frozen=True, slots=True)
class Start:
    """How one Python began."""

    cpu_seconds: float
    """Of all processes that it started, too; the least of all runs."""
    own_modules: int
    """Modules of ludens that were imported."""
    modules: int
    """Modules that were imported, those of Python and of libraries included."""


def measure(pythons: Sequence[str], program: tuple[str, ...], runs: int) -> list[Start]:
    """Run a program with each Python in turns."""
    counts = [_count_modules(python, program) for python in pythons]
    seconds = [[_cpu_seconds(python, program) for python in pythons] for _ in range(runs)]
    return [Start(min(times), *count) for times, count in zip(zip(*seconds, strict=True), counts, strict=True)]


def _count_modules(python: str, program: tuple[str, ...]) -> tuple[int, int]:
    code, *arguments = program
    with _started(python, (_COUNTING + code, *arguments), stderr=subprocess.PIPE) as process:
        _, said = process.communicate()
    if process.returncode:
        raise SystemExit(f"{python} failed: {said.decode()}")
    modules = json.loads(said.splitlines()[-1])
    return sum(name.partition(".")[0] == "ludens" for name in modules), len(modules)


def _cpu_seconds(python: str, program: tuple[str, ...]) -> float:
    with _started(python, program, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def _started(python: str, program: tuple[str, ...], stderr: int) -> subprocess.Popen[bytes]:
    """A process in a folder where there is nothing to import, which may write byte code."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.Popen(
        [python, "-c", *program],
        cwd=tempfile.gettempdir(),
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=stderr,
    )


def section(rows: dict[str, list[Start]], command: str, runs: int) -> str:
    """The measurements as a section of a page."""
    columns = ("", " before")[: max(map(len, rows.values()))]
    heads = [f"{what}{when}" for when in columns for what in ("CPU s", "modules of ludens", "modules in total")]
    lines = [
        f"## {HEADING}\n",
        f"CPU seconds of a command, the minimum of {runs} runs with cached byte code, and the modules it imported.",
        f"`{command}` writes this section.\n",
        f"Machine: {machine()}.\n",
        f"| | {' | '.join(heads)} |",
        f"|---|{'---:|' * len(heads)}",
    ]
    for name, starts in rows.items():
        cells = (f"{one.cpu_seconds:.2f} | {one.own_modules} | {one.modules}" for one in starts)
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Measure, and print the table or write it into a page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10, metavar="N", help="how often to run each (default 10)")
    parser.add_argument("--against", metavar="PYTHON", help="the Python of another checkout, measured beside this one")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table into a page, instead of printing it")
    options = parser.parse_args()
    pythons = [sys.executable, *([options.against] if options.against else [])]
    rows = {name: measure(pythons, program, options.runs) for name, program in ROWS.items()}
    text = section(rows, " ".join(["python -m benchmarks.startup", *sys.argv[1:]]), options.runs)
    if options.write:
        page = options.write.read_text(encoding="utf-8") if options.write.exists() else "# Benchmarks\n"
        options.write.write_text(with_section(page, HEADING, text), encoding="utf-8")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Compile generated C++ with all warnings as errors: ``python -m benchmarks.cxx_warnings [FOLDER]``.

Every game of the library that has a rule sheet, and ``--sheets`` rule sheets of FOLDER, in both variants, with each
compiler that is installed. Warnings of the front end only, unless ``--option`` asks for code, such as ``--option=-O2``.
Prints a line for each and the totals; exit code 1 if there are warnings.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

STRICT = ("-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
COMPILERS = ("g++", "clang++", "clang++-19")
SECONDS = 300
"""The default limit of CPU time of one call."""
PRELUDE = """
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>
"""
"""Headers that are compiled once, since reading them takes most of the time."""


NOT_DONE = "not done"
_LATE = "signal terminated program"
"""What a compiler says if the process that does its work is ended by the limit."""


def _run(command: list[str], seconds: int) -> subprocess.CompletedProcess[str]:
    """Run a command that may use so many seconds of CPU time in each of its processes."""
    limited = ["prlimit", f"--cpu={seconds}", *command]
    return subprocess.run(limited, capture_output=True, text=True, check=False)


def emit(game: str, folder: Path, *, grounded: bool, seconds: int = SECONDS) -> str:
    """Write a game as C++; returns why that failed, or nothing."""
    command = [str(Path(sys.executable).with_name("ludens")), "compile", game, "--emit", "c++", "-o", str(folder)]
    done = _run(command + ["--grounded"] * grounded, seconds)
    if done.returncode < 0:
        return f"not written after {seconds} CPU seconds"
    return done.stderr.strip() if done.returncode else ""


def precompile(compiler: str, options: list[str], folder: Path) -> list[str]:
    """Compile the prelude into a folder; returns the options that use it."""
    header = folder / f"{compiler}.hpp"
    header.write_text(PRELUDE, encoding="utf-8")
    is_clang = compiler.startswith("clang")
    compiled = header.with_suffix(".pch" if is_clang else ".hpp.gch")
    command = [compiler, *STRICT, *options, "-x", "c++-header", str(header), "-o", str(compiled)]
    subprocess.run(command, check=True)
    return ["-include-pch", str(compiled)] if is_clang else ["-include", str(header)]


def warnings_of(folder: Path, compiler: str, options: list[str], seconds: int = SECONDS) -> str:
    """Compile the library in a folder; returns the first complaint, or nothing."""
    what = ["-c", "-o", "/dev/null"] if any(option.startswith("-O") for option in options) else ["-fsyntax-only"]
    for source in sorted(folder.rglob("*.cpp")):
        command = [compiler, *STRICT, *options, f"-I{folder}", *what, str(source)]
        done = _run(command, seconds)
        if _LATE in done.stderr or done.returncode < 0:
            return f"{source.name}: {NOT_DONE} after {seconds} CPU seconds"
        if done.returncode:
            lines = done.stderr.splitlines()
            return next((line for line in lines if "error" in line), lines[0] if lines else "no message")
    return ""


def main() -> int:
    """Compile everything, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="a folder of rule sheets")
    parser.add_argument("--sheets", type=int, default=50, help="how many of them, evenly spread")
    parser.add_argument("--option", action="append", default=[], help="for the compilers, such as -O2")
    parser.add_argument("--games", nargs="*", help="only these")
    parser.add_argument("--seconds", type=int, default=SECONDS, help="the limit of CPU time of one call")
    parser.add_argument("--after", metavar="GAME", help="only those after this one, to go on where a run was stopped")
    arguments = parser.parse_args()
    shelf = Path(__file__).parents[1] / "src" / "ludens" / "games" / "shelf"
    games = sorted(path.stem for path in shelf.glob("*.toml"))
    if arguments.folder is not None:
        sheets = sorted(arguments.folder.glob("*.kif"))
        step = max(1, len(sheets) // arguments.sheets)
        games += [str(path) for path in sheets[::step][: arguments.sheets]]
    if arguments.after:
        games = games[games.index(arguments.after) + 1 :]
    compilers = [compiler for compiler in COMPILERS if shutil.which(compiler)][:2]
    totals: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as temporary:
        options = {
            compiler: arguments.option + precompile(compiler, arguments.option, Path(temporary))
            for compiler in compilers
        }
        for game in arguments.games or games:
            _check(game, options, totals, arguments.seconds)
    for what, count in sorted(totals.items()):
        print(f"{what}: {count}")
    return int(any("warnings" in what for what in totals))


def _check(game: str, options: dict[str, list[str]], totals: Counter[str], seconds: int) -> None:
    """Compile both variants of a game with each compiler; prints what they say, and counts."""
    for grounded in (False, True):
        variant = "grounded" if grounded else "plain"
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            if why := emit(game, folder, grounded=grounded, seconds=seconds):
                totals[f"{variant}: not written"] += 1
                print(f"{game} {variant}: not written: {why.splitlines()[-1]}", flush=True)
                continue
            for compiler, own in options.items():
                complaint = warnings_of(folder, compiler, own, seconds)
                verdict = NOT_DONE if NOT_DONE in complaint else "warnings" if complaint else "clean"
                totals[f"{variant}, {compiler}: {verdict}"] += 1
                print(f"{game} {variant} {compiler}: {complaint or 'clean'}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())

"""Compile generated C++ with all warnings as errors: ``python -m benchmarks.cxx_warnings [FOLDER]``.

Every game of the library that has a rule sheet, and ``--sheets`` rule sheets of FOLDER, in both variants, with each
compiler that is installed. Prints what failed and the totals; exit code 1 if anything did.
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
"""The time limit of one call."""


def emit(game: str, folder: Path, *, grounded: bool) -> str:
    """Write a game as C++; returns why that failed, or nothing."""
    command = [str(Path(sys.executable).with_name("ludens")), "compile", game, "--emit", "c++", "-o", str(folder)]
    try:
        done = subprocess.run(
            command + ["--grounded"] * grounded, capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return f"not written after {SECONDS} s"
    return done.stderr.strip() if done.returncode else ""


def warnings_of(folder: Path, compiler: str, options: list[str]) -> str:
    """Compile the library in a folder; returns the first complaint, or nothing."""
    for source in sorted(folder.rglob("*.cpp")):
        command = [compiler, *STRICT, *options, f"-I{folder}", "-c", "-o", "/dev/null", str(source)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return f"{source.name}: not done after {SECONDS} s"
        if done.returncode:
            lines = done.stderr.splitlines()
            return next((line for line in lines if "error" in line), lines[0] if lines else "no message")
    return ""


def main() -> int:
    """Compile everything, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="a folder of rule sheets")
    parser.add_argument("--sheets", type=int, default=50, help="how many of them, evenly spread")
    parser.add_argument("--option", action="append", default=[], help="for the compilers, such as -fsyntax-only")
    arguments = parser.parse_args()
    shelf = Path(__file__).parents[1] / "src" / "ludens" / "games" / "shelf"
    games = sorted(path.stem for path in shelf.glob("*.toml"))
    if arguments.folder is not None:
        sheets = sorted(arguments.folder.glob("*.kif"))
        step = max(1, len(sheets) // arguments.sheets)
        games += [str(path) for path in sheets[::step][: arguments.sheets]]
    compilers = [compiler for compiler in COMPILERS if shutil.which(compiler)][:2]
    totals: Counter[str] = Counter()
    for game in games:
        for grounded in (False, True):
            variant = "grounded" if grounded else "plain"
            with tempfile.TemporaryDirectory() as temporary:
                folder = Path(temporary)
                if why := emit(game, folder, grounded=grounded):
                    totals[f"{variant}: not written"] += 1
                    print(f"{game} {variant}: not written: {why.splitlines()[-1]}", flush=True)
                    continue
                for compiler in compilers:
                    complaint = warnings_of(folder, compiler, arguments.option)
                    totals[f"{variant}, {compiler}: {'warnings' if complaint else 'clean'}"] += 1
                    if complaint:
                        print(f"{game} {variant} {compiler}: {complaint}", flush=True)
    for what, count in sorted(totals.items()):
        print(f"{what}: {count}")
    return int(any("clean" not in what for what in totals))


if __name__ == "__main__":
    raise SystemExit(main())

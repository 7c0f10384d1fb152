"""Random playouts side by side with the prototype in ../shared/floor: ``make bench``.

Machines are shared and noisy, so both are measured in one run and compared as a ratio of states per CPU second.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conformance.corpus import FOLDER, MISSING

FLOOR = FOLDER.parent / "floor" / "floor.py"
GAMES = (
    "ticTacToe", "connectFour", "breakthrough", "englishDraughts", "checkers", "reversi", "gomoku_15x15",
    "amazons_10x10", "skirmish", "hex", "shogi_ctk", "chess_200",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One rule sheet, measured with both programs."""

    name: str
    ours: dict[str, Any]
    floor: dict[str, Any] | None

    @property
    def ratio(self) -> str:
        """Our states per CPU second as a multiple of the prototype's."""
        if not self.floor:
            return "-"
        return f"{self.ours['states_per_cpu_second'] / self.floor['states_per_cpu_second']:.2f}"


def _run(command: list[str], timeout: float) -> dict[str, Any] | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=True)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def measure(name: str, seconds: float) -> Row | None:
    """Measure a rule sheet with ludens, then with the prototype."""
    rules = str(FOLDER / "rules" / f"{name}.kif")
    ludens = str(Path(sys.executable).with_name("ludens"))
    ours = _run([ludens, "bench", rules, "--seconds", str(seconds), "--json"], timeout=300)
    floor = (
        _run([sys.executable, str(FLOOR), rules, "--seconds", str(seconds)], timeout=120) if FLOOR.exists() else None
    )
    return Row(name, ours, floor) if ours else None


def document(rows: list[Row], seconds: float) -> str:
    """The measurements as a page."""
    lines = [
        "# Benchmarks",
        "",
        "Uniformly random playouts from the initial state, one thread, states (joint moves) per CPU second; written by",
        f"`make bench` ({seconds:g} s for each rule sheet and program, one after the other). The prototype is",
        "`../shared/floor`, straight-line LLVM code throughout. *First playout* is wall time from the rules; *full",
        "speed* adds compiling straight-line code where the circuit is small enough; larger ones are interpreted.",
        "",
        f"Machine: {_processor()}, {os.cpu_count()} processors, Python {platform.python_version()}.",
        "",
        "| rule sheet | operations a step | first playout, s | full speed, s | states/CPU s | prototype | ratio |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        ours = row.ours
        floor = f"{row.floor['states_per_cpu_second']:,}" if row.floor else "-"
        times = f"{ours['setup_seconds']:.2f} | {ours['full_speed_seconds']:.2f}"
        lines.append(
            f"| {row.name} | {ours['gates']:,} | {times} | {ours['states_per_cpu_second']:,} | {floor} | {row.ratio} |"
        )
    return "\n".join(lines) + "\n"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def main() -> int:
    """Measure all rule sheets and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, metavar="S", help="how long to measure each")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the page")
    options = parser.parse_args()
    if not FOLDER.exists():
        print(MISSING)
        return 2
    rows = []
    for name in GAMES:
        row = measure(name, options.seconds)
        if row is None:
            print(f"{name}: not measured")
            continue
        rows.append(row)
        print(
            f"{name}: {row.ours['states_per_cpu_second']:,} states/CPU s, {row.ratio} times the prototype", flush=True
        )
    if options.write:
        options.write.write_text(document(rows, options.seconds), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

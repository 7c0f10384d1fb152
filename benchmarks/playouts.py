"""Random playouts side by side: ludens, SWI-Prolog, and the prototype in ../shared/floor. ``make bench``.

Machines are shared and noisy, so all are measured in one run and compared as ratios of states per CPU second.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.conformance.corpus import FOLDER, MISSING

from benchmarks import programs, startup
from benchmarks.page import Row, Thirds, document, section_of, with_section

PAPER = ("ticTacToe", "connectFour", "checkers", "chess_200", "chess")
"""The paper's games; ``chess`` is the original rule sheet, ``chess_200`` the one that ends after 200 moves."""
OTHERS = (
    "breakthrough", "englishDraughts", "reversi", "gomoku_15x15", "amazons_10x10", "skirmish", "hex", "shogi_ctk",
)  # fmt: skip


def measure(name: str, seconds: float) -> Row:
    """Measure a rule sheet with all programs, one after the other."""
    rules = FOLDER / "rules" / f"{name}.kif"
    return Row(
        name,
        _reported(name, "ludens", programs.ludens(rules, seconds)),
        _reported(name, "SWI-Prolog", programs.swi_prolog(rules, seconds)),
        _reported(name, "prototype", programs.floor(rules, seconds)),
    )


def _reported(name: str, program: str, result: programs.Result) -> programs.Result:
    said = f"{result.rate:,.0f} states/CPU s" if result.rate else result.reason
    print(f"{time.strftime('%H:%M:%S')} {name}: {program}: {said}", flush=True)
    return result


def measure_thirds(name: str, seconds: float) -> Thirds:
    """Measure playouts from early, middle and late positions of a rule sheet."""
    result = programs.thirds(FOLDER / "rules" / f"{name}.kif", seconds)
    print(f"{time.strftime('%H:%M:%S')} {name}: thirds: {result.reason or 'measured'}", flush=True)
    return Thirds(name, result)


def main() -> int:
    """Measure rule sheets and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", metavar="A,B", help="rule sheets to measure, without .kif (default: thirteen)")
    parser.add_argument("--seconds", type=float, default=3.0, metavar="S", help="how long to measure each (default 3)")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the page")
    options = parser.parse_args()
    if not FOLDER.exists():
        print(MISSING)
        return 2
    games = tuple(options.games.split(",")) if options.games else (*PAPER, *OTHERS)
    unknown = [name for name in games if not (FOLDER / "rules" / f"{name}.kif").exists()]
    if unknown:
        print(f"there is no rule sheet {', '.join(unknown)} in {FOLDER / 'rules'}")
        return 2
    rows = [measure(name, options.seconds) for name in games]
    thirds = [measure_thirds(name, options.seconds) for name in games if name in PAPER]
    page = document(rows, thirds, " ".join(["python -m benchmarks.playouts", *sys.argv[1:]]), options.seconds)
    if options.write:
        before = options.write.read_text(encoding="utf-8") if options.write.exists() else ""
        page = with_section(page, startup.HEADING, section_of(before, startup.HEADING))
        options.write.write_text(page, encoding="utf-8")
    else:
        print(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())

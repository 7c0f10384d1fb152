"""Random playouts side by side: ludens, SWI-Prolog, and another program if one is named. ``make bench``.

Machines are shared and noisy, so all are measured in one run and compared as ratios of states per CPU second.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import ludens
from benchmarks import programs, startup
from benchmarks.page import Row, Thirds, document, section_of, with_section

PAPER = ("ticTacToe", "connectFour", "checkers", "chess_200", "chess")
"""The paper's games; ``chess`` is the original rule sheet, ``chess_200`` the one that ends after 200 moves."""
OTHERS = (
    "breakthrough", "englishDraughts", "reversi", "gomoku_15x15", "amazons_10x10", "skirmish", "hex", "shogi_ctk",
)  # fmt: skip


SHELF = Path(ludens.__file__).parent / "games" / "shelf"
OF_THE_SHELF = ("tic_tac_toe", "checkers", "chess", "othello", "gomoku", "pentago")
"""What is measured where nobody names a folder of other rule sheets."""


def measure(rules: Path, seconds: float, beside: Path | None) -> Row:
    """Measure a rule sheet with all programs, one after the other."""
    name = rules.stem
    return Row(
        name,
        _reported(name, "ludens", programs.ludens(rules, seconds)),
        _reported(name, "SWI-Prolog", programs.swi_prolog(rules, seconds)),
        _reported(name, "other", programs.other(beside, rules, seconds)),
    )


def _reported(name: str, program: str, result: programs.Result) -> programs.Result:
    said = f"{result.rate:,.0f} states/CPU s" if result.rate else result.reason
    print(f"{time.strftime('%H:%M:%S')} {name}: {program}: {said}", flush=True)
    return result


def measure_thirds(rules: Path, seconds: float) -> Thirds:
    """Measure playouts from early, middle and late positions of a rule sheet."""
    result = programs.thirds(rules, seconds)
    print(f"{time.strftime('%H:%M:%S')} {rules.stem}: thirds: {result.reason or 'measured'}", flush=True)
    return Thirds(rules.stem, result)


def main() -> int:
    """Measure rule sheets and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", type=Path, metavar="FOLDER", help="rule sheets NAME.kif (default: the shelf's)")
    parser.add_argument("--games", metavar="A,B", help="rule sheets to measure, without .kif")
    parser.add_argument("--beside", type=Path, metavar="FILE", help="another program: takes RULES --seconds S")
    parser.add_argument("--seconds", type=float, default=3.0, metavar="S", help="how long to measure each (default 3)")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the page")
    options = parser.parse_args()
    folder = options.rules or SHELF
    names = options.games.split(",") if options.games else (*PAPER, *OTHERS) if options.rules else OF_THE_SHELF
    sheets = [folder / f"{name}.kif" for name in names]
    unknown = [sheet.name for sheet in sheets if not sheet.exists()]
    if unknown:
        print(f"there is no {', '.join(unknown)} in {folder}; --rules FOLDER names a folder of rule sheets NAME.kif")
        return 2
    rows = [measure(sheet, options.seconds, options.beside) for sheet in sheets]
    thirds = [measure_thirds(sheet, options.seconds) for sheet in sheets if sheet.stem in PAPER]
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

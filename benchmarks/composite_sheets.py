"""Composite games of larger sizes as rule sheets, for matches: ``python -m benchmarks.composite_sheets FOLDER``."""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.players.decomposition.sheets import drop_boards, pin_rows

SHEETS = {
    "parallel": drop_boards(2, 6, 5, 4, style="parallel"),
    "three_parallel": drop_boards(3, 5, 4, 3, style="parallel"),
    "swapped": drop_boards(2, 6, 5, 4, style="swapped"),
    "first_swapped": drop_boards(2, 7, 6, 4, style="swapped", first_ends=True),
    "choice": drop_boards(2, 6, 5, 4, style="choice"),
    "kayles": pin_rows((14, 12, 9)),
    "dawson": pin_rows((13, 11), (2,)),
    "misere_kayles": pin_rows((12, 10), last_wins=False),
}
"""Boards on which four (or three) in a line win, played together in several ways, and rows of pins."""


def main() -> None:
    """Write the sheets, and print their paths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, rules in SHEETS.items():
        path = folder / f"{name}.kif"
        path.write_text(rules, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()

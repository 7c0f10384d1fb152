"""Composite games of larger sizes as rule sheets, for matches: ``python -m benchmarks.composite_sheets FOLDER``.

Also writes ``composites.yaml``, a gauntlet of `auto` against `mcts` on composite games with short matches: some of the
sheets, some of the library. ``ludens gauntlet FOLDER/composites.yaml`` plays it, and resumes it if it was stopped.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.players.decomposition.sheets import drop_boards, pin_rows

SHEETS = {
    "parallel": drop_boards(2, 6, 5, 4, style="parallel"),
    "wide_parallel": drop_boards(2, 7, 4, 4, style="parallel"),
    "three_parallel": drop_boards(3, 5, 4, 3, style="parallel"),
    "swapped": drop_boards(2, 6, 5, 4, style="swapped"),
    "small_swapped": drop_boards(2, 5, 4, 4, style="swapped"),
    "wide_swapped": drop_boards(2, 8, 4, 4, style="swapped"),
    "first_swapped": drop_boards(2, 7, 6, 4, style="swapped", first_ends=True),
    "first_parallel": drop_boards(2, 5, 5, 4, style="parallel", first_ends=True),
    "choice": drop_boards(2, 6, 5, 4, style="choice"),
    "small_choice": drop_boards(2, 3, 3, 3, style="choice"),
    "kayles": pin_rows((14, 12, 9)),
    "long_kayles": pin_rows((16, 15)),
    "four_kayles": pin_rows((9, 8, 7, 6)),
    "dawson": pin_rows((13, 11), (2,)),
    "three_dawson": pin_rows((12, 10, 9), (2,)),
    "threes": pin_rows((14, 13), (1, 3)),
    "long_threes": pin_rows((16, 12), (3,)),
    "misere_kayles": pin_rows((12, 10), last_wins=False),
    "three_misere_kayles": pin_rows((9, 8, 7), last_wins=False),
    "misere_dawson": pin_rows((13, 12), (2,), last_wins=False),
}
"""Boards on which four (or three) in a line win, played together in several ways, and rows of pins."""
GAUNTLET = (
    "nim:11,12,15,25",
    "nim:12,12,20,20,misere",
    "nim:30,31,32",
    "kayles:24",
    "kayles:20,misere",
    "dawsons_kayles:26",
    "domineering:6,6",
    "clobber:6,5",
    "double_tic_tac_toe",
    "double_criss_cross",
    "parallel",
    "first_parallel",
    "small_swapped",
    "first_swapped",
    "small_choice",
    "kayles",
    "four_kayles",
    "dawson",
    "three_dawson",
    "threes",
    "misere_kayles",
    "misere_dawson",
)
"""The games of the gauntlet, of different kinds: sums of impartial games in both conventions, boards that split during
play, by choice, in parallel, and with roles that move simultaneously. A name is that of a sheet, if there is one."""
SPECIFICATION = """\
candidate: auto
opponents: [mcts]
games:
{games}
clock: {clock}
start_clock: {start}
time: cpu
matches: {matches}
"""


def main() -> None:
    """Write the sheets, and print their paths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--clock", type=float, default=0.5, help="CPU seconds for each move of the gauntlet")
    parser.add_argument("--start-clock", type=float, default=3.0, help="CPU seconds before the first move")
    parser.add_argument("--matches", type=int, default=10, help="matches on each game")
    parser.add_argument("--games", nargs="*", default=GAUNTLET, help="the games of the gauntlet")
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    paths = {}
    for name, rules in SHEETS.items():
        path = folder.resolve() / f"{name}.kif"
        path.write_text(rules, encoding="utf-8")
        paths[name] = path
        print(path)
    text = SPECIFICATION.format(
        games="\n".join(f'  - "{paths.get(game, game)}"' for game in arguments.games),
        clock=arguments.clock,
        start=arguments.start_clock,
        matches=arguments.matches,
    )
    (folder / "composites.yaml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Does ``ludens report`` find planted defects, and stay silent about games without?

    python -m benchmarks.report_defects --count 100 --seconds 10

Half of the defects are planted in the games that the thresholds were tuned on, half, with another seed, in others. An
alarm about an untouched game counts as true if a proof confirms it (perfect play; moves that dominate all others by
backward induction; rules that never fire by induction), and as false otherwise.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.dominance import strictly_dominates
from benchmarks.planted_defects import KINDS, Planted, plant_one
from ludens.compiler.backends import make_game
from ludens.core import BEST_GOAL, Game, LudensError
from ludens.design.examine import Examination
from ludens.design.findings import Code, Finding, find_all, problems
from ludens.games import library
from ludens.gdl.rules import RuleSheet
from ludens.players.decomposition.solve_state import solve_state

TUNED = (
    "tic_tac_toe",
    "connect_four",
    "domineering",
    "chomp",
    "dots_and_boxes",
    "clobber",
    "goofspiel",
    "connect_four_3p",
    "mnk",
    "prisoners_dilemma",
)
"""The games that the thresholds were tuned on."""
OTHERS = (
    "breakthrough",
    "criss_cross",
    "hex:5",
    "oshi_zumo",
    "gomoku",
    "double_tic_tac_toe",
    "blotto",
    "kayles",
    "bidding_tic_tac_toe",
    "rock_paper_scissors",
    "quarto",
    "chicken",
)
"""Games that were not looked at before the first count."""

_PROOF_SECONDS = 20.0


def sheets(names: Sequence[str]) -> list[tuple[str, RuleSheet]]:
    """The rule sheets of games."""
    return [(name, library.find(f"{name}@gdl").playable_sheet()) for name in names]


def report_problems(sheet: RuleSheet, name: str, seconds: float, seed: int = 1) -> tuple[list[Finding], Examination]:
    """The problems that a report names."""
    game: Game = make_game(sheet, name, wait=True)
    examination = Examination(game, seconds, seed=seed)
    return problems(find_all(examination.run())), examination


def is_found(planted: Planted, found: Sequence[Finding]) -> bool:
    """Whether a report names the planted defect."""
    return any(one.code in planted.codes and planted.subject in one.subject for one in found)


def is_proved(finding: Finding, examination: Examination) -> bool:
    """Whether a proof confirms an alarm: perfect play one about fairness, backward induction one about dominance, and
    grounding or induction one about a rule."""
    game, coverage = examination.seen.game, examination.seen.coverage
    if finding.code is Code.DEAD_RULE:
        dead = {rule.title for rule in coverage.dead if rule.number in coverage.never | coverage.impossible}
        return finding.subject in dead
    if finding.code is Code.DOMINANT:
        return strictly_dominates(game, finding.subject)
    if finding.code is not Code.UNFAIR or game.chance or game.hidden:
        return False
    found = solve_state(game.initial_state(), _PROOF_SECONDS, by_parts=True)
    return found.exact and found.bounds[finding.subject][0] == BEST_GOAL


def main() -> None:
    """Plant, report, count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", choices=("all", "tuned", "others", "untouched"), default="all")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--shard", default="0/1", help="I/N: every Nth report from the Ith on, to run N at once")
    parser.add_argument("--summarise", type=Path, nargs="+", help="only summarise what these files have")
    options = parser.parse_args()
    if options.summarise:
        _summarise([json.loads(line) for file in options.summarise for line in file.read_text().splitlines()])
        return
    first, step = map(int, options.shard.split("/"))
    rows: list[dict[str, object]] = []

    def note(row: dict[str, object]) -> None:
        rows.append(row)
        print(json.dumps(row), flush=True)
        if options.out:
            options.out.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")

    for part, names, seed in (("tuned", TUNED, options.seed), ("others", OTHERS, options.seed + 1_000)):
        if options.part in ("all", part):
            for number in range(first, -(-options.count // 2), step):
                note(_judge(plant_one(sheets(names), number, seed), part, options.seconds))
    if options.part in ("all", "untouched"):
        for name, sheet in sheets((*TUNED, *OTHERS))[first::step]:
            note(_judge_untouched(name, sheet, options.seconds))
    _summarise(rows)


def _judge(planted: Planted, part: str, seconds: float) -> dict[str, object]:
    began = time.process_time()
    try:
        found, _ = report_problems(planted.sheet, planted.game, seconds)
        hit, names = is_found(planted, found), sorted({str(one.code) for one in found})
    except LudensError as error:
        hit, names = False, [f"error: {error}"[:100]]
    used = round(time.process_time() - began, 1)
    return {"part": part, "game": planted.game, "kind": planted.kind, "found": hit, "problems": names, "cpu": used}


def _judge_untouched(name: str, sheet: RuleSheet, seconds: float) -> dict[str, object]:
    found, examination = report_problems(sheet, name, seconds)
    proved = [one for one in found if is_proved(one, examination)]
    wrong = [f"{one.text} {one.evidence}" for one in found if one not in proved]
    return {"part": "untouched", "game": name, "false": wrong, "proved": [one.text for one in proved]}


def _summarise(rows: Sequence[dict[str, object]]) -> None:
    print("\n| defect | tuned games | other games |\n|---|---|---|")
    counts: Counter[tuple[object, object, object]] = Counter(
        (r["kind"], r["part"], r["found"]) for r in rows if "kind" in r
    )
    for kind in KINDS:
        cells = [
            f"{counts[kind, part, True]} of {counts[kind, part, True] + counts[kind, part, False]}"
            for part in ("tuned", "others")
        ]
        print(f"| {kind} | {' | '.join(cells)} |")
    for part in ("tuned", "others"):
        own = [row for row in rows if row["part"] == part]
        print(f"{part}: {sum(bool(row['found']) for row in own)} of {len(own)} found")
    untouched = [row for row in rows if row["part"] == "untouched"]
    print(f"untouched: {sum(bool(row['false']) for row in untouched)} of {len(untouched)} games with a false alarm")


if __name__ == "__main__":
    main()

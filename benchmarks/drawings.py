"""Faults of the drawings of a folder of rule sheets, by halves: ``python -m benchmarks.drawings FOLDER``.

Drawings are tuned on one half of the sheets, by the parity of the SHA-1 of the file's name; the other half is only
measured. Prints a table of the halves and the worst sheets of the tuned half; ``--other`` those of the other half.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import ludens
from ludens.core import LudensError
from ludens.drawing.score import DrawingScore, score_drawing

_COUNTED = ("overlaps", "small", "hidden")


def is_tuned(name: str) -> bool:
    """True for the half of the sheets that may be looked at."""
    return int(hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest(), 16) % 2 == 0


def measure(files: Iterable[Path]) -> dict[str, DrawingScore | str]:
    """The score of each sheet, or why it has none."""
    scores: dict[str, DrawingScore | str] = {}
    for file in files:
        try:
            scores[file.name] = score_drawing(ludens.load(file))
        except LudensError as error:
            scores[file.name] = str(error).partition("\n")[0]
    return scores


def halves(scores: Mapping[str, DrawingScore | str]) -> list[str]:
    """A line of a Markdown table for each half."""
    lines = [
        "| sheets | good | on places | overlaps | small | hidden | worded facts | unclickable | by signs | shared |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for tuned, title in ((True, "tuned half"), (False, "other half")):
        half = [score for name, score in scores.items() if is_tuned(name) == tuned]
        drawn = [score for score in half if isinstance(score, DrawingScore)]
        sums = {name: sum(getattr(score, name) for score in drawn) for name in DrawingScore.__slots__}
        cells = [
            f"{title} ({len(half)})",
            f"{sum(score.is_good for score in drawn)}",
            f"{sum(_is_good_on_places(score) for score in drawn)}",
            *(f"{sums[name]:,}" for name in _COUNTED),
            f"{sums['worded']:,} of {sums['facts']:,}",
            f"{sums['unclickable']:,} of {sums['moves']:,}",
            *(f"{sums[name]:,}" for name in ("signs", "shared")),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _is_good_on_places(score: DrawingScore) -> bool:
    """True if a drawing is good even if moves by signs count as moves that cannot be clicked."""
    return replace(score, unclickable=score.unclickable + score.signs).is_good


def worst(scores: Mapping[str, DrawingScore | str], *, tuned: bool, most: int) -> list[str]:
    """The sheets of a half that are not good, the worst first."""
    bad = {
        name: score
        for name, score in scores.items()
        if isinstance(score, DrawingScore) and is_tuned(name) == tuned and not score.is_good
    }
    lines = [f"{name}: {score}" for name, score in scores.items() if isinstance(score, str) and is_tuned(name) == tuned]
    for name, score in sorted(bad.items(), key=lambda item: -_weight(item[1]))[:most]:
        faults = [f"{getattr(score, what)} {what}" for what in _COUNTED if getattr(score, what)]
        if score.unclickable:
            faults.append(f"{score.unclickable} of {score.moves} moves unclickable")
        lines.append(f"{name}: {', '.join(faults)}")
    return lines


def _weight(score: DrawingScore) -> float:
    share = 100 * score.unclickable / max(1, score.moves)
    return score.overlaps + score.small + 10 * score.hidden + share


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--other", action="store_true", help="list the worst sheets of the other half as well")
    parser.add_argument("--tuned-only", action="store_true", help="do not even measure the other half")
    parser.add_argument("--most", type=int, default=20, help="how many of the worst sheets are listed")
    parser.add_argument("--json", type=Path, help="keep the scores in this file")
    args = parser.parse_args()
    files = [file for file in sorted(args.folder.glob("*.kif")) if is_tuned(file.name) or not args.tuned_only]
    began = time.perf_counter()
    scores = measure(files)
    print(f"{len(files)} sheets, {time.perf_counter() - began:.0f} s", *halves(scores), sep="\n")
    print("\ntuned half:", *worst(scores, tuned=True, most=args.most), sep="\n  ")
    if args.other:
        print("\nother half:", *worst(scores, tuned=False, most=args.most), sep="\n  ")
    if args.json:
        rows = {name: score if isinstance(score, str) else score.as_json() for name, score in scores.items()}
        args.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()

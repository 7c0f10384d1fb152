"""The tables of the experiments beside the paper's figures, as a page and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from ludens.experiments.decomposition.paper import SEQUENCES
from ludens.experiments.decomposition.run import SEARCHES, DepthResult, EndResult, NimResult, Results, Setup

PAGE, PLOT = "decomposition-experiment.md", "decomposition-experiment.svg"
"""The names of the page and of the picture beside it."""
NIM_HEADINGS = (
    "Heaps", "Load", "Analysis", "Decomposition", "Positions", "Paper", "Plain search", "Positions", "Paper",
)  # fmt: skip
GROWTH_HEADINGS = ("Heaps", "Load", "Analysis", "Decomposition", "Positions")
DEPTH_HEADINGS = (
    "Depth", "Sequences", "Kept: first", "Inside", "Sound", "Normal", "First", "Inside", "Sound",
    "Value: normal", "First", "Inside", "Sound",
)  # fmt: skip

Table = tuple[str, tuple[str, ...], list[list[str]]]
"""Title, headings and rows."""


def tables(results: Results) -> list[Table]:
    """All tables with measurements."""
    found: list[Table] = []
    if results.nim:
        found.append(("Nim, CPU seconds", NIM_HEADINGS, [_nim_row(result) for result in results.nim]))
    if results.growth:
        rows = [_growth_row(result) for result in results.growth]
        found.append(("Nim with growing heaps", GROWTH_HEADINGS, rows))
    for game in SEQUENCES:
        depths = [result for result in results.depths if result.game == game]
        if depths:
            found.append((f"{game.title} by depth, CPU seconds", DEPTH_HEADINGS, [_depth_row(each) for each in depths]))
    return found


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}" if value < 1 else f"{value:.1f}"


def _nim_row(result: NimResult) -> list[str]:
    row = result.row
    plain = _seconds(result.plain) + ("" if result.plain_exact else ", unfinished")
    return [
        ",".join(map(str, row.heaps)) + (" misère" if row.misere else ""),
        _seconds(result.load),
        _seconds(result.analysis),
        _seconds(result.search),
        f"{result.positions:,}",
        f"{row.decomposition_search:g}",
        plain,
        f"{result.plain_positions:,}",
        f"{row.normal_search:g}",
    ]


def _growth_row(result: NimResult) -> list[str]:
    return [
        ",".join(map(str, result.row.heaps)),
        _seconds(result.load),
        _seconds(result.analysis),
        _seconds(result.search),
        f"{result.positions:,}",
    ]


def _depth_row(result: DepthResult) -> list[str]:
    def value(name: str) -> str:
        return ":".join(map(str, result.values[name])) if name in result.values else "-"

    return [
        str(result.depth),
        f"{result.every:,}",
        *(f"{kept:,}" if kept else "-" for kept in (result.seed, result.inside, result.sound)),
        *(_seconds(result.seconds[name]) for name in SEARCHES),
        *(value(name) for name in SEARCHES),
    ]


def notes(results: Results) -> Iterator[str]:
    """Notes on the tables."""
    for result in results.depths:
        game = result.game
        if result.depth == game.depth and result.seed and result.inside:
            yield (
                f"{game.title} to depth {game.depth}: the paper kept {game.kept:,} of {game.every:,} turn-move "
                f"sequences; of {result.every:,} here, the same condition keeps {result.inside:,} with the concepts "
                f"inside disjunctive helpers, and {result.seed:,} with the first concept on each path"
                + (" (other rules than the paper's, so not comparable)" if "Criss" in game.title else "")
            )
    for end in results.ends:
        yield _end_note(end)


def _end_note(end: EndResult) -> str:
    value = " : ".join(f"{goal:g}" for goal in end.solution)
    plain = f"plain search takes {end.plain_seconds:.1f} s"
    if not end.plain.exact:
        plain = f"plain search is unfinished after {end.plain_seconds:.1f} s ({end.plain.note})"
    return f"{end.game.title} to the end: {value} in {end.seconds:.1f} s ({end.note}); {plain}"


def markdown(results: Results, setup: Setup, machine: str) -> str:
    """The page of the experiments."""
    command = f"ludens experiment decomposition --budget {setup.budget:g} --depth {setup.depth}"
    lines = [
        "# The experiments on decomposition",
        "",
        "Repeat the experiments of Zhao, Schiffel and Thielscher, *Decomposition of Multi-Player Games* (2009), with",
        f"`{command}`, which writes this page: Nim with four heap settings,",
        "Double-Tictactoe and Double-Crisscross2 by depth. [decomposition.md](decomposition.md) explains the methods.",
        "Times are CPU seconds; the paper's are of Fluxplayer in 2009.",
        "",
        f"Measured on {machine}.",
        "",
        "- **Decomposition** enumerates the positions of each heap, proves that Sprague-Grundy theory applies, and",
        "  adds nimbers. The times for loading the rules and finding the subgames are separate. **Plain search** is",
        f"  `ludens solve --no-decompose` with a budget of {setup.budget:g} s.",
        "- **Normal**, **First**, **Inside** and **Sound** are the same search in the same language, to the given",
        "  depth: on all moves, on the turn-move sequences that the paper's condition keeps (in two readings), and on",
        "  classes of positions with sound dominance. Times include finding the sequences or classes. At the depth",
        "  limit all use the current goals as evaluation. Where First or Inside differs from Normal, the paper's",
        "  condition is not sound.",
        "- The paper's definition fits every literal of the call graph that depends on one subgame. **First** takes",
        "  the first on each path from a goal or the end, such as `terminal1`; **Inside** takes those inside a helper",
        "  that is a disjunction: `(line1 x)`, `(line1 o)` and `(not open1)`.",
        "- **Sequences** counts all turn-move sequences of one board, **Kept** those that are left after pruning.",
        "- The paper does not give its rules of Double-Crisscross2; ours are `double_criss_cross`, so these figures",
        "  are not comparable. Its figure 4 shows times as curves without numbers.",
        "",
        f"![Seconds by depth]({PLOT})",
        "",
    ]
    for title, headings, rows in tables(results):
        lines += [f"## {title}", "", f"| {' | '.join(headings)} |", "|---" + "|---:" * (len(headings) - 1) + "|"]
        lines += [f"| {' | '.join(row)} |" for row in rows]
        lines.append("")
    lines += [*(f"- {note}" for note in notes(results)), ""]
    return "\n".join(lines)


def as_json(results: Results) -> dict[str, Any]:
    """All results as JSON values."""
    ends = [
        {
            "game": end.game.title,
            "seconds": end.seconds,
            "values": list(end.solution),
            "plain_seconds": end.plain_seconds,
            "plain": end.plain.as_json(),
        }
        for end in results.ends
    ]
    return {
        "nim": _plain(results.nim),
        "growth": _plain(results.growth),
        "depths": _plain(results.depths),
        "ends": ends,
    }


def _plain(results: Sequence[NimResult] | Sequence[DepthResult]) -> list[dict[str, Any]]:
    return [asdict(result) for result in results]

"""Tables 1 and 2 as the paper prints them, beside its own figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from ludens.experiments.gdlcc.engines import RHYTHMS, EngineName
from ludens.experiments.gdlcc.matches import THIRDS
from ludens.experiments.gdlcc.paper import CLOCK, DOUBTFUL, DOUBTS, PLAYERS
from ludens.experiments.gdlcc.run import Measured, Setup

TITLES = {1: "Table 1: states examined over 5 seconds", 2: "Table 2: simulations over 5 seconds"}
HEADINGS = ("Player", "Early", "Middle", "End", "Paper", "Early", "Middle", "End")
CHART = "experiment.svg"
"""The name of the picture beside the page."""


def describe_rhythm(rhythm: int) -> str:
    """A rhythm in words."""
    return "a draw for each simulation" if rhythm == 1 else f"a draw for {rhythm} simulations"


def table_rows(
    results: Sequence[Measured], table: int, clock: float, rhythm: int
) -> Iterator[tuple[str, list[list[str]]]]:
    """For each game its title and the rows of a table: ours, scaled to the paper's clock, then the paper's."""
    results = [result for result in results if result.rhythm == rhythm]
    for title in dict.fromkeys(result.game.title for result in results):
        rows = [result for result in results if result.game.title == title]
        yield title, [_row(result, table, CLOCK / clock) for result in rows]


def _row(result: Measured, table: int, scale: float) -> list[str]:
    game, engine = result.game, result.engine
    cells = ["-"] * len(THIRDS)
    if result.cells is not None:
        counts = result.cells.states if table == 1 else result.cells.simulations
        cells = ["-" if value is None else _number(value * scale) for value in counts]
    paper = (game.states if table == 1 else game.simulations).get(engine)
    theirs = ["-"] * len(THIRDS)
    if paper is not None:
        theirs = [
            f"{value:,}" + ("*" if (table, game.title, engine, third) in DOUBTFUL else "")
            for third, value in zip(THIRDS, paper, strict=True)
        ]
    return [engine, *cells, PLAYERS.get(engine, "-") if paper or engine not in PLAYERS else "-", *theirs]


def _number(value: float) -> str:
    return f"{value:,.1f}" if value < 10 else f"{value:,.0f}"


def notes(results: Sequence[Measured]) -> list[str]:
    """Notes on the tables: doubtful cells of the paper, and cells of ours that are missing."""
    lines = [f"\\* in Table {table}: {doubt}" for table, doubt in DOUBTS.items()]
    reasons: dict[str, list[str]] = {}
    for result in results:
        if result.reason:
            reasons.setdefault(f"{result.engine}: {result.reason}", []).append(result.game.title)
    return [*lines, *(f"{reason} ({', '.join(dict.fromkeys(titles))})" for reason, titles in reasons.items())]


def ratio(results: Sequence[Measured], title: str, engine: EngineName) -> float | None:
    """The states of an engine relative to Prolog's in a game, over all thirds, with the paper's rhythm."""
    sums: dict[EngineName, float] = {}
    for result in results:
        if result.game.title == title and result.rhythm == RHYTHMS[0] and result.cells is not None:
            sums[result.engine] = sum(value or 0.0 for value in result.cells.states)
    if not sums.get(EngineName.PROLOG) or engine not in sums:
        return None
    return sums[engine] / sums[EngineName.PROLOG]


def markdown(results: Sequence[Measured], setup: Setup, machine: str) -> str:
    """The page of the experiment."""
    sheets = ", ".join(dict.fromkeys(f"`{result.sheet}`" for result in results))
    command = f"ludens experiment gdlcc --clock {setup.clock:g} --games {setup.games}"
    command += f" --rules {setup.rules}" if setup.rules else ""
    command += "".join(f" --game {name}" for name in setup.only)
    lines = [
        "# The experiment of gdlcc",
        "",
        "Compare the speed of four backends as Waugh did in *Faster State Manipulation in General Games using",
        f"Generated Code* (2009): `{command}` runs the experiment and writes this",
        f"page. Measured on {machine}.",
        "",
        "A Monte-Carlo player plays all roles of a match. In each turn it repeatedly draws a random joint move and",
        "plays on at random to the end until the clock runs out; then each role makes the move with the highest",
        "average goal. Turns are grouped by thirds of their match, and the counts are averaged over the turns of a",
        f"third, over all matches. Here the clock is {setup.clock:g} s of CPU time with {setup.games} matches, and",
        f"counts are scaled to {CLOCK:g} s. In the paper it was {CLOCK:g} s with 20 matches, at 2.4 GHz. Compile",
        "time is not counted.",
        "",
        f"Rule sheets: {sheets}. The paper does not name its rule sheets.",
        "",
        "- **prolog**: SWI-Prolog instead of YAP, with a plain translation of the rules. Recursive relations are",
        "  tabled, since without tabling the library's chess does not terminate.",
        "- **cxx**: the generated C++ of [cxx.md](cxx.md), with memoisation except for Tic-Tac-Toe, as in the paper.",
        "- **cxx+tt**: the same with a transposition table of 10,000 states for legal moves, terminal tests, goals and",
        "  successors.",
        "- **circuit**: the rules as gates, many simulations at once ([batch.md](batch.md)).",
        "",
        "All four draw with the same rhythm, and everything is measured with two: a joint move is drawn for each",
        "simulation, or for eight. A call of cxx makes many draws, and circuit draws in every lane; if a call exceeds",
        "the clock, counts are reduced in proportion. Drawn joint moves count once.",
        "",
        f"![States for each second]({CHART})",
        "",
    ]
    for (table, heading), rhythm in product(TITLES.items(), RHYTHMS):
        lines += [f"## {heading}, {describe_rhythm(rhythm)}", "", f"| {' | '.join(HEADINGS)} |"]
        lines.append("|---|---:|---:|---:|---|---:|---:|---:|")
        for title, rows in table_rows(results, table, setup.clock, rhythm):
            lines.append(f"| **{title}** | | | | | | | |")
            lines += [f"| {' | '.join(row).replace('*', chr(92) + '*')} |" for row in rows]
        lines.append("")
    lines += [*(f"- {note}" for note in notes(results)), ""]
    lines += _ratios(results)
    return "\n".join(lines)


def _ratios(results: Sequence[Measured]) -> list[str]:
    """The speed of the other engines relative to Prolog."""
    others = [engine for engine in EngineName if engine is not EngineName.PROLOG]
    rows = []
    for title in dict.fromkeys(result.game.title for result in results):
        ratios = [ratio(results, title, engine) for engine in others]
        if any(ratios):
            cells = ["-" if value is None else _number(value) for value in ratios]
            rows.append(f"| {title} | {' | '.join(cells)} |")
    if not rows:
        return []
    heading = f"| States, times Prolog | {' | '.join(others)} |"
    return ["## Speed relative to Prolog", "", heading, "|---" + "|---:" * len(others) + "|", *rows, ""]


def as_json(results: Sequence[Measured], setup: Setup) -> dict[str, Any]:
    """All results as JSON, with counts for the clock that was used."""
    rows = [
        {
            "game": result.game.title,
            "rules": result.sheet,
            "engine": result.engine,
            "rhythm": result.rhythm,
            "turns": result.turns,
            "states": dict(zip(THIRDS, result.cells.states, strict=True)) if result.cells else None,
            "simulations": dict(zip(THIRDS, result.cells.simulations, strict=True)) if result.cells else None,
            "reason": result.reason,
        }
        for result in results
    ]
    return {"clock": setup.clock, "games": setup.games, "results": rows}

"""The measurements as a page: docs/benchmarks.md."""

from __future__ import annotations

import os
import platform
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.programs import Result
from benchmarks.thirds import THIRDS

PAPER_TABLES = {
    "ticTacToe": (("YAP", (50935, 54197, 52663), (7309, 13212, 18553)),
                  ("gdlcc", (839772, 896903, 980867), (134932, 194602, 194602)),
                  ("gdlcc tt", (1197720, 1324552, 1426093), (164348, 268363, 370144))),
    "chess": (("YAP", (3240, 3170, 3190), (22, 31, 62)),
              ("gdlcc", (5189, 5634, 5963), (28, 41, 63)),
              ("gdlcc tt", (5091, 5353, 5611), (28, 39, 58))),
    "checkers": (("gdlcc", (9853, 10159, 11268), (108, 217, 1419)),
                 ("gdlcc tt", (9879, 9888, 54312), (108, 208, 12961))),
    "connectFour": (("gdlcc", (65683, 57376, 53842), (3308, 4612, 6881)),
                    ("gdlcc tt", (65683, 64764, 65683), (3536, 5367, 8156))),
}  # fmt: skip
"""Waugh (2009), tables 1 and 2: player, states and simulations in 5 s for the early, middle and end game."""
PAPER_SECONDS = 5


@dataclass(frozen=True, slots=True)
class Row:
    """One rule sheet, measured with all programs."""

    name: str
    ours: Result
    prolog: Result
    other: Result


@dataclass(frozen=True, slots=True)
class Thirds:
    """One rule sheet, measured from early, middle and late positions."""

    name: str
    result: Result


def document(rows: Sequence[Row], thirds: Sequence[Thirds], command: str, seconds: float) -> str:
    """The whole page."""
    parts = [
        _introduction(command, seconds),
        *_table(rows),
        *_failures(rows),
        *(_thirds_section(thirds) if thirds else ()),
    ]
    return "\n".join(parts) + "\n"


def _introduction(command: str, seconds: float) -> str:
    return f"""# Benchmarks

Measure how fast compiled rules are on your machine:

<!-- slow -->
```console
$ ludens bench connect_four
connect_four on circuit, …
…
```

The tables below count uniformly random playouts from the initial state on one thread; a state is one joint move
applied. `{command}` (`make bench`) writes this page. Each program runs in its own process, one after the other,
{seconds:g} s each. The ratios compare states per second of CPU time (*CPU s*), which excludes other programs; *wall* is
wall-clock time.

Machine: {_processor()}, {os.cpu_count()} processors, Python {platform.python_version()}.

- **ludens**: `ludens bench RULES --backend circuit --threads 1 --json`. *First playout* is the wall-clock time from the
  rules to the first playout, *full speed* the time until the measured rate is reached.
- **SWI-Prolog**: Debian's `swi-prolog` with a plain translation of the rules (`ludens.experiments.prolog`), the state
  in dynamic facts, playouts inside Prolog (`python -m benchmarks.prolog RULES`). Recursive rule sheets are measured
  with and without tabling, and the faster result counts; † marks tabling.
- **other**: the program given by `--beside`; in this table a prototype that compiles straight-line code through LLVM.
"""


def _table(rows: Sequence[Row]) -> Iterable[str]:
    yield (
        "| rule sheet | operations a step | first playout, s | full speed, s | ludens, states/CPU s | wall "
        "| SWI-Prolog, states/CPU s | wall | ludens : SWI | other, states/CPU s | ludens : other |"
    )
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for row in rows:
        ours, prolog = row.ours.values, row.prolog.values
        cells = [
            row.name,
            f"{ours['gates']:,}" if ours else "-",
            f"{ours['setup_seconds']:.2f}" if ours else "-",
            f"{ours['full_speed_seconds']:.2f}" if ours else "-",
            _number(row.ours.rate),
            _number(ours.get("states_per_second")),
            _number(row.prolog.rate) + (" †" if prolog.get("tabled") else ""),
            _number(prolog.get("states_per_second")),
            _ratio(row.ours.rate, row.prolog.rate),
            _number(row.other.rate),
            _ratio(row.ours.rate, row.other.rate),
        ]
        yield "| " + " | ".join(cells) + " |"


def _failures(rows: Sequence[Row]) -> Iterable[str]:
    """Why there are gaps in the table; a reason that several rows share is listed once."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows:
        for program, result in (("ludens", row.ours), ("SWI-Prolog", row.prolog), ("other", row.other)):
            if result.reason:
                found[program, result.reason].append(row.name)
    if found:
        yield "\nNot measured:\n"
        yield from (f"- {program}: {reason} ({', '.join(names)})" for (program, reason), names in found.items())


def _thirds_section(thirds: Sequence[Thirds]) -> Iterable[str]:
    yield f"""
## Early, middle and end game

Tables 1 and 2 of Waugh (2009) count the states and playouts of a Monte-Carlo player in one turn of {PAPER_SECONDS} s,
averaged over the turns of the first, middle and last third of each match. Here `python -m benchmarks.thirds RULES`
plays three random matches, picks a random position from each third of each, and measures playouts from these positions,
the same for both programs. A figure is the mean over the positions, per CPU second. Compile time is not counted: ludens
recompiles the circuit for each position, because the state at which lanes restart is a constant in the code.

The paper's figures, divided by {PAPER_SECONDS} to get rates per second, are below ours. They are wall-clock rates of a
2.4 GHz machine of 2009. *tt* is gdlcc with a transposition table. The paper has no YAP figures for checkers and Connect
Four, and does not name its chess rule sheet.
"""
    head = " | ".join(f"{what}, {third}" for what in ("states/s", "playouts/s") for third in THIRDS)
    yield f"| rule sheet | program | {head} |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    for part in thirds:
        yield from _thirds_rows(part)
    reasons = [f"- {part.name}: {part.result.reason}" for part in thirds if part.result.reason]
    if reasons:
        yield "\nNot measured:\n"
        yield from reasons


def _thirds_rows(part: Thirds) -> Iterable[str]:
    for program, title in (("ludens", "ludens"), ("prolog", "SWI-Prolog")):
        found = part.result.values.get(program, {})
        if found:
            cells = [_thirds_cell(found[third], key) for key in _KEYS for third in THIRDS]
            yield f"| {part.name} | {title} | {' | '.join(cells)} |"
    for player, *tables in PAPER_TABLES.get(part.name, ()):
        cells = [_number(count / PAPER_SECONDS) for counts in tables for count in counts]
        yield f"| {part.name} | *paper: {player}* | {' | '.join(cells)} |"


_KEYS = ("states_per_cpu_second", "playouts_per_cpu_second")


def _thirds_cell(found: dict[str, object], key: str) -> str:
    value = found.get(key)
    return _number(value) + (" †" if found.get("tabled") else "") if isinstance(value, float) else "-"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def _ratio(ours: float | None, other: float | None) -> str:
    if ours is None or other is None:
        return "-"
    ratio = ours / other
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2f}"


def section_of(page: str, heading: str) -> str:
    """The section of a page under a heading of the second level, with the heading; empty if there is none."""
    found = re.search(rf"^## {re.escape(heading)}\n.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return found[0] if found else ""


def with_section(page: str, heading: str, section: str) -> str:
    """The page with a section in the place of the one under this heading, or at its end."""
    before = section_of(page, heading)
    if before:
        rest = page.partition(before)[2]
        return page.replace(before, section + ("\n" if rest else ""))
    return f"{page.rstrip()}\n\n{section}" if section else page


def machine() -> str:
    """The machine that was measured: its processor with what it can do, how busy it was, and Python."""
    features = [name for name in _FEATURES if name in _processor_line("flags").split()]
    busy = f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
    return f"{_processor()} ({' '.join(features)}), {busy}, Python {platform.python_version()}"


_FEATURES = ("avx2", "bmi2", "avx512f", "avx512bw", "avx512vl")
"""What speed depends on most."""


def _processor() -> str:
    return _processor_line("model name") or platform.machine()


def _processor_line(key: str) -> str:
    """What Linux says of the first processor; empty elsewhere."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(key)), "")

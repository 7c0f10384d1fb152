"""Does a cold HTTP player keep short clocks? One match for each rule sheet of a folder, against ``random``.

``python -m benchmarks.clocks DIR --turns 6 --start-clock 10 --clock 3`` starts a fresh ``ludens player`` with an empty
cache for each sheet, pinned to one processor, compilers included, and plays the first turns of a match with our
controller. It prints when START was answered, and of the turns in which the player had a choice how many it answered
late with its best move so far, how many at random, and how many at native speed: searched in the compiled game.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

import ludens
from benchmarks.http_player import http_player
from ludens.core import LudensError, Role
from ludens.gdl.game import GdlGame
from ludens.protocols.ggp.controller import GameController, Plan
from ludens.protocols.ggp.wire import Address
from ludens.referee import Event, MatchStarted, TurnPlayed
from ludens.referee.handle import AT_RANDOM, BEST_SO_FAR

COMPILED = ("circuit", "cxx")
"""The backends that are native speed."""
EARLY = 3
"""The share of turns at native speed is counted up to this turn of the match."""

_ANSWER = re.compile(r": turn (\d+): .*, searched on the backend (\w+)$")
_TURN = re.compile(r": turn (\d+): ")


@dataclass(frozen=True)
class Terms:
    """How matches are played."""

    player: str = "auto"
    start_clock: float = 10.0
    clock: float = 3.0
    turns: int = 6
    """Turns after which a match is ended."""
    scramble: bool = False
    """Whether all names of the rules are replaced."""
    core: int = 0
    """The processor for the player and its compilers."""


@dataclass
class Series:
    """What the player did in one match."""

    sheet: str
    start_seconds: float = 0.0
    """When START was answered."""
    turns: int = 0
    """Turns that were played."""
    failures: list[str] = field(default_factory=list)
    """What the controller found wrong, START and each turn included: late, illegal."""
    best_so_far: int = 0
    """Late answers by the best move so far."""
    at_random: int = 0
    """Answers by a random move, the player's own and the controller's."""
    backends: dict[int, str] = field(default_factory=dict)
    """By turn in which the player had a choice, what it searched on; empty if it did not search."""
    note: str = ""
    """Why there was no match."""

    @property
    def late_start(self) -> bool:
        """True if START was not answered in time."""
        return any(text.startswith("START") for text in self.failures)

    @property
    def early(self) -> list[bool]:
        """For each of the first turns with a choice whether it was answered at native speed."""
        return [backend in COMPILED for turn, backend in sorted(self.backends.items()) if turn <= EARLY]

    @property
    def first_native(self) -> int | None:
        """The first turn that was answered at native speed."""
        return min((turn for turn, backend in self.backends.items() if backend in COMPILED), default=None)

    def as_json(self) -> dict[str, object]:
        """All of it as JSON values."""
        return asdict(self) | {"late_start": self.late_start, "first_native": self.first_native}

    def read_log(self, lines: Sequence[str]) -> None:
        """Take from the player's log what only the player knows."""
        for line in lines:
            self.best_so_far += BEST_SO_FAR in line
            self.at_random += AT_RANDOM in line
            if found := _ANSWER.search(line):
                self.backends[int(found[1])] = found[2]
            elif found := _TURN.search(line):
                self.backends.setdefault(int(found[1]), "")


def main() -> None:
    """Play, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", type=Path, help="a folder of rule sheets (*.kif), or a single one")
    parser.add_argument("--turns", type=int, default=6, help="turns after which a match is ended")
    parser.add_argument("--start-clock", type=float, default=10.0)
    parser.add_argument("--clock", type=float, default=3.0)
    parser.add_argument("--player", default="auto")
    parser.add_argument("--scramble", action="store_true", help="send the rules with all names replaced")
    parser.add_argument("--at-once", type=int, default=1, help="matches at the same time, each with its own player")
    parser.add_argument("--core", type=int, default=0, help="the processor for the player and its compilers")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each sheet, then the summary")
    options = parser.parse_args()
    others = os.sched_getaffinity(0) - {options.core} or {options.core}
    os.sched_setaffinity(0, others)
    sheets = sorted(options.rules.glob("*.kif")) if options.rules.is_dir() else [options.rules]
    terms = Terms(options.player, options.start_clock, options.clock, options.turns, options.scramble, options.core)
    found = []
    with ThreadPoolExecutor(options.at_once) as pool:
        for series in pool.map(lambda sheet: play(sheet, terms), sheets):
            found.append(series)
            print(json.dumps(series.as_json()) if options.json else describe(series), flush=True)
    print(json.dumps(summary(found)) if options.json else describe_summary(summary(found)))


def play(sheet: Path, terms: Terms) -> Series:
    """The first turns of a match in which a fresh player has the first role, and ``random`` the others."""
    found = Series(sheet.stem)
    try:
        game = ludens.load(sheet)
        if not isinstance(game, GdlGame):
            raise LudensError("the rules are not in GDL")
    except LudensError as error:
        found.note = f"cannot be loaded: {error}"
        return found
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "log").open("w+", encoding="utf-8") as log:
        home = Path(folder) / "home"
        with http_player(terms.player, home=home, cores=[terms.core], log=log) as (_, address):
            seats: Mapping[Role, Address | str] = {
                role: address if number == 0 else "random" for number, role in enumerate(game.roles)
            }
            plan = Plan(
                game,
                seats,
                f"clocks-{sheet.stem}",
                1,
                start_clock=terms.start_clock,
                play_clock=terms.clock,
                scramble=terms.scramble,
                gdl_ii=game.hidden,
                ask_info=False,
            )
            _conduct(plan, Path(folder) / "records", terms.turns, found)
        log.seek(0)
        found.read_log([line.rstrip("\n") for line in log])
    return found


def _conduct(plan: Plan, records: Path, turns: int, found: Series) -> None:
    remote = plan.game.roles[0]
    began = time.monotonic()

    def watch(event: Event) -> None:
        if isinstance(event, MatchStarted):
            found.start_seconds = time.monotonic() - began
            found.failures += [f"START: {failed.kind}" for failed in event.failures if failed.role == remote]
        elif isinstance(event, TurnPlayed):
            found.turns = event.id
            own = [failed for failed in event.failures if failed.role == remote]
            found.failures += [f"turn {event.id}: {failed.kind}" for failed in own]
            found.at_random += sum(failed.substituted for failed in own)
            if event.id >= turns:
                controller.abort()

    controller = GameController(plan, records, ludens.__version__, watch=watch)
    with contextlib.suppress(LudensError):
        controller.run()


def describe(found: Series) -> str:
    """One line for a sheet."""
    if found.note:
        return f"{found.sheet}: {found.note}"
    early = found.early
    native = f"{sum(early)} of {len(early)} turns with a choice at native speed by turn {EARLY}"
    first = "" if found.first_native is None else f" (from turn {found.first_native} on)"
    failures = f"; controller: {', '.join(found.failures)}" if found.failures else ""
    return (
        f"{found.sheet}: START after {found.start_seconds:.1f} s{' (late)' if found.late_start else ''}, "
        f"{found.turns} turns, {len(found.backends)} with a choice, {found.best_so_far} answered by the best so far, "
        f"{found.at_random} at random, {native}{first}{failures}"
    )


def summary(found: Sequence[Series]) -> dict[str, float]:
    """The sums over all sheets."""
    played = [each for each in found if not each.note]
    early = [native for each in played for native in each.early]
    third = [each.early[-1] for each in played if each.early]
    return {
        "sheets": len(played),
        "not_loaded": len(found) - len(played),
        "latest_start_seconds": round(max((each.start_seconds for each in played), default=0.0), 2),
        "late_starts": sum(each.late_start for each in played),
        "turns_with_choice": sum(len(each.backends) for each in played),
        "best_so_far": sum(each.best_so_far for each in played),
        "at_random": sum(each.at_random for each in played),
        "failures": sum(len(each.failures) for each in played),
        "early_turns": len(early),
        "early_native_share": round(sum(early) / len(early), 3) if early else 0.0,
        "native_by_turn_3_share": round(sum(third) / len(third), 3) if third else 0.0,
    }


def describe_summary(found: Mapping[str, float]) -> str:
    """The last line."""
    return (
        f"{found['sheets']:g} sheets ({found['not_loaded']:g} more cannot be loaded): latest START after "
        f"{found['latest_start_seconds']:g} s, {found['late_starts']:g} late; {found['turns_with_choice']:g} turns "
        f"with a choice, {found['best_so_far']:g} answered by the best so far, {found['at_random']:g} at random; at "
        f"native speed: {found['early_native_share']:.0%} of the {found['early_turns']:g} turns with a choice up to "
        f"turn {EARLY}, and {found['native_by_turn_3_share']:.0%} of the sheets in the last of these turns"
    )


if __name__ == "__main__":
    main()

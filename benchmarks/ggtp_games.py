"""Games of every kind by ``ludens ggtp`` on a pipe, with engines as processes: ``python -m benchmarks.ggtp_games``.

Each rule is played in a process of its own, some games one after the other, to the end. Every game is saved as a play
file, which is then read without engines, by the reference backend where the rule is in GDL: moves and result have to be
the same.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import ludens
from ludens.core import Role
from ludens.protocols.ggtp.competition.rule import NAME as COMPETITION
from ludens.protocols.ggtp.engines.registry import engine_starter
from ludens.protocols.ggtp.inbox import Inbox
from ludens.protocols.ggtp.language.grammar import word
from ludens.protocols.ggtp.rules import rule_names
from ludens.protocols.ggtp.session import Session
from ludens.protocols.ggtp.supervisor import Supervisor

MORE_PLAYERS = (
    "chinese_checkers:players=6",
    "holdem:players=6",
    "liars_dice:players=5",
    "memory:players=4",
    "uno:players=6",
    "nim:3,4,5",
    "go:size=5",
    "phantom_go:size=5",
)
"""Rules with other parameters than usual: more players, smaller boards."""
PATIENCE = 800
"""Seconds for the games of one rule."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the games of a rule."""

    rule: str
    roles: int
    games: int
    turns: int
    seconds: float
    complaints: tuple[str, ...]
    """What was not as it should be; empty if all went well."""


def main() -> None:
    """Play, and print a line for each rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "rules", nargs="*", help="the rules to play; the whole library and some with parameters if none"
    )
    parser.add_argument("--games", type=int, default=4, metavar="N", help="games for each rule")
    parser.add_argument("--engine", default="random", help="who plays everybody")
    parser.add_argument("--part", default="1/1", metavar="I/N", help="only every Nth rule, from the Ith")
    parser.add_argument("--backend", default="auto", help="of the Rules and the engines")
    given = parser.parse_args()
    number, parts = map(int, given.part.split("/"))
    library = [name for name in rule_names() if name != COMPETITION]
    rules = (given.rules or [*library, *MORE_PLAYERS])[number - 1 :: parts]
    outcomes = []
    for rule in rules:
        outcomes.append(played(rule, given.games, given.engine, given.backend))
        print(shown(outcomes[-1]), flush=True)
    bad = sum(1 for outcome in outcomes if outcome.complaints)
    games = sum(outcome.games for outcome in outcomes)
    turns = sum(outcome.turns for outcome in outcomes)
    print(f"{games} games of {len(outcomes)} rules, {turns:,} turns; {bad} rules failed")
    sys.exit(1 if bad else 0)


def shown(outcome: Outcome) -> str:
    """A line about the games of a rule."""
    verdict = "; ".join(outcome.complaints) or "as recorded"
    counts = f"{outcome.roles} players {outcome.games:3} games {outcome.turns:6,} turns {outcome.seconds:6.1f} s"
    return f"{outcome.rule:28} {counts}  {verdict}"


def played(rule: str, games: int, engine: str, backend: str = "auto") -> Outcome:
    """Play a rule through the command, and compare each game with its record."""
    roles = ludens.load(rule, backend="reference").roles
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.ggtp" for number in range(1, games + 1)]
        text = "\n".join(script(rule, roles, engine, paths))
        command = [sys.executable, "-c", "from ludens.cli.main import run; run()", "ggtp", "--backend", backend]
        try:
            done = subprocess.run(
                command, input=text, capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=Path.cwd()
            )
        except subprocess.TimeoutExpired:
            return Outcome(rule, len(roles), games, 0, time.monotonic() - began, (f"no end within {PATIENCE} s",))
        turns, complaints = compared(done.stdout.split("\n"), paths)
        if done.returncode or done.stderr:
            complaints.append(f"exit code {done.returncode}: {done.stderr[-200:]!r}")
    return Outcome(rule, len(roles), games, turns, time.monotonic() - began, tuple(complaints))


def script(rule: str, roles: Sequence[Role], engine: str, paths: Sequence[Path]) -> Iterator[str]:
    """What the Supervisor says."""
    yield f"set_rule {rule}"
    yield from (f"set_engine {word(role)} {engine}" for role in roles)
    yield "set_option genmove on"
    for number, path in enumerate(paths, start=1):
        yield f"set_option seed {number}"
        yield f"save_file {path}"
        yield "start"
        yield "wait"
        yield "get_result"
        yield "list_played_moves"
        yield "close_file"
    yield "quit"


def compared(said: Sequence[str], paths: Sequence[Path]) -> tuple[int, list[str]]:
    """How many turns the games had, and what was wrong with what was said, or differs in the records."""
    complaints = [line for line in said if line.startswith(("?", "->"))]
    answers = [line.removeprefix("= ").rstrip() for line in said if line.startswith("=") and line != "= Done"]
    turns = 0
    for number, path in enumerate(paths):
        expected = answers[2 * number : 2 * number + 2]
        count, found = replayed(path)
        turns += count
        if found != expected:
            complaints.append(f"{path.name}: {found} instead of {expected}")
        elif found[0] == "unfinished":
            complaints.append(f"{path.name} did not end")
    return turns, complaints


def replayed(path: Path) -> tuple[int, list[str]]:
    """The turns, and the result and the moves, of a play file that is read without its engines."""
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if not line.startswith("set_engine")]
    path.write_text("\n".join(lines), encoding="utf-8")
    said: list[str] = []
    session = Session(said.append, Inbox(), engine_starter("reference", 1), backend="reference")
    supervisor = Supervisor(session, waits=True)
    supervisor.read(path)
    for command in ("get_result", "list_played_moves"):
        supervisor.do(command)
    session.close()
    turns = 0 if session.play is None else len(session.play.line)
    return turns, [line.removeprefix("= ").rstrip() for line in said if line != "= Done"]


if __name__ == "__main__":
    main()

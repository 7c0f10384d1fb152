"""START and ABORT of many rule sheets: when our HTTP player answers, and what it leaves behind.

``python -m benchmarks.starts RULES --pairs 200 --largest 20`` starts ``ludens player`` and sends it pairs of START and
ABORT with the largest sheets of a folder. It prints the latest answer to START as a share of the start clock, the
processes left two seconds after the end, and the memory before and after.
"""

from __future__ import annotations

import argparse
import contextlib
import time
from pathlib import Path

from benchmarks.http_player import http_player
from ludens.core import Deadline
from ludens.gdl.read import read_rules
from ludens.gdl.terms import arguments, signature
from ludens.gdl.write import kif, write_kif
from ludens.protocols.ggp.messages import Abort, Start
from ludens.protocols.ggp.wire import Address, exchange

_SETTLE = 2.0
"""Seconds after which no process may be left."""
_WARM_UP = 3
"""Pairs before the memory is measured, with imports and caches filled."""


def main() -> None:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", type=Path, help="a folder of rule sheets (*.kif)")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--largest", type=int, default=20, help="of the folder's sheets, the largest so many")
    parser.add_argument("--start-clock", type=float, default=10.0)
    parser.add_argument("--player", default="mcts")
    options = parser.parse_args()
    sheets = sorted(options.rules.glob("*.kif"), key=lambda path: path.stat().st_size)[-options.largest :]
    messages = [_start(path, options.start_clock) for path in sheets]
    with http_player(options.player) as (process, address):
        for number in range(_WARM_UP):
            _pair(address, messages[number % len(messages)], f"w{number}")
        time.sleep(_SETTLE)
        before, latest, odd = _memory(process), 0.0, 0
        for number in range(options.pairs):
            seconds, answers = _pair(address, messages[number % len(messages)], f"m{number}")
            latest = max(latest, seconds)
            odd += answers != ["ready", "aborted"]
        time.sleep(_SETTLE)
        left, after = _descendants(process), _memory(process)
    share = latest / options.start_clock
    print(f"{options.pairs} pairs of {len(sheets)} sheets: START answered after {share:.0%} of its clock at most")
    print(f"other answers than ready and aborted: {odd}; processes left after {_SETTLE:g} s: {len(left)}")
    print(f"memory: {before:.0f} MB before, {after:.0f} MB after ({after - before:+.0f} MB)")


def _start(path: Path, start_clock: float) -> tuple[str, ...]:
    """The role and the rules of a sheet, and the clock, as START has them."""
    sheet = read_rules(path.read_text(errors="replace"), name=path.name)
    role = next(arguments(rule.head)[0] for rule in sheet.rules if signature(rule.head) == ("role", 1))
    return kif(role), *(write_kif([rule]).strip() for rule in sheet.rules), str(start_clock)


def _pair(address: Address, message: tuple[str, ...], name: str) -> tuple[float, list[str]]:
    """The seconds until START is answered, and both answers."""
    role, *rules, clock = message
    began = time.monotonic()
    started = exchange(address, str(Start(name, role, tuple(rules), float(clock), 3.0)), "player", Deadline(300))
    seconds = time.monotonic() - began
    return seconds, [started.strip(), exchange(address, str(Abort(name)), "player", Deadline(60)).strip()]


def _memory(process: int) -> float:
    """The resident memory of a process in megabytes."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


def _descendants(process: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(path.parent.name)] = int(parent)
    found = [process]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found[1:]


if __name__ == "__main__":
    main()

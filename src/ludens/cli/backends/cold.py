"""The timeline of a cold start: a process of its own plays a game for the first time on this machine.

Run as a program, this is that process: it prints a line of JSON for each step, with seconds since it was started and
CPU seconds of itself and its children.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass

from ludens.core import LudensError
from ludens.core.process import environment

_BEGAN = "LUDENS_COLD_BEGAN"
_SLICE = 0.1
_FULL = 0.9
"""The share of the best rate that counts as full."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that happened for the first time."""

    name: str
    seconds: float
    cpu_seconds: float
    note: str = ""


def cold_start(game: str, seconds: float) -> Iterator[Step]:
    """The steps of a fresh process without any cache, as they happen; ``seconds`` to reach the full rate."""
    with tempfile.TemporaryDirectory(prefix="ludens-cold-") as home:
        own = {"LUDENS_HOME": home, "PYTHONUNBUFFERED": "1", _BEGAN: repr(time.monotonic())}
        command = [sys.executable, "-m", __name__, game, str(seconds)]
        with subprocess.Popen(command, env=environment() | own, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    yield Step(**json.loads(line))
            finally:
                process.terminate()
        if process.returncode:
            raise LudensError(f"the process that played {game} ended with status {process.returncode}")


def _say(name: str, note: str = "") -> None:
    spent = os.times()
    cpu = spent.user + spent.system + spent.children_user + spent.children_system
    print(json.dumps({"name": name, "seconds": _age(), "cpu_seconds": cpu, "note": note}))


def _age() -> float:
    return time.monotonic() - float(os.environ[_BEGAN])


def _main() -> None:
    """Play a game for the first time."""
    name, seconds = sys.argv[1], float(sys.argv[2])
    _say("process started")
    from random import Random  # noqa: PLC0415 - all imports count

    import ludens  # noqa: PLC0415 - as above

    try:
        game = ludens.load(name)
        _say("rules read")
        state, rng = game.initial_state(), Random(1)
        moves = [len(state.legal_moves(role)) for role in game.roles]
        _say("first legal moves", f"{sum(moves)} moves")
        game.compiled(0.0)
        states = 0
        while not state.is_terminal and states < 500:
            legal = {role: own for role in game.roles if (own := state.legal_moves(role))}
            if not legal:
                break
            state = state.sample({role: rng.choice(list(own)) for role, own in legal.items()}, rng)
            states += 1
        _say("first playout interpreted", f"{states} states")
        _compiled(game.compiled(seconds), seconds)
    except LudensError as error:
        sys.exit(f"error: {error}")


def _compiled(game: object, seconds: float) -> None:
    from ludens.core.batch import Batch  # noqa: PLC0415 - all imports count
    from ludens.core.batch_game import BatchGame  # noqa: PLC0415 - all imports count
    from ludens.players.search.block_search import BlockSearch  # noqa: PLC0415 - as above
    from ludens.players.search.settings import SearchSettings  # noqa: PLC0415 - as above

    if not isinstance(game, BatchGame):
        _say("not compiled", "within the time given")
        return
    Batch(game, 1, seed=1).playouts(500)
    _say("first playout compiled")
    settings = SearchSettings(exploration=0.2, rave=0.0, grave=0, mast=False, cutoff=500, lanes=0, leaves=0, memory=256)
    search = BlockSearch(game, 0, settings, seed=1)
    search.set_root(game.initial_state())
    search.run(1.0, 1)
    _say("native search running")
    rates: list[tuple[float, float]] = []
    due = time.monotonic() + min(seconds, 5.0)
    while time.monotonic() < due and not search.is_settled:
        before, began = search.playouts, time.process_time()
        search.run(_SLICE, 1 << 40)
        rates.append((_age(), (search.playouts - before) / max(1e-9, time.process_time() - began)))
    if rates:
        best = max(rate for _, rate in rates)
        age = next(age for age, rate in rates if rate >= _FULL * best)
        note = f"{best:,.0f} playouts a CPU second, after {age:.2f} s"
        _say("full rate", note)


if __name__ == "__main__":
    _main()

"""Masked steps a second of batches: attribute by attribute, and into arrays that are allocated once.

``python -m benchmarks.steps connect_four`` prints a table of CPU nanoseconds for one step of one lane: random moves are
drawn and played, matches that are over restart, and observation, masks of all roles, rewards and ends are there as
arrays. ``--peers`` adds what PettingZoo, OpenSpiel and pgx need for the same in this run, as far as they are installed.
Every figure is the best of several rounds of equal length, so that other programs disturb it less.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

import ludens
from benchmarks.peer_steps import nanoseconds, peers
from ludens.core.array_plan import Form
from ludens.core.batch import Batch

STEPS_OF_A_ROUND = 400_000
"""Steps of all lanes together."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("game", nargs="?", default="connect_four")
    parser.add_argument("--lanes", type=int, nargs="*", default=[64, 512, 2048, 16384])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--peers", action="store_true", help="measure other libraries as well")
    given = parser.parse_args()
    game = ludens.load(given.game, wait=True)
    print("CPU nanoseconds for one step of one lane, and million steps a second")
    print(f"{'lanes':>6}  {'how':<54}{'ns':>10}{'million/s':>12}")
    for lanes in given.lanes:
        for name, make in WAYS.items():
            step = make(Batch(game, lanes, seed=1, restart=True))
            seconds = min(_cpu_seconds(step, max(10, STEPS_OF_A_ROUND // lanes)) for _ in range(given.rounds))
            _print(lanes, name, 1e9 * seconds / lanes)
    for lanes in given.lanes[-1:] if given.peers else ():
        for name, prepare in peers(given.game, lanes).items():
            try:
                _print("", name, nanoseconds(prepare(), given.rounds))
            except Exception as error:  # whatever another library raises
                print(f"{'':>6}  {name:<54}  not measured: {str(error).splitlines()[0]}")


def _print(lanes: int | str, name: str, nanoseconds_of_a_step: float) -> None:
    million = 1e3 / nanoseconds_of_a_step
    print(f"{lanes:>6}  {name:<54}{nanoseconds_of_a_step:>10.1f}{million:>12.3f}", flush=True)


def _cpu_seconds(step: Callable[[], None], count: int) -> float:
    step()
    start = time.process_time()
    for _ in range(count):
        step()
    return (time.process_time() - start) / count


def _by_attributes(batch: Batch) -> Callable[[], None]:
    def step() -> None:
        batch.advance(batch.random_moves())
        for role in batch.game.roles:
            batch.legal(role)
        _ = batch.observation, batch.goals, batch.terminal

    return step


def _into_arrays(form: Form, given: bool = False) -> Callable[[Batch], Callable[[], None]]:
    def make(batch: Batch) -> Callable[[], None]:
        arrays = ludens.StepArrays(batch, observation=form, restart_at_once=True)
        arrays.write()
        requests = np.full((batch.size, len(batch.game.roles)), -1, np.int32)
        return (lambda: arrays.step(requests)) if given else arrays.step

    return make


WAYS: dict[str, Callable[[Batch], Callable[[], None]]] = {
    "attributes of the batch": _by_attributes,
    "StepArrays, packed": _into_arrays("packed"),
    "StepArrays, packed, with requests": _into_arrays("packed", given=True),
    "StepArrays, flags": _into_arrays("flags"),
    "StepArrays, floats": _into_arrays("floats"),
}

if __name__ == "__main__":
    main()

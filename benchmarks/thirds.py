"""Playouts from early, middle and late positions, as in tables 1 and 2 of the paper.

The paper's Monte-Carlo player plays whole matches. In each turn it makes random playouts from the position that has
been reached, and what they come to is averaged over the first, the second and the last third of the match. So here:
``python -m benchmarks.thirds RULES --seconds S`` takes positions from each third of some random matches, measures
playouts from them with the circuit and with SWI-Prolog, and prints JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from benchmarks import prolog
from ludens.compiler.batch.game import CircuitGame
from ludens.compiler.batch.playout import playout_program
from ludens.compiler.batch.tiers import TieredPlayouts
from ludens.compiler.circuit.circuit import Circuit
from ludens.core import LudensError, random_joint_move
from ludens.gdl.game import GdlState
from ludens.gdl.read import read_file
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term

THIRDS = ("early", "middle", "end")
Positions = dict[str, list[frozenset[Term]]]


@dataclass(frozen=True, slots=True)
class Rates:
    """How much was done in one second of CPU time."""

    states: float
    playouts: float


def sample_positions(game: CircuitGame, matches: int, rng: Random) -> Positions:
    """A position from each third of each of some random matches."""
    found: Positions = {third: [] for third in THIRDS}
    for _ in range(matches):
        states: list[GdlState] = []
        state: GdlState = game.initial_state()
        while not state.is_terminal:
            states.append(state)
            state = state.play(random_joint_move(state, rng))
        for number, third in enumerate(THIRDS):
            part = states[number * len(states) // 3 : (number + 1) * len(states) // 3] or states
            found[third].append(rng.choice(part).facts)
    return found


def measure_circuit(circuit: Circuit, position: frozenset[Term], seconds: float) -> Rates:
    """Playouts that begin in a position: those of the game with another initial state."""
    initial = tuple(fluent in position for fluent in circuit.fluents)
    playouts = TieredPlayouts(playout_program(replace(circuit, initial=initial)))
    playouts.wait_for_full_speed()
    machine = playouts.machine(1)
    spent = time.process_time()
    result = machine.run(seconds)
    spent = time.process_time() - spent
    return Rates(result.states / spent, result.playouts / spent)


def measure_thirds(sheet: RuleSheet, seconds: float, matches: int, seed: int = 1) -> dict[str, Any]:
    """For each program and third the rates, or the reason why there are none in Prolog."""
    game = CircuitGame(sheet, sheet.source.name)
    positions = sample_positions(game, matches, Random(seed))
    result: dict[str, Any] = {"ludens": {}, "prolog": {}}
    for third, starts in positions.items():
        rates = [measure_circuit(game.circuit, facts, seconds / matches) for facts in starts]
        result["ludens"][third] = {
            "states_per_cpu_second": sum(rate.states for rate in rates) / matches,
            "playouts_per_cpu_second": sum(rate.playouts for rate in rates) / matches,
        }
        try:
            result["prolog"][third] = prolog.measure(sheet, seconds, starts)
        except LudensError as error:
            result["prolog"][third] = {"error": str(error)}
    return result


def main() -> int:
    """Measure one rule sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", type=Path)
    parser.add_argument("--seconds", type=float, default=2.0, metavar="S", help="CPU time for each third and program")
    parser.add_argument("--matches", type=int, default=3, metavar="N", help="matches from which positions are taken")
    options = parser.parse_args()
    try:
        print(json.dumps(measure_thirds(read_file(options.rules), options.seconds, options.matches)))
    except LudensError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Playouts inside the search of `mcts`, beside those of `ludens bench`: ``python -m benchmarks.inside breakthrough``.

Both are measured in turn in one process, for each second of processor time, so that other programs trouble both alike.
"""

from __future__ import annotations

import argparse
import statistics
import time

import ludens
from ludens.compiler.batch.playout import playout_program
from ludens.compiler.batch.tiers import TieredMachine, TieredPlayouts
from ludens.compiler.circuit_rules import CircuitRules
from ludens.players.search.block_search import BlockSearch
from ludens.players.search.settings import SearchSettings


def raw_rate(machine: TieredMachine, seconds: float) -> float:
    """Playouts for each CPU second, lanes refilled as they end."""
    spent = time.process_time()
    found = machine.run(seconds)
    return found.playouts / (time.process_time() - spent)


def inside_rate(search: BlockSearch, seconds: float) -> float:
    """The same inside the search, which keeps its tree."""
    spent, before = time.process_time(), search.playouts
    search.run(seconds, 1 << 40)
    return (search.playouts - before) / (time.process_time() - spent)


def main() -> None:
    """Print both rates and their ratio for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=["breakthrough", "chess"])
    parser.add_argument("--seconds", type=float, default=2.0, help="for each of both, in each repetition")
    parser.add_argument("--repeat", type=int, default=5)
    given = parser.parse_args()
    settings = SearchSettings(
        exploration=0.2, rave=0.0, grave=0, mast=False, cutoff=10_000, lanes=0, leaves=0, memory=256
    )
    for name in given.games:
        game = ludens.load(name, backend="circuit")
        assert isinstance(game, CircuitRules)
        playouts = TieredPlayouts(playout_program(game.circuit))
        playouts.wait_for_full_speed()
        machine = playouts.machine(1)
        search = BlockSearch(game, 0, settings, seed=1)
        search.set_root(game.initial_state())
        search.run(1.0, 1)
        pairs = [(raw_rate(machine, given.seconds), inside_rate(search, given.seconds)) for _ in range(given.repeat)]
        raw, inside = (statistics.median(rates) for rates in zip(*pairs, strict=True))
        share = statistics.median(inside / raw for raw, inside in pairs)
        print(f"{name}: {inside:,.0f} of {raw:,.0f} playouts a CPU second ({share:.0%}), {search.nodes:,} nodes")


if __name__ == "__main__":
    main()

"""Sampled worlds of games with hidden information in Python: ``python -m benchmarks.worlds [GAME ...]``.

For each game, positions of random matches are drawn, and worlds for a random player in each. Every world is replayed
from the beginning: it is refuted if the player would have perceived, seen or been allowed something else in any turn.
Worlds are counted by CPU time of one thread. A position is "over budget" if uniform draws failed, so that worlds were
repaired or swapped, or a belief began anew ("anew": with tables whose histories begin there).
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from random import Random

import ludens
from ludens.core import State, random_joint_move
from ludens.tabletop import TabletopState
from ludens.tabletop.hidden.table_belief import belief_of
from ludens.tabletop.hidden.view import TableView

GAMES = (
    "bridge",
    "chinese_poker",
    "deck_duel",
    "dominoes",
    "hearts",
    "hexwar",
    "holdem",
    "kriegspiel",
    "kuhn_poker@tabletop",
    "leduc_poker@tabletop",
    "liars_dice",
    "mahjong",
    "memory",
    "phantom_go",
    "skat",
    "spades",
    "stratego",
    "totem:4",
    "uno:4",
)


@dataclass(slots=True)
class Row:
    """What was found about a game."""

    positions: int = 0
    worlds: int = 0
    refuted: int = 0
    over_budget: int = 0
    anew: int = 0
    missed: int = 0
    seconds: float = 0.0


def draw_positions(name: str, count: int, seed: int) -> list[TabletopState]:
    """Positions of random matches, up to a quarter of them from each match."""
    game = ludens.load(name)
    found: list[TabletopState] = []
    for number in range(10 * count):
        rng = Random(f"{seed}/{number}")
        state: State = game.initial_state()
        path: list[TabletopState] = []
        while not state.is_terminal:
            state = state.sample(random_joint_move(state, rng), rng)
            assert isinstance(state, TabletopState)
            path.append(state)
        found += rng.sample(path[:-1], min(len(path) - 1, -(-count // 4)))
        if len(found) >= count:
            break
    return found[:count]


def measure(name: str, positions: int, worlds: int, seed: int, replayed: int) -> Row:
    """Draw worlds, and replay some of them."""
    row = Row()
    rng = Random(seed)
    for state in draw_positions(name, positions, seed):
        view = state.view(rng.choice(state.game.roles))
        assert isinstance(view, TableView)
        began = time.process_time()
        drawn = [view.sample(rng) for _ in range(worlds)]
        row.seconds += time.process_time() - began
        row.positions += 1
        row.worlds += len(drawn)
        sampler = view.sampler
        row.missed += sampler.misses
        if view.has_belief:
            is_anew = any(getattr(one, "is_fresh", False) for one in belief_of(state, view.role).history)
            row.anew += is_anew
            row.over_budget += is_anew
        else:
            row.over_budget += sampler.is_over_budget
        for world in rng.sample(drawn, min(replayed, len(drawn))):
            assert isinstance(world, TabletopState)
            row.refuted += sampler.past.first_contradiction(world) is not None
    return row


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--worlds", type=int, default=50, help="worlds drawn in each position")
    parser.add_argument("--replayed", type=int, default=50, help="worlds of each position that are replayed")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print("| game | positions | worlds | refuted | over budget | anew | missed | worlds/s |")
    print("|---|---|---|---|---|---|---|---|")
    for name in given.games:
        row = measure(name, given.positions, given.worlds, given.seed, given.replayed)
        print(
            f"| `{name}` | {row.positions} | {row.worlds} | {row.refuted} | {row.over_budget} | {row.anew} "
            f"| {row.missed} | {row.worlds / row.seconds:,.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()

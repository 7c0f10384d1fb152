"""Sampled worlds of games with hidden information in Python: ``python -m benchmarks.worlds [GAME ...]``.

For each game, positions of random matches are drawn, and worlds for a random player in each. A world is refuted if the
player would have perceived, seen or been allowed something else in any turn: the history of the world is played from
the beginning and compared with the match (`ludens.testing.contradiction`), which uses nothing of the sampler. The first
column of rates counts the first draws in a position, with the analysis of its history; the second one later draws.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

import ludens
from ludens.core import Role, State, random_joint_move
from ludens.tabletop import TabletopState
from ludens.testing import contradiction, has_history, perceptions

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
FIRST = 10
"""Draws that count as the first ones in a position."""
Path = list[Mapping[Role, str]]


@dataclass(slots=True)
class Row:
    """What was found about a game."""

    positions: int = 0
    worlds: int = 0
    refuted: int = 0
    unknown: int = 0
    """Worlds for which no history was found that fits: they count as refuted, too."""
    first: int = 0
    first_seconds: float = 0.0
    later: int = 0
    later_seconds: float = 0.0


def draw_positions(name: str, count: int, seed: int) -> list[tuple[TabletopState, Path]]:
    """Positions of random matches, up to a quarter of them from each match, with the joint moves that led there."""
    game = ludens.load(name)
    found: list[tuple[TabletopState, Path]] = []
    for number in range(10 * count):
        rng = Random(f"{seed}/{number}")
        state: State = game.initial_state()
        states: list[TabletopState] = []
        path: Path = []
        while not state.is_terminal:
            path.append(state.resolve(random_joint_move(state, rng), rng))
            state = state.play(path[-1])
            assert isinstance(state, TabletopState)
            states.append(state)
        found += [
            (states[at], path[: at + 1])
            for at in rng.sample(range(len(states) - 1), min(len(states) - 1, -(-count // 4)))
        ]
        if len(found) >= count:
            break
    return found[:count]


def measure(name: str, positions: int, worlds: int, seed: int) -> Row:
    """Draw worlds, and replay them."""
    row = Row()
    rng = Random(seed)
    for state, path in draw_positions(name, positions, seed):
        role = rng.choice(state.game.roles)
        view = state.view(role)
        began = time.process_time()
        drawn = [view.sample(rng) for _ in range(min(FIRST, worlds))]
        between = time.process_time()
        drawn += [view.sample(rng) for _ in range(worlds - len(drawn))]
        row.later_seconds += time.process_time() - between
        row.first_seconds += between - began
        row.positions += 1
        row.worlds += worlds
        row.first += min(FIRST, worlds)
        row.later += max(worlds - FIRST, 0)
        perceived = perceptions(state.game, role, path)
        for world in drawn:
            assert isinstance(world, TabletopState)
            is_unknown = not has_history(world)
            row.unknown += is_unknown
            row.refuted += is_unknown or contradiction(perceived, world, role) is not None
    return row


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--worlds", type=int, default=50, help="worlds drawn in each position")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print("| game | positions | worlds | refuted | without history | first draws/CPU s | later draws/CPU s |")
    print("|---|---|---|---|---|---|---|")
    for name in given.games:
        row = measure(name, given.positions, given.worlds, given.seed)
        rates = (row.first / max(row.first_seconds, 1e-9), row.later / max(row.later_seconds, 1e-9))
        print(
            f"| `{name}` | {row.positions} | {row.worlds} | {row.refuted} | {row.unknown} "
            f"| {rates[0]:,.0f} | {rates[1]:,.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()

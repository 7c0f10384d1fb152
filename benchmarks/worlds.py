"""Sampled worlds of games with hidden information: ``python -m benchmarks.worlds [GAME ...]``.

For each game, positions of random matches are drawn, and worlds for a random player in each. A world is refuted if the
player would have perceived, seen or been allowed something else in any turn: the history of the world is played from
the beginning and compared with the match, without the sampler (`ludens.testing.contradiction` for games in
Python, `Replay` for GDL-II). A world that is drawn twice is replayed once. The first column of rates counts the first
draws in a position, with the analysis of its history; the second one later draws.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from random import Random

import ludens
from ludens.core import Role, State, random_joint_move
from ludens.gdl.game import GdlState
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
GDL_GAMES = (
    "kriegspiel_tic_tac_toe",
    "kuhn_poker",
    "leduc_poker",
    "mastermind",
    "monty_hall",
    "phantom_connect_four",
    "sealed_bid_auction",
)
OUTCOMES = 100_000
"""Outcomes of chance in a turn, at most."""
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


def draw_positions(name: str, count: int, seed: int) -> list[tuple[State, Path]]:
    """Positions of random matches, up to a quarter of them from each match, with the joint moves that led there."""
    game = ludens.load(name)
    found: list[tuple[State, Path]] = []
    for number in range(10 * count):
        rng = Random(f"{seed}/{number}")
        state: State = game.initial_state()
        states: list[State] = []
        path: Path = []
        while not state.is_terminal:
            path.append(state.resolve(random_joint_move(state, rng), rng))
            state = state.play(path[-1])
            states.append(state)
        found += [
            (states[at], path[: at + 1])
            for at in rng.sample(range(len(states) - 1), min(len(states) - 1, -(-count // 4)))
        ]
        if len(found) >= count:
            break
    return found[:count]


def measure(name: str, positions: int, worlds: int, seed: int, report: Callable[[Row], None] | None = None) -> Row:
    """Draw worlds, and replay them; ``report`` gets what was found after each position."""
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
        judge(row, state, role, path, drawn)
        if report is not None:
            report(row)
    return row


def judge(row: Row, state: State, role: Role, path: Path, drawn: list[State]) -> None:
    """Count the worlds that are refuted."""
    perceived = perceptions(state.game, role, path)
    replay = Replay(state, role) if isinstance(state, GdlState) else None
    for world, times in Counter(map(_Same, drawn)).items():
        if isinstance(world.state, TabletopState):
            is_unknown = not has_history(world.state)
            row.unknown += times * is_unknown
            row.refuted += times * (is_unknown or contradiction(perceived, world.state, role) is not None)
        else:
            assert replay is not None
            assert isinstance(world.state, GdlState)
            row.refuted += times * replay.refutes(world.state)


@dataclass(frozen=True, slots=True)
class _Same:
    """A world, compared by identity."""

    state: State

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.state is other.state

    def __hash__(self) -> int:
        return id(self.state)


class Replay:
    """Plays histories of worlds of a game in GDL-II from the beginning, and compares them with a match."""

    def __init__(self, state: GdlState, role: Role) -> None:
        self._role = role
        self._first = state.game.initial_state()
        self._match = turns_of(state)
        self._successors: dict[tuple[State, tuple[str, ...]], dict[Hashable, list[GdlState]]] = {}

    def refutes(self, world: GdlState) -> bool:
        """True if the role would have perceived, done or been allowed something else."""
        turns = turns_of(world)
        if len(turns) != len(self._match):
            return True
        at: State = self._first
        for one, real in zip(turns, self._match, strict=True):
            assert one.arrival is not None
            possible = self._after(at, one.arrival.turn.chosen)[one.position]
            fitting = (after for after in possible if self._perceived(after) == self._perceived(real))
            if (after := next(fitting, None)) is None:
                return True
            at = after
        return False

    def _after(self, before: State, chosen: Mapping[Role, str]) -> dict[Hashable, list[GdlState]]:
        """The states after a joint move, one for each outcome of chance, by their positions."""
        key = before, tuple(chosen.values())
        if key not in self._successors:
            found = [before.play(one.joint_move) for one in before.chance_outcomes(chosen, OUTCOMES)]
            successors = self._successors[key] = defaultdict(list)
            for state in found:
                assert isinstance(state, GdlState)
                successors[state.position].append(state)
        return self._successors[key]

    def _perceived(self, state: GdlState) -> tuple[object, ...]:
        assert state.arrival is not None
        own = str(state.arrival.turn.chosen[self._role])
        return own, list(state.percepts(self._role)), list(map(str, state.legal_moves(self._role)))


def turns_of(state: GdlState) -> list[GdlState]:
    """The states of a match after each turn."""
    found: list[GdlState] = []
    while state.arrival is not None:
        found.append(state)
        state = state.arrival.before
    return found[::-1]


def print_progress(row: Row) -> None:
    """What was found in the positions so far."""
    seconds = row.first_seconds + row.later_seconds
    print(f"{row.positions} positions, {row.worlds} worlds, {row.refuted} refuted, {seconds:.1f} CPU s", flush=True)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES + GDL_GAMES)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--worlds", type=int, default=50, help="worlds drawn in each position")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--progress", action="store_true", help="print a line after each position")
    given = parser.parse_args()
    print("| game | positions | worlds | refuted | without history | first draws/CPU s | later draws/CPU s |")
    print("|---|---|---|---|---|---|---|")
    for name in given.games:
        row = measure(name, given.positions, given.worlds, given.seed, print_progress if given.progress else None)
        rates = (row.first / max(row.first_seconds, 1e-9), row.later / max(row.later_seconds, 1e-9))
        print(
            f"| `{name}` | {row.positions} | {row.worlds} | {row.refuted} | {row.unknown} "
            f"| {rates[0]:,.0f} | {rates[1]:,.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()

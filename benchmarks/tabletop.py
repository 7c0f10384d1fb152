"""How fast games in Python are through the contract, and what a state costs: ``python -m benchmarks.tabletop``.

Prints the tables of docs/tabletop.md. Figures are CPU time of one thread. ``--twins`` prints the pace of random
playouts instead: in Python, by the twin, and of OpenSpiel driven from Python, if it is installed; with ``--before``
also of an older version.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

import ludens
from ludens.core import State, random_joint_move
from ludens.tabletop import EngineTwin, Table, TabletopGame, TabletopState, Twin
from ludens.tabletop.hidden.sampled_tables import OwnTable
from ludens.tabletop.light_table import LightTable
from ludens.tabletop.playouts import play_on
from ludens.tabletop.table import ACTOR

GAMES = (
    "tic_tac_toe@tabletop",
    "gomoku@tabletop",
    "holdem",
    "holdem:6",
    "holdem:betting=limit",
    "chinese_poker",
    "kuhn_poker@tabletop",
    "leduc_poker@tabletop",
    "backgammon@tabletop",
    "cant_stop@tabletop",
    "go",
    "phantom_go",
    "dominoes",
    "uno:4",
    "shogi",
    "kriegspiel",
    "chinese_checkers",
    "hearts",
    "spades",
    "bridge",
    "skat",
    "mahjong",
    "liars_dice",
    "memory",
    "stratego",
    "hexwar",
    "deck_duel",
    "outpost",
    "estates:4",
    "totem:4",
)
OPENSPIEL = {
    "tic_tac_toe@tabletop": "tic_tac_toe",
    "kuhn_poker@tabletop": "kuhn_poker",
    "leduc_poker@tabletop": "leduc_poker",
    "backgammon@tabletop": "backgammon",
    "go": "go(board_size=9)",
    "phantom_go": "phantom_go(board_size=7)",
    "kriegspiel": "kriegspiel",
    "hearts": "hearts",
    "spades": "spades",
    "bridge": "bridge(use_double_dummy_result=false)",
    "skat": "skat",
    "liars_dice": "liars_dice",
}
"""The games of OpenSpiel that pages are compared with."""
TABLES, LANES_EACH, MOST_TURNS = 16, 32, 10_000
"""Tables that a round of playouts by a twin begins with, playouts of each, and their most turns."""
BEFORE = """
import sys, time
from random import Random
import ludens
from ludens.tabletop.playouts import play_on
from ludens.tabletop.table import RESULT

game, seconds, rng = ludens.load(sys.argv[1]), float(sys.argv[2]), Random(1)
game.has_sensible_playouts = False
began = time.process_time()
turns = 0
while time.process_time() - began < seconds:
    table = game.initial_state().table.copy()
    while table.play_state[RESULT] is None and time.process_time() - began < seconds:
        play_on(game, table, rng, 1)
        turns += 1
print(turns / (time.process_time() - began))
"""
"""Random playouts of older versions, which had no light table."""
COPIED = ("tic_tac_toe@tabletop", "holdem:6", "go:19", "uno:4")


def rate(work: Callable[[], int], seconds: float) -> float:
    """How many units a CPU second of some work has, after one round to warm up."""
    work()
    done = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        done += work()
    return done / spent


def playout(game: TabletopGame, rng: Random) -> int:
    """Play a random match through the contract; returns the number of turns."""
    state: State = game.initial_state()
    turns = 0
    while not state.is_terminal:
        state = state.sample(random_joint_move(state, rng), rng)
        turns += 1
    return turns


def playout_with_undo(game: TabletopGame, rng: Random) -> int:
    """The same on one table that is changed and then undone."""
    table = OwnTable(game.initial_state(), rng)
    turns = 0
    while not (state := table.state).is_terminal:
        table.simulate(random_joint_move(state, rng))
        turns += 1
    for _ in range(turns):
        table.undo()
    return turns


def sampled(game: TabletopGame, rng: Random) -> int:
    """Draw a world for whoever moves, in each position of a random match."""
    state: State = game.initial_state()
    worlds = 0
    while not state.is_terminal:
        for role in game.roles:
            if state.legal_moves(role):
                state.view(role).sample(rng)
                worlds += 1
        state = state.sample(random_joint_move(state, rng), rng)
    return worlds


def middle(game: TabletopGame) -> TabletopState:
    """A position in the middle of a random match."""
    turns = playout(game, Random(1))
    state: State = game.initial_state()
    rng = Random(1)
    for _ in range(turns // 2):
        state = state.sample(random_joint_move(state, rng), rng)
    assert isinstance(state, TabletopState)
    return state


def ways_to_copy(state: TabletopState, seconds: float) -> list[str]:
    """Microseconds for a copy of a table, and for its places with one changed and all read: as a list, as a tuple, and
    as a persistent vector, if pyrsistent is installed."""
    contents = state.table.contents
    places = tuple(contents)
    last = len(contents) - 1

    def microseconds(action: Callable[[], object]) -> str:
        def work() -> int:
            for _ in range(200):
                action()
            return 200

        return f"{1e6 / rate(work, seconds):.2f}"

    def as_list() -> int:
        copy = contents[:]
        copy[last] = ()
        return sum(map(len, copy))

    def as_tuple() -> int:
        return sum(map(len, (*places[:last], ())))

    found = [microseconds(state.table.copy), microseconds(as_list), microseconds(as_tuple)]
    try:
        pyrsistent = importlib.import_module("pyrsistent")
    except ImportError:
        return [*found, ""]
    vector = pyrsistent.pvector(contents)
    return [*found, microseconds(lambda: sum(map(len, vector.set(last, ()))))]


def measure(name: str, seconds: float) -> str:
    """A row of the first table."""
    game = ludens.load(name)
    assert isinstance(game, TabletopGame)
    rng = Random(1)
    turns = rate(partial(playout, game, rng), seconds)
    undone = rate(partial(playout_with_undo, game, rng), seconds)
    worlds = f"{rate(partial(sampled, game, rng), seconds):,.0f}" if game.hidden else ""
    return f"| `{name}` | {turns:,.0f} | {undone:,.0f} | {worlds} |"


def random_turns(game: TabletopGame, table: Table, rng: Random) -> int:
    """A random playout in Python, as searches play it; returns its turns."""
    return play_on(game, LightTable.of(table), rng, MOST_TURNS)


def openspiel_turns(game: Any, rng: Random) -> int:
    """A random match of OpenSpiel, driven from Python; returns its turns."""
    state, turns = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
        turns += 1
    return turns


def measure_twin(name: str, seconds: float, before: str | None) -> str:
    """A row of the table of twins: playouts from tables near the beginning, to the end or the rule's horizon."""
    game = ludens.load(name)
    assert isinstance(game, TabletopGame)
    native = game.native_playouts(1)
    assert native is not None
    rng = Random(1)
    game.has_sensible_playouts = game.has_shortcuts = False
    starts = [first_covered(game, Random(seed)) for seed in range(TABLES)]
    python = rate(lambda: random_turns(game, rng.choice(starts).table, rng), seconds)

    def by_twin() -> int:
        before = native.turns
        native.play_out(starts, LANES_EACH, MOST_TURNS)
        return native.turns - before

    twin = rate(by_twin, seconds)
    peer = ""
    if name in OPENSPIEL and importlib.util.find_spec("pyspiel"):
        theirs = importlib.import_module("pyspiel").load_game(OPENSPIEL[name])
        peer = f"{rate(lambda: openspiel_turns(theirs, rng), seconds):,.0f}"
    row = f"| `{name}` |"
    if before is not None:
        then = rate_before(name, seconds, before)
        row += f" {then:,.0f} | {python:,.0f} | {twin:,.0f} | {twin / then:.0f} |"
    else:
        row += f" {python:,.0f} | {twin:,.0f} | {twin / python:.0f} |"
    return f"{row} {peer} |"


def rate_before(name: str, seconds: float, source: str) -> float:
    """The pace of random playouts of an older version, whose source code is in a folder."""
    command = [sys.executable, "-c", BEFORE, name, str(seconds)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": source}, check=True, capture_output=True, text=True)
    return float(done.stdout)


def first_covered(game: TabletopGame, rng: Random) -> TabletopState:
    """The first state of a random match that the twin covers: cards are dealt, auctions are over."""
    while True:
        state: State = game.initial_state()
        while not state.is_terminal:
            assert isinstance(state, TabletopState)
            if is_covered(game, state):
                return state
            state = state.sample(random_joint_move(state, rng), rng)


def is_covered(game: TabletopGame, state: TabletopState) -> bool:
    """True if the twin covers a state; boards of stones always are."""
    table = state.table.copy()
    table.play_state[ACTOR] = game.stage(table).players[0]
    match game.twin:
        case Twin():
            return game.call(game.twin.facts, table, at=table) is not None
        case EngineTwin():
            return game.call(game.twin.position, table, at=table) is not None
        case _:
            return True


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds for each figure")
    parser.add_argument("--twins", action="store_true", help="the pace of playouts by twins")
    parser.add_argument(
        "--before", metavar="FOLDER", help="with --twins, the folder src of an older version to compare"
    )
    parser.add_argument("games", nargs="*", default=GAMES, help="with --twins, the games; default: all")
    given = parser.parse_args(arguments)
    seconds = given.seconds
    if given.twins:
        columns = ["before", "in Python"] if given.before else ["in Python"]
        columns = ["game", *columns, "by its twin", "ratio", "OpenSpiel from Python"]
        print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
        for name in given.games:
            print(measure_twin(name, seconds, given.before), flush=True)
        return
    print("| game | turns/s by states | turns/s by do and undo | worlds/s |")
    print("|---|---|---|---|")
    for name in GAMES:
        print(measure(name, seconds), flush=True)
    print("\n| table of | places | whole table, µs | places as a list | as a tuple | as a persistent vector |")
    print("|---|---|---|---|---|---|")
    for name in COPIED:
        game = ludens.load(name)
        assert isinstance(game, TabletopGame)
        state = middle(game)
        print(
            f"| `{name}` | {len(state.table.contents)} | {' | '.join(ways_to_copy(state, seconds / 4))} |", flush=True
        )


if __name__ == "__main__":
    main()

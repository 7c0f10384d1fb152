"""The worker process that plays matches: receives orders and sends news as JSON lines.

Several matches share one process, each with its own threads: the searches of compiled games run without the
interpreter lock. A client's own rules get a separate process, with limits.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ludens.core import Game, LudensError, Role
from ludens.core.process import allocate_from_one_arena, limit_process, lower_priority, take_output
from ludens.gdl.game import GdlGame
from ludens.players import make_player
from ludens.referee.latency import measure_latency, switch_quickly
from ludens.referee.opening import first_choice
from ludens.web.hosting.presentation import Presentation
from ludens.web.hosting.setup import Setup, load, rules_path
from ludens.web.hosting.slots import Queues, Slots
from ludens.web.hosting.table import LARGEST_TREE, Table

_KEPT_GAMES = 12
"""Compiled games that are cached for the next match."""
_NICE = 5
"""The server has priority."""
_NICE_WARM_UP = 10
"""A match that begins meanwhile has priority."""
_TREES = 400
"""Megabytes for the trees of all players of a process, about."""
_SMALLEST_TREE = 4
_CLOSING_SECONDS = 3.0
_WARM_UP = "tic_tac_toe"
_WARM_UP_PAUSE = 1.0
"""Seconds without orders before modules and machine code are loaded: a first match, which may begin, loads its own."""


class _Games:
    """Games that this process has loaded, for all its matches."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._matches: Counter[str] = Counter()
        self._lock = threading.Lock()

    def game(self, name: str, rules: Path | None) -> Game:
        """The game, for a match; call `release` at its end."""
        with self._lock:
            self._matches[str(rules or name)] += 1
            return self._loaded(name, rules)

    def look_at(self, name: str, rules: Path | None) -> Game:
        """The game, to be described."""
        with self._lock:
            return self._loaded(name, rules)

    def _loaded(self, name: str, rules: Path | None) -> Game:
        key = str(rules or name)
        if key not in self._games:
            self._games[key] = load(name, rules)
            while len(self._games) > _KEPT_GAMES:
                self._games.popitem(last=False)
        self._games.move_to_end(key)
        return self._games[key]

    def release(self, name: str, rules: Path | None) -> None:
        """Release the game after a match: its compiler stops if no other match waits for it."""
        key = str(rules or name)
        with self._lock:
            self._matches[key] -= 1
            if self._matches[key] <= 0:
                del self._matches[key]
                game = self._games.get(key)
                if isinstance(game, GdlGame):
                    game.stop_compiling()
                    if game.compiled(0.0) is game:  # it would stay interpreted otherwise
                        del self._games[key]


_GAMES = _Games()


class Worker:
    """Plays matches, with some ``searches`` at once. `handle` returns at once; news go to ``send``, from any thread."""

    def __init__(self, send: Callable[[dict[str, Any]], None], searches: int) -> None:
        self._send = send
        self._queues = Queues(Slots(searches))
        self._tables: dict[str, Table] = {}
        self._threads: dict[str, threading.Thread] = {}
        self._ordered = 0.0
        """When the last order came."""

    def handle(self, order: Mapping[str, Any]) -> None:
        """Execute an order of the server."""
        self._ordered = time.monotonic()
        match order["do"]:
            case "start":
                self._start(order["match"], Setup.from_json(order["setup"]), Path(order["folder"]))
            case "describe":
                self._in_thread(lambda: self._describe(order["name"], order["game"], order.get("rules"), order["seed"]))
            case "warm up":
                self._in_thread(lambda: self._warm_up(order["name"]))
            case wish if table := self._tables.get(order["match"]):
                _pass_on(table, wish, order)

    def close(self) -> None:
        """Leave all matches; they can continue from their records."""
        for table in list(self._tables.values()):
            table.close()
        for thread in list(self._threads.values()):
            thread.join(_CLOSING_SECONDS)

    def _start(self, name: str, setup: Setup, folder: Path) -> None:
        megabytes = tree_megabytes(len(self._tables) + 1, len(setup.seats))
        table = self._tables[name] = Table(
            setup,
            folder,
            lambda news: self._send({"match": name, **news}),
            self._queues,
            megabytes,
        )
        rules = rules_path(folder, setup.game) if setup.own_rules else None

        def play() -> None:
            try:
                table.run(lambda: _GAMES.game(setup.game, rules))
            finally:
                _GAMES.release(setup.game, rules)
                del self._tables[name], self._threads[name]

        self._threads[name] = self._in_thread(play, start=False)
        self._threads[name].start()

    def _describe(self, request: str, name: str, rules: str | None, seed: int) -> None:
        """Send the data of a game for the form."""
        try:
            game = _GAMES.look_at(name, None if rules is None else Path(rules))
            description = {
                "roles": list(game.roles),
                "hidden": game.hidden,
                "chance": game.chance,
                "first": _who_begins(game, seed) if rules is None else game.roles[0],
            }
        except LudensError as error:
            description = {"error": str(error)}
        except Exception as error:  # rules may raise anything
            description = {"error": f"{type(error).__name__}: {error}"}
        self._send({"described": request, **description})

    def _warm_up(self, request: str) -> None:
        """Load what drawing and search need before it is wanted, the drawing first; while nobody waits for a board."""
        with contextlib.suppress(Exception):
            lower_priority(_NICE_WARM_UP)  # of this thread
            game = _GAMES.game(_WARM_UP, None)
            Presentation(game, game.roles).position(game.initial_state())
            while (pause := self._ordered + _WARM_UP_PAUSE - time.monotonic()) > 0:
                time.sleep(pause)
            measure_latency()
            make_player("auto").warm_up()
            _GAMES.release(_WARM_UP, None)
        self._send({"described": request})

    def _in_thread(self, work: Callable[[], None], start: bool = True) -> threading.Thread:
        thread = threading.Thread(target=work, name="match", daemon=True)
        if start:
            thread.start()
        return thread


def _who_begins(game: Game, seed: int) -> Role:
    """The first role that has a choice in a match with a seed; which cards decide that is not told."""
    state = first_choice(game, 0 if game.hidden else seed)
    return next((role for role in game.roles if len(state.legal_moves(role)) > 1), game.roles[0])


def tree_megabytes(matches: int, seats: int) -> int:
    """The memory limit in megabytes for each search tree, by numbers of matches and seats."""
    return min(LARGEST_TREE, max(_SMALLEST_TREE, _TREES // (matches * seats)))


def _pass_on(table: Table, wish: str, order: Mapping[str, Any]) -> None:
    match wish:
        case "move":
            table.move(order["role"], order["question"], order["move"])
        case "undo":
            table.undo(order["role"], order["question"])
        case "decide":
            table.decide(order["role"], order["wish"], agrees=order["agrees"])
        case "hint":
            table.hint(order["role"], order["question"])
        case "resign":
            table.resign(order["role"])
        case "stop":
            table.stop()
        case "leave":
            table.close()


def main() -> None:
    """Handle orders from standard input until it ends; arguments: megabytes at most (0: any), searches at once."""
    megabytes, searches = int(sys.argv[1]), int(sys.argv[2])
    limit_process(megabytes * 2**20 or None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the server, which closes its workers
    lower_priority(_NICE)
    allocate_from_one_arena()
    switch_quickly()
    news = take_output()
    lock = threading.Lock()

    def send(message: dict[str, Any]) -> None:
        line = json.dumps(message, ensure_ascii=False) + "\n"
        with lock, contextlib.suppress(BrokenPipeError):
            news.write(line)

    worker = Worker(send, searches)
    send({"ready": True})
    for line in sys.stdin.buffer:
        worker.handle(json.loads(line))
    worker.close()
    os._exit(0)  # players that do not stop must not keep the process


if __name__ == "__main__":
    main()

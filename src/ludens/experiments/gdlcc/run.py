"""Runs all engines on all games, each pair in its own process, so that a failure affects only its cells."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludens.core import GameError
from ludens.core.process import kill_session
from ludens.experiments.gdlcc.engines import RHYTHMS, EngineName
from ludens.experiments.gdlcc.matches import Cells, Turn, cells_of
from ludens.experiments.gdlcc.paper import GAMES, PaperGame

PATIENCE = 600.0
"""Seconds, beyond the clock, that an engine may take to start or for one turn before it is stopped."""

Progress = Callable[[str], None]
"""Receives progress messages."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The settings of the experiment."""

    clock: float = 5.0
    """CPU seconds for each turn."""
    games: int = 20
    """Matches for each game and engine."""
    rules: Path | None = None
    """A folder with rule sheets, to be used instead of the library's."""
    only: Sequence[str] = ()
    """The library names of the games to play; empty for all."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The results of one engine on one game."""

    game: PaperGame
    engine: EngineName
    rhythm: int
    """The number of simulations after each drawn joint move."""
    sheet: str
    """The rule sheet that was played."""
    cells: Cells | None
    turns: int
    reason: str = ""
    """Why there are no cells, or too few matches."""


def run_experiment(setup: Setup, progress: Progress) -> list[Measured]:
    """Play all matches. Raises `GameError` if a rule sheet is missing."""
    unknown = set(setup.only) - {game.shelf for game in GAMES}
    if unknown:
        names = ", ".join(game.shelf for game in GAMES)
        raise GameError(f"the experiment has no game {', '.join(sorted(unknown))} (games: {names})")
    wanted = [game for game in GAMES if not setup.only or game.shelf in setup.only]
    sheets = [(game, _rule_sheet(game, setup.rules)) for game in wanted]
    return [
        _measure(game, sheet, engine, rhythm, setup, progress)
        for game, sheet in sheets
        for rhythm in RHYTHMS
        for engine in EngineName
    ]


def _rule_sheet(game: PaperGame, folder: Path | None) -> str:
    """The rule sheet of a game: its name in the library, or a path."""
    if folder is None:
        return game.shelf
    for name in game.sheets:
        for place in (folder, folder / "rules"):
            if (place / f"{name}.kif").is_file():
                return str(place / f"{name}.kif")
    names = " or ".join(f"{name}.kif" for name in game.sheets)
    raise GameError(f"there is no {names} in {folder}; --rules names a folder with rule sheets of all four games")


def _measure(
    game: PaperGame, sheet: str, engine: EngineName, rhythm: int, setup: Setup, progress: Progress
) -> Measured:
    request = {
        "game": sheet,
        "engine": engine,
        "rhythm": rhythm,
        "memo": game.memo,
        "clock": setup.clock,
        "games": setup.games,
    }
    title = f"{game.title}, {engine}, rhythm {rhythm}"
    progress(f"{title}: preparing")
    matches: list[list[Turn]] = []

    def note(message: dict[str, Any]) -> None:
        if "turns" in message:
            matches.append([Turn(**turn) for turn in message["turns"]])
        elif "turn" in message:
            progress(f"{title}: game {message['match'] + 1} of {setup.games}, turn {message['turn']}")

    reason = _run_worker(request, PATIENCE + 10 * setup.clock, note)
    if reason and matches:
        reason = f"only {len(matches)} of {setup.games} games: {reason}"
    turns = sum(map(len, matches))
    return Measured(game, engine, rhythm, Path(sheet).stem, cells_of(matches) if turns else None, turns, reason)


def _run_worker(request: dict[str, Any], patience: float, note: Callable[[dict[str, Any]], None]) -> str:
    """Run a worker and pass on its reports; returns the reason if it failed."""
    command = [sys.executable, "-m", "ludens.experiments.gdlcc.worker"]
    given_up = threading.Event()

    def give_up() -> None:
        given_up.set()
        _end(process)

    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors,
        # A new session, so that child processes of the engine can be killed with it.
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True
        ) as process,
    ):
        watch = threading.Timer(patience, give_up)
        watch.start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            json.dump(request, process.stdin)
            process.stdin.close()
            for line in process.stdout:
                watch.cancel()
                note(json.loads(line))
                watch = threading.Timer(patience, give_up)
                watch.start()
            process.wait()
        except BrokenPipeError:
            process.wait()
        finally:
            watch.cancel()
            _end(process)
        if given_up.is_set():
            return f"it reported nothing for {patience:g} s"
        if process.returncode == 0:
            return ""
        errors.seek(0)
        words = errors.read().strip().splitlines()
        return words[-1][:300] if words else f"its process ended with code {process.returncode}"


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        kill_session(process.pid)

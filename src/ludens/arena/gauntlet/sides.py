"""A side of a gauntlet: a player of this or an earlier ludens in a process of its own, on one core."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from ludens.core import Clock, Deadline, Decision, Game, JointMove, Observation, Player, PlayerError, Role, View

_CHILD = Path(__file__).with_name("child.py")
_FAREWELL = 5.0
"""Seconds that a process has to end."""


class Side:
    """The process; it is started again if it has gone."""

    def __init__(self, sources: Path, core: int | None, *, by_cpu: bool) -> None:
        self._sources = sources
        self._core = core
        self._by_cpu = by_cpu
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()

    def ask(self, **message: Any) -> dict[str, Any]:
        """Send a message and wait for the answer. Raises `PlayerError`.

        The Referee does not wait for a player that takes long to stop: then the next match asks meanwhile.
        """
        with self._lock:
            return self._ask(message)

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except (OSError, ValueError) as error:
            self.close()
            raise PlayerError(f"the process of a player has gone: {error}") from None
        if not line:
            self.close()
            raise PlayerError("the process of a player ended without an answer")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise PlayerError(answer["error"])
        return answer

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            arguments = [sys.executable, str(_CHILD), *(["cpu"] if self._by_cpu else [])]
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=os.environ | {"PYTHONPATH": str(self._sources)},
            )
            if self._core is not None and hasattr(os, "sched_setaffinity"):
                with suppress(OSError):
                    os.sched_setaffinity(self._process.pid, {self._core})
        return self._process

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):
            process.stdin.close()
        try:
            process.wait(_FAREWELL)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


class SidePlayer(Player):
    """What a side plays in one match, for the Referee."""

    name = "side"
    description = "a player in a process of its own"
    grace = 0.5  # for the way of its answers; it keeps the clock itself

    def __init__(self, side: Side, player: str, game: str, clock: Clock) -> None:
        super().__init__()
        self.settings |= {"player": player}
        self._side = side
        self._player = player
        self._text = game
        self._clock = clock
        self._moves: list[JointMove] = []
        self.cpu_seconds = 0.0
        """CPU seconds of the process for this match."""
        self.longest = 0.0
        """CPU seconds of its longest move."""

    def warm_up(self) -> None:
        """Start the process and load the game, before the clock runs."""
        self._ask(do="load", game=self._text, player=self._player)

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Start the player, with the clock of the gauntlet: the Referee's may be longer."""
        self._ask(
            do="start",
            game=self._text,
            role=role,
            seed=seed,
            clock=self._clock.play,
            start_clock=self._clock.start,
        )

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The player's move."""
        moves, self._moves = self._moves, []
        before = self.cpu_seconds
        answer = self._ask(do="play", moves=moves, clock=self._clock.play)
        self.longest = max(self.longest, self.cpu_seconds - before)
        return Decision(answer["move"])

    def observe(self, observation: Observation) -> None:
        """Keep the joint move for the next message."""
        self._moves.append({role: str(move) for role, move in (observation.joint_move or {}).items()})

    def stop(self) -> None:
        """Stop the player; its process plays the next match."""
        self._ask(do="stop")

    def _ask(self, **message: Any) -> dict[str, Any]:
        answer = self._side.ask(**message)
        self.cpu_seconds += answer["cpu"]
        return answer

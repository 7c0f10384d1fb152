"""The program of a side: plays matches with a player of ludens, as lines of JSON on standard input ask.

It runs as a script, with the ludens of the checkout that ``PYTHONPATH`` names, so it uses nothing newer than
`make_player`, `Clock` and `Deadline`. With the argument ``cpu``, all clocks count the CPU seconds of this process.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from typing import Any

_NEVER = 1 << 30


def main() -> None:
    """Answer each line with one line, until standard input ends."""
    answers, sys.stdout = sys.stdout, sys.stderr  # what a player prints must not get among the answers
    gc.set_threshold(*gc.get_threshold()[:2], _NEVER)  # full collections between matches only
    side = Side()
    for line in sys.stdin:
        try:
            answer = side.answer(json.loads(line))
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


class Side:
    """One player at a time; games are kept from match to match."""

    def __init__(self) -> None:
        self._games: dict[str, Any] = {}

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """The answer to a message: ``load``, ``start``, ``play`` or ``stop``."""
        began = time.process_time()
        found = getattr(self, "_" + message.pop("do"))(**message)
        return {"move": found, "cpu": time.process_time() - began}

    def _load(self, game: str, player: str) -> None:
        if game not in self._games:
            self._games[game] = ludens.load(game).compiled()
        self._player = make_player(player, files=True)
        self._player.warm_up()

    def _start(self, game: str, role: str, seed: int, clock: float, start_clock: float) -> None:
        loaded = self._games[game]
        self._role, self._state = role, loaded.initial_state()
        self._player.start(loaded, role, seed, Clock(clock, start_clock))

    def _play(self, moves: list[dict[str, str]], clock: float) -> str:
        deadline = Deadline(clock)
        for joint_move in moves:
            self._state = self._state.play(joint_move)
        return str(self._player.choose(self._state.view(self._role), deadline).move)

    def _stop(self) -> None:
        self._player.stop()
        gc.collect()


if __name__ == "__main__":
    if "cpu" in sys.argv[1:]:
        time.monotonic = time.process_time
    import ludens
    from ludens.core import Clock, Deadline
    from ludens.players import make_player

    main()

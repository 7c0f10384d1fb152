"""Playouts that begin at once on the interpreter, and continue in machine code as soon as that is compiled.

Where machine code can be written without a compiler, there is no need of the interpreter.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence

from ludens.compiler.batch.improve import improve_playouts
from ludens.compiler.batch.playout import PlayoutMachine, PlayoutProgram, PlayoutStatistics
from ludens.compiler.native.machine_code import MachineCode

IMPROVED_OPERATIONS = 10_000
"""The most operations for which invariants are searched; for larger games the time limit is too short for proofs."""

IMPROVEMENT_SECONDS = 5.0
"""The time limit of the background search for invariants; the code without them is in use meanwhile."""

WORTH_COMPILING = 0.97
"""Code for a smaller circuit is made if it has at most this share of the operations."""

_PORTION_SECONDS = 0.02
"""How long a machine plays on the interpreter before it checks for better code."""

_log = logging.getLogger("ludens.compiler")


class TieredPlayouts:
    """The playouts of one game. Machine code is made in the background; then again for the smaller circuit that
    invariants allow.

    If that fails, the reason is logged, and the present code stays in use.
    """

    def __init__(self, program: PlayoutProgram) -> None:
        self.program = program
        self.code: Sequence[MachineCode] = ()
        """Machine code for each phase; empty while only the interpreter is available."""
        self._settled = threading.Event()
        if program.is_assembled:
            self._try(self._make_code)
        threading.Thread(target=self._settle, name="ludens-compiler", daemon=True).start()

    @property
    def is_at_full_speed(self) -> bool:
        """True if no better code is being compiled."""
        return self._settled.is_set()

    def wait_for_full_speed(self, seconds: float | None = None) -> bool:
        """Wait, with a timeout, until no better code is being compiled; returns whether it is so."""
        return self._settled.wait(seconds)

    def machine(self, seed: int) -> TieredMachine:
        """A machine for one thread."""
        return TieredMachine(self, seed)

    def _settle(self) -> None:
        if not self.code and self.program.is_compiled:
            self._try(self._make_code)
        if self.code and self.program.operations <= IMPROVED_OPERATIONS:
            self._try(self._improve_code)
        self._settled.set()

    def _make_code(self) -> None:
        self.code = self.program.machine_code()

    def _improve_code(self) -> None:
        better, _ = improve_playouts(self.program, IMPROVEMENT_SECONDS)
        if better.operations <= WORTH_COMPILING * self.program.operations:
            self.code = better.machine_code()

    def _try(self, make: Callable[[], None]) -> None:
        try:
            make()
        except Exception as error:  # the present code stays in use
            now = "in the code they have" if self.code else "on the interpreter"
            _log.warning("playouts stay %s: %s", now, str(error) or type(error).__name__)


class TieredMachine:
    """Runs playouts of one game on one thread, always with the best code available.

    The same seed gives the same playouts, whenever the code changes.
    """

    def __init__(self, playouts: TieredPlayouts, seed: int) -> None:
        self._playouts = playouts
        self._code = playouts.code
        self._machine = PlayoutMachine(playouts.program, seed, self._code)

    def run(self, seconds: float) -> PlayoutStatistics:
        """Play for about so many seconds, at least one round of the turn order."""
        end = time.perf_counter() + seconds
        found = self._run_portion(seconds)
        while (rest := end - time.perf_counter()) > 0:
            found += self._run_portion(rest)
        return found

    def run_rounds(self, count: int) -> PlayoutStatistics:
        """Play exactly so many rounds of the turn order; the same seed gives the same result."""
        return self._best_machine().run_rounds(count)

    def _run_portion(self, seconds: float) -> PlayoutStatistics:
        portion = seconds if self._playouts.is_at_full_speed else min(seconds, _PORTION_SECONDS)
        return self._best_machine().run(portion)

    def _best_machine(self) -> PlayoutMachine:
        code = self._playouts.code
        if code is not self._code:
            self._machine.adopt(code)
            self._code = code
        return self._machine

"""A game that is interpreted at once, and compiled in the background as soon as somebody wants that."""

from __future__ import annotations

import copy
import itertools
import math
import threading
import weakref
from dataclasses import replace

from ludens.compiler.background.job import Job, want_compiled
from ludens.gdl.game import GdlGame
from ludens.gdl.interpreter.game import InterpretedGame
from ludens.gdl.rules import RuleSheet

_numbers = itertools.count()


class LazyGame(InterpretedGame):
    """A GDL game on the interpreter, with a compiled form that comes later.

    Games with the same rules share the compiler. It stops when all of them are gone, or have called `stop_compiling`;
    such a game stays interpreted, unless it was compiled before.
    """

    def __init__(self, sheet: RuleSheet, name: str = "game") -> None:
        super().__init__(sheet, name)
        self._number = next(_numbers)
        self._lock = threading.Lock()
        self._job: Job | None = None
        self._repeating: GdlGame | None = None
        self._is_stopped = False

    def compiled(self, seconds: float = math.inf) -> GdlGame:
        """The compiled game, if it is there within so many seconds; otherwise this one. Starts the compiler."""
        with self._lock:
            if self._job is None and not self._is_stopped:
                self._job = want_compiled(self.sheet, self.name, self._number)
                weakref.finalize(self, self._job.leave, self._number)
            job = self._job
        if job is None:
            return self
        job.wait(seconds)
        return self if job.result is None else self._with_repetition(job.result)

    def _with_repetition(self, game: GdlGame) -> GdlGame:
        """The compiled game with what the card adds to the rules; compilers, which games share, know the rules only."""
        if self.sheet.repetition is None:
            return game
        with self._lock:
            if self._repeating is None:
                self._repeating = copy.copy(game)
                self._repeating.sheet = replace(game.sheet, repetition=self.sheet.repetition)
            return self._repeating

    def stop_compiling(self) -> None:
        """Stop the compiler, unless other games with the same rules want it."""
        with self._lock:
            self._is_stopped = True
            if self._job is not None:
                self._job.leave(self._number)

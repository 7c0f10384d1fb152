"""A game that is interpreted at once, and compiled in the background as soon as somebody wants that."""

from __future__ import annotations

import itertools
import math
import weakref

from ludens.compiler.background.job import Job, job_of
from ludens.gdl.game import GdlGame
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.rules import RuleSheet

_numbers = itertools.count()


class LazyGame(ReferenceGame):
    """A GDL game on the interpreter, with a compiled form that comes later.

    Games with the same rules share the compiler. It stops when all of them are gone, or have called `stop_compiling`.
    """

    def __init__(self, sheet: RuleSheet, name: str = "game") -> None:
        super().__init__(sheet, name)
        self._number = next(_numbers)
        self._job: Job | None = None
        self._leaving: weakref.finalize[[int], LazyGame] | None = None

    def compiled(self, seconds: float = math.inf) -> GdlGame:
        """The compiled game, if it is there within so many seconds; otherwise this one. Starts the compiler."""
        job = self._job
        if job is None or job.was_cancelled:
            job = self._job = job_of(self.sheet, self.name)
            if self._leaving is not None:
                self._leaving.detach()
            self._leaving = weakref.finalize(self, job.leave, self._number)
        job.want(self._number)
        job.wait(seconds)
        return job.result or self

    def stop_compiling(self) -> None:
        """Stop the compiler, unless other games with the same rules want it."""
        if self._job is not None:
            self._job.leave(self._number)

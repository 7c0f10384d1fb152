"""Commands that need answers of engines: carried out step by step, so that nobody else waits for an engine."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from ludens.core import LudensError
from ludens.protocols.ggtp.engines.link import EngineLink, Reply, answer_time
from ludens.protocols.ggtp.inbox import Answered, Inbox
from ludens.protocols.ggtp.language.grammar import CommandError, shown

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to an engine; the command goes on when it is answered."""

    link: EngineLink
    line: str


Steps: TypeAlias = Generator[Ask, Reply | None, _Result]
"""A command that asks engines: it yields questions, receives answers, None from an engine that failed, and returns."""


class Task(Generic[_Result]):
    """A command that is being carried out. Everything but the engines' answers happens in the thread of the Rules."""

    def __init__(
        self,
        steps: Steps[_Result],
        inbox: Inbox,
        done: Callable[[_Result], None],
        failed: Callable[[LudensError], None],
    ) -> None:
        """Begin it: ``done`` receives what it returns, or ``failed`` why it cannot be carried out."""
        self.is_over = False
        """True if it has ended, one way or the other."""
        self.due = math.inf
        """When the engine that it waits for must have answered."""
        self._steps = steps
        self._inbox = inbox
        self._done = done
        self._failed = failed
        self._is_running = False
        self._asked: Ask | None = None
        self._advance(lambda: next(steps))

    def stop(self, reason: str) -> None:
        """End it for a reason, unless it is what is being done right now."""
        if not (self.is_over or self._is_running):
            self._advance(lambda: self._steps.throw(CommandError(reason)))

    def give_up_if_late(self, now: float) -> None:
        """End the engine that it waits for, if its time was up at a moment."""
        if self._asked is not None and self.due <= now:
            line = self._asked.line
            self._asked.link.fail(f"no answer to {shown(line)} within {answer_time(line):g} s")

    def _advance(self, step: Callable[[], Ask]) -> None:
        self._is_running = True
        self._asked, self.due = None, math.inf
        try:
            with self._inbox.interruptible():
                ask = step()
        except StopIteration as end:
            self.is_over = True
            self._done(end.value)
            return
        except LudensError as error:
            self.is_over = True
            self._failed(error)
            return
        except KeyboardInterrupt:
            self.is_over = True
            stopped = CommandError("Stopped.")
            with contextlib.suppress(LudensError, StopIteration):
                self._steps.throw(stopped)  # if it came just after the step, before the question was asked
            self._failed(stopped)
            return
        finally:
            self._is_running = False
        self._asked, self.due = ask, time.monotonic() + answer_time(ask.line)
        ask.link.ask(ask.line, lambda reply: self._inbox.put(Answered(lambda: self._take(ask, reply))))

    def _take(self, ask: Ask, reply: Reply | None) -> None:
        if self._asked is ask:
            self._advance(lambda: self._steps.send(reply))

"""Runs Python code on several processors: in forks of this process, which have all its data and return results.

Threads would take turns, and a new process would have to import and be sent what a fork has from the beginning.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def can_fork() -> bool:
    """Whether this process may be forked.

    Not if it has threads: a lock that one of them holds would stay locked in the fork for ever. Nor if it is a daemon
    of `multiprocessing`, which may have no children.
    """
    has_fork = sys.platform == "linux" and hasattr(os, "fork")  # macOS has it, but its libraries crash in forks
    return has_fork and threading.active_count() == 1 and not multiprocessing.current_process().daemon


def in_forks(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """The results for all items, computed by one process per processor, including this one."""
    processes = min(len(items), os.cpu_count() or 1) if can_fork() else 1
    shares = [items[n::processes] for n in range(processes)]
    helpers = [_Helper(function, share) for share in shares[1:]]
    try:
        results = [[function(item) for item in shares[0]], *(helper.results() for helper in helpers)]
    finally:
        for helper in helpers:
            helper.end()
    return [results[n % processes][n // processes] for n in range(len(items))]


class _Helper(Generic[Item, Result]):
    """A fork that works on its share of the items."""

    def __init__(self, function: Callable[[Item], Result], share: Sequence[Item]) -> None:
        self._function = function
        self._share = share
        context = multiprocessing.get_context("fork")
        self._receiver, sender = context.Pipe(duplex=False)
        self._process = context.Process(target=self._serve, args=(sender,), daemon=True)
        with warnings.catch_warnings():
            # Python 3.12 warns of the threads that libraries have in machine code; they hold nothing a fork waits for.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process.start()
        sender.close()

    def _compute(self) -> list[Result]:
        return [self._function(item) for item in self._share]

    def _serve(self, sender: Connection) -> None:
        with suppress(Exception):  # this process does the work itself, and reports the error
            sender.send(self._compute())

    def results(self) -> list[Result]:
        """The results of the fork; if it failed, as for lack of memory, they are computed here."""
        try:
            found: list[Result] = self._receiver.recv()
        except EOFError:
            return self._compute()
        return found

    def end(self) -> None:
        """Clean up the fork."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._receiver.close()

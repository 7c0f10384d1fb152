"""Executors play matches: in this process or in several on this machine; `cluster` beside it has one for Ray."""

from __future__ import annotations

import io
import multiprocessing
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from ludens.arena.execution.worker import play
from ludens.arena.played_match import PlayedMatch, Task
from ludens.core import LudensError

RETRIES = 3
"""How often a match is retried after its process was lost."""


class MatchLostError(LudensError):
    """A match could not be played to its end."""


def unplayable_error(task: Task, reason: LudensError) -> MatchLostError:
    """The error for a match whose game or players cannot be loaded."""
    return MatchLostError(f"match {task.key} of {task.game} cannot be played: {reason}")


class Executor(ABC):
    """Plays matches, several at a time if it can."""

    @property
    @abstractmethod
    def capacity(self) -> int:
        """How many matches it accepts at the same time; may change."""

    @abstractmethod
    def submit(self, task: Task) -> None:
        """Submit a match."""

    @abstractmethod
    def wait_for_results(self) -> Iterator[PlayedMatch]:
        """Wait until some matches have ended, and yield them. Raises `MatchLostError` for one that cannot be played,
        after yielding those that have ended."""

    @abstractmethod
    def close(self) -> None:
        """Cancel running matches."""


class Inline(Executor):
    """One match after the other, in this process."""

    def __init__(self) -> None:
        self._tasks: list[Task] = []

    @property
    def capacity(self) -> int:
        """One."""
        return 1

    def submit(self, task: Task) -> None:
        """Submit a match."""
        self._tasks.append(task)

    def wait_for_results(self) -> Iterator[PlayedMatch]:
        """Play the match at the head of the queue."""
        if self._tasks:
            task = self._tasks.pop(0)
            try:
                played = play(task)
            except LudensError as error:
                raise unplayable_error(task, error) from error
            yield played

    def close(self) -> None:
        """Clear the queue."""
        self._tasks.clear()


class Processes(Executor):
    """Matches in processes on this machine. A process that dies is replaced, and its match retried."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool = self._new_pool()
        self._running: dict[Future[PlayedMatch], Task] = {}
        self._losses: dict[str, int] = {}

    @property
    def capacity(self) -> int:
        """Two per process: one to play, and one to continue with while the first result is stored."""
        return 2 * self._processes

    def _new_pool(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")  # a fork would inherit locked locks of threads
        return ProcessPoolExecutor(self._processes, context, initializer=_set_up_process)

    def submit(self, task: Task) -> None:
        """Submit a match."""
        try:
            self._running[self._pool.submit(play, task)] = task
        except BrokenProcessPool:
            self._replace_pool()
            self._running[self._pool.submit(play, task)] = task

    def wait_for_results(self) -> Iterator[PlayedMatch]:
        """Wait for the next matches to end."""
        if not self._running:
            return
        done, _ = wait(self._running, return_when=FIRST_COMPLETED)
        lost: list[Task] = []
        problem: MatchLostError | None = None
        for future in done:
            task = self._running.pop(future)
            try:
                played = future.result()
            except BrokenProcessPool:
                lost.append(task)
            except LudensError as error:
                problem = unplayable_error(task, error)
            else:
                yield played
        if problem is not None:
            raise problem
        if lost:
            lost += self._running.values()
            self._running.clear()
            self._replace_pool()
            for task in lost:
                self._play_again(task)

    def _play_again(self, task: Task) -> None:
        self._losses[task.key] = self._losses.get(task.key, 0) + 1
        # All matches running when a process died count as lost, so each gets more retries than its own.
        if self._losses[task.key] > RETRIES * self.capacity:
            raise MatchLostError(
                f"match {task.key} of {task.game} was lost with its process {self._losses[task.key]} times"
            )
        self.submit(task)

    def _replace_pool(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._new_pool()

    def close(self) -> None:
        """Kill all processes at once."""
        processes = list((self._pool._processes or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()


def _set_up_process() -> None:
    """Ignore Ctrl-C, which reaches all processes of a terminal: the parent process handles it.

    Processes are killed at the end, so the players' output must not be buffered.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)

"""A game that is being compiled in a process of its own: bounded, shared by all who want it, ended at any moment."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import pickle
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from ludens.compiler.background import worker
from ludens.compiler.background.slots import SLOTS, take_slot
from ludens.core import GameError, LudensError
from ludens.core.process import environment, kill_session
from ludens.core.processor import VARIABLE
from ludens.gdl.write import write_kif

if TYPE_CHECKING:
    from ludens.gdl.game import GdlGame
    from ludens.gdl.rules import RuleSheet

MEMORY_VARIABLE = "LUDENS_COMPILER_MEMORY"
"""The environment variable for the memory of a compiling process in megabytes."""
SECONDS_VARIABLE = "LUDENS_COMPILER_SECONDS"
"""The environment variable for the time limit of a compiling process."""
MEMORY = 1024
"""The default of the first."""
SECONDS = 600.0
"""The default of the second."""

_log = logging.getLogger("ludens")
_POLL = 0.1
_processors = threading.BoundedSemaphore(SLOTS)
"""At most one process for each processor, also where there are no locks."""
_jobs: WeakValueDictionary[str, Job] = WeakValueDictionary()
_registry = threading.Lock()


def want_compiled(sheet: RuleSheet, name: str, user: int) -> Job:
    """The job that compiles some rules for a user, by its number; the one under way or done, if there is one."""
    text = sheet.source.text or write_kif(sheet.rules)
    with _registry:
        found = _jobs.get(text)
        if found is None or not found.want(user):
            found = _jobs[text] = Job(sheet, text, name)
            found.want(user)
        return found


class Job:
    """Compiles some rules as soon as a processor is free, for as long as somebody wants it."""

    def __init__(self, sheet: RuleSheet, text: str, name: str) -> None:
        self._sheet, self._text, self._name = sheet, text, name
        self._lock = threading.Lock()
        self._users: set[int] = set()
        self._thread: threading.Thread | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._is_running = False
        """True until the process is waited for; after that its number may be another one's."""
        self._done = threading.Event()
        self.was_cancelled = False
        """True if nobody wanted the result before it was there."""
        self.result: GdlGame | None = None
        """The compiled game, once it is there."""

    def want(self, user: int) -> bool:
        """Compile for a user, until it is there or all have left; False if the job was cancelled before."""
        with self._lock:
            if self.was_cancelled:
                return False
            self._users.add(user)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=f"compile {self._name}", daemon=True)
                self._thread.start()
            return True

    def leave(self, user: int) -> None:
        """A user is no longer interested; without users the process ends now."""
        with self._lock:
            self._users.discard(user)
            if self._users or self._thread is None or self._done.is_set():
                return
            self.was_cancelled = True
            if self._process is not None and self._is_running:
                kill_session(self._process.pid)

    def wait(self, seconds: float) -> bool:
        """Wait, with a timeout; True once there will be nothing new."""
        return self._done.wait(min(seconds, threading.TIMEOUT_MAX))

    def _run(self) -> None:
        try:
            answer = self._find_cached() or self._compile()
            if answer is not None and not self.was_cancelled:
                self.result = self._open(*answer)
        except Exception as error:  # whatever went wrong, the interpreter plays on
            _log.warning("%s stays interpreted: %s", self._name, str(error) or type(error).__name__)
        finally:
            self._done.set()

    def _find_cached(self) -> worker.Answer | None:
        from ludens.compiler.native.code_cache import artefact_cache  # noqa: PLC0415 - not before it is needed

        found = artefact_cache().get(self._key)
        answer: worker.Answer | None = None if found is None else pickle.loads(found)
        return answer

    @property
    def _key(self) -> str:
        from ludens.compiler.native.code_cache import artefact_key  # noqa: PLC0415 - as above

        return artefact_key("game", self._text, os.environ.get(VARIABLE, ""), _source_hash(), _processor())

    def _compile(self) -> worker.Answer | None:
        """The worker's answer; None if the job was cancelled. Raises `GameError` if the worker fails."""
        while not _processors.acquire(timeout=_POLL):
            if self.was_cancelled:
                return None
        try:
            slot = take_slot()
            has_waited = slot is None
            while slot is None and not self.was_cancelled:
                time.sleep(_POLL)
                slot = take_slot()
            if slot is None:
                return None
            with slot:
                # Whoever had the slot before may have compiled the same game.
                return (self._find_cached() if has_waited else None) or self._run_worker()
        finally:
            _processors.release()

    def _run_worker(self) -> worker.Answer | None:
        memory, seconds = int(_setting(MEMORY_VARIABLE, MEMORY)), _setting(SECONDS_VARIABLE, SECONDS)
        request = {"rules": self._text, "name": self._name, "key": self._key, "memory": memory * 2**20}
        with self._lock:
            if self.was_cancelled:
                return None
            process = self._process = subprocess.Popen(
                [sys.executable, "-P", worker.__file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment() | {"OPENBLAS_NUM_THREADS": "1"},
                start_new_session=True,
            )
            self._is_running = True
        timer = threading.Timer(seconds, self._kill)
        timer.daemon = True
        timer.start()
        output = b""
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            with suppress(BrokenPipeError):
                process.stdin.write(json.dumps(request).encode() + b"\n")
                process.stdin.flush()
            output = process.stdout.read()
        finally:
            timer.cancel()
            self._kill()  # it ends by itself, but what it has started may not
            with suppress(BrokenPipeError):
                process.communicate()
        if self.was_cancelled:
            return None
        if not output:
            raise GameError(f"the compiler ended without a result (limits: {memory} MB, {seconds:g} s)")
        answer: worker.Answer = pickle.loads(output)
        return answer

    def _kill(self) -> None:
        """End the process and all that it has started, once."""
        with self._lock:
            if self._process is not None and self._is_running:
                self._is_running = False
                kill_session(self._process.pid)

    def _open(self, backend: str, pieces: list[bytes], reason: str) -> GdlGame:
        """The compiled game in this process. Raises `GameError` if no compiler accepts the rules."""
        if backend == worker.CIRCUIT:
            from ludens.compiler.background.transport import thaw  # noqa: PLC0415 - as above

            return thaw(pieces, self._sheet, self._name)
        if backend == worker.CXX:
            from ludens.compiler.cxx.state import CxxGame  # noqa: PLC0415 - as above

            _log.warning("%s runs on the backend cxx: %s", self._name, reason)
            return CxxGame(self._sheet, self._name)
        raise GameError(reason)


def _setting(variable: str, default: float) -> float:
    text = os.environ.get(variable, "")
    try:
        value = float(text) if text else default
    except ValueError:
        value = 0.0
    if value <= 0:
        raise LudensError(f"{variable} cannot be {text!r}; it is a number above 0")
    return value


@cache
def _source_hash() -> str:
    """A hash of all code that takes part in compiling: its results are kept as long as it is the same."""
    package = Path(worker.__file__).parents[2]
    digest = hashlib.sha256(sys.version.encode())
    for folder in ("core", "gdl", "compiler"):
        for path in sorted((package / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def _processor() -> str:
    """What machine code depends on."""
    from ludens.compiler.native.target import host_target  # noqa: PLC0415 - imports LLVM

    target = host_target()
    return f"{target.triple} {target.cpu} {target.features}"

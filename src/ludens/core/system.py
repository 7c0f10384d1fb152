"""What only some systems have: limits of a process, its priority, sessions of processes, locks on files.

Everything here can be imported and called on any system. Where there is no such thing, the plain fallback is to do
without; what cannot do without says so in one sentence.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import IO, Any

HAS_PIPES_TO_WAIT_FOR = os.name == "posix"
"""Whether `select` knows pipes; on Windows it knows only sockets."""


def limit_process(memory: int | None = None) -> None:
    """Bound the address space of this process, in bytes, and let it leave no core file when it crashes."""
    with suppress(ImportError, *_REFUSALS):
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def limit_memory_of(process: int, memory: int) -> None:
    """Bound the address space of another process, in bytes; only Linux can."""
    with suppress(ImportError, AttributeError, ProcessLookupError, *_REFUSALS):
        import resource  # noqa: PLC0415 - not on Windows

        resource.prlimit(process, resource.RLIMIT_AS, (memory, memory))


def allow_open_files(most: int) -> None:
    """Let this process have so many files and connections open, or as many as the system allows."""
    with suppress(ImportError, *_REFUSALS):
        import resource  # noqa: PLC0415 - not on Windows

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def lower_priority(steps: int) -> None:
    """Let other processes go first."""
    if hasattr(os, "nice"):
        os.nice(steps)


def kill_session(leader: int) -> None:
    """End a process that was started with ``start_new_session``, and all that it started; on Windows only itself.

    Raises `OSError` if there is no such process.
    """
    if hasattr(os, "killpg"):
        os.killpg(leader, signal.SIGKILL)
    else:
        os.kill(leader, signal.SIGTERM)  # on Windows this ends it at once


def set_alarm(seconds: int) -> None:
    """Let the system end this process after so many seconds; 0 for not at all. Windows never does."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def lock_file(file: IO[Any], *, wait: bool) -> None:
    """Hold an open file for this process until it is closed; without locks, as on Windows, nothing happens.

    Raises `BlockingIOError` if another process holds it and this one does not ``wait``.
    """
    with suppress(ImportError):
        import fcntl  # noqa: PLC0415 - not on Windows

        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


_REFUSALS: tuple[type[Exception], ...] = () if sys.platform == "linux" else (ValueError, OSError)
"""What macOS raises for limits that it does not know; on Linux a limit that is not set is an error."""

"""Child processes: how they start, what they may use, how they end. No other module asks the system.

Everything here can be imported and called on any system. Where there is no such thing, the plain fallback is to do
without.
"""

from __future__ import annotations

import ctypes
import math
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

HAS_PIPES_TO_WAIT_FOR = os.name == "posix"
"""Whether `select` knows pipes; on Windows it knows only sockets."""

_ARENA_MAX = -8
"""The number of the parameter in malloc.h."""


def resident_bytes() -> int:
    """The memory that this process uses; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def machine_bytes() -> int:
    """The memory of the machine; 0 where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 0


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def address_of_yield() -> int:
    """The address of the system's function by which a thread lets others run."""
    function = ctypes.CDLL(None).sched_yield if os.name == "posix" else ctypes.CDLL("kernel32").SwitchToThread
    return ctypes.cast(function, ctypes.c_void_p).value or 0


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """The result of a process that ran a file."""

    code: int
    """Its exit code."""
    output: bytes
    said: str
    """What it wrote to standard error."""
    late: bool
    """Whether it was killed by the timeout, or by its limit of CPU time."""

    @property
    def error_tail(self) -> str:
        """The end of its standard error, as one line."""
        return " ".join(self.said[-300:].split())


def environment() -> dict[str, str]:
    """The environment for Python processes that find the same modules as this one."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def run_file(path: str, *arguments: str, request: bytes, seconds: float = threading.TIMEOUT_MAX) -> ProcessResult:
    """Run a Python file, which reads a request of a known length and then calls `end_with_parent`.

    Raises `OSError` if no process can be started.
    """
    # -P: its folder has modules named like some of the standard library's, which must not be found first.
    command = [sys.executable, "-P", path, *arguments]
    late = threading.Event()
    output = b""
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=messages, env=environment()
        )

        def kill() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds, kill)
        timer.daemon = True
        timer.start()
        with suppress(BrokenPipeError), process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(request)
            process.stdin.flush()
            output = process.stdout.read()
        timer.cancel()
        messages.seek(0)
        said = messages.read().decode(errors="replace").strip()
    is_late = late.is_set() or (hasattr(signal, "SIGXCPU") and process.returncode == -signal.SIGXCPU)
    return ProcessResult(process.returncode, output, said, is_late)


def end_with_parent() -> None:
    """End this process when its standard input is closed, from which it has read all that it needs."""

    def wait() -> None:
        os.read(sys.stdin.fileno(), 1)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def end_group_with_parent() -> None:
    """The same, for a process that was started with ``start_new_session``: all that it started end as well."""

    def wait() -> None:
        os.read(sys.stdin.fileno(), 1)
        kill_session(os.getpid())
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def take_output() -> TextIO:
    """Standard output, for answers only: from now on, what players and libraries print goes to standard error."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace", newline="\n", buffering=1)
    os.dup2(2, 1)
    return output


def limit_process(memory: int | None = None) -> None:
    """Bound the address space of this process, in bytes, and disable core files."""
    with suppress(ImportError, *_REFUSALS):
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def limit_data(memory: int) -> None:
    """Bound what this process, and each that it starts, allocates, in bytes; libraries and files are not counted."""
    with suppress(ImportError, *_REFUSALS):
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def limit_cpu(seconds: float) -> None:
    """Let the system end this process (SIGXCPU) after so many further seconds of CPU time, rounded up."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on Windows

        limit = math.ceil(time.process_time() + seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


def limit_memory_of(process: int, memory: int) -> None:
    """Bound the address space of another process, in bytes; only Linux can."""
    with suppress(ImportError, AttributeError, ProcessLookupError, *_REFUSALS):
        import resource  # noqa: PLC0415 - not on Windows

        resource.prlimit(process, resource.RLIMIT_AS, (memory, memory))


def allocate_from_one_arena() -> None:
    """Let the threads that start from now on share one arena of memory, in GNU's library for C.

    Otherwise each thread keeps what it has freed for itself: a server that had compiled 60 games was 10 MB larger.
    """
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


def return_memory() -> None:
    """Return freed memory to the system at once; only GNU's library for C can."""
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def allow_open_files(most: int) -> None:
    """Raise the limit of open files and connections to ``most``, or to what the system allows."""
    with suppress(ImportError, *_REFUSALS):
        import resource  # noqa: PLC0415 - not on Windows

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def set_alarm(seconds: int) -> None:
    """Make the system end this process after so many seconds; 0 for never. No effect on Windows."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def lower_priority(steps: int) -> None:
    """Lower the priority of this process; on Linux, outside its main thread, only of this thread.

    Linux may share out processors among sessions first, so that of a process with its own session it is lowered, too.
    """
    if not hasattr(os, "nice"):
        return
    level = os.nice(steps)
    if threading.current_thread() is threading.main_thread() and os.getsid(0) == os.getpid():
        with suppress(OSError):  # not on Linux, or forbidden
            Path("/proc/self/autogroup").write_text(str(level))


def kill_session(leader: int) -> None:
    """End a process that was started with ``start_new_session``, and all that it started; on Windows only itself."""
    with suppress(OSError):  # it is gone
        if hasattr(os, "killpg"):
            os.killpg(leader, signal.SIGKILL)
        else:
            os.kill(leader, signal.SIGTERM)  # on Windows this ends it at once


_REFUSALS: tuple[type[Exception], ...] = () if sys.platform == "linux" else (ValueError, OSError)
"""What macOS raises for limits that it does not know; on Linux a limit that is not set is an error."""

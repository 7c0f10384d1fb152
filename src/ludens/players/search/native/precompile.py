"""Compile the native search once per machine, in a process that runs this module as a program.

Not in a thread: LLVM aborts if the process ends while it compiles, and a match may end at any time. The compiling
process continues if its parent ends first, so that the next match finds the code.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator

from ludens.core import LudensError
from ludens.core.files import lock_file
from ludens.core.process import environment, lower_priority
from ludens.players.search.native.numba_code import code_folder

_NICENESS = 10
_LOADING_SECONDS = 30.0
"""How long an ending process waits while code is loaded from disk, which takes a second, more on a busy machine."""

_making = threading.Lock()
_in_llvm = threading.Lock()
atexit.register(_in_llvm.acquire, timeout=_LOADING_SECONDS)


@contextlib.contextmanager
def loading_code() -> Iterator[None]:
    """Wait until the code is on disk, then delay the end of the process while it is loaded."""
    with _making:  # a server may have a hundred players waiting for it
        if not _is_made():
            _make_in_process()
    with _in_llvm:
        yield


def _is_made() -> bool:
    return (code_folder() / "made").exists()


def _make_in_process() -> None:
    """Compile in one of several processes and threads; the others wait here, where that costs no memory."""
    with (code_folder() / "lock").open("w") as lock:
        lock_file(lock, wait=True)
        if _is_made():
            return
        ended = subprocess.run(
            [sys.executable, "-m", __name__],
            env=environment() | {"NUMBA_CACHE_DIR": str(code_folder().parent)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            start_new_session=True,  # so that Ctrl-C stops only the match
            # The child inherits the lock, and holds it if this process ends first; Windows has no such lock.
            pass_fds=[lock.fileno()] if os.name == "posix" else [],
        )
    if ended.returncode or not _is_made():
        last_line = (ended.stderr.strip().splitlines() or [f"exit status {ended.returncode}"])[-1]
        raise LudensError(f"its machine code could not be compiled: {last_line}")


def _make() -> None:
    """Compile by searching once in a small game: all games use the same code."""
    from ludens.compiler.backends import make_game  # noqa: PLC0415 - for a program only
    from ludens.core.batch import BatchGame  # noqa: PLC0415
    from ludens.games.library import find  # noqa: PLC0415
    from ludens.players.search.native.search import NativeSearch  # noqa: PLC0415
    from ludens.players.search.settings import SearchSettings  # noqa: PLC0415

    lower_priority(_NICENESS)
    game = make_game(find("tic_tac_toe").rule_sheet(), "tic_tac_toe", "circuit")
    assert isinstance(game, BatchGame)
    settings = SearchSettings(exploration=0.2, rave=0.0, grave=0, mast=False, cutoff=100, lanes=0, leaves=0, memory=1)
    search = NativeSearch(game, 0, settings, seed=1)
    search.set_root(game.initial_state())
    search.run(1.0, 1)
    (code_folder() / "made").touch()


if __name__ == "__main__":
    _make()

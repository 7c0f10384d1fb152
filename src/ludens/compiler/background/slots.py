"""The processors that compile, of all processes together: a lock file for each, which the system releases if its holder
ends, however that happens."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Any

from ludens.core.files import lock_file
from ludens.core.folders import cache_folder

SLOTS = os.cpu_count() or 1
"""At most one compiler for each processor."""


def take_slot(folder: Path | None = None, slots: int = SLOTS) -> IO[Any] | None:
    """A slot, held until it is closed; None if all are taken.

    Processes share slots if they share the folder, by default one in the cache. Where there are no locks, every slot is
    free.
    """
    folder = folder or cache_folder() / "compiling"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return _no_lock()
    for number in range(slots):
        try:
            file = (folder / f"{number}.lock").open("ab")
        except OSError:
            return _no_lock()
        try:
            lock_file(file, wait=False)
        except BlockingIOError:
            file.close()
        except OSError:  # such as a network file system without locks
            return file
        else:
            return file
    return None


def _no_lock() -> IO[Any]:
    return Path(os.devnull).open("ab")

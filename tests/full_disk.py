"""A disk that becomes full at a chosen call: stands in for `os` in `ludens.core.files`."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ludens.core import files

_BY_PATH = ("open", "makedirs", "replace")
_BY_NUMBER = ("write", "fsync")


class FullDisk:
    """All calls below a folder that need room fail after some that succeed; a write then leaves half of its bytes."""

    def __init__(self, folder: Path, calls: int) -> None:
        self._folder = folder.resolve()
        self._left = calls
        self._numbers: set[int] = set()
        self._lock = threading.Lock()
        self.is_full = False
        """Whether a call has failed."""

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in (*_BY_PATH, *_BY_NUMBER):
            return real
        return lambda *values, **options: self._call(name, real, *values, **options)

    def _call(self, name: str, real: Callable[..., Any], place: Any, *values: Any, **options: Any) -> Any:
        if not self._is_ours(name, place):
            answer = real(place, *values, **options)
            if name == "open":
                self._numbers.discard(answer)
            return answer
        with self._lock:
            self._left -= 1
            fails = self._left < 0
            self.is_full |= fails
        if fails:
            if name == "write":
                real(place, values[0][: len(values[0]) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        answer = real(place, *values, **options)
        if name == "open":
            self._numbers.add(answer)
        return answer

    def _is_ours(self, name: str, place: Any) -> bool:
        if name in _BY_NUMBER:
            return place in self._numbers
        return Path(place).resolve().is_relative_to(self._folder)


@contextmanager
def full_disk(folder: Path, calls: int) -> Iterator[FullDisk]:
    """Let the disk that has a folder be full after so many calls that need room."""
    disk = FullDisk(folder, calls)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "os", disk)
        yield disk


def no_stub_is_left(folder: Path) -> None:
    """Check that no file below a folder is empty or unfinished."""
    stubs = [
        path for path in folder.rglob("*") if path.is_file() and (path.suffix == ".new" or not path.stat().st_size)
    ]
    assert not stubs

"""Writes files: whole or not at all, or line by line. Every error names the file, and none leaves a partial file."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

PRIVATE = 0o600
"""The mode of a file that only its owner may read."""
_BINARY = getattr(os, "O_BINARY", 0)
"""Windows translates line ends without it."""


@contextmanager
def name_in_errors(path: Path) -> Iterator[None]:
    """Add the file's name to every `OSError`: errors of writing come without one."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def make_folder(path: Path) -> None:
    """Make a folder and those above it, unless they exist. Raises `OSError`, which names the folder."""
    with name_in_errors(path):
        os.makedirs(path, exist_ok=True)  # noqa: PTH103 - tests let calls of `os` fail


def write_file(path: Path, content: str | bytes, mode: int = 0o666) -> None:
    """Write a file atomically, on disk when this returns: readers see the old content or the new, even after a crash.

    A device or a pipe is written to and not replaced. Raises `OSError`, which names the file; the old content is there
    then.
    """
    with name_in_errors(path):
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            target.write_bytes(_encode(content))
            return
        beside = target.with_name(f".{secrets.token_hex(8)}.new")
        try:
            with _open_descriptor(beside, os.O_EXCL, mode) as number:
                _write(number, content)
            os.replace(beside, target)  # noqa: PTH105 - as above
        except BaseException:
            with suppress(OSError):
                beside.unlink()
            raise


def append(path: Path, text: str) -> None:
    """Append lines to a file: all of them, or none and `OSError`, which names the file."""
    with closing(LineFile(path)) as file:
        file.append(text)


def lock_file(file: IO[Any], *, wait: bool) -> None:
    """Hold an open file for this process until it is closed; without locks, as on Windows, nothing happens.

    Raises `BlockingIOError` if another process holds it and this one does not ``wait``.
    """
    with suppress(ImportError):
        import fcntl  # noqa: PLC0415 - not on Windows

        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


class LineFile:
    """A file that grows by lines, each on disk before the next. Every `OSError` names the file."""

    def __init__(self, path: Path, *, new: bool = False) -> None:
        """Open a file to append to it; a ``new`` one must not exist yet, and is removed if it gets no line."""
        self._path, self._new = path, new
        with name_in_errors(path):
            self._number: int | None = _open(path, os.O_APPEND | (os.O_EXCL if new else 0), 0o666)

    def append(self, text: str) -> None:
        """Append lines: all of them, or none and `OSError`."""
        assert self._number is not None, "the file is open"
        size = os.fstat(self._number).st_size
        try:
            with name_in_errors(self._path):
                _write(self._number, text)
        except BaseException:
            with suppress(OSError):
                os.ftruncate(self._number, size)
            raise

    def close(self) -> None:
        """Close the file; safe to call at any time."""
        if self._number is not None:
            is_stub = self._new and not os.fstat(self._number).st_size
            os.close(self._number)
            self._number = None
            if is_stub:
                with suppress(OSError):
                    self._path.unlink()


def _open(path: Path, flags: int, mode: int) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | _BINARY | flags, mode)


@contextmanager
def _open_descriptor(path: Path, flags: int, mode: int) -> Iterator[int]:
    number = _open(path, flags, mode)
    try:
        yield number
    finally:
        os.close(number)


def _encode(content: str | bytes) -> bytes:
    """Lone surrogates, which rules and players may print, become escapes."""
    return content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content


def _write(number: int, content: str | bytes) -> None:
    left = memoryview(_encode(content))
    while left:
        left = left[os.write(number, left) :]
    os.fsync(number)

"""Play files: the commands that prepare a play and its moves, written so that reading them restores it exactly."""

from __future__ import annotations

import contextlib
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from ludens.core.files import append, write_file
from ludens.protocols.ggtp.language.grammar import CommandError

HEADING = "# GGTP play file"
"""The first line of a play file; a file that begins differently is never overwritten."""
MAX_SIZE = 100_000_000
"""The maximum size of a file in bytes."""


class Recorder:
    """A play file that follows the play until it is closed."""

    def __init__(self, path: Path, lines: Sequence[str]) -> None:
        self.path = path
        if path.exists() and not _is_play_file(path):
            raise CommandError(f"{path} exists and is not a play file; choose another name.")
        self._written: list[str] = []
        self._rewrite(lines)

    def update(self, lines: Sequence[str]) -> None:
        """Bring the file up to date: append if nothing that is in it has changed, otherwise rewrite it."""
        count = len(self._written)
        if list(lines[:count]) != self._written:
            self._rewrite(lines)
        elif len(lines) > count:
            with _file_errors(self.path):
                append(self.path, _text(lines[count:]))
            self._written = list(lines)

    def _rewrite(self, lines: Sequence[str]) -> None:
        with _file_errors(self.path):
            write_file(self.path, _text((HEADING, *lines)))
        self._written = list(lines)


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def read_lines(path: Path) -> list[str]:
    """The lines of a file of commands. Raises `CommandError` if it cannot be read."""
    with _file_errors(path):
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise CommandError(f"{path} is not a file.")
        size = found.st_size
        if size > MAX_SIZE:
            raise CommandError(f"{path} has {size:,} bytes; play files have at most {MAX_SIZE:,}.")
        text = path.read_bytes().decode("utf-8", "backslashreplace")
    return [line.removesuffix("\r") for line in text.split("\n")]


def _is_play_file(path: Path) -> bool:
    with _file_errors(path), path.open("rb") as file:
        beginning = file.read(len(HEADING))
    return not beginning or beginning == HEADING.encode()


@contextlib.contextmanager
def _file_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}.") from None
    except ValueError as error:
        raise CommandError(f"{str(path)!r} cannot be the name of a file: {error}.") from None

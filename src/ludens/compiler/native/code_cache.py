"""The cache of compiled code on disk: a game is compiled once per machine, not once per process.

An entry is a file: the artefact, followed by a checksum of its key and content. A checksum at the end lets a shared
library be opened in place, since loaders do not look behind it. Writers rename a finished file into place, so readers
need no locks and see an old entry, a new one, or none. Whatever goes wrong, the worst is that code is compiled again.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import stat
import time
from functools import cache
from pathlib import Path

from ludens.core.files import PRIVATE, write_file
from ludens.core.folders import cache_folder

SIZE_LIMIT = 2**30
"""The size limit of the cache in bytes; the least recently used entries are removed first."""

_CHECKSUM_BYTES = 32
_ENDING = ".bin"
_ABANDONED_SECONDS = 3600.0
"""The age after which an unfinished file belongs to a dead process."""

_log = logging.getLogger("ludens.cache")


def artefact_key(*parts: str | bytes) -> str:
    """The key of an artefact that depends only on these parts: sources, tools and their versions, processor."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()


def artefact_cache() -> ArtefactCache:
    """The cache in the user's cache folder."""
    return _cache_in(cache_folder())


@cache
def _cache_in(folder: Path) -> ArtefactCache:
    return ArtefactCache(folder)


class ArtefactCache:
    """Artefacts by key, in a folder that any number of processes may share.

    An unusable folder is logged once; then nothing is found and nothing is stored.
    """

    def __init__(self, folder: Path, size_limit: int = SIZE_LIMIT) -> None:
        self._folder = folder
        self._size_limit = size_limit
        self._usable: bool | None = None

    def get(self, key: str) -> bytes | None:
        """The artefact, if it is cached and intact; a damaged one is removed."""
        path = self._path(key)
        if not self._is_usable():
            return None
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._give_up(error)
            return None
        data, checksum = content[:-_CHECKSUM_BYTES], content[-_CHECKSUM_BYTES:]
        is_whole = checksum == _checksum(key, data)
        with contextlib.suppress(OSError):  # a read-only folder is still worth reading
            if is_whole:
                os.utime(path)
            else:
                path.unlink(missing_ok=True)
        return data if is_whole else None

    def file(self, key: str) -> Path | None:
        """The path of an artefact that is there and as it was written, for shared libraries, which load from files.

        Another process may remove it at any time; a library that is open stays usable, one that is not has to be built
        again.
        """
        return self._path(key) if self.get(key) is not None else None

    def put(self, key: str, data: bytes) -> None:
        """Store an artefact, and remove the least recently used ones if the cache is too large."""
        size = len(data) + _CHECKSUM_BYTES
        if not self._is_usable() or size > self._size_limit:
            return
        try:
            write_file(self._path(key), data + _checksum(key, data), PRIVATE)
            self._remove_oldest()
        except OSError as error:
            self._give_up(error)

    def folder(self, name: str) -> Path | None:
        """A folder for another tool's cache; None if the cache cannot be used."""
        if not self._is_usable():
            return None
        found = self._folder / name
        try:
            found.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            self._give_up(error)
            return None
        return found

    def _path(self, key: str) -> Path:
        return self._folder / (key + _ENDING)

    def _is_usable(self) -> bool:
        if self._usable is None:
            self._usable = True
            try:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                if _others_may_write(self._folder):
                    raise PermissionError("others may write to it, and what is in it is run as code")
            except OSError as error:
                self._give_up(error)
        return self._usable

    def _give_up(self, error: OSError) -> None:
        if self._usable:
            self._usable = False
            reason = error.strerror or str(error)
            _log.warning("compiled code is not kept: the cache folder %s cannot be used: %s", self._folder, reason)

    def _remove_oldest(self) -> None:
        now = time.time()
        found: list[tuple[float, int, str]] = []
        for entry in os.scandir(self._folder):
            try:
                status = entry.stat()
            except FileNotFoundError:
                continue
            if entry.name.endswith(_ENDING):
                found.append((status.st_mtime, status.st_size, entry.path))
            elif not entry.is_dir() and now - status.st_mtime > _ABANDONED_SECONDS:
                Path(entry.path).unlink(missing_ok=True)
        total = sum(size for _, size, _ in found)
        for _, size, path in sorted(found):
            if total <= self._size_limit:
                break
            Path(path).unlink(missing_ok=True)
            total -= size


def _checksum(key: str, data: bytes) -> bytes:
    return hashlib.sha256(key.encode() + data).digest()


def _others_may_write(folder: Path) -> bool:
    status = folder.stat()
    if not hasattr(os, "getuid"):
        return False
    return status.st_uid != os.getuid() or bool(status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))

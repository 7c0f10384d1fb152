"""Folders of the user: where data and compiled code are, and whether results can be written, before long work."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ludens.core.errors import LudensError


def data_folder() -> Path:
    """Where the user's own games and records are: ``$LUDENS_HOME``, or a folder below the user's data directory."""
    home = os.environ.get("LUDENS_HOME")
    if home:
        return Path(home)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "ludens"


def cache_folder() -> Path:
    """Where compiled code is kept: below ``$LUDENS_HOME``, or in a folder below the user's cache directory."""
    home = os.environ.get("LUDENS_HOME")
    if home:
        return Path(home) / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ludens"


def need_writable(folder: Path) -> None:
    """Make a folder if there is none, and try to write into it. Raises `LudensError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise LudensError(f"cannot write into the folder {folder}: {error.strerror or error}") from None

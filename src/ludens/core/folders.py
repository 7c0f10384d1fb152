"""Folders for results of long work, tried before it and not after."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ludens.core.errors import LudensError


def need_writable(folder: Path) -> None:
    """Make a folder if there is none, and try to write into it. Raises `LudensError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise LudensError(f"cannot write into the folder {folder}: {error.strerror or error}") from None

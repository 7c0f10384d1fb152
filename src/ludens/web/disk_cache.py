"""Cache files on disk, written atomically by any number of processes.

After a failed write the value is computed again next time: a full disk costs only time.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ludens.core.files import make_folder, write_file


def write_cache(path: Path, content: bytes) -> None:
    """Write a file atomically; disk errors are ignored."""
    with suppress(OSError):
        make_folder(path.parent)
        write_file(path, content)

"""What is computed once and kept on disk: whole, or not at all, however many processes do it at once.

What cannot be kept is computed again the next time: a full disk costs time, and nothing else.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def keep(path: Path, content: bytes) -> None:
    """Write a file; whoever reads it meanwhile finds the old one, none, or the whole new one."""
    unfinished = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)

"""What is computed once and kept on disk: whole, or not at all, however many processes do it at once."""

from __future__ import annotations

import os
from pathlib import Path


def keep(path: Path, content: bytes) -> None:
    """Write a file; whoever reads it meanwhile finds the old one, none, or the whole new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(content)
    unfinished.replace(path)

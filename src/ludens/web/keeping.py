"""What is computed once and kept on disk: whole, or not at all, however many processes do it at once.

What cannot be kept is computed again the next time: a full disk costs time, and nothing else.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ludens.core.files import make_folder, write_file


def keep(path: Path, content: bytes) -> None:
    """Write a file; whoever reads it meanwhile finds the old one, none, or the whole new one."""
    with suppress(OSError):
        make_folder(path.parent)
        write_file(path, content)

"""Programs of others for the tests: real ones where they are installed, and small ones that behave as a test wants."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

_FRAME = """
import sys, time

def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()

for line in sys.stdin:
    line = line.strip()
    {behaviour}
"""


def program(folder: Path, behaviour: str) -> str:
    """The command of a program that does something with each ``line`` it reads; `say` writes."""
    path = folder / "program.py"
    path.write_text(_FRAME.format(behaviour=behaviour.strip().replace("\n", "\n    ")), encoding="utf-8")
    return shlex.join([sys.executable, str(path)])

"""Worker processes of the server: Python processes on pipes, each in its own session."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process

from ludens.core.process import environment

LONGEST_LINE = 64_000_000
"""The maximum length of a worker's answer in bytes."""


async def start_worker(module: str, *arguments: int, errors: int | None = None) -> Process:
    """Run a module as a program; ``errors`` says where its standard error goes. Raises `OSError`."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, *map(str, arguments)),
        stdin=PIPE,
        stdout=PIPE,
        stderr=errors,
        start_new_session=True,
        env=environment(),
        limit=LONGEST_LINE,
    )

"""Our HTTP player in a process of its own, for benchmarks that send it messages."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO

from ludens.core.process import kill_session
from ludens.protocols.ggp.wire import Address

_COMMAND = "import os, sys; {pin}from ludens.cli.main import run; run()"
_ENDING_SECONDS = 10.0


@contextlib.contextmanager
def http_player(
    player: str, *, home: Path | None = None, cores: Collection[int] = (), log: IO[str] | None = None
) -> Iterator[tuple[int, Address]]:
    """A ``ludens player``: its process id, and where it listens. It is ended with all that it has started.

    ``home`` is its folder for data and caches, by default the user's; ``cores`` are the processors that it and its
    children may use; ``log`` receives what it logs.
    """
    pin = f"os.sched_setaffinity(0, {set(cores)}); " if cores else ""
    command = [sys.executable, "-c", _COMMAND.format(pin=pin)]
    command += ["player", "--player", player, "--port", "0", "--json", *(["--quiet"] if log is None else [])]
    environment = os.environ | ({} if home is None else {"LUDENS_HOME": str(home)})
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment, start_new_session=True
    ) as process:
        try:
            yield process.pid, Address.parse(_read_url(process))
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_ENDING_SECONDS)
            kill_session(process.pid)


def _read_url(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    text = ""
    while not text.endswith("}\n"):
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"the player ended before it listened: {text}")
        text += line
    url: str = json.loads(text)["url"]
    return url

"""However python-chess ends ``ludens uci``, no process of it is left, compilers included."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.peers import optional_module, peer

chess = optional_module("chess")
if chess is not None:
    chess.engine = import_module("chess.engine")

pytestmark = [peer("chess"), pytest.mark.timeout(300)]

COMMAND = [sys.executable, "-c", "from ludens.cli.main import run; run()", "uci", "--player", "random"]
MOST_LOOKS = 600


def marked(mark: str) -> list[str]:
    """The processes whose environment has a mark."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark.encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_text())
    return found


def leave_at_once(engine: Any) -> None:
    engine.close()


def quit_at_once(engine: Any) -> None:
    engine.quit()


def close_in_an_analysis(engine: Any) -> None:
    engine.analysis(chess.Board())
    engine.close()


def quit_after_a_move(engine: Any) -> None:
    engine.play(chess.Board(), chess.engine.Limit(time=0.05))
    engine.quit()


def kill(engine: Any) -> None:
    os.kill(engine.transport.get_pid(), 9)
    engine.close()


@pytest.mark.parametrize("end", [leave_at_once, quit_at_once, close_in_an_analysis, quit_after_a_move, kill])
def test_no_process_is_left(end: Any, tmp_path: Path) -> None:
    mark = f"ludens-test-{uuid4().hex}"
    environment = os.environ | {"LUDENS_TEST_MARK": mark, "XDG_CACHE_HOME": str(tmp_path)}  # chess has to be compiled
    engine = chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=120, env=environment)
    assert marked(mark)

    end(engine)

    looks = 0
    while (left := marked(mark)) and looks < MOST_LOOKS:
        looks += 1
        threading.Event().wait(0.1)
    assert not left

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ludens.core import LudensError
from ludens.players.search.native import precompile as prepare

_END_WHILE_IT_LOADS = """
import ludens
from ludens.core import Clock
from ludens.players import make_player
game = ludens.load("tic_tac_toe", backend="circuit")
make_player("mcts").start(game, "xplayer", 1, Clock(play=1.0, start={start}))
"""


def _ends_well(home: Path, start: float) -> bool:
    program = _END_WHILE_IT_LOADS.format(start=start)
    surroundings = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    surroundings |= {"LUDENS_HOME": str(home)}
    return subprocess.run([sys.executable, "-c", program], env=surroundings, check=False).returncode == 0


@pytest.mark.slow
def test_a_process_may_end_while_the_code_is_made_or_loaded(tmp_path: Path) -> None:
    assert _ends_well(tmp_path, start=0.0)
    assert _ends_well(tmp_path, start=600.0)
    assert list(tmp_path.glob("cache/numba-*/made"))
    assert _ends_well(tmp_path, start=0.0)


def test_code_that_cannot_be_made_is_told_with_the_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(prepare, "code_folder", lambda: tmp_path)
    monkeypatch.setattr(sys, "executable", "false")

    with pytest.raises(LudensError, match="could not be compiled: exit status 1"), prepare.loading_code():
        pass


def test_one_of_many_who_need_the_code_makes_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    maker = tmp_path / "maker"
    maker.write_text(f"#!/bin/sh\necho made >> {tmp_path}/log\ntouch {tmp_path}/made\n")
    maker.chmod(0o755)
    monkeypatch.setattr(prepare, "code_folder", lambda: tmp_path)
    monkeypatch.setattr(sys, "executable", str(maker))

    def need() -> None:
        with prepare.loading_code():
            assert (tmp_path / "made").exists()

    threads = [threading.Thread(target=need) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (tmp_path / "log").read_text() == "made\n"

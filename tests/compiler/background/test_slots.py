"""Compilers of all processes together are at most as many as there are processors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import ludens
from ludens.compiler.background import job as jobs
from ludens.compiler.background.lazy import LazyGame
from ludens.compiler.background.slots import SLOTS, take_slot
from ludens.compiler.batch.game import CircuitGame
from ludens.core.process import environment
from tests.processes import running

pytest.importorskip("fcntl", reason="there are no locks")
pytestmark = pytest.mark.usefixtures("empty_cache")

HOLDER = """
import sys, time
from pathlib import Path
from ludens.compiler.background.slots import take_slot
slots = [take_slot(Path(sys.argv[1]), 2) for _ in range(3)]
print([slot is not None for slot in slots], flush=True)
sys.stdin.read()
"""


def test_slots_are_shared_by_processes_and_released_when_one_is_killed(tmp_path: Path) -> None:
    command = (sys.executable, "-c", HOLDER, str(tmp_path))
    with running(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "[True, True, False]\n"
        assert take_slot(tmp_path, 2) is None

        process.kill()
        process.wait()
        first, second = take_slot(tmp_path, 2), take_slot(tmp_path, 2)

    assert first is not None
    assert second is not None
    assert take_slot(tmp_path, 2) is None
    first.close()
    with take_slot(tmp_path, 2) or pytest.fail("a closed slot is not free"), second:
        pass


def test_where_nothing_can_be_written_there_is_a_slot(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with take_slot(tmp_path / "file" / "folder", 1) or pytest.fail("there is none"):
        pass


def test_a_game_is_compiled_when_a_slot_is_free_and_not_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ludens.load("tic_tac_toe")
    game.compiled()
    jobs._jobs.clear()  # as another process has none
    taken = [take_slot() for _ in range(SLOTS)]
    cached = jobs.Job._find_cached
    answers = [None]  # the first look into the cache comes before the other process has written
    monkeypatch.setattr(jobs.Job, "_find_cached", lambda self: answers.pop() if answers else cached(self))
    monkeypatch.setattr(jobs.Job, "_run_worker", lambda self: pytest.fail("it is compiled once more"))
    another = ludens.load("tic_tac_toe")
    assert isinstance(another, LazyGame)

    assert another.compiled(0.3) is another
    for slot in taken:
        assert slot is not None
        slot.close()

    assert isinstance(another.compiled(), CircuitGame)


def test_a_game_that_waits_for_a_slot_can_be_released() -> None:
    taken = [take_slot() for _ in range(SLOTS)]
    game = ludens.load("tic_tac_toe")
    assert isinstance(game, LazyGame)
    game.compiled(0.0)
    game.stop_compiling()

    assert game._job is not None
    assert game._job.wait(60)
    assert game._job.result is None
    for slot in taken:
        assert slot is not None
        slot.close()

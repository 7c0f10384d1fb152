"""Games that are interpreted at once and compiled by another process, which ends whenever nobody wants it any more."""

from __future__ import annotations

import gc
import logging
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

import ludens
from ludens.compiler.background import job as jobs
from ludens.compiler.background.lazy import LazyGame
from ludens.compiler.batch.game import CircuitGame
from ludens.core import random_joint_move
from ludens.core.batch import Batch
from tests.processes import running

pytestmark = pytest.mark.usefixtures("empty_cache")

SMALL, LARGE = "tic_tac_toe", "chess@gdl"


def lazy(name: str) -> LazyGame:
    game = ludens.load(name)
    assert isinstance(game, LazyGame)
    return game


def compiling_process(game: LazyGame) -> subprocess.Popen[bytes]:
    """The process that compiles a game, as soon as there is one."""
    game.compiled(0.0)
    assert game._job is not None
    while game._job._process is None:
        assert not game._job.wait(0.01)
    return game._job._process


def has_ended(pid: int) -> bool:
    """Whether a process is gone within a minute."""
    for _ in range(600):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):  # as it is opened, or as it is read
            return True
        time.sleep(0.1)
    return False


def test_a_game_is_played_before_it_is_compiled_and_nobody_asks_for_that() -> None:
    game = lazy(LARGE)
    state = game.initial_state()
    rng = Random(1)
    for _ in range(2):
        state = state.play(random_joint_move(state, rng))

    assert state.legal_moves("white")
    assert game._job is None


def test_the_compiled_game_has_the_same_states() -> None:
    game = lazy(SMALL)
    compiled = game.compiled()
    assert isinstance(compiled, CircuitGame)
    assert game.compiled(0.0) is compiled
    state, rng = game.initial_state(), Random(1)
    while not state.is_terminal:
        twin = compiled.convert(state)
        assert twin.game is compiled
        assert all(twin.legal_moves(role) == state.legal_moves(role) for role in game.roles)
        state = state.play(random_joint_move(state, rng))


def test_batches_wait_for_the_compiled_game() -> None:
    assert Batch(lazy(SMALL), 64, seed=1).playouts().ended.all()


def test_games_with_the_same_rules_share_the_compiled_one() -> None:
    assert lazy(SMALL).compiled() is not None
    first, second = lazy(SMALL), lazy(SMALL)

    assert first.compiled() is second.compiled()


def test_another_process_finds_it_in_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs._jobs.clear()  # another test may have compiled it, for another cache
    lazy(SMALL).compiled()
    jobs._jobs.clear()  # as another process has none

    def refuse(self: jobs.Job) -> None:
        raise AssertionError("it is compiled once more")

    monkeypatch.setattr(jobs.Job, "_compile", refuse)
    assert isinstance(lazy(SMALL).compiled(), CircuitGame)


def test_the_compiler_ends_when_nobody_wants_it() -> None:
    game = lazy(LARGE)
    process = compiling_process(game)
    game.stop_compiling()

    assert game._job is not None
    assert game._job.wait(60)
    assert process.poll() == -signal.SIGKILL
    assert game.compiled() is game  # it is not started again
    another = lazy(LARGE)
    assert compiling_process(another).pid != process.pid
    another.stop_compiling()


def test_the_compiler_goes_on_while_another_game_wants_it() -> None:
    game, other = lazy(LARGE), lazy(LARGE)
    process = compiling_process(game)
    other.compiled(0.0)
    game.stop_compiling()

    assert process.poll() is None
    other.stop_compiling()
    assert has_ended(process.pid)


def test_the_compiler_ends_with_the_game() -> None:
    game = lazy(LARGE)
    process = compiling_process(game)
    del game
    gc.collect()

    assert has_ended(process.pid)


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes as Linux shows them")
def test_the_compiler_ends_with_a_process_that_is_killed() -> None:
    code = (
        "import time, ludens\n"
        f"game = ludens.load({LARGE!r})\n"
        "game.compiled(0.0)\n"
        "while game._job._process is None: time.sleep(0.01)\n"
        "print(game._job._process.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    with running(sys.executable, "-c", code, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        compiler = int(parent.stdout.readline())
        parent.kill()

        assert has_ended(compiler)


@pytest.mark.parametrize(("variable", "value"), [(jobs.MEMORY_VARIABLE, "20"), (jobs.SECONDS_VARIABLE, "0.01")])
def test_a_game_beyond_the_limits_stays_interpreted(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(variable, value)
    game = lazy(LARGE)
    with caplog.at_level(logging.WARNING):
        assert game.compiled() is game

    assert "stays interpreted" in caplog.text


def test_a_limit_that_is_no_number_is_reported(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(jobs.MEMORY_VARIABLE, "much")
    game = lazy(SMALL)
    with caplog.at_level(logging.WARNING):
        assert game.compiled() is game

    assert "LUDENS_COMPILER_MEMORY cannot be 'much'" in caplog.text

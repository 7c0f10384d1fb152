"""Work by several processes gives what one process would."""

from __future__ import annotations

import os
import threading

import pytest

from ludens.compiler.batch.playout import PlayoutMachine, playout_program
from ludens.compiler.compile import compile_rules
from ludens.compiler.native import computation, forks
from ludens.compiler.native.forks import can_fork, in_forks
from ludens.games import library


@pytest.fixture
def three_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forks as on a machine with three processors, whatever threads pytest may have."""
    monkeypatch.setattr(forks, "can_fork", lambda: True)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)


needs_forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no forks")


@needs_forks
@pytest.mark.usefixtures("three_processors")
@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_results_are_in_the_order_of_the_items(count: int) -> None:
    assert in_forks(lambda item: item * item, range(count)) == [n * n for n in range(count)]


@needs_forks
@pytest.mark.usefixtures("three_processors")
def test_the_work_is_done_by_as_many_processes_as_there_are_processors() -> None:
    assert len(set(in_forks(lambda _: os.getpid(), range(6)))) == 3


@needs_forks
@pytest.mark.usefixtures("three_processors")
def test_what_a_fork_cannot_do_is_done_here() -> None:
    here = os.getpid()

    def fail_elsewhere(item: int) -> int:
        if os.getpid() != here:
            raise MemoryError
        return item

    assert in_forks(fail_elsewhere, range(4)) == [0, 1, 2, 3]


@needs_forks
@pytest.mark.usefixtures("three_processors")
def test_errors_are_raised_here(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ZeroDivisionError):
        in_forks(lambda item: 1 // (1 - item), range(2))

    assert not capfd.readouterr().err


def test_a_process_with_threads_is_not_forked() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert not can_fork()
        assert in_forks(lambda _: os.getpid(), range(3)) == [os.getpid()] * 3
    finally:
        done.set()
        thread.join()


@needs_forks
@pytest.mark.usefixtures("three_processors")
def test_playouts_are_the_same_whoever_writes_their_code(monkeypatch: pytest.MonkeyPatch) -> None:
    program = playout_program(compile_rules(library.find("connect_four").rule_sheet()).circuit)
    alone = PlayoutMachine(program, seed=5, code=program.machine_code()).run_rounds(50)
    operations = program.operations
    monkeypatch.setattr(computation, "FORKED_GATES", 0)

    together = PlayoutMachine(program, seed=5, code=program.machine_code()).run_rounds(50)

    assert together == alone
    assert program.operations == operations

from __future__ import annotations

import logging
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Sequence

import pytest

from ludens.compiler.batch.playout import PlayoutMachine, PlayoutProgram, playout_program
from ludens.compiler.batch.tiers import TieredPlayouts
from ludens.compiler.compile import compile_rules
from ludens.compiler.native import computation
from ludens.compiler.native.machine_code import MachineCode
from ludens.compiler.native.object_code import CodeError
from ludens.games.library import find

pytestmark = pytest.mark.usefixtures("empty_cache")


@pytest.fixture(scope="module")
def program() -> PlayoutProgram:
    return playout_program(compile_rules(find("tic_tac_toe").rule_sheet()).circuit)


@pytest.fixture(autouse=True)
def _compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a processor for which machine code is made by LLVM, in the background."""
    monkeypatch.setattr(computation, "host_instructions", lambda: None)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Holds the compiler up until it is set."""
    opened = threading.Event()
    make = PlayoutProgram.machine_code

    def compile_later(program: PlayoutProgram) -> Sequence[MachineCode]:
        assert opened.wait(60)
        return make(program)

    monkeypatch.setattr(PlayoutProgram, "machine_code", compile_later)
    return opened


def test_playouts_begin_before_the_code_is_there_and_go_on_with_it(
    program: PlayoutProgram, gate: threading.Event
) -> None:
    expected = [PlayoutMachine(program, seed=4).run_rounds(count) for count in (100, 200)]
    playouts = TieredPlayouts(program)
    machine = playouts.machine(seed=4)

    first = machine.run_rounds(100)
    assert not playouts.is_at_full_speed
    assert not playouts.code
    gate.set()
    assert playouts.wait_for_full_speed(60)
    second = machine.run_rounds(100)

    assert len(playouts.code) == len(program.steps)
    assert first == expected[0]
    assert first + second == expected[1]


def test_a_machine_that_runs_changes_to_the_code_by_itself(program: PlayoutProgram, gate: threading.Event) -> None:
    playouts = TieredPlayouts(program)
    machine = playouts.machine(seed=4)
    assert machine.run(0.0).states > 0
    gate.set()

    while not playouts.is_at_full_speed:
        machine.run(0.001)
    found = machine.run(0.05)

    assert machine._code is playouts.code
    assert found.playouts > 0


def test_machines_made_later_use_the_code_from_the_start(program: PlayoutProgram) -> None:
    playouts = TieredPlayouts(program)
    playouts.wait_for_full_speed()

    expected = PlayoutMachine(program, seed=8).run_rounds(100)
    assert playouts.machine(seed=8).run_rounds(100) == expected


def fail_clearly(program: PlayoutProgram) -> Sequence[MachineCode]:
    raise CodeError("the compiler is on holiday")


def fail_badly(program: PlayoutProgram) -> Sequence[MachineCode]:
    raise MemoryError


@pytest.mark.parametrize(
    ("failure", "said"), [(fail_clearly, "the compiler is on holiday"), (fail_badly, "MemoryError")]
)
def test_a_failing_compiler_is_told_of_once_and_playouts_go_on(
    program: PlayoutProgram,
    failure: Callable[[PlayoutProgram], Sequence[MachineCode]],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(PlayoutProgram, "machine_code", failure)
    playouts = TieredPlayouts(program)

    assert playouts.wait_for_full_speed(60)
    for seed in (1, 2):
        expected = PlayoutMachine(program, seed).run_rounds(100)
        assert playouts.machine(seed).run_rounds(100) == expected
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == [
        f"playouts stay on the interpreter: {said}"
    ]


def test_large_games_stay_on_the_interpreter(program: PlayoutProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computation, "COMPILED_OPERATIONS", program.operations // 2)
    playouts = TieredPlayouts(program)

    assert playouts.wait_for_full_speed(60)
    assert not playouts.code


def test_a_compilation_does_not_keep_the_process_from_exiting() -> None:
    script = textwrap.dedent("""
        import threading
        from ludens.compiler.native import computation
        from ludens.compiler.batch import tiers
        from ludens.compiler.compile import compile_rules
        from ludens.compiler.batch.playout import playout_program
        from ludens.games.library import find
        computation.host_instructions = lambda: None
        computation.Computation.machine_code = lambda step: threading.Event().wait()
        playouts = tiers.TieredPlayouts(playout_program(compile_rules(find("tic_tac_toe").rule_sheet()).circuit))
        assert playouts.machine(1).run(0.0).states > 0
        print("done")
    """)
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "done\n", "")


def test_exiting_in_the_middle_of_a_real_compilation_is_quiet() -> None:
    script = textwrap.dedent("""
        from ludens.compiler.compile import compile_rules
        from ludens.compiler.batch.playout import playout_program
        from ludens.compiler.batch.tiers import TieredPlayouts
        from ludens.games.library import find
        from ludens.compiler.native import computation
        computation.host_instructions = lambda: None
        playouts = TieredPlayouts(playout_program(compile_rules(find("breakthrough").rule_sheet()).circuit))
        assert playouts.machine(1).run(0.1).states > 0
    """)
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")

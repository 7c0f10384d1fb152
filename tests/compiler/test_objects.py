from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from ludens.compiler.batch.playout import PlayoutMachine, playout_program
from ludens.compiler.compile import compile_rules
from ludens.compiler.native.object_code import CodeError, emit_in_process, in_threads, object_code
from ludens.compiler.native.target import host_target
from ludens.core.folders import cache_folder
from ludens.games.library import find

pytestmark = pytest.mark.usefixtures("empty_cache")

TWO = "define i64 @two() { ret i64 2 }"


def never() -> str:
    raise AssertionError("the cache should have the code")


def test_a_process_generates_the_code_that_this_one_would() -> None:
    assert emit_in_process(TWO, 1, host_target()) == host_target().emit(TWO, 1)


def test_code_is_generated_once() -> None:
    first = object_code(b"two", lambda: TWO, 1, host_target())

    assert object_code(b"two", never, 1, host_target()) == first


def test_code_for_another_processor_is_another_entry() -> None:
    object_code(b"two", lambda: TWO, 1, host_target())

    with pytest.raises(AssertionError, match="cache"):
        object_code(b"two", never, 2, host_target())


def test_damaged_code_is_generated_again() -> None:
    first = object_code(b"two", lambda: TWO, 1, host_target())
    (path,) = cache_folder().iterdir()
    path.write_bytes(path.read_bytes()[:-100])

    assert object_code(b"two", lambda: TWO, 1, host_target()) == first
    assert object_code(b"two", never, 1, host_target()) == first


def test_what_is_no_assembly_is_a_clear_error() -> None:
    with pytest.raises(CodeError, match=r"machine code could not be generated: .*error"):
        emit_in_process("define nonsense", 1, host_target())


def test_a_machine_without_python_to_start_is_a_clear_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))

    with pytest.raises(CodeError, match="cannot run a process"):
        emit_in_process(TWO, 1, host_target())


def test_a_second_process_finds_the_code_of_the_first() -> None:
    script = textwrap.dedent("""
        from ludens.compiler.native import llvm_code as code
        from ludens.compiler.native import object_code as objects
        from ludens.compiler.compile import compile_rules
        from ludens.compiler.batch.playout import playout_program
        from ludens.compiler.native.target import host_target
        from ludens.games.library import find
        for step in playout_program(compile_rules(find("tic_tac_toe").rule_sheet()).circuit).steps:
            step.compiled(host_target())
    """)
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
    before = sorted(path.name for path in cache_folder().iterdir())
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)

    assert len(before) == 2
    assert sorted(path.name for path in cache_folder().iterdir()) == before


def test_code_from_the_cache_plays_like_fresh_code() -> None:
    program = playout_program(compile_rules(find("connect_four").rule_sheet()).circuit)
    codes = [[step.compiled(host_target()) for step in program.steps] for _ in range(2)]
    fresh, cached = (PlayoutMachine(program, seed=9, code=code) for code in codes)

    assert fresh.run_rounds(50) == cached.run_rounds(50)


def test_results_of_threads_come_in_order_and_errors_arrive() -> None:
    assert in_threads(lambda number: number * number, range(20)) == [number * number for number in range(20)]
    with pytest.raises(ZeroDivisionError):
        in_threads(lambda number: 1 // number, [1, 0, 2])

from __future__ import annotations

import platform
from functools import cache

import pytest

from ludens.compiler import computation, playout
from ludens.compiler.code import straight_line_source
from ludens.compiler.compile import compile_rules
from ludens.compiler.kernel import kernel_source, make_kernel
from ludens.compiler.playout import PlayoutMachine, PlayoutProgram, playout_program
from ludens.compiler.target import Target, host_target
from ludens.games.library import find
from ludens.gdl.read import read_rules

SSE2 = Target("x86_64-unknown-linux-gnu", "x86-64", "")
AVX2 = Target("x86_64-unknown-linux-gnu", "haswell", "")
AVX512 = Target("x86_64-unknown-linux-gnu", "skylake-avx512", "+avx512f,-prefer-256-bit")
NEON = Target("aarch64-unknown-linux-gnu", "generic", "")
APPLE = Target("arm64-apple-darwin", "apple-m1", "")

ELF, MACH_O = b"\x7fELF", b"\xcf\xfa\xed\xfe"


# One lamp is lit, those that its light reaches may be chosen: recursion inside a state, in few operations.
LAMPS = """(role r) (init (on 0)) (init (step 0)) (wire 0 1) (wire 1 2) (wire 2 0) (wire 2 3) (succ 0 1) (succ 1 2)
(<= (lit ?n) (true (on ?n))) (<= (lit ?m) (lit ?n) (wire ?n ?m)) (<= (lit ?n) (lit ?m) (wire ?n ?m) (true (step 1)))
(<= (legal r (see ?n)) (lit ?n)) (<= (next (on ?n)) (does r (see ?n)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 2)))
(<= (goal r 100) (true (on 0))) (<= (goal r 0) (not (true (on 0))))"""


@cache
def program_of(name: str) -> PlayoutProgram:
    sheet = read_rules(LAMPS) if name == "lamps" else find(name).rule_sheet()
    return playout_program(compile_rules(sheet).circuit)


@pytest.mark.parametrize("target", [SSE2, AVX2, AVX512, NEON, APPLE], ids=lambda target: target.cpu)
def test_code_is_generated_for_processors_of_any_width(target: Target) -> None:
    program = program_of("lamps")
    step = program.steps[0]
    start = MACH_O if "apple" in target.triple else ELF

    assert target.emit(kernel_source(target), opt=2).startswith(start)
    assert target.emit(straight_line_source(step.schedule(in_runs=False), step.output_slots, target), opt=1).startswith(
        start
    )


@pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="the widths are those of x86-64")
@pytest.mark.parametrize("name", ["lamps", "tic_tac_toe"])
@pytest.mark.parametrize("target", [SSE2, AVX2], ids=lambda target: target.cpu)
def test_narrow_registers_do_the_same_as_wide_ones(target: Target, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if target is AVX2 and "+avx2" not in host_target().features.split(","):
        pytest.skip("this processor has no AVX2")
    program = program_of(name)
    expected = PlayoutMachine(program, seed=5).run_rounds(100)
    narrow = make_kernel(Target(host_target().triple, target.cpu, target.features))
    monkeypatch.setattr(computation, "kernel", lambda: narrow)
    monkeypatch.setattr(playout, "kernel", lambda: narrow)
    code = [step.compiled(target) for step in program.steps]

    assert expected.playouts > 0
    assert PlayoutMachine(program, 5, [step.interpreted() for step in program.steps]).run_rounds(100) == expected
    assert PlayoutMachine(program, seed=5, code=code).run_rounds(100) == expected

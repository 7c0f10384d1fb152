from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from functools import cache

import pytest

from ludens.compiler.batch import playout
from ludens.compiler.batch.playout import PlayoutMachine, PlayoutProgram, playout_program
from ludens.compiler.compile import compile_rules
from ludens.compiler.native import computation
from ludens.compiler.native.kernel import PLAY_SOURCE, interpreter_source, make_interpreter, make_play_loop
from ludens.compiler.native.llvm_code import straight_line_source
from ludens.compiler.native.target import Target, host_level, host_target
from ludens.core import LudensError
from ludens.core.processor import Level, cap, level_of, wanted_level
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

    assert target.emit(interpreter_source(target), opt=2).startswith(start)
    assert target.emit(PLAY_SOURCE, opt=2).startswith(start)
    assert target.emit(straight_line_source(step.schedule(in_runs=False), step.output_slots, target), opt=1).startswith(
        start
    )


needs_x86 = pytest.mark.skipif(
    platform.machine().lower() not in ("x86_64", "amd64"), reason="the widths are those of x86-64"
)


@needs_x86
@pytest.mark.parametrize("name", ["lamps", "tic_tac_toe"])
@pytest.mark.parametrize("target", [SSE2, AVX2], ids=lambda target: target.cpu)
def test_narrow_registers_do_the_same_as_wide_ones(target: Target, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if target is AVX2 and host_level() is Level.SSE2:
        pytest.skip("this processor has no AVX2")
    program = program_of(name)
    expected = PlayoutMachine(program, seed=5).run_rounds(100)
    here = Target(host_target().triple, target.cpu, target.features)
    interpreter, play_loop = make_interpreter(here), make_play_loop(here)
    monkeypatch.setattr(computation, "interpreter", lambda: interpreter)
    monkeypatch.setattr(playout, "play_loop", lambda: play_loop)
    code = [step.compiled(target) for step in program.steps]

    assert expected.playouts > 0
    assert PlayoutMachine(program, 5, [step.interpreted() for step in program.steps]).run_rounds(100) == expected
    assert PlayoutMachine(program, seed=5, code=code).run_rounds(100) == expected


CAPPED = """
import json
from ludens.cli.backends.compile_game import host_architecture_flag
from ludens.compiler.native.assembly import host_instructions
from ludens.compiler.compile import compile_rules
from ludens.compiler.batch.playout import PlayoutMachine, playout_program
from ludens.compiler.native.target import host_description, host_target
from ludens.games.library import find

program = playout_program(compile_rules(find("tic_tac_toe").rule_sheet()).circuit)
played = PlayoutMachine(program, 5).run_rounds(50)
print(json.dumps({
    "features": host_target().features.split(","),
    "description": host_description(),
    "flag": host_architecture_flag(),
    "instructions": type(host_instructions()).__name__,
    "processor": host_target().cpu,
    "played": str(played),
}))
"""


def report_under(setting: str) -> dict[str, object]:
    environment = {**os.environ, "LUDENS_CPU": setting}
    run = subprocess.run([sys.executable, "-c", CAPPED], env=environment, capture_output=True, text=True, check=True)
    found: dict[str, object] = json.loads(run.stdout)
    return found


@needs_x86
def test_a_cap_holds_for_all_machine_code_and_changes_no_result() -> None:
    if host_level() is not Level.AVX512:
        pytest.skip("this processor has no AVX-512 to cap")
    free, narrow, oldest = map(report_under, ("avx512", "avx2", "sse2"))

    assert "+avx512f" in free["features"]  # type: ignore[operator]
    assert free["flag"] == "-march=native"
    assert str(free["description"]).endswith(", AVX-512")
    for capped, architecture, label in ((narrow, "x86-64-v3", "AVX2"), (oldest, "x86-64", "SSE2")):
        assert not [feature for feature in capped["features"] if "avx512" in feature]  # type: ignore[attr-defined]
        assert capped["processor"] == architecture
        assert capped["flag"] == f"-march={architecture}"
        assert str(capped["description"]).endswith(f", {label} (capped by LUDENS_CPU)")
    assert [report["instructions"] for report in (free, narrow, oldest)] == ["Avx512", "Avx2", "NoneType"]
    assert len({str(report["played"]) for report in (free, narrow, oldest)}) == 1


@pytest.mark.parametrize(
    ("setting", "features", "expected"),
    [
        ("avx2", ["avx2", "avx512f"], Level.AVX2),
        ("SSE2", ["avx2"], Level.SSE2),
        ("avx512", ["avx2"], None),
        ("avx2", ["avx2"], None),
        ("avx2", ["sse2"], None),
        ("", ["avx2", "avx512f"], None),
    ],
)
def test_a_cap_above_what_the_processor_has_is_none(
    monkeypatch: pytest.MonkeyPatch, setting: str, features: list[str], expected: Level | None
) -> None:
    monkeypatch.setenv("LUDENS_CPU", setting)

    assert cap(level_of(features)) is expected


def test_an_unknown_cap_is_refused_with_the_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDENS_CPU", "mmx")

    with pytest.raises(LudensError, match="'mmx'; choose one of avx512, avx2, sse2"):
        wanted_level()

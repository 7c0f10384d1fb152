"""Stage 5: straight-line machine code for one game.

The operations of a schedule become instructions on registers, cut into functions that the compiler can digest; only
what a later function reads, and the outputs, goes through memory. It beats the interpreter where the code fits the
instruction cache, which is for small games; for large ones the instructions are more to fetch than the values.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import llvmlite.binding as llvm
import numpy as np

from ludens.compiler.native.cover import inputs_of
from ludens.compiler.native.machine_code import MachineCode
from ludens.compiler.native.object_code import object_code
from ludens.compiler.native.schedule import Schedule, Segment
from ludens.compiler.native.target import Target
from ludens.compiler.native.truth_tables import VALUE, WORDS, declarations, instructions

CHUNK = 100
"""Operations in one function: in longer ones LLVM finds worse places for the values. Code in functions of 800 was 15 %
slower for breakthrough and othello, 30 % for checkers."""


def compile_straight_line(plan: Schedule, outputs: range, target: Target) -> MachineCode:
    """The schedule as straight-line code; ``outputs`` are the slots that are read afterwards.

    The target is the processor we run on, perhaps without some of its features. Raises `CodeError`.
    """
    content = pickle.dumps((plan, outputs)) + _generator()
    code = object_code(content, lambda: straight_line_source(plan, outputs, target), 1, target)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target.machine(1))
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return MachineCode(engine.get_function_address("evaluate"), plan.slots, len(code), engine)


@cache
def _generator() -> bytes:
    """The version of the code generator: its own source, so that old code is not taken after a change."""
    folder = files("ludens.compiler.native")
    return b"".join(folder.joinpath(name).read_bytes() for name in ("llvm_code.py", "truth_tables.py", "cover.py"))


def straight_line_source(plan: Schedule, outputs: range, target: Target) -> str:
    """The schedule as LLVM assembly."""
    chunks = [
        (number, segment, start, min(start + CHUNK, len(segment.operations)))
        for number, segment in enumerate(plan.segments)
        for start in range(0, len(segment.operations), CHUNK)
    ]
    live = _live_after(chunks, outputs)
    functions: list[str] = []
    names: list[list[str]] = [[] for _ in plan.segments]
    for n, (number, segment, start, end) in enumerate(chunks):
        names[number].append(f"chunk{n}")
        functions.append(_chunk(f"chunk{n}", segment, start, end, live[n], target))
    head = "define void @evaluate(ptr %values, ptr %segments, i64 %count) {"
    calls = [_calls(number, segment, names[number]) for number, segment in enumerate(plan.segments)]
    return "\n".join([declarations(target), *functions, head, "entry:", *calls, "  ret void", "}"])


def _live_after(chunks: Sequence[tuple[int, Segment, int, int]], outputs: range) -> list[set[int]]:
    """For each chunk the slots it writes that are read after it, before they are written again."""
    live = set(outputs)
    found: list[set[int]] = [set() for _ in chunks]
    for n in range(len(chunks) - 1, -1, -1):
        _, segment, start, end = chunks[n]
        if len(segment.feedback):
            # A loop's values are read again in its next round, and its feedback after each.
            live |= {int(slot) for row in segment.operations for slot in row[:3]}
            live |= {int(slot) for pair in segment.feedback for slot in pair}
        found[n] = live.intersection(segment.operations[start:end, -1].tolist())
        for *reads, result in reversed(segment.operations[start:end].tolist()):
            live.discard(result)
            live.update(reads)
    return found


def _chunk(name: str, segment: Segment, start: int, end: int, live: set[int], target: Target) -> str:
    lines = [f"define internal void @{name}(ptr noalias %values) {{"]
    held: dict[int, str] = {}

    def read(slot: int) -> str:
        if slot not in held:
            held[slot] = f"%s{slot}"
            lines.append(f"  %p{slot} = getelementptr {VALUE}, ptr %values, i64 {slot}")
            lines.append(f"  %s{slot} = load {VALUE}, ptr %p{slot}, align 64")
        return held[slot]

    tables = np.repeat(segment.runs[:, 0], segment.runs[:, 1])[start:end].tolist()
    for n, (*reads, result) in enumerate(segment.operations[start:end].tolist()):
        table = tables[n]
        operands = [read(slot) for slot in reads[3 - inputs_of(table) :]]
        lines += instructions(table, f"%v{n}", operands, target)
        held[result] = f"%v{n}"
    for n, slot in enumerate(sorted(live)):
        lines.append(f"  %o{n} = getelementptr {VALUE}, ptr %values, i64 {slot}")
        lines.append(f"  store {VALUE} {held[slot]}, ptr %o{n}, align 64")
    return "\n".join([*lines, "  ret void", "}"])


def _calls(number: int, segment: Segment, names: Sequence[str]) -> str:
    """The calls of a segment's functions; a loop's are repeated until its feedback does not change."""
    calls = [f"  call void @{name}(ptr %values)" for name in names]
    if not len(segment.feedback):
        return "\n".join(calls)
    label = f"loop{number}"
    pairs = segment.feedback.tolist()
    lines = []
    for n, (target, _) in enumerate(pairs):
        lines.append(f"  %{label}z{n} = getelementptr {VALUE}, ptr %values, i64 {target}")
        lines.append(f"  store {VALUE} zeroinitializer, ptr %{label}z{n}, align 64")
    lines += [f"  br label %{label}", f"{label}:", *calls]
    changed = "zeroinitializer"
    for n, (_, update) in enumerate(pairs):
        lines += [
            f"  %{label}u{n} = getelementptr {VALUE}, ptr %values, i64 {update}",
            f"  %{label}new{n} = load {VALUE}, ptr %{label}u{n}, align 64",
            f"  %{label}old{n} = load {VALUE}, ptr %{label}z{n}, align 64",
            f"  %{label}d{n} = xor {VALUE} %{label}new{n}, %{label}old{n}",
            f"  %{label}c{n} = or {VALUE} {changed}, %{label}d{n}",
            f"  store {VALUE} %{label}new{n}, ptr %{label}z{n}, align 64",
        ]
        changed = f"%{label}c{n}"
    lines += [
        f"  %{label}nz = icmp ne {VALUE} {changed}, zeroinitializer",
        f"  %{label}m = bitcast <{WORDS} x i1> %{label}nz to i{WORDS}",
        f"  %{label}again = icmp ne i{WORDS} %{label}m, 0",
        f"  br i1 %{label}again, label %{label}, label %{label}end",
        f"{label}end:",
    ]
    return "\n".join(lines)

"""The machine code that every game shares: an interpreter of gates on wide registers, and the playout loop.

Both are compiled once for a process, not once for a game, so the first playout need not wait for a compiler; games with
machine code of their own need only the loop. A value is one bit for each lane; a register holds `LANES` of them.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray

from ludens.compiler.native.cover import inputs_of, operation
from ludens.compiler.native.machine_code import make_once
from ludens.compiler.native.target import Target, host_target
from ludens.compiler.native.truth_tables import VALUE, WORDS, declarations, instructions

Words = NDArray[np.uint64]

_TABLES = sorted({operation(table, (1, 2, 3), 0).table for table in range(256)})
"""The truth tables that operations can have."""


def _interpreter(target: Target) -> str:
    """``interpret(values, operations, runs, number_of_runs)``."""
    lines = [
        "define void @interpret(ptr %values, ptr %operations, ptr %runs, i64 %count) {",
        "entry:",
        "  %none = icmp eq i64 %count, 0",
        "  br i1 %none, label %end, label %run",
        "run:",
        "  %r = phi i64 [0, %entry], [%r1, %done]",
        "  %o = phi ptr [%operations, %entry], [%o1, %done]",
        "  %kp = getelementptr [2 x i32], ptr %runs, i64 %r, i64 0",
        "  %table = load i32, ptr %kp",
        "  %np = getelementptr [2 x i32], ptr %runs, i64 %r, i64 1",
        "  %n32 = load i32, ptr %np",
        "  %n = zext i32 %n32 to i64",
        f"  %o1 = getelementptr {_OPERATION}, ptr %o, i64 %n",
        "  switch i32 %table, label %done [" + " ".join(f"i32 {table}, label %k{table}" for table in _TABLES) + " ]",
        *(line for table in _TABLES for line in _run_of(table, target)),
        "done:",
        "  %r1 = add i64 %r, 1",
        "  %more = icmp ult i64 %r1, %count",
        "  br i1 %more, label %run, label %end",
        "end:",
        "  ret void",
        "}",
    ]
    return "\n".join(lines)


def _run_of(table: int, target: Target) -> list[str]:
    """The loop over operations with one table."""
    k = f"k{table}"
    unused = 3 - inputs_of(table)
    lines = [f"{k}:", f"  %{k}i = phi i64 [0, %run], [%{k}i1, %{k}]"]
    for place in range(unused, 4):
        lines += [
            f"  %{k}p{place} = getelementptr {_OPERATION}, ptr %o, i64 %{k}i, i64 {place}",
            f"  %{k}s{place} = load i32, ptr %{k}p{place}",
            f"  %{k}n{place} = zext i32 %{k}s{place} to i64",
            f"  %{k}v{place} = getelementptr {VALUE}, ptr %values, i64 %{k}n{place}",
        ]
    for place in range(unused, 3):
        lines.append(f"  %{k}x{place} = load {VALUE}, ptr %{k}v{place}, align 64")
    return [
        *lines,
        *instructions(table, f"%{k}z", [f"%{k}x{place}" for place in range(unused, 3)], target),
        f"  store {VALUE} %{k}z, ptr %{k}v3, align 64",
        f"  %{k}i1 = add i64 %{k}i, 1",
        f"  %{k}c = icmp ult i64 %{k}i1, %n",
        f"  br i1 %{k}c, label %{k}, label %done",
    ]


_OPERATION = "[4 x i32]"
"""The slots of three inputs and of the result."""

_SEGMENT = "{ptr, ptr, i64, ptr, i64}"
"""Operations, runs, number of runs, feedback, number of feedback pairs."""

_PHASE = "{ptr, ptr, i64}"
"""The function that evaluates a phase, its segments, and their number."""

_EVALUATE = f"""
define void @evaluate(ptr %values, ptr %segments, i64 %count) {{
entry:
  %none = icmp eq i64 %count, 0
  br i1 %none, label %end, label %segment
segment:
  %s = phi i64 [0, %entry], [%s1, %next]
  %p0 = getelementptr {_SEGMENT}, ptr %segments, i64 %s, i32 0
  %operations = load ptr, ptr %p0
  %p1 = getelementptr {_SEGMENT}, ptr %segments, i64 %s, i32 1
  %runs = load ptr, ptr %p1
  %p2 = getelementptr {_SEGMENT}, ptr %segments, i64 %s, i32 2
  %number = load i64, ptr %p2
  %p3 = getelementptr {_SEGMENT}, ptr %segments, i64 %s, i32 3
  %feedback = load ptr, ptr %p3
  %p4 = getelementptr {_SEGMENT}, ptr %segments, i64 %s, i32 4
  %pairs = load i64, ptr %p4
  %loops = icmp ne i64 %pairs, 0
  br i1 %loops, label %clear, label %once
once:
  call void @interpret(ptr %values, ptr %operations, ptr %runs, i64 %number)
  br label %next
clear:
  %c = phi i64 [0, %segment], [%c1, %clear]
  %cp = getelementptr [2 x i32], ptr %feedback, i64 %c, i64 0
  %cn32 = load i32, ptr %cp
  %cn = zext i32 %cn32 to i64
  %cv = getelementptr {VALUE}, ptr %values, i64 %cn
  store {VALUE} zeroinitializer, ptr %cv, align 64
  %c1 = add i64 %c, 1
  %cm = icmp ult i64 %c1, %pairs
  br i1 %cm, label %clear, label %round
round:
  call void @interpret(ptr %values, ptr %operations, ptr %runs, i64 %number)
  br label %feed
feed:
  %f = phi i64 [0, %round], [%f1, %feed]
  %changed = phi {VALUE} [zeroinitializer, %round], [%changed1, %feed]
  %ip = getelementptr [2 x i32], ptr %feedback, i64 %f, i64 0
  %in32 = load i32, ptr %ip
  %in = zext i32 %in32 to i64
  %iv = getelementptr {VALUE}, ptr %values, i64 %in
  %up = getelementptr [2 x i32], ptr %feedback, i64 %f, i64 1
  %un32 = load i32, ptr %up
  %un = zext i32 %un32 to i64
  %uv = getelementptr {VALUE}, ptr %values, i64 %un
  %old = load {VALUE}, ptr %iv, align 64
  %new = load {VALUE}, ptr %uv, align 64
  %difference = xor {VALUE} %old, %new
  %changed1 = or {VALUE} %changed, %difference
  store {VALUE} %new, ptr %iv, align 64
  %f1 = add i64 %f, 1
  %fm = icmp ult i64 %f1, %pairs
  br i1 %fm, label %feed, label %test
test:
  %nonzero = icmp ne {VALUE} %changed1, zeroinitializer
  %mask = bitcast <{WORDS} x i1> %nonzero to i{WORDS}
  %again = icmp ne i{WORDS} %mask, 0
  br i1 %again, label %round, label %next
next:
  %s1 = add i64 %s, 1
  %more = icmp ult i64 %s1, %count
  br i1 %more, label %segment, label %end
end:
  ret void
}}
"""

PLAY_SOURCE = f"""
declare {VALUE} @llvm.ctpop.v{WORDS}i64({VALUE})
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @draw(ptr %values, ptr %rng, i64 %first, i64 %count) {{
entry:
  %start = load {VALUE}, ptr %rng, align 64
  %none = icmp eq i64 %count, 0
  br i1 %none, label %end, label %loop
loop:
  %i = phi i64 [0, %entry], [%i1, %loop]
  %x = phi {VALUE} [%start, %entry], [%x3, %loop]
  %a = shl {VALUE} %x, {"<" + ", ".join(["i64 13"] * WORDS) + ">"}
  %x1 = xor {VALUE} %x, %a
  %b = lshr {VALUE} %x1, {"<" + ", ".join(["i64 7"] * WORDS) + ">"}
  %x2 = xor {VALUE} %x1, %b
  %c = shl {VALUE} %x2, {"<" + ", ".join(["i64 17"] * WORDS) + ">"}
  %x3 = xor {VALUE} %x2, %c
  %slot = add i64 %first, %i
  %p = getelementptr {VALUE}, ptr %values, i64 %slot
  store {VALUE} %x3, ptr %p, align 64
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %count
  br i1 %more, label %loop, label %store
store:
  store {VALUE} %x3, ptr %rng, align 64
  br label %end
end:
  ret void
}}

define void @tally(ptr %values, ptr %sums, i64 %first, i64 %count) {{
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%i1, %loop]
  %slot = add i64 %first, %i
  %p = getelementptr {VALUE}, ptr %values, i64 %slot
  %v = load {VALUE}, ptr %p, align 64
  %ones = call {VALUE} @llvm.ctpop.v{WORDS}i64({VALUE} %v)
  %q = getelementptr {VALUE}, ptr %sums, i64 %i
  %old = load {VALUE}, ptr %q, align 64
  %new = add {VALUE} %old, %ones
  store {VALUE} %new, ptr %q, align 64
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %count
  br i1 %more, label %loop, label %end
end:
  ret void
}}

define void @play(ptr %values, ptr %phases, i64 %count, ptr %rng, i64 %random, i64 %bits,
                  ptr %sums, i64 %tallied, i64 %tallies, i64 %fluents, i64 %nexts, i64 %width, i64 %rounds) {{
entry:
  %to = getelementptr {VALUE}, ptr %values, i64 %fluents
  %from = getelementptr {VALUE}, ptr %values, i64 %nexts
  %bytes = mul i64 %width, {8 * WORDS}
  br label %round
round:
  %i = phi i64 [0, %entry], [%i1, %after]
  br label %phase
phase:
  %k = phi i64 [0, %round], [%k1, %phase]
  call void @draw(ptr %values, ptr %rng, i64 %random, i64 %bits)
  %p0 = getelementptr {_PHASE}, ptr %phases, i64 %k, i32 0
  %evaluate = load ptr, ptr %p0
  %p1 = getelementptr {_PHASE}, ptr %phases, i64 %k, i32 1
  %segments = load ptr, ptr %p1
  %p2 = getelementptr {_PHASE}, ptr %phases, i64 %k, i32 2
  %number = load i64, ptr %p2
  call void %evaluate(ptr %values, ptr %segments, i64 %number)
  call void @tally(ptr %values, ptr %sums, i64 %tallied, i64 %tallies)
  call void @llvm.memcpy.p0.p0.i64(ptr align 64 %to, ptr align 64 %from, i64 %bytes, i1 false)
  %k1 = add i64 %k, 1
  %another = icmp ult i64 %k1, %count
  br i1 %another, label %phase, label %after
after:
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %rounds
  br i1 %more, label %round, label %end
end:
  ret void
}}
"""
"""The loop of playouts as LLVM assembly."""


_POINTER, _INTEGER = ctypes.c_void_p, ctypes.c_int64
EVALUATION = ctypes.CFUNCTYPE(None, _POINTER, _POINTER, _INTEGER)
"""``evaluate(values, segments, number_of_segments)``."""
PLAY_LOOP = ctypes.CFUNCTYPE(
    None, _POINTER, _POINTER, _INTEGER, _POINTER, _INTEGER, _INTEGER, _POINTER, *([_INTEGER] * 6)
)
"""``play(values, phases, number of phases, rng, random slot, random bits, sums, tallied slot, number of tallies,
fluent slot, next slot, number of fluents, rounds)``; a round is one step for each phase."""


@dataclass(frozen=True)
class Interpreter:
    """The interpreter of gates, callable without holding Python's lock."""

    evaluate: ctypes._CFunctionType
    address: int
    engine: llvm.ExecutionEngine
    """Owns the code."""


@dataclass(frozen=True)
class PlayLoop:
    """The loop of playouts, callable without holding Python's lock."""

    play: ctypes._CFunctionType
    engine: llvm.ExecutionEngine
    """Owns the code."""


@make_once
def interpreter() -> Interpreter:
    """The interpreter, compiled for this processor at the first call."""
    return make_interpreter(host_target())


@make_once
def play_loop() -> PlayLoop:
    """The loop of playouts, compiled for this processor at the first call."""
    return make_play_loop(host_target())


def make_interpreter(target: Target) -> Interpreter:
    """The interpreter for the processor we run on, perhaps without some of its features."""
    engine = _compile(interpreter_source(target), target)
    address = engine.get_function_address("evaluate")
    return Interpreter(EVALUATION(address), address, engine)


def make_play_loop(target: Target) -> PlayLoop:
    """The loop of playouts for the processor we run on, perhaps without some of its features."""
    engine = _compile(PLAY_SOURCE, target)
    return PlayLoop(PLAY_LOOP(engine.get_function_address("play")), engine)


def interpreter_source(target: Target) -> str:
    """The interpreter as LLVM assembly."""
    return "\n".join((declarations(target), _interpreter(target), _EVALUATE))


def _compile(source: str, target: Target) -> llvm.ExecutionEngine:
    module = llvm.parse_assembly(source)
    module.verify()
    engine = llvm.create_mcjit_compiler(module, target.machine(opt=2))
    engine.finalize_object()
    return engine

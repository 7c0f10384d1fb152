"""The machine code of batches: random bits, given moves, and the loops over blocks of `LANES` lanes.

Values are *rows*: one bit for each lane of a block. The code is compiled once for a process and shared by all games;
what a game computes is called through a `StepEntry`.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import llvmlite.binding as llvm

from ludens.compiler.logic import LANES, VALUE, WORDS
from ludens.compiler.machine_code import made_once
from ludens.compiler.target import host_target

FLUENT_SLOT = 1
"""The slot of the first fluent in every step."""


class StepEntry(ctypes.Structure):
    """A computation on one block: how to evaluate it, and where it reads and writes."""

    _fields_ = (
        ("evaluate", ctypes.c_void_p),
        ("segments", ctypes.c_void_p),
        ("segment_count", ctypes.c_int64),
        ("fluents", ctypes.c_int64),
        ("choices", ctypes.c_int64),
        ("random_bits", ctypes.c_int64),
        ("outputs", ctypes.c_int64),
        ("output_rows", ctypes.c_int64),
    )


_STEP = "{ptr, ptr, i64, i64, i64, i64, i64, i64}"
_ROW_BYTES = 8 * WORDS


def machine_code(source: str) -> llvm.ExecutionEngine:
    """LLVM assembly compiled for this processor."""
    module = llvm.parse_assembly(source)
    module.verify()
    engine = llvm.create_mcjit_compiler(module, host_target().machine(opt=2))
    engine.finalize_object()
    return engine


def every_word(constant: int) -> str:
    """A vector constant: the same number in every word."""
    return "<" + ", ".join([f"i64 {constant}"] * WORDS) + ">"


def _fields(*numbers: int) -> str:
    """Loads of fields of ``%step``: ``%f<number>``."""
    return "".join(
        f"  %e{n} = getelementptr {_STEP}, ptr %step, i64 0, i32 {n}\n"
        f"  %f{n} = load {'ptr' if n < 2 else 'i64'}, ptr %e{n}\n"
        for n in numbers
    )


_STEPS = f"""
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare {VALUE} @llvm.ctpop.v{WORDS}i64({VALUE})
declare i64 @llvm.vector.reduce.add.v{WORDS}i64({VALUE})
declare i64 @llvm.vector.reduce.and.v{WORDS}i64({VALUE})

; Random bits, by the generator xorshift128+ for each word.
define internal void @draw(ptr %values, ptr %rng, i64 %slot, i64 %count) {{
entry:
  %q = getelementptr {VALUE}, ptr %rng, i64 1
  %start = load {VALUE}, ptr %rng, align 64
  %start1 = load {VALUE}, ptr %q, align 64
  %none = icmp eq i64 %count, 0
  br i1 %none, label %end, label %loop
loop:
  %i = phi i64 [0, %entry], [%i1, %loop]
  %x = phi {VALUE} [%start, %entry], [%y, %loop]
  %y = phi {VALUE} [%start1, %entry], [%z, %loop]
  %a = shl {VALUE} %x, {every_word(23)}
  %x1 = xor {VALUE} %x, %a
  %b = lshr {VALUE} %x1, {every_word(18)}
  %c = lshr {VALUE} %y, {every_word(5)}
  %x2 = xor {VALUE} %x1, %y
  %x3 = xor {VALUE} %b, %c
  %z = xor {VALUE} %x2, %x3
  %sum = add {VALUE} %z, %y
  %n = add i64 %slot, %i
  %p = getelementptr {VALUE}, ptr %values, i64 %n
  store {VALUE} %sum, ptr %p, align 64
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %count
  br i1 %more, label %loop, label %store
store:
  store {VALUE} %y, ptr %rng, align 64
  store {VALUE} %z, ptr %q, align 64
  br label %end
end:
  ret void
}}

; The random bits of a block, then everything that follows from its inputs.
define internal void @evaluate(ptr %values, ptr %step, ptr %rng) {{
{_fields(0, 1, 2, 4, 5)}  call void @draw(ptr %values, ptr %rng, i64 %f4, i64 %f5)
  call void %f0(ptr %values, ptr %f1, i64 %f2)
  ret void
}}

; The fluents of a block to their slots, and what follows.
define internal void @run(ptr %values, ptr %step, ptr %rng, ptr %fluents) {{
{_fields(3)}  %to = getelementptr {VALUE}, ptr %values, i64 {FLUENT_SLOT}
  %bytes = mul i64 %f3, {_ROW_BYTES}
  call void @llvm.memcpy.p0.p0.i64(ptr align 64 %to, ptr align 64 %fluents, i64 %bytes, i1 false)
  call void @evaluate(ptr %values, ptr %step, ptr %rng)
  ret void
}}

; The new rows, and the old ones in the lanes that do not go on.
define internal void @blend(ptr %target, ptr %new, ptr %old, {VALUE} %over, i64 %rows) {{
entry:
  %going = xor {VALUE} %over, {every_word(-1)}
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%i1, %loop]
  %np = getelementptr {VALUE}, ptr %new, i64 %i
  %op = getelementptr {VALUE}, ptr %old, i64 %i
  %tp = getelementptr {VALUE}, ptr %target, i64 %i
  %n = load {VALUE}, ptr %np, align 64
  %o = load {VALUE}, ptr %op, align 64
  %a = and {VALUE} %n, %going
  %b = and {VALUE} %o, %over
  %c = or {VALUE} %a, %b
  store {VALUE} %c, ptr %tp, align 64
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %rows
  br i1 %more, label %loop, label %end
end:
  ret void
}}

; compute(values, step, rng, fluents, outputs, blocks)
define void @compute(ptr %values, ptr %step, ptr %rng, ptr %fluents, ptr %outputs, i64 %blocks) {{
entry:
{_fields(3, 6, 7)}  %from = getelementptr {VALUE}, ptr %values, i64 %f6
  %bytes = mul i64 %f7, {_ROW_BYTES}
  br label %block
block:
  %i = phi i64 [0, %entry], [%i1, %block]
  %row = mul i64 %i, %f3
  %source = getelementptr {VALUE}, ptr %fluents, i64 %row
  %state = getelementptr [2 x {VALUE}], ptr %rng, i64 %i
  call void @run(ptr %values, ptr %step, ptr %state, ptr %source)
  %out = mul i64 %i, %f7
  %to = getelementptr {VALUE}, ptr %outputs, i64 %out
  call void @llvm.memcpy.p0.p0.i64(ptr align 64 %to, ptr align 64 %from, i64 %bytes, i1 false)
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %blocks
  br i1 %more, label %block, label %end
end:
  ret void
}}

; advance_randomly(values, step, rng, fluents, next fluents, first fluents or null, stuck, blocks)
; The outputs are the next fluents, the lanes that are over, and those in which a role has no legal move.
define void @advance_randomly(ptr %values, ptr %step, ptr %rng, ptr %fluents, ptr %nexts, ptr %first, ptr %stuck,
                              i64 %blocks) {{
entry:
{_fields(3, 6)}  %new = getelementptr {VALUE}, ptr %values, i64 %f6
  %overp = getelementptr {VALUE}, ptr %new, i64 %f3
  %stuckp = getelementptr {VALUE}, ptr %overp, i64 1
  %stays = icmp eq ptr %first, null
  br label %block
block:
  %i = phi i64 [0, %entry], [%i1, %block]
  %row = mul i64 %i, %f3
  %source = getelementptr {VALUE}, ptr %fluents, i64 %row
  %target = getelementptr {VALUE}, ptr %nexts, i64 %row
  %state = getelementptr [2 x {VALUE}], ptr %rng, i64 %i
  call void @run(ptr %values, ptr %step, ptr %state, ptr %source)
  %over = load {VALUE}, ptr %overp, align 64
  %old = select i1 %stays, ptr %source, ptr %first
  call void @blend(ptr %target, ptr %new, ptr %old, {VALUE} %over, i64 %f3)
  %sp = getelementptr {VALUE}, ptr %stuck, i64 %i
  %s = load {VALUE}, ptr %stuckp, align 64
  store {VALUE} %s, ptr %sp, align 64
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %blocks
  br i1 %more, label %block, label %end
end:
  ret void
}}
"""

_MOVES = f"""
; find_illegal(legal rows of all blocks, rows of a block, moves, offsets, numbers of moves, roles, lanes):
; the number of the first move that is not legal, or -1. Row 0 of a block tells the lanes that are over.
define i64 @find_illegal(ptr %rows, i64 %height, ptr %moves, ptr %offsets, ptr %numbers, i64 %roles, i64 %lanes) {{
entry:
  br label %lane
lane:
  %l = phi i64 [0, %entry], [%l1, %laned]
  %b = udiv i64 %l, {LANES}
  %row0 = mul i64 %b, %height
  %in = urem i64 %l, {LANES}
  %w = lshr i64 %in, 6
  %bit = and i64 %in, 63
  %tp = getelementptr [{WORDS} x i64], ptr %rows, i64 %row0, i64 %w
  %t = load i64, ptr %tp
  %ts = lshr i64 %t, %bit
  %over = trunc i64 %ts to i1
  br i1 %over, label %laned, label %role
role:
  %r = phi i64 [0, %lane], [%r1, %roled]
  %at = mul i64 %l, %roles
  %at1 = add i64 %at, %r
  %mp = getelementptr i32, ptr %moves, i64 %at1
  %m32 = load i32, ptr %mp
  %m = sext i32 %m32 to i64
  %np = getelementptr i64, ptr %numbers, i64 %r
  %n = load i64, ptr %np
  %known = icmp ult i64 %m, %n
  br i1 %known, label %test, label %bad
test:
  %op = getelementptr i64, ptr %offsets, i64 %r
  %o = load i64, ptr %op
  %row = add i64 %o, %m
  %row1 = add i64 %row0, %row
  %vp = getelementptr [{WORDS} x i64], ptr %rows, i64 %row1, i64 %w
  %v = load i64, ptr %vp
  %vs = lshr i64 %v, %bit
  %legal = trunc i64 %vs to i1
  br i1 %legal, label %roled, label %bad
bad:
  ret i64 %at1
roled:
  %r1 = add i64 %r, 1
  %rm = icmp ult i64 %r1, %roles
  br i1 %rm, label %role, label %laned
laned:
  %l1 = add i64 %l, 1
  %lm = icmp ult i64 %l1, %lanes
  br i1 %lm, label %lane, label %end
end:
  ret i64 -1
}}

; The moves of a block's lanes into the rows of what is done, except where the lane is over; with ``clear`` out of them.
define internal void @do_moves(ptr %rows, ptr %over, ptr %moves, ptr %offsets, i64 %roles, i64 %lanes, i1 %clear) {{
entry:
  br label %lane
lane:
  %l = phi i64 [0, %entry], [%l1, %laned]
  %w = lshr i64 %l, 6
  %bit = and i64 %l, 63
  %tp = getelementptr i64, ptr %over, i64 %w
  %t = load i64, ptr %tp
  %ts = lshr i64 %t, %bit
  %done = trunc i64 %ts to i1
  br i1 %done, label %laned, label %role
role:
  %r = phi i64 [0, %lane], [%r1, %role]
  %at = mul i64 %l, %roles
  %at1 = add i64 %at, %r
  %mp = getelementptr i32, ptr %moves, i64 %at1
  %m32 = load i32, ptr %mp
  %m = sext i32 %m32 to i64
  %op = getelementptr i64, ptr %offsets, i64 %r
  %o = load i64, ptr %op
  %row = add i64 %o, %m
  %vp = getelementptr [{WORDS} x i64], ptr %rows, i64 %row, i64 %w
  %v = load i64, ptr %vp
  %mask = shl i64 1, %bit
  %set = or i64 %v, %mask
  %new = select i1 %clear, i64 0, i64 %set
  store i64 %new, ptr %vp
  %r1 = add i64 %r, 1
  %rm = icmp ult i64 %r1, %roles
  br i1 %rm, label %role, label %laned
laned:
  %l1 = add i64 %l, 1
  %lm = icmp ult i64 %l1, %lanes
  br i1 %lm, label %lane, label %end
end:
  ret void
}}

; advance_with(values, step, rng, fluents, next fluents, first fluents or null, legal rows, rows of a block,
; moves, offsets, roles, lanes)
define void @advance_with(ptr %values, ptr %step, ptr %rng, ptr %fluents, ptr %nexts, ptr %first, ptr %legal,
                          i64 %height, ptr %moves, ptr %offsets, i64 %roles, i64 %lanes) {{
entry:
{_fields(3, 4, 5, 6)}  %new = getelementptr {VALUE}, ptr %values, i64 %f6
  %f45 = add i64 %f4, %f5
  %does = getelementptr {VALUE}, ptr %values, i64 %f45
  %stays = icmp eq ptr %first, null
  br label %block
block:
  %i = phi i64 [0, %entry], [%i1, %block]
  %before = mul i64 %i, {LANES}
  %left = sub i64 %lanes, %before
  %full = icmp ugt i64 %left, {LANES}
  %count = select i1 %full, i64 {LANES}, i64 %left
  %at = mul i64 %before, %roles
  %own = getelementptr i32, ptr %moves, i64 %at
  %row0 = mul i64 %i, %height
  %overp = getelementptr {VALUE}, ptr %legal, i64 %row0
  call void @do_moves(ptr %does, ptr %overp, ptr %own, ptr %offsets, i64 %roles, i64 %count, i1 false)
  %row = mul i64 %i, %f3
  %source = getelementptr {VALUE}, ptr %fluents, i64 %row
  %target = getelementptr {VALUE}, ptr %nexts, i64 %row
  %state = getelementptr [2 x {VALUE}], ptr %rng, i64 %i
  call void @run(ptr %values, ptr %step, ptr %state, ptr %source)
  %over = load {VALUE}, ptr %overp, align 64
  %old = select i1 %stays, ptr %source, ptr %first
  call void @blend(ptr %target, ptr %new, ptr %old, {VALUE} %over, i64 %f3)
  call void @do_moves(ptr %does, ptr %overp, ptr %own, ptr %offsets, i64 %roles, i64 %count, i1 true)
  %i1 = add i64 %i, 1
  %end1 = add i64 %before, {LANES}
  %more = icmp ult i64 %end1, %lanes
  br i1 %more, label %block, label %end
end:
  ret void
}}
"""

_PLAYOUTS = f"""
; One block to its end; the number of joint moves that were made.
; After the fluents comes the mark of idle lanes; the outputs are both for the next step, then the results: rows that
; stay set once they are.
define internal i64 @play_block(ptr %values, ptr %phases, i64 %count, ptr %rng, ptr %fluents, ptr %begins, i64 %most,
                                ptr %results) {{
entry:
  %step = getelementptr {_STEP}, ptr %phases, i64 0
{_fields(3, 6, 7)}  %now = getelementptr {VALUE}, ptr %values, i64 {FLUENT_SLOT}
  %new = getelementptr {VALUE}, ptr %values, i64 %f6
  %idle_slot = add i64 %f3, {FLUENT_SLOT}
  %idlep = getelementptr {VALUE}, ptr %values, i64 %idle_slot
  %overp = getelementptr {VALUE}, ptr %new, i64 %f3
  %found = getelementptr {VALUE}, ptr %overp, i64 1
  %used = add i64 %f3, 1
  %kept = sub i64 %f7, %used
  %bytes = mul i64 %f3, {_ROW_BYTES}
  call void @llvm.memcpy.p0.p0.i64(ptr align 64 %now, ptr align 64 %fluents, i64 %bytes, i1 false)
  %last = sub i64 %count, 1
  br label %move
move:
  %s = phi i64 [0, %entry], [%s1, %again]
  %k = phi i64 [0, %entry], [%k2, %again]
  %idle = phi {VALUE} [{every_word(-1)}, %entry], [%over, %again]
  %moved = phi i64 [0, %entry], [%moved1, %again]
  %starting = icmp ult i64 %s, %count
  br i1 %starting, label %start, label %started
start:
  %bp = getelementptr {VALUE}, ptr %begins, i64 %s
  %b = load {VALUE}, ptr %bp, align 64
  %nb = xor {VALUE} %b, {every_word(-1)}
  %idle_a = and {VALUE} %idle, %nb
  br label %started
started:
  %idle_b = phi {VALUE} [%idle, %move], [%idle_a, %start]
  %late = icmp ugt i64 %s, %most
  br i1 %late, label %stop, label %go
stop:
  %since = sub i64 %s, %most
  %since1 = sub i64 %since, 1
  %cp = getelementptr {VALUE}, ptr %begins, i64 %since1
  %c = load {VALUE}, ptr %cp, align 64
  %idle_c = or {VALUE} %idle_b, %c
  ; These lanes were evaluated once more to see whether they were over; the move made then does not count.
  %fresh = xor {VALUE} %idle_c, %idle_b
  %extra = call {VALUE} @llvm.ctpop.v{WORDS}i64({VALUE} %fresh)
  %excess = call i64 @llvm.vector.reduce.add.v{WORDS}i64({VALUE} %extra)
  %moved_c = sub i64 %moved, %excess
  br label %go
go:
  %moved_d = phi i64 [%moved, %started], [%moved_c, %stop]
  %idle_d = phi {VALUE} [%idle_b, %started], [%idle_c, %stop]
  store {VALUE} %idle_d, ptr %idlep, align 64
  %phase = getelementptr {_STEP}, ptr %phases, i64 %k
  call void @evaluate(ptr %values, ptr %phase, ptr %rng)
  br label %keep
keep:
  %n = phi i64 [0, %go], [%n1, %keep]
  %fp = getelementptr {VALUE}, ptr %found, i64 %n
  %rp = getelementptr {VALUE}, ptr %results, i64 %n
  %f = load {VALUE}, ptr %fp, align 64
  %r = load {VALUE}, ptr %rp, align 64
  %r1 = or {VALUE} %r, %f
  store {VALUE} %r1, ptr %rp, align 64
  %n1 = add i64 %n, 1
  %nm = icmp ult i64 %n1, %kept
  br i1 %nm, label %keep, label %next
next:
  %over = load {VALUE}, ptr %overp, align 64
  %going = xor {VALUE} %over, {every_word(-1)}
  %ones = call {VALUE} @llvm.ctpop.v{WORDS}i64({VALUE} %going)
  %sum = call i64 @llvm.vector.reduce.add.v{WORDS}i64({VALUE} %ones)
  %moved1 = add i64 %moved_d, %sum
  %waiting = icmp ult i64 %s, %last
  br i1 %waiting, label %wait, label %copy
wait:
  call void @blend(ptr %now, ptr %new, ptr %now, {VALUE} %idle_d, i64 %f3)
  br label %again
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr align 64 %now, ptr align 64 %new, i64 %bytes, i1 false)
  %all = call i64 @llvm.vector.reduce.and.v{WORDS}i64({VALUE} %over)
  %rest = icmp ne i64 %all, -1
  br i1 %rest, label %again, label %end
again:
  %s1 = add i64 %s, 1
  %k1 = add i64 %k, 1
  %wraps = icmp eq i64 %k1, %count
  %k2 = select i1 %wraps, i64 0, i64 %k1
  br label %move
end:
  ret i64 %moved1
}}

; play_out(values, phases, number of phases, rng, fluents, lanes that begin in each phase, most moves, results, blocks)
define i64 @play_out(ptr %values, ptr %phases, i64 %count, ptr %rng, ptr %fluents, ptr %begins, i64 %most,
                     ptr %results, i64 %blocks) {{
entry:
  %step = getelementptr {_STEP}, ptr %phases, i64 0
{_fields(3, 7)}  %used = add i64 %f3, 1
  %kept = sub i64 %f7, %used
  br label %block
block:
  %i = phi i64 [0, %entry], [%i1, %block]
  %moved = phi i64 [0, %entry], [%moved1, %block]
  %state = getelementptr [2 x {VALUE}], ptr %rng, i64 %i
  %row = mul i64 %i, %f3
  %source = getelementptr {VALUE}, ptr %fluents, i64 %row
  %begin = mul i64 %i, %count
  %beginp = getelementptr {VALUE}, ptr %begins, i64 %begin
  %result = mul i64 %i, %kept
  %resultp = getelementptr {VALUE}, ptr %results, i64 %result
  %made = call i64 @play_block(ptr %values, ptr %phases, i64 %count, ptr %state, ptr %source, ptr %beginp, i64 %most,
                               ptr %resultp)
  %moved1 = add i64 %moved, %made
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %blocks
  br i1 %more, label %block, label %end
end:
  ret i64 %moved1
}}
"""

_POINTER, _INTEGER = ctypes.c_void_p, ctypes.c_int64


@dataclass(frozen=True)
class LaneKernel:
    """The functions of this module's machine code, callable without holding Python's lock."""

    compute: ctypes._CFunctionType
    """``compute(values, step, rng, fluents, outputs, blocks)``."""
    advance_randomly: ctypes._CFunctionType
    """``advance_randomly(values, step, rng, fluents, next fluents, first fluents or None, stuck, blocks)``."""
    find_illegal: ctypes._CFunctionType
    """``find_illegal(legal, rows of a block, moves, offsets, numbers of moves, roles, lanes)``, -1 if none is."""
    advance_with: ctypes._CFunctionType
    """``advance_with(values, step, rng, fluents, next fluents, first fluents or None, legal, rows of a block, moves,
    offsets, roles, lanes)``."""
    play_out: ctypes._CFunctionType
    """``play_out(values, phases, number of phases, rng, fluents, beginning, most moves, results,
    blocks)``."""
    engine: llvm.ExecutionEngine
    """Owns the code."""


@made_once
def lane_kernel() -> LaneKernel:
    """The shared machine code, compiled for this processor at the first call."""
    engine = machine_code("\n".join((_STEPS, _MOVES, _PLAYOUTS)))

    def function(name: str, result: type[ctypes.c_int64] | None, *parameters: type) -> ctypes._CFunctionType:
        return ctypes.CFUNCTYPE(result, *parameters)(engine.get_function_address(name))

    p, n = _POINTER, _INTEGER
    return LaneKernel(
        compute=function("compute", None, p, p, p, p, p, n),
        advance_randomly=function("advance_randomly", None, p, p, p, p, p, p, p, n),
        find_illegal=function("find_illegal", n, p, n, p, p, p, n, n),
        advance_with=function("advance_with", None, p, p, p, p, p, p, p, n, p, p, n, n),
        play_out=function("play_out", n, p, p, n, p, p, p, n, p, n),
        engine=engine,
    )

"""One step of batches in LLVM's assembly: random bits, what follows from a state, and all blocks one after another."""

from __future__ import annotations

from ludens.compiler.batch.lane_entry import FLUENT_SLOT, ROW_BYTES, every_word, fields
from ludens.compiler.native.truth_tables import VALUE, WORDS

STEPS = f"""
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
{fields(0, 1, 2, 4, 5)}  call void @draw(ptr %values, ptr %rng, i64 %f4, i64 %f5)
  call void %f0(ptr %values, ptr %f1, i64 %f2)
  ret void
}}

; The fluents of a block to their slots, and what follows.
define void @run(ptr %values, ptr %step, ptr %rng, ptr %fluents) {{
{fields(3)}  %to = getelementptr {VALUE}, ptr %values, i64 {FLUENT_SLOT}
  %bytes = mul i64 %f3, {ROW_BYTES}
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
{fields(3, 6, 7)}  %from = getelementptr {VALUE}, ptr %values, i64 %f6
  %bytes = mul i64 %f7, {ROW_BYTES}
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
{fields(3, 6)}  %new = getelementptr {VALUE}, ptr %values, i64 %f6
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
"""See `ludens.compiler.batch.lane_kernel.LaneKernel` for what its functions take."""

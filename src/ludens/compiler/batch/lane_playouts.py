"""Playouts of whole blocks in LLVM's assembly, the phases of the turn order one after another."""

from __future__ import annotations

from ludens.compiler.batch.lane_entry import FLUENT_SLOT, ROW_BYTES, STEP, every_word, fields
from ludens.compiler.native.truth_tables import VALUE, WORDS

_PLAY_ON = f"""
  %waiting = icmp ult i64 %s, %last
  br i1 %waiting, label %wait, label %copy
wait:
  call void @blend(ptr %now, ptr %new, ptr %now, {VALUE} %idle_d, i64 %f3)
  br label %again
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr align 64 %now, ptr align 64 %new, i64 %bytes, i1 false)
  br label %check
"""
"""The next states; those of lanes that are over mean nothing."""
_KEEP_LAST = f"""
  %ending = icmp uge i64 %s, %most
  br i1 %ending, label %final, label %held
final:
  %gone = sub i64 %s, %most
  %inside = icmp ult i64 %gone, %count
  br i1 %inside, label %latest, label %held
latest:
  %lp = getelementptr {VALUE}, ptr %begins, i64 %gone
  %l = load {VALUE}, ptr %lp, align 64
  %over_l = or {VALUE} %over, %l
  br label %held
held:
  %hold = phi {VALUE} [%over, %next], [%over, %final], [%over_l, %latest]
  call void @blend(ptr %now, ptr %new, ptr %now, {VALUE} %hold, i64 %f3)
  %waiting = icmp ult i64 %s, %last
  br i1 %waiting, label %again, label %check
"""
"""The next states; lanes that are over, or have made the most moves, keep their last."""


def _playouts(suffix: str, proceed: str) -> str:
    """The functions that play out a block and several blocks, by one way to proceed to the next states."""
    return f"""
; One block to its end; the number of joint moves that were made.
; After the fluents comes the mark of idle lanes; the outputs are both for the next step, then the results: rows that
; stay set once they are.
define internal i64 @play_block{suffix}(ptr %values, ptr %phases, i64 %count, ptr %rng, ptr %fluents, ptr %begins,
                                i64 %most, ptr %results) {{
entry:
  %step = getelementptr {STEP}, ptr %phases, i64 0
{fields(3, 6, 7)}  %now = getelementptr {VALUE}, ptr %values, i64 {FLUENT_SLOT}
  %new = getelementptr {VALUE}, ptr %values, i64 %f6
  %idle_slot = add i64 %f3, {FLUENT_SLOT}
  %idlep = getelementptr {VALUE}, ptr %values, i64 %idle_slot
  %overp = getelementptr {VALUE}, ptr %new, i64 %f3
  %found = getelementptr {VALUE}, ptr %overp, i64 1
  %used = add i64 %f3, 1
  %kept = sub i64 %f7, %used
  %bytes = mul i64 %f3, {ROW_BYTES}
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
  %phase = getelementptr {STEP}, ptr %phases, i64 %k
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
{proceed}check:
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
define i64 @play_out{suffix}(ptr %values, ptr %phases, i64 %count, ptr %rng, ptr %fluents, ptr %begins, i64 %most,
                     ptr %results, i64 %blocks) {{
entry:
  %step = getelementptr {STEP}, ptr %phases, i64 0
{fields(3, 7)}  %used = add i64 %f3, 1
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
  %made = call i64 @play_block{suffix}(ptr %values, ptr %phases, i64 %count, ptr %state, ptr %source, ptr %beginp,
                               i64 %most, ptr %resultp)
  %moved1 = add i64 %moved, %made
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %blocks
  br i1 %more, label %block, label %end
end:
  ret i64 %moved1
}}
"""


PLAYOUTS = _playouts("", _PLAY_ON) + _playouts("_keeping", _KEEP_LAST)
"""See `ludens.compiler.batch.lane_kernel.LaneKernel` for what its functions take."""

"""Given moves in LLVM's assembly: whether they are legal, and what they lead to."""

from __future__ import annotations

from ludens.compiler.batch.lane_entry import fields
from ludens.compiler.native.truth_tables import LANES, VALUE, WORDS

MOVES = f"""
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
{fields(3, 4, 5, 6)}  %new = getelementptr {VALUE}, ptr %values, i64 %f6
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
"""See `ludens.compiler.batch.lane_kernel.LaneKernel` for what its functions take."""

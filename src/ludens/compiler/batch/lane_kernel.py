"""The machine code of batches: random bits, given moves, and the loops over blocks of `LANES` lanes.

Values are *rows*: one bit for each lane of a block. The code is compiled once for a process and shared by all games;
what a game computes is called through a `StepEntry`.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import llvmlite.binding as llvm

from ludens.compiler.batch.lane_entry import FLUENT_SLOT
from ludens.compiler.batch.lane_moves import MOVES
from ludens.compiler.batch.lane_playouts import PLAYOUTS
from ludens.compiler.batch.lane_steps import STEPS
from ludens.compiler.native.machine_code import make_once
from ludens.compiler.native.target import host_target

__all__ = ["FLUENT_SLOT", "LaneKernel", "lane_kernel", "machine_code"]


def machine_code(source: str) -> llvm.ExecutionEngine:
    """LLVM assembly compiled for this processor."""
    module = llvm.parse_assembly(source)
    module.verify()
    engine = llvm.create_mcjit_compiler(module, host_target().machine(opt=2))
    engine.finalize_object()
    return engine


_POINTER, _INTEGER = ctypes.c_void_p, ctypes.c_int64


@dataclass(frozen=True)
class LaneKernel:
    """The functions of this module's machine code, callable without holding Python's lock."""

    run: int
    """The address of ``run(values, step, rng, fluents)``: one block, for other machine code."""
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
    play_out_keeping: ctypes._CFunctionType
    """The same; the last fluents of the last block are exact, also where a playout is over."""
    engine: llvm.ExecutionEngine
    """Owns the code."""


@make_once
def lane_kernel() -> LaneKernel:
    """The shared machine code, compiled for this processor at the first call."""
    engine = machine_code("\n".join((STEPS, MOVES, PLAYOUTS)))

    def function(name: str, result: type[ctypes.c_int64] | None, *parameters: type) -> ctypes._CFunctionType:
        return ctypes.CFUNCTYPE(result, *parameters)(engine.get_function_address(name))

    p, n = _POINTER, _INTEGER
    return LaneKernel(
        run=engine.get_function_address("run"),
        compute=function("compute", None, p, p, p, p, p, n),
        advance_randomly=function("advance_randomly", None, p, p, p, p, p, p, p, n),
        find_illegal=function("find_illegal", n, p, n, p, p, p, n, n),
        advance_with=function("advance_with", None, p, p, p, p, p, p, p, n, p, p, n, n),
        play_out=function("play_out", n, p, p, n, p, p, p, n, p, n),
        play_out_keeping=function("play_out_keeping", n, p, p, n, p, p, p, n, p, n),
        engine=engine,
    )

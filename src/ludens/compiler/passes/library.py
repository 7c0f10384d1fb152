"""The functions of ``source/passes.cpp``, as machine code.

LLVM finishes the bitcode in about a hundredth of a second, since it does no more than it must: the passes take little
time either way. The functions keep Python's lock, so that one thread at a time changes a graph.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from importlib.resources import files

import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray

ADDRESS = ctypes.c_void_p
LITERAL = ctypes.c_int32
COUNT = ctypes.c_int64

Ints = NDArray[np.int32]


def _load() -> llvm.ExecutionEngine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=0, jit=True)
    module = llvm.parse_bitcode(files(__package__).joinpath("source", "passes.bc").read_bytes())
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine


_ENGINE = _load()


_out_of_memory = ctypes.c_int64.from_address(_ENGINE.get_global_value_address("out_of_memory"))


def function(name: str, result: type | None, *arguments: type) -> Callable[..., int]:
    """A function of the library."""
    found: Callable[..., int] = ctypes.PYFUNCTYPE(result, *arguments)(_ENGINE.get_function_address(name))
    return found


def allocating_function(name: str, result: type | None, *arguments: type) -> Callable[..., int]:
    """A function of the library that allocates memory. Raises `MemoryError` if there is too little."""
    compute = function(name, result, *arguments)

    def compute_if_there_is_memory(*values: object) -> int:
        found = compute(*values)
        if _out_of_memory.value:
            _out_of_memory.value = 0
            raise MemoryError
        return found

    return compute_if_there_is_memory

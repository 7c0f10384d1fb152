"""How the native search uses numba: compilation, and a few intrinsics."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from ludens.compiler.native.code_cache import artefact_cache, artefact_key
from ludens.compiler.native.target import host_cap, host_target

_Function = TypeVar("_Function", bound=Callable[..., Any])

_njit: Any = numba.njit  # its annotations lack some options
_config: Any = numba.config
_unpack_tuple: Any = cgutils.unpack_tuple

if host_cap() is not None:
    # Numba reads these before it compiles the first function.
    _config.CPU_NAME, _config.CPU_FEATURES = host_target().cpu, host_target().features

integer: Any = np.int64
word: Any = np.uint64
real: Any = np.float64
"""Conversions; numba turns mixed signed and unsigned operands into floats, so native code converts explicitly."""


def native(function: _Function) -> _Function:
    """Compile a function that only machine code calls, inlined into its callers.

    Passing the arrays from function to function took longer than many of these functions do.
    """
    options = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True}
    return cast(_Function, _njit(**options)(function))


def python_function(function: _Function) -> _Function:
    """The Python function behind a native one, for a few calls."""
    compiled: Any = function
    return cast(_Function, compiled.py_func)


def native_once(function: _Function) -> _Function:
    """Compile a function that machine code calls rarely or from several places, without inlining it."""
    return cast(_Function, _njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(function))


def entry(function: _Function) -> _Function:
    """Compile a function that Python calls: it releases the GIL, and its code is cached on disk."""
    usual = _config.CACHE_DIR
    _config.CACHE_DIR = str(code_folder())
    try:
        return cast(_Function, _njit(cache=True, nogil=True, error_model="numpy")(function))
    finally:
        _config.CACHE_DIR = usual


@cache
def code_folder() -> Path:
    """The cache folder for these sources and this processor: numba notices changes of a function's own module, but not
    of the modules it calls. A marker in the folder says that all code is there.

    It is in numba's cache folder if the user has set one, else in ours, else temporary.
    """
    sources = sorted(Path(__file__).parent.glob("*.py"))
    places = [f"{path} {path.stat().st_mtime_ns}" for path in sources]  # numba compiles anew when these change
    target = host_target()
    parts = (numba.__version__, target.cpu, target.features, *places, *(path.read_bytes() for path in sources))
    name = f"numba-{artefact_key(*parts)[:16]}"
    if _config.CACHE_DIR:
        chosen = Path(_config.CACHE_DIR) / name
        chosen.mkdir(parents=True, exist_ok=True)
        return chosen
    return artefact_cache().folder(name) or _temporary_folder(name)


def _temporary_folder(name: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix=f"{name}-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _instruction(function: Callable[..., Any]) -> Callable[..., Any]:
    """An intrinsic: numba calls it with types to generate code, callers with values."""
    return cast(Callable[..., Any], intrinsic(function))


@_instruction
def call(typing_context: Any, address: Any, arguments: Any) -> Any:
    """Call machine code at an address with a tuple of integers, which may be addresses too."""
    word = ir.IntType(64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        parts = _unpack_tuple(builder, values[1], len(arguments))
        kind = ir.FunctionType(word, [word] * len(arguments))
        return builder.call(builder.inttoptr(values[0], kind.as_pointer()), parts)

    return types.int64(types.int64, arguments), generate


@_instruction
def borrow(typing_context: Any, arrays: Any) -> Any:
    """The same named tuple without reference counting of its arrays: the caller keeps them alive.

    Numba counts references to arrays by atomic instructions, which took a fifth of the search.
    """

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        found = values[0]
        for place, kind in enumerate(arrays.types):
            if isinstance(kind, types.Array):
                array = context.make_array(kind)(context, builder, builder.extract_value(found, place))
                array.meminfo = ir.Constant(array.meminfo.type, None)
                found = builder.insert_value(found, array._getvalue(), place)
        return found

    return arrays(arrays), generate


@_instruction
def fetch(typing_context: Any, address: Any) -> Any:
    """Prefetch the memory at an address."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        instruction = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        to_read, to_keep, data = (ir.Constant(number, n) for n in (0, 3, 1))
        builder.call(instruction, [builder.inttoptr(values[0], pointer), to_read, to_keep, data])
        return context.get_dummy_value()

    return types.void(types.int64), generate


@_instruction
def count_ones(typing_context: Any, word: Any) -> Any:
    """The number of bits of a word that are set."""
    return types.int64(types.uint64), lambda context, builder, signature, values: builder.ctpop(values[0])


@_instruction
def lowest_one(typing_context: Any, word: Any) -> Any:
    """The index of the lowest bit of a word that is set."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate

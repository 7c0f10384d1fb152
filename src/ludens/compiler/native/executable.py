"""Memory that holds machine code: written, then made executable, never both at once."""

from __future__ import annotations

import ctypes
import mmap
import platform
import sys
from collections.abc import Callable
from functools import cache

_EXECUTABLE = 0x1 | 0x4
"""PROT_READ | PROT_EXEC, on every system with `mmap.mmap`'s ``prot``."""


@cache
def may_run_memory() -> bool:
    """Whether the system allows a process to run memory that it has written; hardened ones do not."""
    try:
        executable_memory(b"\0")
    except (OSError, AttributeError):
        return False
    return True


def executable_memory(code: bytes) -> tuple[int, mmap.mmap]:
    """Where the code is, and what keeps it there. Raises `OSError` if the system forbids it."""
    memory = mmap.mmap(-1, len(code), prot=mmap.PROT_READ | mmap.PROT_WRITE)
    memory.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    _forget_old_instructions()(address, len(code))
    if ctypes.CDLL(None, use_errno=True).mprotect(ctypes.c_void_p(address), ctypes.c_size_t(len(code)), _EXECUTABLE):
        raise OSError(ctypes.get_errno(), "memory cannot be made executable")
    return address, memory


@cache
def _forget_old_instructions() -> Callable[[int, int], object]:
    """Makes a processor read instructions again that were written as data; x86-64 does so by itself.

    Raises `OSError` or `AttributeError` if there is no such function.
    """
    if platform.machine().lower() in ("x86_64", "amd64"):
        return lambda address, length: None
    if sys.platform == "darwin":
        invalidate = ctypes.CDLL(None).sys_icache_invalidate
        return lambda address, length: invalidate(ctypes.c_void_p(address), ctypes.c_size_t(length))
    clear = ctypes.CDLL("libgcc_s.so.1").__clear_cache
    return lambda address, length: clear(ctypes.c_void_p(address), ctypes.c_void_p(address + length))

"""The functions of the tree search in machine code, loaded when a search is first made."""

from __future__ import annotations

import ctypes
from functools import cache
from importlib.resources import files
from typing import Any

from ludens.compiler.native.bitcode import Library

_POINTER, _INTEGER, _WORD = ctypes.c_void_p, ctypes.c_int64, ctypes.c_uint64

RESOLVE: Any = ctypes.CFUNCTYPE(_WORD, _INTEGER, _INTEGER, _INTEGER)
"""The type of a function that resolves chance and races: descent, node and depth to the number of a joint move."""


class Machine:
    """The functions that `source/search.cpp` describes."""

    def __init__(self) -> None:
        library = Library(files(__package__).joinpath("source", "search.bc").read_bytes())
        self.plant = library.function("ludens_plant", None, _POINTER, _POINTER, _INTEGER)
        self.plant_block = library.function("ludens_plant_block", None, *[_POINTER] * 5)
        self.find = library.function("ludens_find", _INTEGER, _POINTER, _POINTER)
        self.make_room = library.function("ludens_make_room", None, _POINTER)
        self.descend = library.function("ludens_descend", None, *[_POINTER] * 4)
        self.make_nodes = library.function("ludens_make_nodes", None, _POINTER, _POINTER, _INTEGER)
        self.back_up = library.function("ludens_back_up", None, *[_POINTER] * 4)
        self.take_values = library.function("ludens_take_values", None, _POINTER, _POINTER, _INTEGER)
        self.search = library.function("ludens_search", _INTEGER, *[_POINTER] * 4, _INTEGER, _POINTER)
        self.child = library.function("ludens_child", _INTEGER, _POINTER, _INTEGER, _WORD)


@cache
def machine() -> Machine:
    """The functions; the first call takes half a second."""
    return Machine()

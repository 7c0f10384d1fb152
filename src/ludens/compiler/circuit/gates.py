"""Graphs of gates with inverted edges, equal gates shared: AND and XOR of two inputs, and what adders need of three.

A *literal* is twice the number of a node, plus one if its value is inverted; 0 is false and 1 is true. Nodes are
numbered so that a gate comes after what it reads. The graph is in arrays, to which ``gates.c`` adds gates.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ludens.compiler.passes.library import ADDRESS, COUNT, LITERAL, function

FALSE, TRUE = 0, 1
INPUT = -1
NONE = -1

_ROOM = 1 << 10

_fill_table = function("fill_table", None, ADDRESS)
_new_input = function("new_input", LITERAL, ADDRESS)
_both = function("both", LITERAL, ADDRESS, LITERAL, LITERAL)
_differ = function("differ", LITERAL, ADDRESS, LITERAL, LITERAL)
_parity = function("parity", LITERAL, ADDRESS, LITERAL, LITERAL, LITERAL)
_majority = function("majority", LITERAL, ADDRESS, LITERAL, LITERAL, LITERAL)
_all_of = function("all_of", LITERAL, ADDRESS, ADDRESS, COUNT)


class _Head(ctypes.Structure):
    """What ``gates.c`` knows of a graph."""

    _fields_ = (
        ("left", ctypes.c_void_p),
        ("right", ctypes.c_void_p),
        ("third", ctypes.c_void_p),
        ("is_xor", ctypes.c_void_p),
        ("table", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("room", ctypes.c_int64),
        ("is_full", ctypes.c_int64),
    )


class Gates:
    """A growing graph of inputs and gates.

    A gate with a third input is the majority of its inputs, or their parity if `is_xor`; one with two is their
    conjunction, or their parity.
    """

    left: Sequence[int]
    """The first literal that each node reads; `INPUT` for inputs and for the constant, node 0. There is room for more
    nodes than there are; what is read while others are added may be out of date."""
    right: Sequence[int]
    third: Sequence[int]
    """The third literal that a node reads; `NONE` for most."""
    is_xor: Sequence[bool]

    def __init__(self) -> None:
        self._head = _Head()
        self.address = ctypes.addressof(self._head)
        """Of what ``gates.c`` knows of the graph."""
        self._columns = [np.zeros(0, kind) for kind in (np.int32, np.int32, np.int32, np.bool_)]
        self._make_room(_ROOM)
        self.new_input()  # the constant

    def copy(self) -> Gates:
        """A copy, to which gates may be added."""
        found = Gates()
        found._columns = [column[: len(self)] for column in self._columns]
        found._head.count = len(self)
        found._make_room(self._head.room)
        return found

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, tuple(column[: len(self)].tobytes() for column in self._columns)

    def _make_room(self, nodes: int) -> None:
        """Move to larger arrays, of a power of two of nodes; who reads the present ones keeps them."""
        self._columns = [np.concatenate((old, np.zeros(nodes - len(old), old.dtype))) for old in self._columns]
        self._table = np.zeros(2 * nodes, np.int32)
        self.left, self.right, self.third, is_xor = (column.data for column in self._columns)
        self.is_xor = is_xor.cast("B").cast("?")
        head = self._head
        head.left, head.right, head.third, head.is_xor = (column.ctypes.data for column in self._columns)
        head.table, head.room, head.is_full = self._table.ctypes.data, nodes, 0
        _fill_table(self.address)

    def add(self, function: Callable[..., int], *arguments: object) -> int:
        """Call a function of the library that adds gates, again if there was no room."""
        found = function(self.address, *arguments)
        while self._head.is_full:
            self._make_room(2 * self._head.room)
            found = function(self.address, *arguments)
        return found

    def __len__(self) -> int:
        count: int = self._head.count
        return count

    def new_input(self) -> int:
        """The literal of a new input."""
        return self.add(_new_input)

    def both(self, a: int, b: int) -> int:
        """a AND b."""
        return self.add(_both, a, b)

    def either(self, a: int, b: int) -> int:
        """a OR b."""
        return self.add(_both, a ^ 1, b ^ 1) ^ 1

    def differ(self, a: int, b: int) -> int:
        """a XOR b; inversions move to the output."""
        return self.add(_differ, a, b)

    def parity(self, a: int, b: int, c: int) -> int:
        """a XOR b XOR c; inversions move to the output."""
        return self.add(_parity, a, b, c)

    def majority(self, a: int, b: int, c: int) -> int:
        """Whether at least two of three hold."""
        return self.add(_majority, a, b, c)

    def choose(self, condition: int, then: int, otherwise: int) -> int:
        """``then`` where the condition holds, else ``otherwise``."""
        return self.differ(otherwise, self.both(condition, self.differ(then, otherwise)))

    def all_of(self, literals: Iterable[int]) -> int:
        """The conjunction of any number of literals, as a tree by their binary digits.

        Sets that differ in few literals share all but a few of their gates, unlike with a balanced tree.
        """
        given = array("i", literals)
        return self.add(_all_of, given.buffer_info()[0], len(given))

    def any_of(self, literals: Iterable[int]) -> int:
        """The disjunction of any number of literals, as `all_of` does it."""
        return self.all_of(literal ^ 1 for literal in literals) ^ 1

    def reads(self, node: int) -> tuple[int, ...]:
        """The literals that a gate reads."""
        third = self.third[node]
        return (self.left[node], self.right[node]) if third == NONE else (self.left[node], self.right[node], third)


def _restore(*columns: bytes) -> Gates:
    """The gates of pickled columns."""
    found = Gates()
    kinds = [column.dtype for column in found._columns]
    found._columns = [np.frombuffer(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    found._head.count = len(found._columns[0])
    found._make_room(max(_ROOM, 1 << (len(found) - 1).bit_length()))
    return found

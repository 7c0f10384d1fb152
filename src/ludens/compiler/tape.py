"""A tape on which clingo writes its ground rules by machine code: calls of Python would take most of the time.

A rule is written as its head (negative for a choice), the number of its conditions, and the conditions.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import cache
from typing import Any

import clingo
import llvmlite.binding as llvm
import numpy as np
from clingo._internal import _ffi as ffi  # type: ignore[attr-defined]  # the public interface takes Python observers only
from clingo._internal import _lib as lib  # type: ignore[attr-defined]

from ludens.compiler.target import host_target

WORDS_PER_RULE = 12
"""The room for a rule, on average; pages that are not written take no memory."""

_TAPE = "{ptr, i64, i64, i64, i64, i64}"
_WRITE_RULE = f"""
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define zeroext i1 @write_rule(i1 zeroext %choice, ptr %head, i64 %heads, ptr %body, i64 %size, ptr %tape) {{
  %some = icmp ne i64 %heads, 0
  br i1 %some, label %check, label %done
check:
  %position_p = getelementptr {_TAPE}, ptr %tape, i64 0, i32 1
  %position = load i64, ptr %position_p
  %capacity_p = getelementptr {_TAPE}, ptr %tape, i64 0, i32 2
  %capacity = load i64, ptr %capacity_p
  %rules_p = getelementptr {_TAPE}, ptr %tape, i64 0, i32 3
  %rules = load i64, ptr %rules_p
  %limit_p = getelementptr {_TAPE}, ptr %tape, i64 0, i32 4
  %limit = load volatile i64, ptr %limit_p
  %rules1 = add i64 %rules, 1
  %length = add i64 %size, 2
  %position1 = add i64 %position, %length
  %fits = icmp ule i64 %position1, %capacity
  %few = icmp ule i64 %rules1, %limit
  %good = and i1 %fits, %few
  br i1 %good, label %write, label %full
write:
  store i64 %rules1, ptr %rules_p
  store i64 %position1, ptr %position_p
  %data = load ptr, ptr %tape
  %to = getelementptr i32, ptr %data, i64 %position
  %atom = load i32, ptr %head
  %chosen = sub i32 0, %atom
  %first = select i1 %choice, i32 %chosen, i32 %atom
  store i32 %first, ptr %to
  %size_p = getelementptr i32, ptr %to, i64 1
  %size32 = trunc i64 %size to i32
  store i32 %size32, ptr %size_p
  %body_p = getelementptr i32, ptr %to, i64 2
  %bytes = shl i64 %size, 2
  call void @llvm.memcpy.p0.p0.i64(ptr %body_p, ptr %body, i64 %bytes, i1 false)
  br label %done
done:
  ret i1 true
full:
  %full_p = getelementptr {_TAPE}, ptr %tape, i64 0, i32 5
  store i64 1, ptr %full_p
  ret i1 false
}}
"""


class _TapeHead(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("position", ctypes.c_int64),
        ("capacity", ctypes.c_int64),
        ("rules", ctypes.c_int64),
        ("limit", ctypes.c_int64),
        ("full", ctypes.c_int64),
    )


@cache
def _engine() -> llvm.ExecutionEngine:
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(_WRITE_RULE), host_target().machine(opt=1))
    engine.finalize_object()
    return engine


class Tape:
    """Ground rules as clingo gives them out."""

    def __init__(self, max_rules: int) -> None:
        self._words = np.empty(max_rules * WORDS_PER_RULE + 1024, np.int32)
        self._head = _TapeHead(self._words.ctypes.data, 0, len(self._words), 0, max_rules, 0)
        self._keep: list[Any] = []

    def attach(self, control: clingo.Control) -> None:
        """Have the rules of a control written here, and not to its solver."""
        address = _engine().get_function_address("write_rule")
        observer = ffi.new("clingo_ground_program_observer_t*")
        observer.rule = ffi.cast(ffi.typeof(observer.rule), address)
        data = ffi.cast("void*", ctypes.addressof(self._head))
        self._keep += [observer, data]
        if not lib.clingo_control_register_observer(control._rep, observer, True, data):
            raise RuntimeError("clingo takes no observer")

    @property
    def is_full(self) -> bool:
        """True if there was a rule for which the tape had no room, or which came after it was stopped."""
        return bool(self._head.full)

    @property
    def is_stopped(self) -> bool:
        """True if `stop` was called."""
        return not self._head.limit

    def stop(self) -> None:
        """Let clingo fail at its next rule; can be called while another thread grounds."""
        self._head.limit = 0

    def words(self) -> list[int]:
        """What is written."""
        written: list[int] = self._words[: self._head.position].tolist()
        return written

    def heads(self) -> Iterator[int]:
        """The heads of the rules."""
        words = self.words()
        position = 0
        while position < len(words):
            yield words[position]
            position += 2 + words[position + 1]

"""Runs clingo's grounder; as a program, with limits of time and memory that work while it joins.

clingo calls an observer for each ground rule. In Python that takes most of the time, so the rules are written on a
*tape* by machine code: head (negative for a choice), number of conditions, conditions. While clingo joins without
deriving anything it cannot be interrupted, so large programs are grounded by a process that runs this file.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import mmap
import sys
import threading
import time
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import clingo
import llvmlite.binding as llvm
from clingo._internal import _ffi as ffi  # type: ignore[attr-defined]  # the public interface takes Python observers
from clingo._internal import _lib as lib  # type: ignore[attr-defined]

from ludens.core.process import end_with_parent, limit_cpu, limit_process

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

STRETCH = 4
"""How many times its CPU time grounding may take on a busy machine."""

Relation = tuple[str, int]
"""Name and number of arguments, in clingo's syntax."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of grounding."""

    seconds: float
    """Of CPU time, so that a busy machine does not decide what is compiled; `stretch` times as many pass at most."""
    rules: int
    memory: int
    """In bytes; enforced only in a separate process."""
    depth: int = 0
    """How deep terms may nest that the program lets us watch, by ``@nests``."""
    stretch: float = STRETCH


@dataclass
class Grounding:
    """The result of the grounder."""

    outcome: str = "done"
    """``done``, ``rules``, ``seconds``, ``memory`` or ``depth`` for the limit that did not suffice, or ``error``."""
    message: str = ""
    """Clingo's error message."""
    atoms: dict[str, list[tuple[str, int, bool]]] = field(default_factory=dict)
    """For each relation that is asked for its atoms: the text, the number, and whether it is a fact."""
    largest: list[Relation] = field(default_factory=list)
    """If a limit did not suffice: the relations with the most rules, those first."""
    words: array[int] = field(default_factory=lambda: array("i"))
    """The rules as they are written on the tape."""
    rules: int = 0
    """How many they are."""
    nesting: int = 0
    """How deep the terms nest that are watched."""
    deepest: int = 0
    """The number of the rule that made the deepest of them."""


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
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=1, jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(_WRITE_RULE), machine)
    engine.finalize_object()
    return engine


class _Tape:
    """Ground rules as clingo gives them out."""

    def __init__(self, max_rules: int) -> None:
        words = max_rules * WORDS_PER_RULE + 1024
        try:
            self._data = mmap.mmap(-1, 4 * words)
        except OSError:
            raise MemoryError from None
        start = ctypes.addressof(ctypes.c_char.from_buffer(self._data))
        self.head = _TapeHead(start, 0, words, 0, max_rules, 0)
        self._keep: list[Any] = []

    def attach(self, control: clingo.Control) -> None:
        """Redirect the rules of a control from its solver to this tape."""
        engine = _engine()  # threads that ask for it first may each get one of their own
        address = engine.get_function_address("write_rule")
        observer = ffi.new("clingo_ground_program_observer_t*")
        observer.rule = ffi.cast(ffi.typeof(observer.rule), address)
        data = ffi.cast("void*", ctypes.addressof(self.head))
        self._keep += [engine, observer, data]
        if not lib.clingo_control_register_observer(control._rep, observer, True, data):
            raise RuntimeError("clingo takes no observer")

    def stop(self) -> None:
        """Make clingo fail at its next rule; may be called while another thread grounds."""
        self.head.limit = 0

    def words(self) -> array[int]:
        """The words written so far."""
        written = array("i")
        written.frombytes(self._data[: 4 * self.head.position])
        return written


class _Watch:
    """Functions that programs for clingo may call: ``@nests(rule,term)`` is true, and stops what has no end."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._depths: dict[clingo.Symbol, int] = {}
        self.deepest = 0
        """How deep terms nest so far."""
        self.rule = 0
        """The rule that made the deepest one."""

    def nests(self, rule: clingo.Symbol, term: clingo.Symbol) -> clingo.Symbol:
        """Check the nesting depth of a term that a rule builds."""
        depth = self._depth(term)
        if depth > self.deepest:
            self.deepest, self.rule = depth, rule.number
        if self.too_deep:
            raise RuntimeError
        return clingo.Number(1)

    @property
    def too_deep(self) -> bool:
        """True if a term nests deeper than it may."""
        return self.deepest > self._limit

    def _depth(self, term: clingo.Symbol) -> int:
        known = self._depths.get(term)
        if known is None:
            parts = term.arguments if term.type is clingo.SymbolType.Function else []
            known = self._depths[term] = 1 + max(map(self._depth, parts)) if parts else 0
        return known


def run_grounder(text: str, asked: Sequence[Relation], limits: Limits, *, blame: bool) -> Grounding:
    """Ground a program in this process; ``blame`` finds the largest relations if a limit is exceeded."""
    messages: list[str] = []
    control = clingo.Control(["-Wnone"], logger=lambda _, message: messages.append(message))
    tape = _Tape(limits.rules)
    watch = _Watch(limits.depth)
    done = threading.Event()
    threading.Thread(target=_stop_in_time, args=(tape, limits, done), daemon=True).start()
    found = Grounding()
    try:
        control.add("base", [], text)
        tape.attach(control)
        control.ground([("base", [])], context=watch)
    except MemoryError:
        found.outcome = "memory"
    except RuntimeError:
        found.outcome = "rules" if tape.head.limit else "seconds"
        if not tape.head.full:
            found.outcome = "depth" if watch.too_deep else "error"
        found.message = " ".join(" ".join(messages).split())
    finally:
        done.set()
    found.nesting, found.deepest = watch.deepest, watch.rule
    if found.outcome == "done":
        found.words, found.rules = tape.words(), tape.head.rules
        for name, arity in asked:
            atoms = control.symbolic_atoms.by_signature(name, arity)
            found.atoms[name] = [(str(atom.symbol), atom.literal, atom.is_fact) for atom in atoms]
    elif blame and found.outcome != "error":
        found.largest = _largest(control, Counter(heads(tape.words())))
    return found


def _stop_in_time(tape: _Tape, limits: Limits, done: threading.Event) -> None:
    """Stop grounding after so many seconds of CPU time, or many more on a busy machine."""
    used, began = time.process_time(), time.monotonic()
    left = limits.seconds
    while not done.wait(left):
        passed = time.monotonic() - began
        left = limits.seconds - min(passed, time.process_time() - used)
        if left <= 0 or passed >= limits.stretch * limits.seconds:
            tape.stop()
            return


def heads(words: Sequence[int]) -> Iterator[int]:
    """The heads of the rules on a tape."""
    position = 0
    while position < len(words):
        yield words[position]
        position += 2 + words[position + 1]


def _largest(control: clingo.Control, instances: Counter[int]) -> list[Relation]:
    by_relation = Counter[Relation]()
    for atom in control.symbolic_atoms:
        by_relation[atom.symbol.name, len(atom.symbol.arguments)] += instances[atom.literal]
    return [relation for relation, _ in by_relation.most_common(10)]


def _serve_parent() -> None:
    """Read a request as one line of JSON, write the answer as one line of JSON and the tape."""
    request = json.loads(sys.stdin.buffer.readline())
    end_with_parent()
    limits = Limits(**request["limits"])
    with contextlib.suppress(ValueError, OSError):
        limit_process(limits.memory)
    limit_cpu(request["most_seconds"])
    found = run_grounder(
        request["text"], [(name, arity) for name, arity in request["asked"]], limits, blame=request["blame"]
    )
    words, found.words = found.words, array("i")
    sys.stdout.buffer.write(json.dumps({**vars(found), "words": len(words)}).encode() + b"\n")
    words.tofile(sys.stdout.buffer)


if __name__ == "__main__":
    _serve_parent()

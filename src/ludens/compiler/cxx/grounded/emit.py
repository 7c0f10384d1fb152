"""Operations of a schedule as C++: straight-line functions, or, for large schedules, numbers that a small loop reads.

Both compute on an array of values, `Value* v`, of any type with bitwise operators. Straight-line code is cut into
functions of a few hundred operations, since compilers take more than linear time for long ones; inside a function
values are local constants, and only those read later are stored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from ludens.compiler.cxx.cpp_text import numbers
from ludens.compiler.native.computation import Computation
from ludens.compiler.native.schedule import ZERO_SLOT, Schedule, Segment

FUNCTION_OPERATIONS = 400
"""Operations in one function of straight-line code."""
STRAIGHT_OPERATIONS = 10_000
"""The maximum number of operations for straight-line code; beyond it, instruction fetch is slower than the loop over
numbers, and compiling much slower (figures in docs/cxx.md)."""

_Row = tuple[int, int, int, int, int]
"""Truth table, slots of three inputs, slot of the result."""


@dataclass
class Code:
    """C++ of several computations and their shared parts."""

    lines: list[str] = field(default_factory=list)
    tables: set[int] = field(default_factory=set)
    """The truth tables used by the loop over numbers."""

    def add(self, name: str, computation: Computation, *, straight: bool | None = None) -> int:
        """Write `template <class Value> void NAME(Value* v)`; returns the number of values that it needs."""
        if straight is None:
            straight = computation.operations <= STRAIGHT_OPERATIONS
        plan = computation.schedule(in_runs=not straight)
        self.lines += _straight(name, plan, computation.output_slots) if straight else self._numbers(name, plan)
        return plan.slots

    def text(self) -> str:
        """The C++ of all computations added."""
        return "\n".join([*self._loop(), *self.lines, ""])

    def _numbers(self, name: str, plan: Schedule) -> Iterator[str]:
        """The operations as numbers, in runs of one truth table."""
        body: list[str] = []
        kind = "std::uint16_t" if plan.slots <= 1 << 16 else "std::uint32_t"
        for number, segment in enumerate(plan.segments):
            if not len(segment.operations):
                continue
            label = f"{name}_{number}"
            self.tables |= {int(table) for table, _ in segment.runs}
            yield f"static constexpr {kind} {label}_slots[] = {{\n{numbers(segment.operations.flatten().tolist())}\n}};"
            yield f"static constexpr std::uint32_t {label}_runs[] = {{\n{numbers(segment.runs.flatten().tolist())}\n}};"
            body += _until_stable(segment, [f"run(v, {label}_slots, {label}_runs, {len(segment.runs)});"])
        yield from _function(name, body)

    def _loop(self) -> Iterator[str]:
        """The loop that computations as numbers share, with a case for each truth table."""
        if not self.tables:
            return
        yield "// Operations as numbers: runs of one truth table, and for each operation four slots."
        yield "template <class Value, class Slot>"
        yield "static void run(Value* v, const Slot* slots, const std::uint32_t* runs, std::size_t count) {"
        yield "    for (const std::uint32_t* end = runs + 2 * count; runs != end; runs += 2) {"
        yield "        const Slot* last = slots + 4 * std::size_t{runs[1]};"
        yield "        switch (runs[0]) {"
        for table in sorted(self.tables):
            value = expression(table, "v[slots[0]]", "v[slots[1]]", "v[slots[2]]")
            yield f"            case {table}: for (; slots != last; slots += 4) v[slots[3]] = {value}; break;"
        yield "            default: break;"
        yield "        }"
        yield "    }"
        yield "}"


def _straight(name: str, plan: Schedule, outputs: Collection[int]) -> Iterator[str]:
    """A function for each segment of operations, and one that calls them."""
    parts: list[tuple[Segment, list[list[_Row]]]] = []
    for segment in plan.segments:
        rows = list(_rows(segment))
        starts = range(0, len(rows), FUNCTION_OPERATIONS)
        parts.append((segment, [rows[start : start + FUNCTION_OPERATIONS] for start in starts]))
    stored = _stored_slots(parts, outputs)
    body: list[str] = []
    number = 0
    for segment, stretches in parts:
        calls = []
        for rows in stretches:
            yield from _function(f"{name}_{number}", list(_statements(rows, stored[number])))
            calls.append(f"{name}_{number}(v);")
            number += 1
        body += _until_stable(segment, calls)
    yield from _function(name, body)


def _rows(segment: Segment) -> Iterator[_Row]:
    operations = iter(segment.operations.tolist())
    for table, count in segment.runs.tolist():
        for _ in range(count):
            first, second, third, result = next(operations)
            yield table, first, second, third, result


def _stored_slots(parts: list[tuple[Segment, list[list[_Row]]]], outputs: Collection[int]) -> list[set[int]]:
    """For each segment the slots whose last value is read after it."""
    needed = set(outputs)
    slots: list[set[int]] = []
    for segment, stretches in reversed(parts):
        if len(segment.feedback):
            # A loop's values may be read in its next round.
            needed |= {slot for rows in stretches for row in rows for slot in row[1:]}
            needed |= set(segment.feedback.flatten().tolist())
        for rows in reversed(stretches):
            slots.append({row[4] for row in rows} & needed)
            if not len(segment.feedback):
                for _, *reads, result in reversed(rows):
                    needed.discard(result)
                    needed.update(reads)
    return slots[::-1]


def _statements(rows: list[_Row], stored: set[int]) -> Iterator[str]:
    """Local constants for all values, then the stores."""
    names: dict[int, str] = {ZERO_SLOT: "v[0]"}
    for number, (table, *used, result) in enumerate(_live(rows, stored)):
        for slot in used:
            if slot not in names:
                names[slot] = f"i{slot}"
                yield f"const Value i{slot} = v[{slot}];"
        value = expression(table, *(names[slot] for slot in used))
        names[result] = f"t{number}"
        yield f"const Value t{number} = {value};"
    for slot in sorted(stored):
        yield f"v[{slot}] = {names[slot]};"


def _live(rows: list[_Row], stored: set[int]) -> list[_Row]:
    """The operations that the stored slots need, without the reads that their truth tables ignore."""
    found: list[_Row] = []
    needed = set(stored)
    for table, *reads, result in reversed(rows):
        if result in needed:
            first, second, third = (
                slot if _depends_on(table, place) else ZERO_SLOT for place, slot in enumerate(reads)
            )
            needed.discard(result)
            needed |= {first, second, third}
            found.append((table, first, second, third, result))
    return found[::-1]


def _until_stable(segment: Segment, calls: list[str]) -> list[str]:
    """A segment's calls; a loop's are repeated until its inputs, false at first, stay the same."""
    if not len(segment.feedback):
        return calls
    pairs = ", ".join(f"{{{first}, {second}}}" for first, second in segment.feedback.tolist())
    return [
        "{",
        f"    static constexpr std::uint32_t pairs[][2] = {{{pairs}}};",
        "    for (const auto& pair : pairs) v[pair[0]] ^= v[pair[0]];",
        "    do {",
        *(f"        {call}" for call in calls),
        "    } while (feed_back(v, pairs));",
        "}",
    ]


def _function(name: str, body: list[str]) -> list[str]:
    return [
        "template <class Value>",
        f"static void {name}([[maybe_unused]] Value* v) {{",
        *(f"    {line}" for line in body),
        "}",
    ]


def _depends_on(table: int, place: int) -> bool:
    """Whether a function of three inputs reads one of them."""
    shift = 4 >> place
    return any((table >> n & 1) != (table >> (n ^ shift) & 1) for n in range(8))


def expression(table: int, *operands: str) -> str:
    """A C++ expression for the truth table of some values, by cases of the first, then the next."""
    half = 1 << len(operands) >> 1
    full = (1 << half) - 1
    if table == 0 or not operands:
        return "~v[0]" if table else "v[0]"
    first, rest = operands[0], operands[1:]
    without, with_ = table & full, table >> half
    if with_ == without:
        return expression(without, *rest)
    if (without, with_) == (0, full):
        return first
    if (without, with_) == (full, 0):
        return f"~{first}"
    if with_ == without ^ full:
        return f"({first} ^ {expression(without, *rest)})"
    if without == 0:
        return f"({first} & {expression(with_, *rest)})"
    if with_ == full:
        return f"({first} | {expression(without, *rest)})"
    if with_ == 0:
        return f"(~{first} & {expression(without, *rest)})"
    if without == full:
        return f"(~{first} | {expression(with_, *rest)})"
    return f"({expression(without, *rest)} ^ ({first} & {expression(without ^ with_, *rest)}))"

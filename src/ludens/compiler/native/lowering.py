"""Operations for which a processor has no instruction, as programs of operations for which it has one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ludens.compiler.native.cover import Operation

Step = tuple[int, tuple[int, ...]]
"""A truth table, and what it reads: inputs of the program, then results of its steps, by number."""

Program = tuple[Step, ...]

Programs = Mapping[int, Program]
"""Programs by the truth tables of what they compute."""


def lower(operations: Iterable[Operation], programs: Programs) -> list[Operation]:
    """The operations with programs in place of those that have one; values between their steps have negative nodes."""
    lowered: list[Operation] = []
    between = 0
    for operation in operations:
        program = programs.get(operation.table)
        if program is None:
            lowered.append(operation)
            continue
        values = list(operation.reads)
        *steps, (last, read_last) = program
        for table, places in steps:
            between -= 1
            lowered.append(Operation(table, tuple([values[place] for place in places]), between))
            values.append(between)
        lowered.append(Operation(last, tuple([values[place] for place in read_last]), operation.result))
    return lowered

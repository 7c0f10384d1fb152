"""Operations for which a processor has no instruction, as programs of operations for which it has one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ludens.compiler.passes.library import Ints

Step = tuple[int, tuple[int, ...]]
"""A truth table, and what it reads: inputs of the program, then results of its steps, by number."""

Program = tuple[Step, ...]

Programs = Mapping[int, Program]
"""Programs by the truth tables of what they compute."""


def lower(rows: Ints, programs: Programs, unused: int) -> Ints:
    """The operations (see `ludens.compiler.native.cover.Cover`) with programs in place of those that have one.

    Values between their steps are numbered from ``unused`` on.
    """
    if not programs:
        return rows
    lengths = np.ones(256, np.int64)
    for table, program in programs.items():
        lengths[table] = len(program)
    ends = np.cumsum(lengths[rows[:, 0]])
    starts = ends - lengths[rows[:, 0]]
    lowered = np.zeros((ends[-1] if len(ends) else 0, rows.shape[1]), np.int32)
    for table in np.flatnonzero(np.bincount(rows[:, 0])).tolist():  # np.unique would import numpy.ma: 0.05 s
        given = rows[rows[:, 0] == table]
        places = starts[rows[:, 0] == table]
        values = [given[:, 2 + n] for n in range(given[0, 1])]
        for number, (step, reads) in enumerate(programs.get(table, ((table, range(len(values))),))):
            values.append((unused + places + number).astype(np.int32))
            lowered[places + number, 0], lowered[places + number, 1] = step, len(reads)
            for n, read in enumerate(reads):
                lowered[places + number, 2 + n] = values[read]
            lowered[places + number, -1] = values[-1]
    lowered[ends - 1, -1] = rows[:, -1]
    return lowered

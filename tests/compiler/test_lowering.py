"""Operations without an instruction become the shortest programs of those that have one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from benchmarks.logic_programs import AVX2_BASIS, NEON_BASIS, TABLES, avx2_programs, neon_programs, value_of

from ludens.compiler.native.cover import COPY, INVERT, inputs_of
from ludens.compiler.native.logic_programs import AVX2_PROGRAMS, NEON_PROGRAMS
from ludens.compiler.native.lowering import Program, Programs, lower

on_both = pytest.mark.parametrize(
    ("programs", "basis"), [(AVX2_PROGRAMS, AVX2_BASIS), (NEON_PROGRAMS, NEON_BASIS)], ids=["AVX2", "NEON"]
)


@on_both
def test_programs_compute_their_tables_with_instructions_that_there_are(
    programs: Programs, basis: Sequence[int]
) -> None:
    for table in TABLES:
        if table not in (COPY, INVERT, *basis):
            assert value_of(programs[table], inputs_of(table)) == table
            assert {step for step, _ in programs[table]} <= {*basis, INVERT}


@pytest.mark.parametrize(
    ("programs", "search"), [(AVX2_PROGRAMS, avx2_programs), (NEON_PROGRAMS, neon_programs)], ids=["AVX2", "NEON"]
)
def test_programs_are_what_the_search_for_the_shortest_finds(
    programs: Programs, search: Callable[[], dict[int, Program]]
) -> None:
    found = search()

    assert {table: found[table] for table in programs} == programs


def test_values_between_the_steps_of_programs_are_all_different() -> None:
    rows = [(0x80, 3, 1, 2, 3, 4), (0x88, 2, 4, 1, 0, 5), (0x80, 3, 3, 4, 5, 6)]

    lowered = lower(np.array(rows, np.int32), {0x80: ((0x88, (0, 1)), (0x88, (2, 3)))}, unused=10)

    assert lowered.tolist() == [
        [0x88, 2, 1, 2, 0, 10],
        [0x88, 2, 3, 10, 0, 4],
        [0x88, 2, 4, 1, 0, 5],
        [0x88, 2, 3, 4, 0, 13],
        [0x88, 2, 5, 13, 0, 6],
    ]

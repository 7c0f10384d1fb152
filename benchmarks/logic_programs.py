"""Searches for the shortest programs of functions of three inputs, for processors with few logical instructions.

``python -m benchmarks.logic_programs > src/ludens/compiler/native/logic_programs.py`` writes them for the compiler.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import permutations

from ludens.compiler.native.cover import COPY, INVERT, PATTERNS, inputs_of, operation
from ludens.compiler.native.lowering import Program, Step

ALL = 0xFF
AND, OR, XOR, AND_NOT, OR_NOT, CHOOSE = 0x88, 0xEE, 0x66, 0x22, 0xBB, 0xCA
SYMMETRIC = (AND, OR, XOR)
AVX2_BASIS = (AND, OR, XOR, AND_NOT)
NEON_BASIS = (*AVX2_BASIS, OR_NOT, CHOOSE, INVERT)

TABLES = sorted({operation(table, (1, 2, 3), 0).table for table in range(256)})
"""The tables that operations can have."""

_Begun = tuple[Program, tuple[int, ...]]
"""The beginning of a program, and the values that it has then."""


@cache
def apply(table: int, inputs: tuple[int, ...]) -> int:
    """The truth table of an operation on truth tables."""
    result = 0
    for entry in range(8):
        place = sum((value >> entry & 1) << len(inputs) - 1 - n for n, value in enumerate(inputs))
        result |= (table >> place & 1) << entry
    return result


def value_of(program: Program, inputs: int) -> int:
    """The truth table of a program with so many inputs."""
    values = list(PATTERNS[3 - inputs :])
    for table, places in program:
        values.append(apply(table, tuple(values[place] for place in places)))
    return values[-1]


def shortest_programs(tables: Collection[int], basis: Sequence[int]) -> dict[int, Program]:
    """For each table the first of the shortest programs of instructions in the basis."""
    found: dict[int, Program] = {}
    for inputs in (1, 2, 3):
        wanted = {table for table in tables if inputs_of(table) == inputs}
        known: dict[frozenset[int], _Begun] = {frozenset(): ((), PATTERNS[3 - inputs :])}
        while wanted:
            last = _last_steps(known.values(), wanted, basis)
            found |= last
            wanted -= last.keys()
            known = _longer(known.values(), basis) if wanted else {}
    return found


def _last_steps(begun: Iterable[_Begun], wanted: Collection[int], basis: Sequence[int]) -> dict[int, Program]:
    """Programs for some tables that are complete with one more step."""
    found: dict[int, Program] = {}
    for program, values in begun:
        for table, places in _steps(basis, len(values)):
            value = apply(table, tuple([values[place] for place in places]))
            if value in wanted and value not in found:
                found[value] = (*program, (table, places))
        if len(found) == len(wanted):
            break
    return found


def _longer(begun: Iterable[_Begun], basis: Sequence[int]) -> dict[frozenset[int], _Begun]:
    """The beginnings with one step more, one for each set of values."""
    found: dict[frozenset[int], _Begun] = {}
    for program, values in begun:
        for table, places in _steps(basis, len(values)):
            value = apply(table, tuple([values[place] for place in places]))
            if value not in (0, ALL, *values):
                found.setdefault(frozenset((*values, value)), ((*program, (table, places)), (*values, value)))
    return found


def _steps(basis: Sequence[int], values: int) -> Iterator[Step]:
    for table in basis:
        for places in permutations(range(values), inputs_of(table)):
            if table not in SYMMETRIC or places[0] < places[1]:
                yield table, places


def avx2_programs() -> dict[int, Program]:
    """Programs for AVX2. An inversion is two instructions, and needed only at the end.

    Inverting all values that are true where all inputs are false makes an instruction of the basis another one.
    """
    programs = shortest_programs([table for table in TABLES if not table & 1 and table != COPY], AVX2_BASIS)
    for table in TABLES:
        if table & 1 and table != INVERT:
            complement = operation(table ^ ALL, range(inputs_of(table) - 3, inputs_of(table)), 0)
            program = [
                (step, tuple(complement.reads[place] if place < len(complement.reads) else place for place in places))
                for step, places in programs[complement.table]
            ]
            programs[table] = (*program, (INVERT, (len(complement.reads) + len(program) - 1,)))
    return programs


def neon_programs() -> dict[int, Program]:
    """Programs for NEON."""
    return shortest_programs([table for table in TABLES if table not in (COPY, INVERT)], NEON_BASIS)


def text_of(name: str, programs: dict[int, Program], basis: Sequence[int]) -> str:
    """The programs of more than one instruction, as Python."""
    lines = [f"{name}: Programs = {{"]
    for table, program in sorted(programs.items()):
        if table not in basis:
            steps = ", ".join(f"(0x{step:02X}, {places})" for step, places in program)
            lines.append(f"    0x{table:02X}: ({steps}{',' if len(program) == 1 else ''}),")
    return "\n".join([*lines, "}"])


def main() -> None:
    """Print the module with the programs."""
    print(
        '"""The shortest programs for functions of up to three inputs, as `benchmarks.logic_programs` found them."""\n'
    )
    print("from __future__ import annotations\n\nfrom ludens.compiler.native.lowering import Programs\n")
    print(text_of("AVX2_PROGRAMS", avx2_programs(), AVX2_BASIS) + "\n")
    print(text_of("NEON_PROGRAMS", neon_programs(), NEON_BASIS))


if __name__ == "__main__":
    main()

"""The roles of a circuit as C++ numbers them: those of the rule sheet in order, then those that draw for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from ludens.compiler.circuit.chance_roles import named_roles
from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.cxx.cpp_text import numbers, string_literal
from ludens.gdl.chance.core_form import NOTHING
from ludens.gdl.chance.random_variables import RandomVariables
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term, arguments
from ludens.gdl.write import kif

NO_EVENT = (1 << 32) - 1
"""The move of a source with nothing to draw; also in the generated code."""


@dataclass(frozen=True)
class Movers:
    """All roles with their moves, numbered through."""

    circuit: Circuit
    sheet: RuleSheet
    roles: tuple[Term, ...]
    """The roles of the rule sheet."""
    order: tuple[int, ...]
    """The number of each role in the circuit, those that draw included."""

    @classmethod
    def of(cls, circuit: Circuit, sheet: RuleSheet) -> Movers:
        """The roles of a circuit, which was compiled from the rule sheet."""
        named = named_roles(sheet, circuit.roles)
        sources = [role for role in circuit.roles if role not in named]
        return cls(circuit, sheet, tuple(named), tuple(map(circuit.roles.index, (*named, *sources))))

    @property
    def moves(self) -> list[tuple[Term, int, int]]:
        """The moves of all roles: the term, the input that does it, and the literal that makes it legal."""
        return [move for role in self.order for move in self.circuit.moves[role]]

    @property
    def starts(self) -> list[int]:
        """The number of each role's first move, and how many moves there are."""
        return list(accumulate((len(self.circuit.moves[role]) for role in self.order), initial=0))

    def number(self, role: int) -> int:
        """The number of a role of the circuit."""
        return self.order.index(role)

    def tables(self) -> list[str]:
        """Names, moves, and the sources of random variables with their roles, moves and events."""
        starts = self.starts
        named, drawn = self.moves[: starts[len(self.roles)]], self.moves[starts[len(self.roles)] :]
        owners: list[int] = []
        variables: list[str] = []
        used: list[tuple[int, int]] = []
        names = RandomVariables.of(self.sheet)
        for source, role in enumerate(self.order[len(self.roles) :]):
            owner_term, variable = arguments(self.circuit.roles[role])
            owner = self.roles.index(owner_term)
            owners.append(owner)
            variables.append(string_literal(kif(variable)))
            moves = range(starts[owner], starts[owner + 1])
            used += [(move, source) for move in moves if variable in names.within(named[move][0])]
        events: dict[Term, int] = {}
        rows = []
        for move, _, _ in drawn:
            event, weight = ("", "0") if move == NOTHING else arguments(move)
            number = NO_EVENT if move == NOTHING else events.setdefault(event, len(events))
            rows.append(f"    {{{number}u, {weight}u}},")
        return [
            "using UsedSource = std::pair<Move, std::size_t>;",
            "struct Drawing { std::uint32_t event; std::uint64_t weight; };",
            array(
                "std::string_view, role_count",
                "ROLE_NAMES",
                [f"    {string_literal(kif(role))}," for role in self.roles],
            ),
            array(
                f"const char*, {len(named)}",
                "MOVE_TEXTS",
                [f"    {string_literal(kif(move))}," for move, _, _ in named],
            ),
            array("Move, MOVER_COUNT + 1", "FIRST_MOVES", [numbers(starts)]),
            array("std::size_t, SOURCE_COUNT + 1", "SOURCE_OWNERS", [numbers([*owners, 0])]),
            array("const char*, SOURCE_COUNT + 1", "SOURCE_VARIABLES", [", ".join([*variables, '""'])]),
            array(
                f"UsedSource, {len(used)}",
                "USED_SOURCES",
                [f"    {{{move}, {source}}}," for move, source in sorted(used)],
            ),
            array(f"Drawing, {len(rows)}", "DRAWINGS", rows),
            array(
                f"const char*, {len(events)}", "EVENT_TEXTS", [f"    {string_literal(kif(event))}," for event in events]
            ),
        ]


def array(kind: str, name: str, rows: Sequence[str]) -> str:
    """A table in C++: element type and size, name, and lines of elements."""
    return "\n".join([f"static constexpr std::array<{kind}> {name} = {{{{", *rows, "}};"])

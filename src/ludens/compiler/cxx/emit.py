"""Stage 6: each query becomes a C++ function, each clause a nest of loops in it.

A query with unknowns calls back for every answer, and stops when the callback returns true; one without unknowns
returns whether it holds. So nothing is collected or allocated, except for memoised answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ludens.compiler.cxx.accesses import Accesses
from ludens.compiler.cxx.cpp_text import comment, identifier
from ludens.compiler.cxx.layout import Layout
from ludens.compiler.cxx.order import Check, Exists, Kind, Literal, Loop, Step, pattern_of
from ludens.compiler.cxx.queries import PlannedClause, PlannedQuery, Query, QueryPlan
from ludens.gdl.logic.relation_graph import MOVE
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import Term, Variable, arguments, functor, is_ground, signature
from ludens.gdl.write import kif

SMALL_SET = 1024
"""The maximum number of possible answers for which a query without a table marks given answers in bits on the stack."""


@dataclass
class Emitter:
    """Writes the functions of all queries."""

    layout: Layout
    plan: QueryPlan
    instrument: bool = False
    """Count how queries are used, for a profile."""
    accesses: Accesses = field(init=False)
    names: dict[Query, str] = field(default_factory=dict)
    prototypes: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    members: list[str] = field(default_factory=list)
    """Members of the reasoner: the tables of memoised queries."""
    counted: list[Query] = field(default_factory=list)
    """Queries that are counted, by number."""

    def __post_init__(self) -> None:
        self.accesses = Accesses(self.layout)
        taken: set[str] = set()
        for query in self.plan.queries:
            base = f"{identifier(query.sign[0])}{query.pattern}"
            name, number = base, 1
            while name in taken:
                number += 1
                name = f"{base}{number}"
            taken.add(name)
            self.names[query] = name

    def emit(self) -> None:
        """Write everything."""
        for planned in self.plan.queries.values():
            self._query(planned)

    def _query(self, planned: PlannedQuery) -> None:
        query, name = planned.query, self.names[planned.query]
        known = [f"[[maybe_unused]] V a{n}" for n, mode in enumerate(query.pattern) if mode == "b"]
        parameters = ["[[maybe_unused]] Reasoner& c", *known]
        callback = ""
        prefix = "static bool "
        if query.unknowns and planned.inline:
            prefix = "template <class F>\nstatic inline bool "
            callback = "const F& f"
        elif query.unknowns:
            callback = f"Fn{query.unknowns} f"
        signature_text = ", ".join([*parameters, callback] if callback else parameters)
        pieces = []
        inner = f"{name}_all" if planned.memo or planned.repeats else name
        for number, clause in enumerate(planned.clauses):
            pieces.append(self._clause_function(planned, clause, f"{inner}_{number}", prefix, signature_text))
        pass_on = ", ".join(
            ["c", *(f"a{n}" for n, m in enumerate(query.pattern) if m == "b"), *(["f"] * bool(callback))]
        )
        calls = " ||\n           ".join(f"{inner}_{n}({pass_on})" for n in range(len(planned.clauses))) or "false"
        unused = "" if planned.clauses or not callback else "    (void)f;\n"
        self.prototypes.append(f"{prefix}{inner}({signature_text});")
        pieces.append(f"{prefix}{inner}({signature_text}) {{\n    c.tick();\n{unused}    return {calls};\n}}")
        if inner != name:
            self.prototypes.append(f"{prefix}{name}({signature_text});")
            body = self._memo_body(planned, inner) if planned.memo else self._once_body(planned, inner)
            pieces.append(f"{prefix}{name}({signature_text}) {{\n{body}\n}}")
        self.functions.append(f"// {comment(str(query.key))}\n" + "\n".join(pieces))

    def _known_values(self, query: Query) -> list[str]:
        return [f"a{n}" for n, mode in enumerate(query.pattern) if mode == "b"]

    def _memo_body(self, planned: PlannedQuery, inner: str) -> str:
        """Look up the answers; derive them first if they are missing."""
        query = planned.query
        known = self._known_values(query)
        table = f"table{len(self.members)}"
        self.members.append(f"Table<{len(known)}, {query.unknowns}> {table};")
        generation = "c.move_generation" if planned.phase == MOVE else "c.state_generation"
        outputs = [f"o{n}" for n in range(query.unknowns)]
        passed = ", ".join(["c", *known])
        grown = f"c.groups[{planned.group}].changed = true"
        if query.unknowns:
            taken = f"t.add(e, {{{', '.join(outputs)}}})"
            note = f"if ({taken}) {grown};" if planned.group is not None else f"{taken};"
            parameters = ", ".join(f"V {output}" for output in outputs)
            derive = f"{inner}({passed}, [&]({parameters}) {{ {note} return false; }});"
        else:
            note = f"if (t.add(e, {{}})) {grown};" if planned.group is not None else "t.add(e, {});"
            derive = f"if (t.entries[e].first == NONE && {inner}({passed})) {{ {note} }}"
        lines = [f"auto& t = c.{table};", f"const V e = t.entry({generation}, {{{', '.join(known)}}});"]
        if planned.group is not None:
            missing = f"fixpoint(c.groups[{planned.group}], t, e, [&] {{ {derive} }});"
        else:
            missing = f"{derive} t.entries[e].complete = true;"
        lines += self._count_lookups(query, missing)
        if query.unknowns:
            row = ", ".join(f"t.rows[row].values[{n}]" for n in range(query.unknowns))
            lines += [
                "for (V row = t.entries[e].first; row != NONE; row = t.rows[row].next)",
                f"    if (f({row})) return true;",
                "return false;",
            ]
        else:
            lines.append("return t.entries[e].first != NONE;")
        return "\n".join("    " + line for line in lines)

    def _count_lookups(self, query: Query, missing: str) -> list[str]:
        if not self.instrument:
            return [f"if (!t.entries[e].complete) {{ {missing} }}"]
        number = len(self.counted)
        self.counted.append(query)
        return [
            f"QueryCount& count = c.counts[{number}];",
            "++count.calls;",
            "if (!t.entries[e].complete) {",
            "    const std::uint64_t before = c.work;",
            f"    {missing}",
            "    ++count.misses;",
            "    count.work += c.work - before;",
            "    for (V row = t.entries[e].first; row != NONE; row = t.rows[row].next) ++count.answers;",
            "}",
        ]

    def _once_body(self, planned: PlannedQuery, inner: str) -> str:
        """Pass answers on, each only once."""
        query = planned.query
        outputs = [f"o{n}" for n in range(query.unknowns)]
        parameters = ", ".join(f"V {output}" for output in outputs)
        passed = ", ".join(["c", *self._known_values(query)])
        unknown = [n for n, mode in enumerate(query.pattern) if mode == "f"]
        sizes = [self.layout.sizes(query.sign)[n] for n in unknown]
        if None not in sizes and math.prod(size or 0 for size in sizes) <= SMALL_SET:
            key, size = self.accesses.key(query.sign, unknown)
            return (
                f"    std::uint64_t seen[{max(1, (size + 63) // 64)}] = {{}};\n"
                f"    return {inner}({passed}, [&]({parameters}) {{\n"
                f"        const V at = {key}({', '.join(outputs)});\n"
                f"        const std::uint64_t bit = std::uint64_t{{1}} << (at % 64);\n"
                f"        if (seen[at / 64] & bit) return false;\n"
                f"        seen[at / 64] |= bit;\n"
                f"        return f({', '.join(outputs)});\n"
                f"    }});"
            )
        return (
            f"    SeenLoan seen(c);\n"
            f"    return {inner}({passed}, [&]({parameters}) {{\n"
            f"        return seen.insert({', '.join(outputs)}) && f({', '.join(outputs)});\n"
            f"    }});"
        )

    def _clause_function(
        self, planned: PlannedQuery, clause: PlannedClause, name: str, prefix: str, parameters: str
    ) -> str:
        writer = _ClauseWriter(self, planned.query, clause)
        body = writer.write()
        return f"// {comment(_clause_text(clause))}\n{prefix}{name}({parameters}) {{\n{body}\n}}"

    def is_derived(self, sign: Signature) -> bool:
        """True if a relation is answered by a query's function."""
        relation = self.layout.prepared.predicates[sign].relation
        return sign not in self.layout.prepared.tables and relation not in ("true", "does")

    def call(self, query: Query, *, any_answer: bool) -> str:
        """The function to call; duplicates are harmless if one answer is enough."""
        planned = self.plan.queries[query]
        name = self.names[query]
        return f"{name}_all" if any_answer and planned.repeats and not planned.memo else name


def _clause_text(clause: PlannedClause) -> str:
    atoms = [*clause.clause.positive, *(("not", atom) for atom in clause.clause.negative)]
    return f"{kif(clause.clause.head)} <= {' '.join(map(kif, atoms))}"


class _ClauseWriter:
    """Writes the body of one clause's function."""

    def __init__(self, emitter: Emitter, query: Query, planned: PlannedClause) -> None:
        self.emitter = emitter
        self.layout = emitter.layout
        self.query = query
        self.planned = planned
        self.names: dict[Variable, str] = {}
        self.lines: list[str] = []
        self.indent = 1
        self.serial = 0

    def write(self) -> str:
        head = arguments(self.planned.clause.head)
        for position, (argument, mode) in enumerate(zip(head, self.query.pattern, strict=True)):
            if mode == "b":
                self._match(argument, f"a{position}", "return false;")
        self._steps(self.planned.steps, 0, "return false;", self._succeed, in_loop=False, one_is_enough=self._is_test)
        if not self.lines or not self.lines[-1].strip().startswith("return"):
            self._line("return false;")
        return "\n".join(self.lines)

    @property
    def _is_test(self) -> bool:
        return not self.query.unknowns

    def _succeed(self) -> None:
        if self._is_test:
            self._line("return true;")
            return
        head = arguments(self.planned.clause.head)
        outputs = [self._build(a, make=True) for a, mode in zip(head, self.query.pattern, strict=True) if mode == "f"]
        self._line(f"if (f({', '.join(outputs)})) return true;")

    def _steps(
        self,
        steps: Sequence[Step],
        at: int,
        fail: str,
        succeed: Callable[[], None],
        *,
        in_loop: bool,
        one_is_enough: bool,
    ) -> None:
        """Write the steps from ``at`` on; ``fail`` is the failure statement, ``succeed`` writes the continuation."""
        if at == len(steps):
            succeed()
            return
        step = steps[at]
        match step:
            case Check(literal):
                self._line(f"if ({self._negation(literal)}) {fail}")
                self._steps(steps, at + 1, fail, succeed, in_loop=in_loop, one_is_enough=one_is_enough)
            case Exists(inner):
                self._exists(inner, fail)
                self._steps(steps, at + 1, fail, succeed, in_loop=in_loop, one_is_enough=one_is_enough)
            case Loop(atom):
                last = at + 1 == len(steps)
                if in_loop:
                    self._line("c.tick();")

                def inside(fail_inside: str) -> None:
                    self._steps(steps, at + 1, fail_inside, succeed, in_loop=True, one_is_enough=one_is_enough)

                self._loop(atom, inside, any_answer=last and one_is_enough)

    def _exists(self, steps: tuple[Step, ...], fail: str) -> None:
        saved = dict(self.names)
        self._line("if (![&]() -> bool {")
        self.indent += 1
        self._steps(steps, 0, "return false;", lambda: self._line("return true;"), in_loop=True, one_is_enough=True)
        self._line("return false;")
        self.indent -= 1
        self._line(f"}}()) {fail}")
        self.names = saved

    def _negation(self, literal: Literal) -> str:
        """An expression that is true if the literal does not hold."""
        if literal.kind is Kind.DISTINCT:
            return self._equal(*literal.terms)
        atom = literal.terms[0]
        sign = signature(atom)
        values = [self._build(argument) for argument in arguments(atom)]
        if self.emitter.is_derived(sign):
            query = Query(sign, "b" * sign[1])
            text = f"{self.emitter.names[query]}({', '.join(['c', *values])})"
        else:
            text = self.emitter.accesses.holds(sign, values)
        return text if literal.kind is Kind.FAILS else f"!{text}"

    def _equal(self, left: Term, right: Term) -> str:
        if isinstance(left, tuple) and isinstance(right, tuple) and signature(left) == signature(right):
            parts = [self._equal(a, b) for a, b in zip(left[1:], right[1:], strict=True)]
            return " && ".join(f"({part})" for part in parts) or "true"
        return f"{self._build(left)} == {self._build(right)}"

    def _loop(self, atom: Term, inside: Callable[[str], None], *, any_answer: bool) -> None:
        sign = signature(atom)
        pattern = pattern_of(atom, self.names)
        values = [
            self._build(argument) if mode == "b" else None
            for argument, mode in zip(arguments(atom), pattern, strict=True)
        ]
        saved = dict(self.names)
        if self.emitter.is_derived(sign):
            self._derived_loop(atom, pattern, values, inside, any_answer=any_answer)
        else:
            self._stored_loop(atom, pattern, values, inside)
        self.names = saved

    def _derived_loop(
        self,
        atom: Term,
        pattern: str,
        values: Sequence[str | None],
        inside: Callable[[str], None],
        *,
        any_answer: bool,
    ) -> None:
        query = Query(signature(atom), pattern)
        free = [argument for argument, mode in zip(arguments(atom), pattern, strict=True) if mode == "f"]
        outputs = [self._fresh("v") for _ in free]
        parameters = ", ".join(f"[[maybe_unused]] V {output}" for output in outputs)
        passed = ", ".join(["c", *(value for value in values if value is not None)])
        function = self.emitter.call(query, any_answer=any_answer)
        self._line(f"if ({function}({passed}, [&]({parameters}) -> bool {{")
        self.indent += 1
        for argument, output in zip(free, outputs, strict=True):
            self._match(argument, output, "return false;")
        inside("return false;")
        self._line("return false;")
        self.indent -= 1
        self._line("})) return true;")

    def _stored_loop(
        self, atom: Term, pattern: str, values: Sequence[str | None], inside: Callable[[str], None]
    ) -> None:
        self.serial += 1
        scan = self.emitter.accesses.scan(signature(atom), pattern, values, self.serial)
        for line in scan.head.splitlines():
            self._line(line)
        self.indent += 1
        for line in scan.prologue:
            self._line(line)

        def at(position: int) -> str:
            if scan.role_first:
                return f"ROLE_TERMS[p{self_serial}]" if position == 0 else f"{scan.row}[{position - 1}]"
            return f"{scan.row}[{position}]"

        self_serial = self.serial
        for position in scan.filter:
            self._line(f"if ({at(position)} != {values[position]}) continue;")
        for position, (argument, mode) in enumerate(zip(arguments(atom), pattern, strict=True)):
            if mode == "f":
                self._match(argument, at(position), "continue;")
        inside("continue;")
        self.indent -= 1
        self._line("}")

    def _match(self, term: Term, value: str, fail: str) -> None:
        """Bind the variables of a term, and compare those already known."""
        if isinstance(term, Variable):
            if term in self.names:
                self._line(f"if ({self.names[term]} != {value}) {fail}")
            else:
                name = self._fresh(identifier(term.name))
                self.names[term] = name
                self._line(f"[[maybe_unused]] const V {name} = {value};")
            return
        if is_ground(term):
            self._line(f"if ({value} != {self.layout.id(term)}u) {fail}")
            return
        whole = self._fresh("t")
        parts = arguments(term)
        self._line(f"const V {whole} = {value};")
        self._line(f"if (!c.is({whole}, {self.layout.names[functor(term)]}u, {len(parts)}u)) {fail}")
        for position, part in enumerate(parts):
            self._match(part, f"c.part({whole}, {position}u)", fail)

    def _build(self, term: Term, *, make: bool = False) -> str:
        """An expression for a term whose variables are known; ``make`` interns it, otherwise it may be `NONE`."""
        if isinstance(term, Variable):
            return self.names[term]
        if is_ground(term):
            return f"{self.layout.id(term)}u"
        parts = ", ".join(self._build(part, make=make) for part in arguments(term))
        return f"c.{'make' if make else 'find'}({self.layout.names[functor(term)]}u, {{{parts}}})"

    def _fresh(self, prefix: str) -> str:
        self.serial += 1
        return f"{prefix.lower()}{self.serial}"

    def _line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)


def used_arities(queries: Iterable[PlannedQuery]) -> list[int]:
    """The numbers of unknowns in queries, for the types of callbacks."""
    return sorted({planned.query.unknowns for planned in queries if planned.query.unknowns})

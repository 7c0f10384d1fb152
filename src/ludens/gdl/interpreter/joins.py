"""Rules turned into Python functions that join whole tables.

``(<= (legal ?w (mark ?x)) (true (cell ?x b)) (true (control ?w)))`` becomes, shortened::

    def join(tables, delta):
        out = []
        if not tables[3].rows: return out               # (true (control _))
        rows1 = tables[4].index(0, filers).get("b", ())  # (true (cell _ b)), filed by the second argument
        for row2 in tables[3].index(1, filers).get((), ()):
            w = row2[1]
            for row3 in rows1:
                x = row3[1]
                out.append(("legal", w, ("mark", x)))
        return out

The order of the loops follows the sizes of the tables when the rule is first used. Conditions that bind nothing the
head needs become tests. Before a condition on a relation that is derived on demand, the loops end: all bindings found
so far are collected, what they need is demanded at once (`ludens.gdl.interpreter.demand`), and new loops go on from
the bindings.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from ludens.gdl.interpreter.tables import FileRows, Layer, Table
from ludens.gdl.logic.clauses import Clause
from ludens.gdl.logic.join_code import CodeWriter, Path, separate, tuple_of, value_at
from ludens.gdl.reasoner.joins import (
    TICK_ROUNDS,
    Access,
    Pattern,
    UnsafeClauseError,
    find_access,
)
from ludens.gdl.terms import Term, Variable, arguments, is_ground, variables

Join = Callable[[Layer, Table | None], Sequence[Term]]
"""Derives rows of the head's table, perhaps one several times; ``delta`` stands in for the table of one condition."""

_TYPICAL = 100.0
_LARGE = 1e5
"""How many rows a table has that is empty so far, and one that is derived on demand, when joins are planned."""
_UNRELATED = 10.0
"""How much more a condition costs that shares no variable with those before it."""
_MAX_LOOPS = 15
_MAX_INDENT = 60
"""Python allows 20 nested loops and 100 levels of indentation in a function; longer joins go on in another."""


class Atom(NamedTuple):
    """A condition on a table: rows that match a pattern."""

    table: int
    row: Term


@dataclass(frozen=True, slots=True)
class TableRule:
    """A clause whose atoms name their tables."""

    head: Atom
    positive: tuple[Atom, ...]
    negative: tuple[Atom, ...]
    distinct: tuple[tuple[Term, Term], ...]
    clause: Clause
    """Where it comes from."""


@dataclass
class JoinCompiler:
    """Compiles rules to functions that share index numbers."""

    tick: Callable[[int, int], int]
    """Called from long loops with the number of rounds, as soon as it exceeds `TICK_ROUNDS`, and that of rows derived;
    may raise, or returns 0 to count on from."""
    on_demand: set[int]
    """Tables whose rows must be demanded before they are looked up."""
    slot_of: Callable[[int, Pattern], tuple[int, int]]
    """For a table on demand and the arguments that are known: the number of the demand, and the table of its keys."""
    demand: Callable[[Layer, int, set[Term]], None]
    """Derives the rows of a demand for a set of keys."""
    is_static: Callable[[int], bool]
    """Whether a table is the same in all states."""
    does: int | None
    """The table of the moves: so small that it is looked at first whether a rule is about such moves."""
    filers: list[FileRows] = field(default_factory=list)
    _known_forms: dict[tuple[tuple[Path, ...], tuple[tuple[Path, str, int], ...]], int] = field(default_factory=dict)

    def compile(
        self, rule: TableRule, delta: int | None, sample: Layer, demanded: Container[int] = frozenset()
    ) -> Join:
        """The function for a rule; condition ``delta``, if given, reads from the delta table.

        The order of the loops is chosen by the tables in ``sample``. Nothing need be demanded of the tables
        ``demanded``.
        """
        source = _JoinWriter(self, rule, delta, sample, demanded).write()
        scope: dict[str, Any] = {"filers": self.filers, "tick": self.tick, "demand": self.demand}
        exec(source, scope)
        join: Join = scope["join"]
        return join

    def index_number(self, access: Access) -> int:
        """The number of the index that serves an access; the same for all conditions of the same form."""
        paths = tuple(path for path, _ in access.key)
        form = (paths, access.shapes)
        number = self._known_forms.get(form)
        if number is None:
            number = self._known_forms[form] = len(self.filers)
            self.filers.append(_make_filer(paths, access.shapes))
        return number

    def cost(self, atom: Atom, bound: Container[Variable], sample: Layer) -> float:
        """About how many rows a condition finds for each binding of the variables ``bound``."""
        access = find_access(atom.row, bound)
        related = any(not is_ground(part) for _, part in access.key)
        factor = 1.0 if related else _UNRELATED
        size = _LARGE if atom.table in self.on_demand else _TYPICAL
        if atom.table not in self.on_demand and (rows := sample[atom.table].rows):
            index = sample[atom.table].index(self.index_number(access), self.filers)
            if not related:
                parts = tuple(part for _, part in access.key)
                return factor * len(index.get(parts[0] if len(parts) == 1 else parts, ()))
            if index:
                return factor * sum(map(len, index.values())) / len(index)
            size = len(rows)
        free = len(access.captures) + len(access.repeats)
        return factor * float(size ** (free / (free + len(access.key))))


def _make_filer(paths: Sequence[Path], shapes: Sequence[tuple[Path, str, int]]) -> FileRows:
    """A function that files rows by the parts at ``paths``, if they have the shapes."""
    tests = []
    for path, name, length in shapes:
        part = value_at("row", path)
        tests.append(f"{part}.__class__ is tuple and len({part}) == {length} and {part}[0] == {name!r}")
    parts = [value_at("row", path) for path in paths]
    lines = ["def file_rows(rows, index):"]
    if not parts:
        condition = f" if {' and '.join(tests)}" if tests else ""
        lines += [
            f"    found = [row for row in rows{condition}]",
            "    if found: index.setdefault((), []).extend(found)",
        ]
    else:
        lines += [
            "    for row in rows:",
            *([f"        if not ({' and '.join(tests)}): continue"] if tests else []),
            f"        key = {parts[0] if len(parts) == 1 else tuple_of(parts)}",
            "        if key in index: index[key].append(row)",
            "        else: index[key] = [row]",
        ]
    scope: dict[str, Any] = {}
    exec("\n".join(lines), scope)
    filer: FileRows = scope["file_rows"]
    return filer


class _Scan(NamedTuple):
    """A row of a table must match."""

    atom: Atom
    is_delta: bool = False

    def terms(self) -> Iterator[Term]:
        yield self.atom.row


class _Absent(NamedTuple):
    """No row of a table may match."""

    atom: Atom

    def terms(self) -> Iterator[Term]:
        yield self.atom.row


class _Differ(NamedTuple):
    """Two terms must differ."""

    left: Term
    right: Term

    def terms(self) -> Iterator[Term]:
        yield self.left
        yield self.right


_Literal: TypeAlias = "_Scan | _Absent | _Differ"


class _Proved(NamedTuple):
    """A set that collects the bindings for which a condition has been proved."""

    name: str
    variables: tuple[Variable, ...]


class _Place(NamedTuple):
    """Where code is being written."""

    indent: int
    loops: int
    """How many loops of the function are around it."""
    test: bool = False
    """The function only tests whether there is a solution: it returns True or False."""
    proved: _Proved | None = None
    """Solutions are not derived but collected here."""

    @property
    def escape(self) -> str:
        """The statement that gives up the current binding."""
        return "continue" if self.loops else "return False" if self.test else "return out"

    def inside(self) -> _Place:
        """The body of a loop written here."""
        return self._replace(indent=self.indent + 1, loops=self.loops + 1)

    def anew(self) -> _Place:
        """The body of a loop that begins when all loops have ended."""
        return self._replace(indent=2, loops=1)


class _JoinWriter(CodeWriter):
    """Writes the source of one join."""

    def __init__(
        self, compiler: JoinCompiler, rule: TableRule, delta: int | None, sample: Layer, demanded: Container[int]
    ) -> None:
        super().__init__()
        self.compiler = compiler
        self.demanded = demanded
        self.rule = rule
        self.delta = delta
        self.sample = sample

    def write(self) -> str:
        wanted = set(variables(self.rule.head.row))
        bound = {variable for atom in self.rule.positive for variable in variables(atom.row)}
        for variable in wanted - bound:
            raise UnsafeClauseError(variable, self.rule.clause)
        work: list[_Literal] = [_Differ(left, right) for left, right in self.rule.distinct]
        work += [_Scan(atom, number == self.delta) for number, atom in enumerate(self.rule.positive)]
        work += [_Absent(atom) for atom in self.rule.negative]
        self.function("join", ["tables", "delta"], work, wanted, _Place(1, 0))
        return "\n".join(self.functions)

    def function(
        self, name: str, parameters: list[str], work: list[_Literal], wanted: set[Variable], place: _Place
    ) -> None:
        """Write a function of its own: Python bounds how deep loops may nest in one."""
        outer = self.prologue, self.lines
        self.prologue, self.lines = [], []
        self.solve(work, wanted, place)
        start = [f"def {name}({', '.join(parameters)}):", "    rounds = 0"]
        if name == "join":
            start += ["    out = []", *self.tests_for_rows()]
        end = f"    return {'False' if place.test else 'out'}"
        self.functions.append("\n".join([*start, *self.prologue, *self.lines, end]))
        self.prologue, self.lines = outer

    def tests_for_rows(self) -> Iterator[str]:
        """Tests that leave at once if a table without which nothing can be derived has no rows."""
        tested: set[int] = set()
        for number, atom in enumerate(self.rule.positive):
            if number == self.delta or atom.table in self.compiler.on_demand:
                continue
            if atom.table == self.compiler.does:
                access = find_access(atom.row, ())
                parts = [repr(part) for _, part in access.key]
                key = parts[0] if len(parts) == 1 else tuple_of(parts)
                index = f"tables[{atom.table}].index({self.compiler.index_number(access)}, filers)"
                yield f"    if {key} not in {index}: return out"
            elif atom.table not in tested and not (
                self.compiler.is_static(atom.table) and self.sample[atom.table].rows
            ):
                tested.add(atom.table)
                yield f"    if not tables[{atom.table}].rows: return out"

    def solve(self, work: list[_Literal], wanted: set[Variable], place: _Place) -> None:
        """Write code that finds every way to bind the wanted variables such that all work holds."""
        ready = [literal for literal in work if not self.unbound(literal)]
        for literal in sorted(ready, key=self.is_demanding):  # what has to be demanded is tested last
            place = self.emit_demand(literal, work, wanted, place)
            work = [other for other in work if other is not literal]
            self.emit(place.indent, f"if not ({self.test(literal)}): {place.escape}")
        parts = separate(self.unbound, work)
        enough = place.test or place.proved is not None
        for part in parts:
            is_all = enough and len(parts) == 1 and not (len(part) == 1 and isinstance(part[0], _Absent))
            if not is_all and not any(wanted & self.unbound(literal) for literal in part):
                place = self.emit_existence(part, work, wanted, place)
                work = [literal for literal in work if literal not in part]
        scans = [literal for literal in work if isinstance(literal, _Scan)]
        if not scans:
            for literal in work:
                raise UnsafeClauseError(next(iter(self.unbound(literal))), self.rule.clause)
            self.emit_success(place)
        elif place.loops >= _MAX_LOOPS or place.indent >= _MAX_INDENT:
            self.emit_continuation(work, wanted, place)
        else:
            chosen = min(scans, key=self.cost)
            before = dict(self.names)
            place = self.emit_demand(chosen, work, wanted, place)
            self.emit_loop(chosen, place)
            self.solve([literal for literal in work if literal is not chosen], wanted, place.inside())
            self.names = before

    def emit_success(self, place: _Place) -> None:
        if place.test:
            self.emit(place.indent, "return True")
        elif place.proved is not None:
            binding = tuple_of(self.names[variable] for variable in place.proved.variables)
            self.emit(place.indent, f"{place.proved.name}.add({binding})")
        else:
            self.emit(place.indent, f"out.append({self.build(self.rule.head.row)})")
            if is_ground(self.rule.head.row):
                self.emit(place.indent, "return out")

    def emit_continuation(self, work: list[_Literal], wanted: set[Variable], place: _Place) -> None:
        name = self.fresh("more")
        parameters = ["tables", "delta", "out", *self.names.values()]
        if place.proved is not None:
            parameters.append(place.proved.name)
        self.function(name, parameters, work, wanted, place._replace(indent=1, loops=0))
        call = f"{name}({', '.join(parameters)})"
        self.emit(place.indent, f"if {call}: return True" if place.test else call)

    def unbound(self, literal: _Literal) -> set[Variable]:
        return {variable for term in literal.terms() for variable in variables(term) if variable not in self.names}

    def cost(self, literal: _Scan) -> float:
        return -1.0 if literal.is_delta else self.compiler.cost(literal.atom, self.names, self.sample)

    def test(self, literal: _Literal) -> str:
        """A Python expression that is true if a literal without unbound variables holds."""
        if isinstance(literal, _Differ):
            return f"{self.build(literal.left)} != {self.build(literal.right)}"
        word = "not in" if isinstance(literal, _Absent) else "in"
        return f"{self.build(literal.atom.row)} {word} {self.table(literal)}.rows"

    def emit_existence(
        self, part: list[_Literal], work: list[_Literal], wanted: set[Variable], place: _Place
    ) -> _Place:
        """Write a test that gives up unless some values of the part's unbound variables make the part hold."""
        leave_if = "not "
        if len(part) == 1 and isinstance(part[0], _Absent):
            # A variable that only a negated condition has: no instance may hold.
            part, leave_if = [_Scan(part[0].atom)], ""
        scans = [literal for literal in part if isinstance(literal, _Scan)]
        if not scans:
            raise UnsafeClauseError(next(iter(self.unbound(part[0]))), self.rule.clause)
        if len(part) == 1:
            place = self.emit_demand(scans[0], work, wanted, place)
            access = find_access(scans[0].atom.row, self.names)
            if not access.repeats:
                self.emit(place.indent, f"if {leave_if}{self.lookup(scans[0], access)}: {place.escape}")
                return place
        elif any(map(self.is_demanding, part)):
            return self.emit_proofs(part, work, wanted, place)
        name = self.fresh("exists")
        inside = _Place(place.indent + 1, 0, test=True)
        self.emit(place.indent, f"def {name}():")
        self.emit(inside.indent, "nonlocal rounds")
        self.solve(part, set(), inside)
        self.emit(inside.indent, "return False")
        self.emit(place.indent, f"if {leave_if}{name}(): {place.escape}")
        return place

    def emit_proofs(self, part: list[_Literal], work: list[_Literal], wanted: set[Variable], place: _Place) -> _Place:
        """Write loops that collect the bindings for which a part holds, and the loop over these."""
        rest = [literal for literal in work if literal not in part]
        needed = wanted.union(*(variables(term) for literal in rest for term in literal.terms()))
        kept = {variable: name for variable, name in self.names.items() if variable in needed}
        proved = _Proved(self.fresh("proved"), tuple(kept))
        self.prologue.append(f"    {proved.name} = set()")
        self.solve(part, set(kept), place._replace(proved=proved))
        self.emit(1, f"for {tuple_of(kept.values())} in {proved.name}:")
        self.names = kept
        return place.anew()

    def emit_loop(self, literal: _Scan, place: _Place) -> None:
        """Write the head of the loop over a condition's rows, and what each row binds."""
        access = find_access(literal.atom.row, self.names)
        row = self.fresh("row")
        inner = place.indent + 1
        found = self.lookup(literal, access)
        if place.test:  # which may end after a few rounds
            self.emit(place.indent, f"for {row} in {found}:")
            self.emit(inner, "rounds += 1")
            self.emit(inner, f"if rounds > {TICK_ROUNDS}: rounds = tick(rounds, len(out))")
        else:
            rows = found if found.isidentifier() else self.fresh("rows")
            if rows != found:
                self.emit(place.indent, f"{rows} = {found}")
            self.emit(place.indent, f"rounds += len({rows})")
            self.emit(place.indent, f"if rounds > {TICK_ROUNDS}: rounds = tick(rounds, len(out))")
            self.emit(place.indent, f"for {row} in {rows}:")
        for path, variable in access.captures:
            self.names[variable] = self.fresh("value")
            self.emit(inner, f"{self.names[variable]} = {value_at(row, path)}")
        for path, variable in access.repeats:
            self.emit(inner, f"if {value_at(row, path)} != {self.names[variable]}: continue")

    def is_demanding(self, literal: _Literal) -> bool:
        """True if a literal is about a table that is derived on demand."""
        if isinstance(literal, _Differ) or (isinstance(literal, _Scan) and literal.is_delta):
            return False
        return literal.atom.table in self.compiler.on_demand and literal.atom.table not in self.demanded

    def emit_demand(self, literal: _Literal, work: list[_Literal], wanted: set[Variable], place: _Place) -> _Place:
        """Write the call that derives what a literal is about to look up, if its table is on demand.

        In loops, bindings are collected first and looped over anew, so that one call demands it for all of them.
        Returns the place where to go on.
        """
        if not self.is_demanding(literal):
            return place
        assert not isinstance(literal, _Differ)
        known = [
            (position, part)
            for position, part in enumerate(arguments(literal.atom.row))
            if all(variable in self.names for variable in variables(part))
        ]
        slot, keys = self.compiler.slot_of(literal.atom.table, tuple(position for position, _ in known))
        key = tuple_of(["''", *(self.build(part) for _, part in known)])
        if not place.loops or all(is_ground(part) for _, part in known):
            self.emit(place.indent, f"if {key} not in tables[{keys}].rows: demand(tables, {slot}, {{{key}}})")
            return place
        assert not place.test, "what a test needs is demanded before it"
        needed = wanted.union(*(variables(term) for other in work for term in other.terms()))
        kept = {variable: name for variable, name in self.names.items() if variable in needed}
        waiting = self.fresh("waiting")
        is_shorter = len(kept) < len(self.names)  # then some bindings may become the same
        self.prologue.append(f"    {waiting} = {'set()' if is_shorter else '[]'}")
        binding = tuple_of(kept.values())
        self.emit(place.indent, f"{waiting}.{'add' if is_shorter else 'append'}({binding})")
        self.emit(1, f"demand(tables, {slot}, {{{key} for {binding} in {waiting}}})")
        self.emit(1, f"for {binding} in {waiting}:")
        self.names = kept
        if place.proved is not None:
            proved = tuple_of(kept[variable] for variable in place.proved.variables)
            self.emit(2, f"if {proved} in {place.proved.name}: continue")
        return place.anew()

    def lookup(self, literal: _Scan, access: Access) -> str:
        """A Python expression for the rows that an access finds."""
        number = self.compiler.index_number(access)
        index = self.fresh("index")
        self.prologue.append(f"    {index} = {self.table(literal)}.index({number}, filers).get")
        parts = [self.build(part) for _, part in access.key]
        found = f"{index}({parts[0] if len(parts) == 1 else tuple_of(parts)}, ())"
        if self.is_demanding(literal) or not all(is_ground(part) for _, part in access.key):
            return found
        rows = self.fresh("rows")
        self.prologue.append(f"    {rows} = {found}")
        return rows

    def table(self, literal: _Scan | _Absent) -> str:
        return "delta" if isinstance(literal, _Scan) and literal.is_delta else f"tables[{literal.atom.table}]"

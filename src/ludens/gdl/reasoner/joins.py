"""Clauses turned into Python functions: nested loops over indexes, one loop for each literal that binds something.

``(<= (legal ?w (mark ?x)) (true (cell ?x b)) (true (control ?w)))`` becomes, shortened::

    def clause(relations, delta):
        scan0 = relations[3].index(0, keys).get      # (true (control _))
        scan1 = relations[3].index(1, keys).get      # (true (cell _ b)), filed by the second argument
        for fact0 in scan0((), ()):
            w = fact0[1][1]
            for fact1 in scan1("b", ()):
                x = fact1[1][1]
                yield ("legal", w, ("mark", x))

Literals that bind nothing the head needs become existence tests, so that they are not enumerated.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ludens.gdl.logic.clauses import Clause
from ludens.gdl.logic.join_code import CodeWriter, Path, separate, tuple_of, value_at
from ludens.gdl.logic.strata import Signature
from ludens.gdl.reasoner.relations import KeyFunction, Relation
from ludens.gdl.terms import Term, Variable, arguments, signature, variables

Join = Callable[[Sequence[Relation], Relation | None], Iterator[Term]]
"""Derives the head's instances from all relations; ``delta`` stands in for the relation of one chosen literal."""

Pattern = tuple[int, ...]
"""Which arguments of an atom are known, counted from 0."""


TICK_ROUNDS = 4096
"""Loops report after so many rounds (a power of two), so that a budget can stop them."""

_TYPICAL = 100.0
_UNBOUNDED = 1e9
"""How many facts an unknown relation has, and one that is derived on demand, when joins are planned."""

_MAX_LOOPS = 15
_MAX_INDENT = 60
"""Python allows 20 nested loops and 100 levels of indentation in a function; longer joins go on in another."""


class UnsafeClauseError(Exception):
    """A variable gets no value from the positive literals of its clause."""

    def __init__(self, variable: Variable, clause: Clause) -> None:
        super().__init__(variable.name)
        self.variable = variable
        self.clause = clause


@dataclass(frozen=True, slots=True)
class Access:
    """How a literal is looked up once some variables have values."""

    key: tuple[tuple[Path, Term], ...]
    """Subterms that are known: where they stand in a fact, and what they must equal."""
    shapes: tuple[tuple[Path, str, int], ...]
    """Compound subterms that are only partly known: where, functor and length of the tuple."""
    captures: tuple[tuple[Path, Variable], ...]
    """Variables that the fact gives a value to."""
    repeats: tuple[tuple[Path, Variable], ...]
    """Further occurrences of those variables, which must agree."""


def find_access(atom: Term, bound: Container[Variable]) -> Access:
    """How an atom is looked up once the variables ``bound`` have values."""
    key: list[tuple[Path, Term]] = []
    shapes: list[tuple[Path, str, int]] = []
    captures: list[tuple[Path, Variable]] = []
    repeats: list[tuple[Path, Variable]] = []
    captured: set[Variable] = set()

    def visit(part: Term, path: Path) -> None:
        if isinstance(part, Variable) and part not in bound:
            (repeats if part in captured else captures).append((path, part))
            captured.add(part)
        elif not isinstance(part, tuple) or all(variable in bound for variable in variables(part)):
            key.append((path, part))
        else:
            name = part[0]
            assert isinstance(name, str)
            if path:
                shapes.append((path, name, len(part)))
            for number, argument in enumerate(part[1:], start=1):
                visit(argument, (*path, number))

    visit(atom, ())
    return Access(tuple(key), tuple(shapes), tuple(captures), tuple(repeats))


@dataclass
class JoinCompiler:
    """Compiles clauses to functions that share relation numbers and index key functions."""

    numbers: dict[Signature, int]
    """The place of each relation in the sequence that joins are given."""
    sample: Callable[[Term], Relation | None]
    """A sample of the relation that an atom will be looked up in; None if unknown."""
    tick: Callable[[], None]
    """Called from long loops after every `TICK_ROUNDS` rounds; may raise to stop them."""
    on_demand: set[Signature]
    """Relations whose facts must be demanded before they are looked up."""
    demand: Callable[[Sequence[Relation], int, Pattern, tuple[Term, ...]], None] | None = None
    """Derives their facts."""
    key_functions: list[KeyFunction] = field(default_factory=list)
    _known_keys: dict[tuple[tuple[Path, ...], tuple[tuple[Path, str, int], ...]], int] = field(default_factory=dict)

    def compile(self, clause: Clause, delta: int | None = None) -> Join:
        """The function for a clause; positive literal number ``delta``, if given, reads from the delta relation."""
        writer = _JoinWriter(self, clause, delta)
        source = writer.write()
        scope: dict[str, Any] = {"keys": self.key_functions, "tick": self.tick, "demand": self.demand}
        exec(source, scope)
        join: Join = scope["clause"]
        return join

    def index_number(self, access: Access) -> int:
        """The number of the index that serves an access; the same for all literals of the same form."""
        paths = tuple(path for path, _ in access.key)
        form = (paths, access.shapes)
        number = self._known_keys.get(form)
        if number is None:
            number = len(self.key_functions)
            self.key_functions.append(_key_function(paths, access.shapes))
            self._known_keys[form] = number
        return number


def _key_function(paths: Sequence[Path], shapes: Sequence[tuple[Path, str, int]]) -> KeyFunction:
    tests = []
    for path, name, length in shapes:
        part = value_at("fact", path)
        tests.append(f"{part}.__class__ is tuple and len({part}) == {length} and {part}[0] == {name!r}")
    key = tuple_of(value_at("fact", path) for path in paths) if len(paths) != 1 else value_at("fact", paths[0])
    condition = f" if {' and '.join(tests)} else None" if tests else ""
    scope: dict[str, Any] = {}
    exec(f"def key(fact):\n    return {key}{condition}", scope)
    function: KeyFunction = scope["key"]
    return function


_Literal: TypeAlias = "tuple[str, Term, Term | None]"
"""What is left to do: ``("scan", atom, None)``, ``("delta", atom, None)``, ``("not", atom, None)``, or
``("distinct", left, right)``."""


class _JoinWriter(CodeWriter):
    """Writes the source of one join."""

    def __init__(self, compiler: JoinCompiler, clause: Clause, delta: int | None) -> None:
        super().__init__()
        self.compiler = compiler
        self.clause = clause
        self.delta = delta

    def write(self) -> str:
        head_variables = set(variables(self.clause.head))
        for variable in head_variables - self.clause.bound_variables():
            raise UnsafeClauseError(variable, self.clause)
        work: list[_Literal] = [("distinct", left, right) for left, right in self.clause.distinct]
        for number, atom in enumerate(self.clause.positive):
            work.append(("delta" if number == self.delta else "scan", atom, None))
        work += [("not", atom, None) for atom in self.clause.negative]
        self.function("clause", [], lambda: self.solve(work, head_variables, indent=1, loops=0))
        return "\n".join(self.functions)

    def function(self, name: str, parameters: list[str], write_body: Callable[[], None]) -> None:
        """Write a function of its own: Python bounds how deep loops may nest in one."""
        outer = self.prologue, self.lines
        self.prologue, self.lines = [], []
        write_body()
        head = f"def {name}({', '.join(['relations', 'delta', *parameters])}):"
        self.functions.append("\n".join([head, "    rounds = 0", *self.prologue, *self.lines]))
        self.prologue, self.lines = outer

    def solve(
        self, work: list[_Literal], wanted: set[Variable], *, indent: int, loops: int, test: bool = False
    ) -> None:
        """Write code that yields the head for every way to bind the wanted variables such that all work holds.

        With ``test``, it returns True as soon as there is one way, and False in the end.
        """
        escape = "continue" if loops else "return False" if test else "return"
        for literal in [literal for literal in work if not self.unbound(literal)]:
            work = [other for other in work if other is not literal]
            self.emit_demand(literal, indent)
            self.emit(indent, f"if not ({self.test(literal)}): {escape}")
        parts = separate(self.unbound, work)
        for part in parts:
            is_lone_negation = len(part) == 1 and part[0][0] == "not"
            is_all = test and len(parts) == 1 and not is_lone_negation
            if not is_all and not any(wanted & self.unbound(literal) for literal in part):
                work = [literal for literal in work if literal not in part]
                self.emit_existence(part, indent, escape)
        scans = [literal for literal in work if literal[0] in ("scan", "delta")]
        if not scans:
            for literal in work:
                raise UnsafeClauseError(next(iter(self.unbound(literal))), self.clause)
            self.emit_success(indent, test=test)
        elif loops >= _MAX_LOOPS or indent >= _MAX_INDENT:
            self.emit_continuation(work, wanted, indent, test=test)
        else:
            chosen = min(scans, key=self.cost)
            before = dict(self.names)
            self.emit_loop(chosen, indent)
            rest = [literal for literal in work if literal is not chosen]
            self.solve(rest, wanted, indent=indent + 1, loops=loops + 1, test=test)
            self.names = before
        if test and not loops:
            self.emit(indent, "return False")

    def emit_success(self, indent: int, *, test: bool) -> None:
        if test:
            self.emit(indent, "return True")
            return
        self.emit(indent, "yield " + self.build(self.clause.head))
        if not any(variables(self.clause.head)):
            self.emit(indent, "return")

    def emit_continuation(self, work: list[_Literal], wanted: set[Variable], indent: int, *, test: bool) -> None:
        name = self.fresh("more")
        parameters = list(self.names.values())
        self.function(name, parameters, lambda: self.solve(work, wanted, indent=1, loops=0, test=test))
        call = f"{name}({', '.join(['relations', 'delta', *parameters])})"
        self.emit(indent, f"if {call}: return True" if test else f"yield from {call}")

    def unbound(self, literal: _Literal) -> set[Variable]:
        _, left, right = literal
        found = set(variables(left)) | (set(variables(right)) if right is not None else set())
        return {variable for variable in found if variable not in self.names}

    def cost(self, literal: _Literal) -> float:
        """About how many facts a scan meets: the average size of what it finds in a sample of the relation.

        Without a sample, the size of a typical relation, shrunk by the share of it that is known.
        """
        kind, atom, _ = literal
        if kind == "delta":
            return 0.0
        access = find_access(atom, set(self.names))
        sample = self.compiler.sample(atom)
        if sample is not None and sample.facts:
            index = sample.index(self.compiler.index_number(access), self.compiler.key_functions)
            if index:
                return sum(map(len, index.values())) / len(index)
        size = _UNBOUNDED if signature(atom) in self.compiler.on_demand else _TYPICAL
        free = len(access.captures) + len(access.repeats)
        return float(size ** (free / (free + len(access.key))))

    def test(self, literal: _Literal) -> str:
        """A Python expression that is true if a literal without unbound variables holds."""
        kind, left, right = literal
        if kind == "distinct":
            assert right is not None
            return f"{self.build(left)} != {self.build(right)}"
        relation = "delta" if kind == "delta" else self.relation(left)
        return f"{self.build(left)} {'not in' if kind == 'not' else 'in'} {relation}.facts"

    def emit_existence(self, part: list[_Literal], indent: int, escape: str) -> None:
        """Write a test that leaves unless some values of the part's unbound variables make the part hold."""
        kind, atom, _ = part[0]
        access = find_access(atom, set(self.names))
        if kind == "not" and len(part) == 1:
            # A variable that only a negated literal has: no instance may hold.
            part, leave_if = [("scan", atom, None)], ""
        else:
            leave_if = "not "
        if len(part) == 1 and kind != "distinct" and not access.repeats:
            self.emit_demand(part[0], indent)
            self.emit(indent, f"if {leave_if}{self.lookup(kind, atom, access)}: {escape}")
            return
        name = self.fresh("exists")
        self.emit(indent, f"def {name}():")
        self.emit(indent + 1, "nonlocal rounds")
        self.solve(part, set(), indent=indent + 1, loops=0, test=True)
        self.emit(indent, f"if {leave_if}{name}(): {escape}")

    def emit_loop(self, literal: _Literal, indent: int) -> None:
        """Write the head of the loop over a literal's facts, and what each fact binds."""
        kind, atom, _ = literal
        access = find_access(atom, set(self.names))
        fact = self.fresh("fact")
        self.emit_demand(literal, indent)
        self.emit(indent, f"for {fact} in {self.lookup(kind, atom, access)}:")
        self.emit(indent + 1, "rounds += 1")
        self.emit(indent + 1, f"if not rounds & {TICK_ROUNDS - 1}: tick()")
        for path, variable in access.captures:
            self.names[variable] = self.fresh("value")
            self.emit(indent + 1, f"{self.names[variable]} = {value_at(fact, path)}")
        for path, variable in access.repeats:
            self.emit(indent + 1, f"if {value_at(fact, path)} != {self.names[variable]}: continue")

    def emit_demand(self, literal: _Literal, indent: int) -> None:
        """Write the call that derives what a literal is about to look up, if its relation is on demand."""
        kind, atom, _ = literal
        if kind in ("distinct", "delta") or signature(atom) not in self.compiler.on_demand:
            return
        known = [
            (position, self.build(part))
            for position, part in enumerate(arguments(atom))
            if all(variable in self.names for variable in variables(part))
        ]
        number = self.compiler.numbers[signature(atom)]
        pattern = tuple(position for position, _ in known)
        self.emit(indent, f"demand(relations, {number}, {pattern}, {tuple_of(part for _, part in known)})")

    def lookup(self, kind: str, atom: Term, access: Access) -> str:
        """A Python expression for the facts that an access finds."""
        index = self.fresh("index")
        number = self.compiler.index_number(access)
        relation = "delta" if kind == "delta" else self.relation(atom)
        self.prologue.append(f"    {index} = {relation}.index({number}, keys).get")
        parts = [self.build(part) for _, part in access.key]
        return f"{index}({parts[0] if len(parts) == 1 else tuple_of(parts)}, ())"

    def relation(self, atom: Term) -> str:
        return f"relations[{self.compiler.numbers[signature(atom)]}]"

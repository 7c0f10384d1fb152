"""Stage 1: compound arguments become columns, so that no terms are built while rules are evaluated.

``(true (cell ?x ?y ?p))`` becomes the relation ``true cell/3`` of three columns. Where a variable stands for a whole
term, as in ``(<= (legal ?r ?m) (allowed ?r ?m))``, the clause is repeated for every shape that the variable can have.
Columns that shapes do not distinguish, or that would repeat a clause too often, keep interned terms.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ludens.gdl.logic.clauses import Clause
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import Term, Variable, arguments, functor, is_ground, signature, substitute, unify

MAX_SHAPES = 64
"""The maximum number of shapes of a column that is split."""
MAX_COPIES = 256
"""The maximum number of clauses that one clause may become; beyond it, its columns are not split."""
MAX_PASSES = 6
"""The maximum depth of flattening; each pass removes one level."""
MAX_COLUMNS = 24
"""The maximum number of columns of a relation."""

Shape = tuple[str, int]
"""Functor and number of arguments of a term; `ATOM` for all constants together."""
ATOM: Shape = ("", -1)
CONSTANT = -2
"""The number of arguments in the shape of a single constant, where constants are distinguished."""
Place = tuple[Signature, int]
"""A column: the relation and the position in it."""

_SHARED = {"next": "true", "init": "true", "legal": "does"}
"""Relations whose columns are split alike, because facts move from one to the other."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """The origin of a flattened relation."""

    relation: str
    """The name in the rule sheet."""
    suffix: str
    """The suffix added by flattening."""
    template: tuple[Term, ...]
    """The arguments of the relation in the rule sheet, with variables named by column number."""


@dataclass
class FlatProgram:
    """Clauses and facts whose compound arguments have become columns."""

    clauses: list[Clause]
    facts: list[Term]
    predicates: dict[Signature, Predicate]
    """Every relation of the flattened program."""


def column(number: int) -> Variable:
    """The variable that stands for a column in a template."""
    return Variable(str(number))


def flatten(clauses: Sequence[Clause], facts: Sequence[Term], by_constant: frozenset[Place]) -> FlatProgram:
    """Split columns by the shapes of the terms in them, those of ``by_constant`` by single constants too."""
    atoms = [atom for clause in clauses for atom in (clause.head, *clause.positive, *clause.negative)]
    predicates = {}
    for atom in (*atoms, *facts):
        name, arity = signature(atom)
        predicates[name, arity] = Predicate(name, "", tuple(column(n) for n in range(arity)))
    program = FlatProgram(list(clauses), list(facts), predicates)
    frozen: set[Place] = set()
    for _ in range(MAX_PASSES):
        split = _Pass(program, frozen, by_constant).run()
        if split is None:
            break
        program = split
        by_constant = frozenset()
    return program


def flat_name(predicate: Predicate, relation: str) -> str:
    """The name that another keyword has for facts of the same form: ``next`` for ``true``."""
    return relation + predicate.suffix


class _Pass:
    """Removes one level of nesting from the arguments."""

    def __init__(self, program: FlatProgram, frozen: set[Place], by_constant: frozenset[Place]) -> None:
        self.program = program
        self.frozen = frozen
        self.by_constant = by_constant
        self.shapes: dict[Place, set[Shape] | None] = {}
        self.split: set[Place] = set()
        self.predicates: dict[Signature, Predicate] = {}
        self.serial = 0

    def run(self) -> FlatProgram | None:
        """The program after this pass; None if there is nothing to split."""
        while True:
            self._find_shapes()
            if not self.split:
                return None
            clauses = self._rewrite_clauses()
            if clauses is not None:
                break
        facts = [flat for fact in self.program.facts if (flat := self._flat(fact)) is not None]
        for clause in clauses:
            for atom in (clause.head, *clause.positive, *clause.negative):
                self._keep(signature(atom))
        for fact in facts:
            self._keep(signature(fact))
        return FlatProgram(clauses, facts, self.predicates)

    def _keep(self, sign: Signature) -> None:
        if sign not in self.predicates:
            self.predicates[sign] = self.program.predicates[sign]

    def place(self, sign: Signature, position: int) -> Place:
        predicate = self.program.predicates[sign]
        shared = _SHARED.get(predicate.relation, predicate.relation)
        return (flat_name(predicate, shared), sign[1]), position

    def shape(self, term: Term, place: Place) -> Shape:
        if isinstance(term, tuple):
            return signature(term)
        assert isinstance(term, str)
        return (term, CONSTANT) if place in self.by_constant else ATOM

    def _find_shapes(self) -> None:
        """For each column the shapes of the terms in it; None where they are unknown."""
        by_place: defaultdict[Place, set[Shape] | None] = defaultdict(set)
        for place in self.frozen:
            by_place[place] = None
        for fact in self.program.facts:
            self._note_shapes(by_place, fact, {})
        changed = True
        while changed:
            changed = False
            for clause in self.program.clauses:
                changed |= self._note_shapes(by_place, clause.head, self._variable_shapes(clause, by_place))
        mixed = {place for place in self.by_constant if ATOM in (by_place[place] or {ATOM})}
        if mixed:
            self.by_constant -= mixed
            self._find_shapes()
            return
        self.shapes = dict(by_place)
        self.split = {
            place
            for place, shapes in by_place.items()
            if shapes is not None
            and len(shapes) <= MAX_SHAPES
            and any(shape != ATOM for shape in shapes)
            and place[0][1] + sum(max(0, arity - 1) for _, arity in shapes) <= MAX_COLUMNS * 4
            and place[0][1] - 1 + max(arity for _, arity in shapes) <= MAX_COLUMNS
        }
        unsplit = {
            place
            for place, shapes in by_place.items()
            if shapes is not None and place not in self.split and any(shape != ATOM for shape in shapes)
        }
        if unsplit:
            self.frozen |= unsplit
            self._find_shapes()

    def _note_shapes(
        self,
        by_place: defaultdict[Place, set[Shape] | None],
        head: Term,
        values: Mapping[Variable, set[Shape] | None],
    ) -> bool:
        """Add the shapes of a head's arguments; returns whether any is new."""
        changed = False
        for position, argument in enumerate(arguments(head)):
            place = self.place(signature(head), position)
            known = by_place[place]
            if known is None:
                continue
            new = values.get(argument) if isinstance(argument, Variable) else {self.shape(argument, place)}
            if new is None:
                by_place[place] = None
                changed = True
            elif not new <= known:
                known |= new
                changed = True
        return changed

    def _variable_shapes(
        self, clause: Clause, by_place: Mapping[Place, set[Shape] | None]
    ) -> dict[Variable, set[Shape] | None]:
        """The shapes that each variable can have, by the positive literals; None if unknown."""
        values: dict[Variable, set[Shape] | None] = {}
        for atom in clause.positive:
            for position, argument in enumerate(arguments(atom)):
                if isinstance(argument, Variable):
                    shapes = by_place[self.place(signature(atom), position)]
                    known = values.get(argument)
                    both = shapes if known is None else known if shapes is None else _meet(known, shapes)
                    values[argument] = both
        return values

    def _rewrite_clauses(self) -> list[Clause] | None:
        """The clauses with columns split; None if one would become too many, and its columns are frozen now."""
        rewritten = []
        for clause in self.program.clauses:
            copies = list(self._copies(clause))
            if len(copies) > MAX_COPIES:
                before = len(self.frozen)
                self.frozen |= set(self._split_variables(clause).values())
                assert len(self.frozen) > before
                return None
            rewritten += copies
        return rewritten

    def _split_variables(self, clause: Clause) -> dict[Variable, Place]:
        """The variables that stand in split columns, each with one such column, positive literals first."""
        places: dict[Variable, Place] = {}
        for atom in (*clause.positive, *clause.negative, clause.head):
            for position, argument in enumerate(arguments(atom)):
                place = self.place(signature(atom), position)
                if isinstance(argument, Variable) and place in self.split:
                    places.setdefault(argument, place)
        return places

    def _copies(self, clause: Clause) -> Iterator[Clause]:
        """The clause for every combination of shapes of its variables; a few more than allowed at most."""
        values = self._variable_shapes(clause, defaultdict(set, self.shapes))
        pending: list[tuple[Clause, set[Variable]]] = [(clause, set())]
        made = 0
        while pending and made <= MAX_COPIES:
            current, atomic = pending.pop()
            choices = self._split_variables(current)
            variable = next((name for name in choices if name not in atomic), None)
            if variable is None:
                flat = self._flat_clause(current, atomic)
                if flat is not None:
                    made += 1
                    yield flat
                continue
            place = choices[variable]
            known = values.get(variable)
            shapes = self.shapes[place] if known is None else known
            for shape in sorted(shapes or ()):
                pending.append(self._with_shape(current, atomic, variable, shape))

    def _with_shape(
        self, clause: Clause, atomic: set[Variable], variable: Variable, shape: Shape
    ) -> tuple[Clause, set[Variable]]:
        name, arity = shape
        if shape == ATOM:
            return clause, atomic | {variable}
        if arity == CONSTANT:
            return _substitute(clause, {variable: name}), atomic
        self.serial += 1
        fresh = tuple(Variable(f"{variable.name} {self.serial}.{n}") for n in range(arity))
        return _substitute(clause, {variable: (name, *fresh)}), atomic

    def _flat_clause(self, clause: Clause, atomic: set[Variable]) -> Clause | None:
        """The clause in flat relations; None if it can never hold."""
        distinct = []
        for left, right in clause.distinct:
            if left == right:
                return None
            if not _are_distinct(left, right, atomic):
                distinct.append((left, right))
        head = self._flat(clause.head)
        positive = [self._flat(atom) for atom in clause.positive]
        if head is None or None in positive:
            return None
        negative = [flat for atom in clause.negative if (flat := self._flat(atom)) is not None]
        body = tuple(atom for atom in positive if atom is not None)
        return replace(clause, head=head, positive=body, negative=tuple(negative), distinct=tuple(distinct))

    def _flat(self, atom: Term) -> Term | None:
        """An atom in its flat relation; None if no fact has its shape."""
        sign = signature(atom)
        columns: list[Term] = []
        suffix: list[str] = []
        shapes: list[Shape] = []
        for position, argument in enumerate(arguments(atom)):
            place = self.place(sign, position)
            if place not in self.split:
                columns.append(argument)
                shapes.append(ATOM)
                continue
            shape = ATOM if isinstance(argument, Variable) else self.shape(argument, place)
            if shape not in (self.shapes[place] or ()):
                return None
            shapes.append(shape)
            suffix.append(_shape_text(position, shape))
            if shape == ATOM:
                columns.append(argument)
            elif shape[1] != CONSTANT:
                columns.extend(arguments(argument))
        if not suffix:
            return atom
        old = self.program.predicates[sign]
        name = functor(atom) + "".join(suffix)
        new = name, len(columns)
        if new not in self.predicates:
            self.predicates[new] = _split_predicate(old, shapes, "".join(suffix))
        return (name, *columns) if columns else name


def _split_predicate(old: Predicate, shapes: Sequence[Shape], suffix: str) -> Predicate:
    """The predicate that a column-wise split makes of another."""
    values: dict[Variable, Term] = {}
    count = 0
    for position, (name, arity) in enumerate(shapes):
        if (name, arity) == ATOM:
            values[column(position)] = Variable(f"new {count}")
            count += 1
        elif arity == CONSTANT:
            values[column(position)] = name
        else:
            values[column(position)] = (name, *(Variable(f"new {count + n}") for n in range(arity)))
            count += arity
    renamed: dict[Variable, Term] = {Variable(f"new {n}"): column(n) for n in range(count)}
    template = tuple(substitute(substitute(part, values), renamed) for part in old.template)
    return replace(old, suffix=old.suffix + suffix, template=template)


def _shape_text(position: int, shape: Shape) -> str:
    """The suffix of a shape in a relation's name; its blank distinguishes it from names of the rule sheet."""
    name, arity = shape
    if shape == ATOM:
        return f" {position}:"
    return f" {position}={name}" if arity == CONSTANT else f" {position}:{name}/{arity}"


def _meet(left: set[Shape], right: set[Shape]) -> set[Shape]:
    """Shapes in both; `ATOM` on one side stands for every single constant on the other."""
    both = left & right
    for one, other in ((left, right), (right, left)):
        if ATOM in one:
            both |= {shape for shape in other if shape[1] == CONSTANT}
    return both


def _are_distinct(left: Term, right: Term, atomic: Iterable[Variable]) -> bool:
    """True if two terms can never be equal."""
    if is_ground(left) and is_ground(right):
        return left != right
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Variable) and one in atomic and isinstance(other, tuple):
            return True
    return unify(left, right) is None


def _substitute(clause: Clause, values: Mapping[Variable, Term]) -> Clause:
    return replace(
        clause,
        head=substitute(clause.head, values),
        positive=tuple(dict.fromkeys(substitute(atom, values) for atom in clause.positive)),
        negative=tuple(dict.fromkeys(substitute(atom, values) for atom in clause.negative)),
        distinct=tuple((substitute(a, values), substitute(b, values)) for a, b in clause.distinct),
    )

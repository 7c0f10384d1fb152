"""Relations that are derived on demand, for many keys at once.

A *demand* names a relation and which of its arguments are known; its *keys* are the values of those. A join that is
about to look up such a relation demands all keys it needs in one call, so the rules of the relation run once for a set
of keys and not once for each. Within relations that depend on each other (recursion), a rule is cut before each
condition on one of them: the bindings found so far are kept in a table, the keys that they need are added to the
demand of that condition, and all these tables are filled semi-naively until nothing new comes (supplementary magic
sets). Relations outside that group are complete as soon as they have been demanded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from dataclasses import dataclass, field

from ludens.gdl.interpreter.joins import Atom, Join, JoinCompiler, TableRule
from ludens.gdl.interpreter.tables import Layer, Table
from ludens.gdl.reasoner.joins import Pattern
from ludens.gdl.reasoner.program import Meter
from ludens.gdl.terms import Term, Variable, arguments, functor, variables

_DISCOUNT = 10
"""So much work in what a relation demands counts as one in whether to put the relation on demand as well."""


@dataclass(slots=True)
class _Slot:
    """A demand: a relation and the arguments that are known."""

    table: int
    """The relation's table."""
    pattern: Pattern
    keys: int
    """The table of the keys that have been demanded; a row is ``("", value, …)``."""
    joins: list[Join] | None = None
    """The relation's rules, if they are not recursive."""
    is_planned: bool = False
    """Its rules are among the steps of its group."""


@dataclass(slots=True)
class _Step:
    """A part of a recursive rule, to be run when one of its tables has new rows."""

    rule: TableRule
    delta: int
    """The condition that reads the new rows."""
    join: Join | None = None


@dataclass(slots=True)
class _Group:
    """Relations that depend on each other."""

    tables: frozenset[int]
    recursive: bool
    steps: dict[int, list[_Step]] = field(default_factory=lambda: defaultdict(list))
    """What is to be run when a table has new rows."""
    own: set[int] = field(default_factory=set)
    """All tables that are filled together: the relations', those of keys and those of bindings."""


class Demand:
    """Answers demands."""

    def __init__(
        self,
        rules: Mapping[int, Sequence[TableRule]],
        group_of: Callable[[int], tuple[frozenset[int], bool]],
        add_table: Callable[[int], int],
        collect: Callable[[Sequence[Term]], None],
        compile_join: Callable[[TableRule, int, Layer, Container[int]], Join],
        meter: Meter,
    ) -> None:
        self._rules = rules
        """The rules of each table."""
        self._group_of = group_of
        """The tables of the relations that depend on a table's and on which it depends; whether there is recursion."""
        self._add_table = add_table
        """The number of a new table in the phase of the given one."""
        self._collect = collect
        """Counts the rows that a join derived; raises when they are too many."""
        self._compile = compile_join
        self._meter = meter
        self._slots: list[_Slot] = []
        self._numbers: dict[tuple[int, Pattern], int] = {}
        self._groups: dict[int, _Group] = {}
        self._is_busy = False
        self.joins: JoinCompiler
        """Estimates what conditions cost."""

    def slot_of(self, table: int, pattern: Pattern) -> tuple[int, int]:
        """The number of a demand, and the table of its keys."""
        number = self._numbers.get((table, pattern))
        if number is None:
            number = self._numbers[table, pattern] = len(self._slots)
            self._slots.append(_Slot(table, pattern, self._add_table(table)))
        return number, self._slots[number].keys

    def forget_joins(self) -> None:
        """Discard compiled joins: the set of relations on demand has changed."""
        for slot in self._slots:
            slot.joins = None
        for group in self._groups.values():
            for steps in group.steps.values():
                for step in steps:
                    step.join = None

    def __call__(self, layer: Layer, number: int, keys: set[Term]) -> None:
        """Make sure that all rows with these keys have been derived."""
        slot = self._slots[number]
        fresh = keys - layer[slot.keys].rows
        if not fresh:
            return
        if self._is_busy:
            self._answer(layer, slot, fresh)
            return
        self._is_busy = True
        try:
            # A relation with few facts may need many of others, and would not be better off on demand itself.
            with self._meter.at_discount(_DISCOUNT):
                self._answer(layer, slot, fresh)
        finally:
            self._is_busy = False

    def _answer(self, layer: Layer, slot: _Slot, keys: set[Term]) -> None:
        group = self._group(slot.table)
        if group.recursive:
            self._fixpoint(layer, group, slot, keys)
        else:
            self._derive(layer, slot, keys)

    def _group(self, table: int) -> _Group:
        group = self._groups.get(table)
        if group is None:
            members, recursive = self._group_of(table)
            group = _Group(members, recursive, own=set(members))
            self._groups.update(dict.fromkeys(members, group))
        return group

    def _derive(self, layer: Layer, slot: _Slot, keys: set[Term]) -> None:
        """Run the rules of a relation that is not recursive."""
        if slot.joins is None:
            slot.joins = [
                self._compile(_rule_on_demand(rule, slot), 0, layer, ()) for rule in self._rules.get(slot.table, ())
            ]
        table = layer[slot.table]
        left = keys
        for join in slot.joins:
            if left and table.rows:
                left = _without_proved(left, slot, table)
            if left:
                rows = join(layer, Table(left))
                self._collect(rows)
                table.insert(rows)
        layer[slot.keys].insert(keys)

    def _fixpoint(self, layer: Layer, group: _Group, slot: _Slot, keys: set[Term]) -> None:
        """Run the steps of a group until no table has new rows."""
        self._plan(group, slot, layer)
        news = {slot.keys: layer[slot.keys].insert(keys)}
        try:
            while news:
                number, rows = news.popitem()
                delta = Table(rows)
                for step in group.steps.get(number, ()):
                    if step.join is None:
                        step.join = self._compile(step.rule, step.delta, layer, group.own)
                    derived = step.join(layer, delta)
                    if derived:
                        self._collect(derived)
                        target = step.rule.head.table
                        found = layer[target].insert(derived)
                        if target in news:
                            news[target] |= found
                        elif found:
                            news[target] = found
        except BaseException:
            # Some of the keys have not been answered: forget all, so that the next demand starts afresh.
            for number in group.own - group.tables:
                layer[number].clear()
            raise

    def _plan(self, group: _Group, slot: _Slot, sample: Layer) -> None:
        """Cut the rules of a recursive relation into steps."""
        if slot.is_planned:
            return
        slot.is_planned = True
        group.own.add(slot.keys)
        for rule in self._rules.get(slot.table, ()):
            _Cutter(self, group, slot, rule, sample).cut()

    def plan_of(self, group: _Group, table: int, pattern: Pattern, sample: Layer) -> int:
        """The table of the keys of a demand within a group, whose steps are planned if they are not yet."""
        number, keys = self.slot_of(table, pattern)
        self._plan(group, self._slots[number], sample)
        return keys

    def bindings_table(self, group: _Group, slot: _Slot) -> int:
        """A new table for the bindings of a rule."""
        number = self._add_table(slot.table)
        group.own.add(number)
        return number


class _Cutter:
    """Cuts one recursive rule into steps, for one demand."""

    def __init__(self, demand: Demand, group: _Group, slot: _Slot, rule: TableRule, sample: Layer) -> None:
        self.demand = demand
        self.group = group
        self.slot = slot
        self.rule = rule
        self.sample = sample
        self.left = list(rule.positive)
        self.absent = list(rule.negative)
        self.distinct = list(rule.distinct)
        self.key = tuple(arguments(rule.head.row)[position] for position in slot.pattern)
        self.segment = [Atom(slot.keys, ("", *self.key))]
        self.bound = set(variables(self.segment[0].row))

    def cut(self) -> None:
        while self.left:
            chosen = min(self.left, key=self.cost)
            if chosen.table in self.group.tables:
                self.cut_before(chosen)
            self.left.remove(chosen)
            self.segment.append(chosen)
            self.bound.update(variables(chosen.row))
        self.add_steps(self.rule.head, self.absent, self.distinct)

    def cost(self, atom: Atom) -> float:
        return -1.0 if self.is_same_key(atom) else self.demand.joins.cost(atom, self.bound, self.sample)

    def is_same_key(self, atom: Atom) -> bool:
        """True if a condition is answered by the very demand that is being derived, as in left recursion."""
        if atom.table != self.slot.table:
            return False
        return self.key == tuple(arguments(atom.row)[position] for position in self.slot.pattern)

    def cut_before(self, chosen: Atom) -> None:
        """End the segment with a table of bindings, and demand from these what the next condition needs."""
        absent = [atom for atom in self.absent if self.bound.issuperset(variables(atom.row))]
        distinct = [
            pair for pair in self.distinct if self.bound.issuperset(v for term in pair for v in variables(term))
        ]
        if len(self.segment) > 1 or absent or distinct:
            self.absent = [atom for atom in self.absent if atom not in absent]
            self.distinct = [pair for pair in self.distinct if pair not in distinct]
            bindings = Atom(self.demand.bindings_table(self.group, self.slot), ("", *self.needed()))
            self.add_steps(bindings, absent, distinct)
            self.segment = [bindings]
        if not self.is_same_key(chosen):
            known = [
                (position, part)
                for position, part in enumerate(arguments(chosen.row))
                if self.bound.issuperset(variables(part))
            ]
            keys = self.demand.plan_of(self.group, chosen.table, tuple(position for position, _ in known), self.sample)
            self.add_step(Atom(keys, ("", *(part for _, part in known))), self.segment, [], [], 0)

    def needed(self) -> list[Variable]:
        """The bound variables that the rest of the rule has."""
        terms = [self.rule.head.row, *(atom.row for atom in (*self.left, *self.absent))]
        terms += [term for pair in self.distinct for term in pair]
        return [
            variable
            for variable in dict.fromkeys(v for term in terms for v in variables(term))
            if variable in self.bound
        ]

    def add_steps(self, head: Atom, absent: Collection[Atom], distinct: Collection[tuple[Term, Term]]) -> None:
        """Add a step for each condition of the segment that can have new rows."""
        for number, atom in enumerate(self.segment):
            if number == 0 or atom.table in self.group.tables:
                self.add_step(head, self.segment, absent, distinct, number)

    def add_step(
        self,
        head: Atom,
        positive: Sequence[Atom],
        absent: Collection[Atom],
        distinct: Collection[tuple[Term, Term]],
        delta: int,
    ) -> None:
        rule = TableRule(head, tuple(positive), tuple(absent), tuple(distinct), self.rule.clause)
        self.group.steps[positive[delta].table].append(_Step(rule, delta))


def _rule_on_demand(rule: TableRule, slot: _Slot) -> TableRule:
    """A rule that derives only what is demanded."""
    key = (arguments(rule.head.row)[position] for position in slot.pattern)
    asked = Atom(slot.keys, ("", *key))
    return TableRule(rule.head, (asked, *rule.positive), rule.negative, rule.distinct, rule.clause)


def _without_proved(keys: set[Term], slot: _Slot, table: Table) -> set[Term]:
    """The keys that are not answered yet; any key unless it names all arguments."""
    row = next(iter(table.rows))
    if isinstance(row, str):
        return set()
    if len(slot.pattern) < len(arguments(row)):
        return keys
    name = functor(row)
    return {key for key in keys if (name, *arguments(key)) not in table.rows}

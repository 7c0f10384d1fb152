"""The rules of a game, ready to be evaluated fast.

The plan is that of the reference reasoner (`ludens.gdl.reasoner.program`): strata are evaluated in order, bottom up,
and what would be too much work that way is derived on demand. The difference is what is done at once: joins run on
whole tables and are planned by the tables of the first state they run in, demands are answered for many keys together,
and the fluents of each name have a table of their own.
"""

from __future__ import annotations

import math
import threading
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass, field

from ludens.gdl.interpreter.demand import Demand
from ludens.gdl.interpreter.joins import Atom, Join, JoinCompiler, TableRule
from ludens.gdl.interpreter.tables import Layer, Table
from ludens.gdl.keywords import KEYWORDS
from ludens.gdl.logic.clauses import clauses
from ludens.gdl.logic.relation_graph import MOVE, STATE, STATIC, RelationGraph
from ludens.gdl.logic.strata import Signature, Stratum, stratify
from ludens.gdl.reasoner.joins import UnsafeClauseError
from ludens.gdl.reasoner.program import (
    ASKED,
    Budget,
    BudgetError,
    Meter,
    TermLimits,
    TooMuchWork,
    refuse_negative_cycles,
    unsafe,
)
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term, Variable, arguments, is_ground, signature, variables

_STATIC_PATIENCE = 5
"""How many times more work a relation may be that is derived once for all states."""

_REVIEWS = frozenset((8, 32, 128))
_GROWTH = 4
"""After how many runs a rule is planned anew if one of its tables has grown so many times since."""

_TRUE: Signature = ("true", 1)
_DOES: Signature = ("does", 2)

_TableKey = Signature | tuple[str, Signature]
"""A relation, or ``true`` and the signature of a fluent."""


@dataclass(slots=True)
class _Recipe:
    """A rule of a stratum with the joins that derive it, compiled when they are first needed."""

    rule: TableRule
    recursive: tuple[int, ...]
    """The conditions on the stratum itself."""
    joins: dict[int | None, Join] = field(default_factory=dict)
    """The join that starts from what is new in a condition, or from everything."""
    runs: int = 0
    planned_sizes: tuple[int, ...] = ()
    """How many rows the table of each condition had when the joins were compiled."""
    is_safe: bool = field(init=False)
    """The rule can be evaluated bottom up; if not, compiling it reports that, and must not be put off."""

    def __post_init__(self) -> None:
        rule = self.rule
        bound = {variable for atom in rule.positive for variable in variables(atom.row)}
        used = [{*variables(atom.row)} for atom in rule.negative]
        used += [{*variables(left), *variables(right)} for left, right in rule.distinct]
        free = Counter(variable for names in used for variable in names - bound)
        compared = {variable for names in used[len(rule.negative) :] for variable in names}
        self.is_safe = bound.issuperset(variables(rule.head.row)) and not any(
            count > 1 or variable in compared for variable, count in free.items()
        )


@dataclass(slots=True)
class _Stratum:
    """Rules that are evaluated together."""

    recipes: tuple[_Recipe, ...]
    recursive: bool
    phase: int
    sign: Signature
    """A relation that it derives."""
    limit: float
    """How much work it may be before its relations are put on demand."""


class Interpreter:
    """The rules, ready to be evaluated: strata in order, each relation in its phase."""

    def __init__(self, sheet: RuleSheet, name: str, budget: Budget) -> None:
        self._sheet = sheet
        self._lock = threading.RLock()
        """Threads that share a game share its tables, plans and meter; only one evaluates at a time."""
        self.meter = Meter(budget, name)
        everything = list(clauses(sheet.rules, sheet.source))
        facts = [clause for clause in everything if not (clause.positive or clause.negative or clause.distinct)]
        rules = [clause for clause in everything if clause.positive or clause.negative or clause.distinct]
        strata = stratify(rules)
        refuse_negative_cycles(strata, sheet.source)
        self._graph = RelationGraph(everything)
        self.limits = TermLimits(everything, name)
        self._tables: dict[_TableKey, int] = {}
        self._phases: list[int] = []
        """The phase of each table."""
        self._signs: list[Signature] = []
        """The relation of each table."""
        self._splits_fluents = all(signature(clause.head) != _TRUE for clause in everything)
        self._all_fluents = self._table(_TRUE, _TRUE)
        self._written: dict[int, list[Term]] = defaultdict(list)
        for clause in facts:
            for variable in variables(clause.head):
                raise unsafe(clause, variable, sheet.source)
            self._written[self._atom(clause.head).table].append(clause.head)
        self._strata = [self._prepare(stratum) for stratum in strata]
        rules_of: dict[int, list[TableRule]] = defaultdict(list)
        for stratum in self._strata:
            for recipe in stratum.recipes:
                rules_of[recipe.rule.head.table].append(recipe.rule)
        self._demand = Demand(rules_of, self._group_of, self._add_table, self._collect, self._join, self.meter)
        self._joins = JoinCompiler(
            self._tick,
            set(),
            self._demand.slot_of,
            self._demand,
            lambda table: self._phases[table] == STATIC,
            self._tables.get(_DOES),
        )
        self._demand.joins = self._joins
        self._on_demand: set[Signature] = set()
        self._cones: dict[Signature, dict[int, list[int]]] = {}
        self.static = Layer(STATIC, None, self._phases, self._written)
        self._refuse_unsafe_rules()

    def state_layer(self, facts: frozenset[Term]) -> Layer:
        """The layer of the state in which exactly these fluents are true."""
        layer = Layer(STATE, self.static, self._phases, self._written)
        everything = layer[self._all_fluents]
        if not self._splits_fluents:
            everything.insert([("true", fact) for fact in facts])
            return layer
        everything.rows = facts  # type: ignore[assignment]  # nothing is ever added to it
        by_name: dict[tuple[str, int], set[Term]] = {}
        for fact in facts:
            sign = (fact[0], len(fact) - 1) if fact.__class__ is tuple else (fact, 0)
            found = by_name.get(sign)  # type: ignore[arg-type]  # a fluent begins with its name
            if found is None:
                by_name[sign] = {fact}  # type: ignore[index]
            else:
                found.add(fact)
        for sign, rows in by_name.items():
            number = self._tables.get(("true", sign))
            if number is not None:
                layer[number] = Table(rows)
        return layer

    def move_layer(self, below: Layer, does: Iterable[Term]) -> Layer:
        """The layer of a joint move on top of a state's."""
        layer = Layer(MOVE, below, self._phases, self._written)
        number = self._tables.get(_DOES)
        if number is not None:
            layer[number].insert(list(does))
        return layer

    def ask(self, layer: Layer, sign: Signature) -> Collection[Term]:
        """All facts of a relation that can be derived in a layer."""
        number = self._tables.get(sign)
        if number is None:
            return ()
        if sign not in layer.done:
            with self._lock:
                self.meter.restart()
                try:
                    self._evaluate(sign, layer)
                except RecursionError:
                    raise BudgetError(f"{self.meter.name}: relations depend on each other too deeply") from None
                layer.done.add(sign)
        return layer[number].rows

    def all_facts(self, layer: Layer, sign: Signature) -> set[Term] | None:
        """All facts of a relation in a layer; None if it is not derived there, or only on demand."""
        if self._graph.phases.get(sign, STATIC) > layer.phase:
            return None
        if sign == _TRUE and self._splits_fluents:
            return {("true", fact) for fact in layer[self._all_fluents].rows}
        facts = self.ask(layer, sign)
        return None if sign in self._on_demand else set(facts)

    def refuse_large_terms(self, facts: Iterable[Term]) -> None:
        """Stop rules that build ever larger terms before Python's stack and time do."""
        self.limits.check(facts)

    # Tables

    def _table(self, key: _TableKey, sign: Signature) -> int:
        number = self._tables.get(key)
        if number is None:
            number = self._tables[key] = len(self._phases)
            self._phases.append(self._graph.phases.get(sign, STATIC))
            self._signs.append(sign)
        return number

    def _add_table(self, beside: int) -> int:
        """A table for keys or bindings of the relation of another table."""
        self._phases.append(self._phases[beside])
        self._signs.append(self._signs[beside])
        return len(self._phases) - 1

    def _atom(self, atom: Term) -> Atom:
        sign = signature(atom)
        if sign == _TRUE and self._splits_fluents:
            [fluent] = arguments(atom)
            if isinstance(fluent, Variable):
                return Atom(self._all_fluents, fluent)
            return Atom(self._table(("true", signature(fluent)), sign), fluent)
        return Atom(self._table(sign, sign), atom)

    def _prepare(self, stratum: Stratum) -> _Stratum:
        rules = tuple(
            TableRule(
                self._atom(clause.head),
                tuple(map(self._atom, clause.positive)),
                tuple(map(self._atom, clause.negative)),
                clause.distinct,
                clause,
            )
            for clause in stratum.clauses
        )
        inside = {rule.head.table for rule in rules} if stratum.recursive else set()
        recipes = tuple(
            _Recipe(rule, tuple(number for number, atom in enumerate(rule.positive) if atom.table in inside))
            for rule in rules
        )
        sign = signature(stratum.clauses[0].head)
        phase = self._graph.phases[sign]
        limit = math.inf
        if self._graph.can_be_on_demand(sign):
            limit = self.meter.budget.bottom_up * (_STATIC_PATIENCE if phase == STATIC else 1)
        return _Stratum(recipes, stratum.recursive, phase, sign, limit)

    def _group_of(self, table: int) -> tuple[frozenset[int], bool]:
        sign = self._signs[table]
        members = self._graph.group(sign)
        recursive = len(members) > 1 or sign in self._graph.needs(sign)
        return frozenset(self._tables[member] for member in members), recursive

    def _refuse_unsafe_rules(self) -> None:
        """Raise `GdlError` for a rule that every match needs, whatever its state, and that cannot be evaluated."""
        needed = {number for name in ASKED for number in self._cone((name, KEYWORDS[name]))[STATIC]}
        for number in sorted(needed):
            stratum = self._strata[number]
            for recipe in stratum.recipes:
                if not recipe.is_safe and stratum.limit == math.inf:
                    self._join(recipe.rule, None, self.static)

    # Evaluation

    def _cone(self, sign: Signature) -> dict[int, list[int]]:
        """The strata that a relation needs, in order, by phase."""
        cone = self._cones.get(sign)
        if cone is None:
            wanted = self._graph.reachable(sign)
            cone = {STATIC: [], STATE: [], MOVE: []}
            for number, stratum in enumerate(self._strata):
                if any(signature(recipe.rule.clause.head) in wanted for recipe in stratum.recipes):
                    cone[stratum.phase].append(number)
            self._cones[sign] = cone
        return cone

    def _evaluate(self, sign: Signature, layer: Layer) -> None:
        """Evaluate the strata that a relation needs, each in the layer of its phase, unless they are on demand."""
        for phase, numbers in self._cone(sign).items():
            if phase > layer.phase:
                break
            owner = layer.of_phase(phase)
            for number in numbers:
                if number in owner.done:
                    continue
                stratum = self._strata[number]
                if stratum.sign not in self._on_demand:
                    try:
                        self._bottom_up(stratum, owner)
                    except TooMuchWork:
                        self._put_on_demand(stratum.sign)
                        continue
                owner.done.add(number)

    def _put_on_demand(self, sign: Signature) -> None:
        """Derive a relation, and those that it depends on and that depend on it, on demand from now on.

        So are relations with a rule that would have to list one of these relations in full, as it has no other
        conditions.
        """
        queue = [sign]
        while queue:
            group = self._graph.group(queue.pop())
            if not self._on_demand.isdisjoint(group):
                continue
            self._on_demand.update(group)
            tables = {self._tables[member] for member in group}
            self._joins.on_demand.update(tables)
            for stratum in self._strata:
                for recipe in stratum.recipes:
                    rule = recipe.rule
                    if any(atom.table in tables for atom in (*rule.positive, *rule.negative)):
                        recipe.joins.clear()
                    if stratum.limit < math.inf and self._lists_in_full(rule, tables):
                        queue.append(stratum.sign)
        self._demand.forget_joins()

    @staticmethod
    def _lists_in_full(rule: TableRule, tables: Container[int]) -> bool:
        """True if all conditions of a rule are on some tables, and none of their arguments is known."""
        conditions = rule.positive
        return bool(conditions) and all(
            atom.table in tables and not any(map(is_ground, arguments(atom.row))) for atom in conditions
        )

    def _bottom_up(self, stratum: _Stratum, layer: Layer) -> None:
        """Derive all facts of a stratum: in one pass if it is not recursive, else to a fixpoint."""
        self.meter.begin_stratum(stratum.limit)
        news: dict[int, set[Term]] = {}
        for recipe in stratum.recipes:
            self._run(recipe, None, layer, None, news)
        while stratum.recursive and news:
            deltas = {table: Table(rows) for table, rows in news.items()}
            news = {}
            for recipe in stratum.recipes:
                for number in recipe.recursive:
                    delta = deltas.get(recipe.rule.positive[number].table)
                    if delta is not None:
                        self._run(recipe, number, layer, delta, news)

    def _run(
        self, recipe: _Recipe, number: int | None, layer: Layer, delta: Table | None, news: dict[int, set[Term]]
    ) -> None:
        """Derive the facts of a rule, and note what is new; ``delta`` has the rows of condition ``number``."""
        recipe.runs += 1
        is_due = recipe.runs in _REVIEWS and recipe.joins
        if is_due and _have_grown(recipe.planned_sizes, _sizes(recipe.rule, layer)):
            recipe.joins.clear()
        join = recipe.joins.get(number)
        if join is None:
            if recipe.is_safe and self._has_no_rows(recipe.rule, layer):
                return
            join = recipe.joins[number] = self._join(recipe.rule, number, layer)
            recipe.planned_sizes = _sizes(recipe.rule, layer)
        derived = join(layer, delta)
        if derived:
            self._collect(derived)
            head = recipe.rule.head.table
            found = layer[head].insert(derived)
            if head in news:
                news[head] |= found
            elif found:
                news[head] = found

    def _has_no_rows(self, rule: TableRule, layer: Layer) -> bool:
        """True if a table without which nothing can be derived is empty: then the join can wait to be compiled."""
        return any(atom.table not in self._joins.on_demand and not layer[atom.table].rows for atom in rule.positive)

    def _join(self, rule: TableRule, delta: int | None, layer: Layer, demanded: Container[int] = frozenset()) -> Join:
        try:
            return self._joins.compile(rule, delta, layer, demanded)
        except UnsafeClauseError as error:
            head = signature(rule.clause.head)
            if head not in self._on_demand and self._graph.can_be_on_demand(head):
                # The rule violates the specification, but its callers may bind the variable.
                raise TooMuchWork from None
            raise unsafe(error.clause, error.variable, self._sheet.source) from None

    def _collect(self, rows: Sequence[Term]) -> None:
        """Count derived rows against the budget."""
        self.meter.spend(len(rows))
        self.limits.check(rows)

    def _tick(self, rounds: int, derived: int) -> int:
        """Count the rounds of a long loop, and stop it if it derives too many rows."""
        self.meter.count(rounds)
        if derived >= self.meter.room:
            self.meter.spend(derived)
        return 0


def _sizes(rule: TableRule, layer: Layer) -> tuple[int, ...]:
    return tuple(len(layer[atom.table].rows) for atom in rule.positive)


def _have_grown(before: tuple[int, ...], now: tuple[int, ...]) -> bool:
    return any(size > _GROWTH * (known + 1) for known, size in zip(before, now, strict=True))

"""The rules of a game, ready to be evaluated.

A state's facts are put into relations, then the strata that a question needs are evaluated in order, bottom up: a
stratum without recursion once, one with recursion semi-naively to its fixpoint. A relation that grows too large that
way is derived on demand from then on (`ludens.gdl.reasoner.demand`).
"""

from __future__ import annotations

import itertools
import math
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ludens.core import Deadline, GameError, OutOfTimeError
from ludens.gdl.keywords import KEYWORDS
from ludens.gdl.logic.clauses import Clause, clauses
from ludens.gdl.logic.relation_graph import MOVE, STATE, STATIC, RelationGraph, terms_grow
from ludens.gdl.logic.strata import Signature, Stratum, stratify
from ludens.gdl.reasoner.demand import Demand
from ludens.gdl.reasoner.joins import TICK_ROUNDS, Join, JoinCompiler, UnsafeClauseError
from ludens.gdl.reasoner.relations import Relation
from ludens.gdl.rules import RuleSheet
from ludens.gdl.source import GdlError, Level, Problem, Source
from ludens.gdl.terms import Term, Variable, arguments, exceeds, functor, signature, variables
from ludens.gdl.write import kif

MAX_TERM_DEPTH = 100
MAX_TERM_SIZE = 10_000
"""How deep terms that rules build may nest, and how many symbols they may have."""

_STATIC_PATIENCE = 20
"""How many times more work a relation may be that is derived once for all states."""

ASKED = ("role", "init", "legal", "next", "terminal", "goal", "sees")
"""The relations that a match needs; ``base`` and ``input`` can be large, and are derived on demand."""


class BudgetError(GameError):
    """Reasoning about one state took more than its budget."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one query about one state."""

    seconds: float = 60.0
    """Wall-clock time."""
    facts: int = 5_000_000
    """Derived facts."""
    bottom_up: int = 3_000
    """Work in one stratum (derivations, and rounds of long loops) after which its relations are put on demand."""


class TooMuchWork(Exception):  # noqa: N818 - a signal, not an error
    """A stratum derives so much bottom-up that its relations should be derived on demand."""


class Meter:
    """Enforces a budget."""

    def __init__(self, budget: Budget, name: str) -> None:
        self.budget = budget
        self.name = name
        self.restart()

    def restart(self) -> None:
        """Begin a new query."""
        self._due = time.monotonic() + self.budget.seconds
        self._deadline = Deadline.of_thread()
        self._facts = 0
        self._work = 0
        self._work_limit = math.inf

    def begin_stratum(self, limit: float) -> None:
        """From now on, and until the next stratum begins, raise `TooMuchWork` after so much work."""
        self._work_limit = self._work + limit

    @contextmanager
    def at_discount(self, factor: int) -> Iterator[None]:
        """Meanwhile, so much work counts as one in what the stratum may do."""
        start, left = self._work, self._work_limit - self._work
        self._work_limit = start + factor * left
        try:
            yield
        finally:
            self._work_limit = self._work + left - (self._work - start) / factor

    def tick(self) -> None:
        """Count the rounds of a loop, in portions as large as joins report them."""
        self.count(TICK_ROUNDS)

    def spend(self, facts: int) -> None:
        """Count derived facts; raise `BudgetError` if they or the time are too many."""
        self._facts += facts
        if self._facts > self.budget.facts:
            limit = self.budget.facts
            raise BudgetError(f"{self.name}: reasoning about one state derived more than {limit:,} facts")
        self.count(facts)

    @property
    def room(self) -> int:
        """One more than the number of facts that may still be derived."""
        return self.budget.facts - self._facts + 1

    def count(self, work: int) -> None:
        """Count work; raise `TooMuchWork`, `BudgetError` or `OutOfTimeError` if it or the time is too much."""
        self._work += work
        if self._work > self._work_limit:
            raise TooMuchWork
        if time.monotonic() > self._due:
            raise BudgetError(f"{self.name}: reasoning about one state took more than {self.budget.seconds:g} s")
        if self._deadline is not None and self._deadline.is_overdue:
            raise OutOfTimeError(f"{self.name}: reasoning about one state was not done in time")


@dataclass(slots=True)
class Layer:
    """The relations of one state, by number, and which strata have been evaluated in them."""

    phase: int
    """The latest phase of the relations that can be derived here."""
    relations: list[Relation]
    done: set[int]


@dataclass(frozen=True, slots=True)
class _Recipe:
    """A clause of a stratum with the joins that derive it."""

    head: Signature
    join: Join
    deltas: tuple[tuple[Signature, Join], ...]
    """For each literal that refers to the stratum itself: its relation, and the join that starts from its news."""

    def runs(self, news: Mapping[Signature, Relation] | None) -> Iterator[tuple[Join, Relation | None]]:
        """The joins to run: at first the clause as it is, then from what was new in the round before."""
        if news is None:
            yield self.join, None
            return
        for sign, join in self.deltas:
            if sign in news:
                yield join, news[sign]


class Program:
    """The rules, ready to be evaluated: strata in order, each relation numbered and put into its phase."""

    def __init__(self, sheet: RuleSheet, name: str, budget: Budget) -> None:
        self._sheet = sheet
        self.meter = Meter(budget, name)
        everything = list(clauses(sheet.rules, sheet.source))
        facts = [clause for clause in everything if not (clause.positive or clause.negative or clause.distinct)]
        rules = [clause for clause in everything if clause.positive or clause.negative or clause.distinct]
        self._strata = stratify(rules)
        refuse_negative_cycles(self._strata, sheet.source)
        self._graph = RelationGraph(everything)
        self._limits = TermLimits(everything, name)
        self._demand = Demand(
            {self._graph.numbers[sign]: found for sign, found in self._graph.clauses_of(rules).items()},
            {self._graph.numbers[sign]: group for sign, group in self._graph.groups.items()},
            self._join,
            self._collect,
        )
        self._joins = JoinCompiler(self._graph.numbers, self._sample, self.meter.tick, set(), self._demand)
        self._recipes: dict[int, list[_Recipe]] = {}
        self._cones: dict[Signature, list[int]] = {}
        self.static = Layer(STATIC, [Relation() for _ in self._graph.numbers], set())
        for clause in facts:
            for variable in variables(clause.head):
                raise unsafe(clause, variable, sheet.source)
            self.static.relations[self._graph.numbers[signature(clause.head)]].insert([clause.head])
        self._samples: dict[Signature, Relation] = {}
        self.ask(self.static, ("init", 1))
        self._samples = self._initial_samples()
        for keyword in ASKED:
            self.ask(self.static, (keyword, KEYWORDS[keyword]))

    def state_layer(self, facts: Iterable[Term]) -> Layer:
        """The layer of the state in which exactly these fluents are true."""
        return self.layer(self.static, STATE, ("true", 1), (("true", fact) for fact in facts))

    def move_layer(self, base: Layer, does: Iterable[Term]) -> Layer:
        """The layer of a joint move on top of a state's."""
        self.ask(base, ("next", 1))  # what depends on no move is shared by all that are tried here
        return self.layer(base, MOVE, ("does", 2), does)

    def layer(self, base: Layer, phase: int, sign: Signature, facts: Iterable[Term]) -> Layer:
        """A layer on top of another, in which the relations of ``phase`` and later ones start afresh, one of them
        with the given facts."""
        relations = list(base.relations)
        for number in self._graph.numbers_from(phase):
            relation = relations[number] = Relation()
            written = self.static.relations[number].facts
            if written:
                relation.insert(written)
        relations[self._graph.numbers[sign]].insert(facts)
        return Layer(phase, relations, set(base.done))

    def ask(self, layer: Layer, sign: Signature) -> set[Term]:
        """All facts of a relation that can be derived in a layer."""
        self.meter.restart()
        number = self._graph.numbers.get(sign)
        if number is None:
            return set()
        try:
            self._evaluate(self._cone(sign), layer)
        except RecursionError:
            raise BudgetError(f"{self.meter.name}: relations depend on each other too deeply") from None
        return layer.relations[number].facts

    def signatures(self, phase: int) -> list[Signature]:
        """The relations of a phase."""
        return [sign for sign, own in self._graph.phases.items() if own == phase]

    def all_facts(self, layer: Layer, sign: Signature) -> set[Term] | None:
        """All facts of a relation in a layer; None if it is not derived there, or only on demand."""
        if self._graph.phases.get(sign, STATIC) > layer.phase:
            return None
        facts = self.ask(layer, sign)
        return None if sign in self._joins.on_demand else facts

    def _cone(self, sign: Signature) -> list[int]:
        """The strata that a relation needs, in order."""
        cone = self._cones.get(sign)
        if cone is None:
            wanted = self._graph.reachable(sign)
            cone = [n for n, stratum in enumerate(self._strata) if not wanted.isdisjoint(_heads(stratum))]
            self._cones[sign] = cone
        return cone

    def _evaluate(self, strata: Iterable[int], layer: Layer) -> None:
        """Evaluate strata in order, as far as they are not done, can be derived here, and are not on demand."""
        for number in strata:
            if number in layer.done:
                continue
            head = signature(self._strata[number].clauses[0].head)
            if self._graph.phases[head] <= layer.phase and head not in self._joins.on_demand:
                try:
                    self._bottom_up(number, layer)
                except TooMuchWork:
                    self._put_on_demand(head)
                else:
                    layer.done.add(number)

    def _put_on_demand(self, sign: Signature) -> None:
        """Derive a relation, and those that it depends on and that depend on it, on demand from now on."""
        self._joins.on_demand.update(self._graph.group(sign))
        self._recipes.clear()
        self._demand.forget_joins()

    def _bottom_up(self, number: int, layer: Layer) -> None:
        """Derive all facts of a stratum: in one pass if it is not recursive, else to a fixpoint."""
        head = signature(self._strata[number].clauses[0].head)
        self.meter.begin_stratum(self._bottom_up_limit(head))
        news: dict[Signature, Relation] | None = None
        while news is None or news:
            fresh: dict[Signature, list[Term]] = defaultdict(list)
            for recipe in self._recipe(number):
                for join, delta in recipe.runs(news):
                    derived = self._collect(join(layer.relations, delta))
                    fresh[recipe.head] += layer.relations[self._graph.numbers[recipe.head]].insert(derived)
            news = _relations(fresh) if self._strata[number].recursive else {}

    def _bottom_up_limit(self, sign: Signature) -> float:
        """How much work a relation may be before it is put on demand; more if it is derived only once."""
        if not self._graph.can_be_on_demand(sign):
            return math.inf
        limit = self.meter.budget.bottom_up
        return limit * _STATIC_PATIENCE if self._graph.phases[sign] == STATIC else limit

    def _collect(self, facts: Iterator[Term]) -> list[Term]:
        """The facts that a join derives, counted against the budget before there are too many or too large ones."""
        derived = list(itertools.islice(facts, self.meter.room))
        self.meter.spend(len(derived))
        self._limits.check(derived)
        return derived

    def _recipe(self, number: int) -> list[_Recipe]:
        recipes = self._recipes.get(number)
        if recipes is None:
            stratum = self._strata[number]
            inside = _heads(stratum) if stratum.recursive else set()
            recipes = []
            for clause in stratum.clauses:
                recursive = [n for n, atom in enumerate(clause.positive) if signature(atom) in inside]
                deltas = tuple((signature(clause.positive[n]), self._join(clause, n)) for n in recursive)
                recipes.append(_Recipe(signature(clause.head), self._join(clause, None), deltas))
            self._recipes[number] = recipes
        return recipes

    def _join(self, clause: Clause, delta: int | None) -> Join:
        try:
            return self._joins.compile(clause, delta)
        except UnsafeClauseError as error:
            head = signature(clause.head)
            if head not in self._joins.on_demand and self._graph.can_be_on_demand(head):
                # The rule violates the specification, but its callers may bind the variable.
                raise TooMuchWork from None
            raise unsafe(error.clause, error.variable, self._sheet.source) from None

    def _sample(self, atom: Term) -> Relation | None:
        """What is known of a relation when joins are planned: all of it if it is static, the initial state's fluents,
        and one move for each role."""
        sign = signature(atom)
        if sign in self._samples:
            return self._samples[sign]
        if self._graph.phases[sign] == STATIC and sign not in self._joins.on_demand:
            return self.static.relations[self._graph.numbers[sign]]
        return None

    def _initial_samples(self) -> dict[Signature, Relation]:
        numbers, static = self._graph.numbers, self.static.relations
        fluents, moves = Relation(), Relation()
        fluents.insert([("true", *arguments(fact)) for fact in static[numbers["init", 1]].facts])
        moves.insert([("does", *arguments(fact), "?move") for fact in static[numbers["role", 1]].facts])
        return {("true", 1): fluents, ("does", 2): moves}

    def refuse_large_terms(self, facts: Iterable[Term]) -> None:
        """Stop rules that build ever larger terms before Python's stack and time do."""
        self._limits.check(facts)


class TermLimits:
    """Limits the terms that rules build."""

    def __init__(self, clauses: Sequence[Clause], name: str) -> None:
        self._grow = terms_grow(clauses, MAX_TERM_DEPTH)
        self._name = name

    def check(self, facts: Iterable[Term]) -> None:
        """Raise `BudgetError` for a fact that is too large, if the rules could build one."""
        for fact in facts if self._grow else ():
            if exceeds(fact, MAX_TERM_DEPTH, MAX_TERM_SIZE):
                raise BudgetError(
                    f"{self._name}: the rules build terms nested more than {MAX_TERM_DEPTH} deep or larger than "
                    f"{MAX_TERM_SIZE:,} symbols (relation {functor(fact)!r})"
                )


def unsafe(clause: Clause, variable: Variable, source: Source) -> GdlError:
    """The error for a clause with a variable that gets no value."""
    message = f"variable ?{variable.name} has no value: no positive condition of the rule binds it"
    return GdlError([Problem("GDL210", Level.ERROR, message, clause.span)], source)


def refuse_negative_cycles(strata: Iterable[Stratum], source: Source) -> None:
    """Raise `GdlError` if rules depend on their own negation."""
    for stratum in strata:
        if stratum.negative_cycle is not None:
            clause, atom = stratum.negative_cycle
            message = f"{kif(clause.head)} depends on its own negation through (not {kif(atom)})"
            raise GdlError([Problem("GDL301", Level.ERROR, message, clause.span)], source)


def _heads(stratum: Stratum) -> set[Signature]:
    return {signature(clause.head) for clause in stratum.clauses}


def _relations(facts: Mapping[Signature, Sequence[Term]]) -> dict[Signature, Relation]:
    """A relation for each signature that has facts."""
    relations = {}
    for sign, members in facts.items():
        if members:
            relations[sign] = Relation()
            relations[sign].insert(members)
    return relations

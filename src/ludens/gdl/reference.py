"""The reference reasoner: stratified Datalog, bottom up, in plain Python.

It is slow, short, and meant to be obviously right: the oracle of all other backends, and what is left when none of
them can take a rule sheet. A state's facts are put into relations, then the strata that a question needs are
evaluated in order: a stratum without recursion once, one with recursion semi-naively to its fixpoint.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ludens.core import GameError, JointMove, Role
from ludens.gdl.clauses import Clause, clauses
from ludens.gdl.game import GdlGame, GdlMove, GdlState
from ludens.gdl.joins import Join, JoinCompiler, UnsafeClauseError
from ludens.gdl.relations import Relation
from ludens.gdl.rules import RuleSheet
from ludens.gdl.source import GdlError, Level, Problem
from ludens.gdl.strata import Signature, Stratum, components, stratify
from ludens.gdl.terms import Term, arguments, depth, functor, signature, sort_key, variables
from ludens.gdl.write import kif

MAX_TERM_DEPTH = 100
"""How deep terms that rules build may nest."""


class BudgetError(GameError):
    """Reasoning about one state took more than its budget."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much the reasoner may spend on one question about one state."""

    seconds: float = 60.0
    """Wall-clock time."""
    facts: int = 5_000_000
    """Derived facts."""


class _Meter:
    """Watches over a budget."""

    def __init__(self, budget: Budget, name: str) -> None:
        self.budget = budget
        self.name = name
        self.restart()

    def restart(self) -> None:
        self.due = time.monotonic() + self.budget.seconds
        self.facts = 0

    def tick(self) -> None:
        if time.monotonic() > self.due:
            raise BudgetError(f"{self.name}: reasoning about one state took more than {self.budget.seconds:g} s")

    def spend(self, facts: int) -> None:
        self.facts += facts
        if self.facts > self.budget.facts:
            limit = self.budget.facts
            raise BudgetError(f"{self.name}: reasoning about one state derived more than {limit:,} facts")
        self.tick()


class _Layer:
    """The relations of one state, and which strata have been evaluated in them."""

    __slots__ = ("done", "relations")

    def __init__(self, relations: list[Relation], done: set[int]) -> None:
        self.relations = relations
        self.done = done


_PHASES = ("static", "state", "move")
"""A relation depends on nothing that changes, on the state (``true``), or on the moves (``does``)."""


class _Program:
    """The rules, ready to be evaluated: strata in order, each relation numbered and put into its phase."""

    def __init__(self, sheet: RuleSheet, name: str, budget: Budget) -> None:
        self.sheet = sheet
        self.meter = _Meter(budget, name)
        all_clauses = list(clauses(sheet.rules, sheet.source))
        self.strata = stratify([clause for clause in all_clauses if clause.positive or clause.negative])
        for stratum in self.strata:
            _refuse_negative_cycle(stratum, sheet)
        self.numbers = _number_relations(all_clauses)
        self.phases = _phases(all_clauses)
        self.grows = any(_grows(clause) for clause in all_clauses)
        self.joins = JoinCompiler(self.numbers, self._estimate, self.meter.tick)
        self._compiled: dict[int, list[tuple[Clause, Join, list[tuple[Signature, Join]]]]] = {}
        self._cones: dict[str, list[int]] = {}
        self._stratum_phase = [self.phases[signature(stratum.clauses[0].head)] for stratum in self.strata]
        self.static = _Layer([Relation() for _ in self.numbers], set())
        for clause in all_clauses:
            if not (clause.positive or clause.negative):
                self._check_ground(clause)
                self._insert(self.static, clause.head, [clause.head])
        self.fluent_counts = self._count_initial_fluents()
        self.meter.restart()
        for number, phase in enumerate(self._stratum_phase):
            if phase == 0:
                self._evaluate(number, self.static)

    def layer(self, base: _Layer, phase: str, facts: Iterable[Term]) -> _Layer:
        """A layer on top of another, in which the relations of later phases start afresh."""
        level = _PHASES.index(phase)
        relations = list(base.relations)
        for sign, number in self.numbers.items():
            if self.phases[sign] >= level:
                facts_of_the_sheet = self.static.relations[number].facts
                relations[number] = Relation()
                relations[number].insert(facts_of_the_sheet)
        layer = _Layer(relations, base.done.copy())
        by_relation = defaultdict(list)
        for fact in facts:
            by_relation[signature(fact)].append(fact)
        for sign, members in by_relation.items():
            if sign in self.numbers:
                relations[self.numbers[sign]].insert(members)
        return layer

    def ask(self, layer: _Layer, relation: str, arity: int) -> set[Term]:
        """All facts of a relation that hold in a layer."""
        number = self.numbers.get((relation, arity))
        if number is None:
            return set()
        for stratum in self._cone((relation, arity)):
            if stratum not in layer.done:
                self._evaluate(stratum, layer)
        return layer.relations[number].facts

    def settle(self, layer: _Layer, sign: Signature) -> None:
        """Evaluate what a relation needs of the state, short of anything that depends on moves."""
        for stratum in self._cone(sign) if sign in self.numbers else ():
            if stratum not in layer.done and self._stratum_phase[stratum] < 2:
                self._evaluate(stratum, layer)

    def _cone(self, sign: Signature) -> list[int]:
        """The strata that a relation needs, in order."""
        cone = self._cones.get(sign[0])
        if cone is None:
            wanted, queue = {sign}, [sign]
            defining = defaultdict(list)
            for stratum in self.strata:
                for clause in stratum.clauses:
                    defining[signature(clause.head)].append(clause)
            while queue:
                for clause in defining[queue.pop()]:
                    for atom in (*clause.positive, *clause.negative):
                        if signature(atom) not in wanted:
                            wanted.add(signature(atom))
                            queue.append(signature(atom))
            cone = [
                number
                for number, stratum in enumerate(self.strata)
                if any(signature(clause.head) in wanted for clause in stratum.clauses)
            ]
            self._cones[sign[0]] = cone
        return cone

    def _evaluate(self, number: int, layer: _Layer) -> None:
        """Add all that a stratum derives."""
        stratum = self.strata[number]
        compiled = self._compile(number)
        fresh: dict[Signature, list[Term]] = defaultdict(list)
        for clause, join, _ in compiled:
            fresh[signature(clause.head)] += self._insert(layer, clause.head, join(layer.relations, None))
        while stratum.recursive and any(fresh.values()):
            deltas = {}
            for sign, facts in fresh.items():
                deltas[sign] = Relation()
                deltas[sign].insert(facts)
            fresh = defaultdict(list)
            for clause, _, variants in compiled:
                for sign, join in variants:
                    if sign in deltas:
                        derived = list(join(layer.relations, deltas[sign]))
                        fresh[signature(clause.head)] += self._insert(layer, clause.head, derived)
            if self.grows:
                self.refuse_deep_terms(fact for facts in fresh.values() for fact in facts)
        layer.done.add(number)

    def _insert(self, layer: _Layer, head: Term, facts: Iterable[Term]) -> list[Term]:
        relation = layer.relations[self.numbers[signature(head)]]
        found = list(self._counted(facts))
        return relation.insert(found)

    def _counted(self, facts: Iterable[Term]) -> Iterable[Term]:
        for count, fact in enumerate(facts, start=1):
            if not count & 0x3FFF:
                self.meter.spend(0x3FFF)
            yield fact

    def _compile(self, number: int) -> list[tuple[Clause, Join, list[tuple[Signature, Join]]]]:
        """The joins of a stratum: one for each clause, and for each recursive literal one that starts from its delta."""
        compiled = self._compiled.get(number)
        if compiled is None:
            stratum = self.strata[number]
            heads = {signature(clause.head) for clause in stratum.clauses} if stratum.recursive else set()
            compiled = []
            for clause in stratum.clauses:
                variants = [
                    (signature(atom), self._join(clause, place))
                    for place, atom in enumerate(clause.positive)
                    if signature(atom) in heads
                ]
                compiled.append((clause, self._join(clause, None), variants))
            self._compiled[number] = compiled
        return compiled

    def _join(self, clause: Clause, delta: int | None) -> Join:
        try:
            return self.joins.compile(clause, delta)
        except UnsafeClauseError as error:
            raise self._unsafe(error.clause, error.variable.name) from None

    def _check_ground(self, clause: Clause) -> None:
        for variable in variables(clause.head):
            raise self._unsafe(clause, variable.name)

    def _unsafe(self, clause: Clause, variable: str) -> GdlError:
        message = f"variable ?{variable} has no value: no positive condition of the rule binds it"
        return GdlError([Problem("GDL210", Level.ERROR, message, clause.span)], self.sheet.source)

    def _count_initial_fluents(self) -> dict[str, int]:
        counts: dict[str, int] = defaultdict(int)
        for fact in self.static.relations[self.numbers["init", 1]].facts if ("init", 1) in self.numbers else ():
            counts[functor(arguments(fact)[0])] += 1
        return counts

    def _estimate(self, atom: Term) -> float:
        """About how many facts an atom matches; exact for static relations."""
        name = functor(atom)
        if name == "does":
            return 1.0
        if name == "true":
            fluent = arguments(atom)[0]
            known = self.fluent_counts
            return sum(known.values()) if not isinstance(fluent, (str, tuple)) else known.get(functor(fluent), 8)
        if self.phases[signature(atom)] == 0:
            return len(self.static.relations[self.numbers[signature(atom)]].facts)
        return 100.0

    def refuse_deep_terms(self, facts: Iterable[Term]) -> None:
        """Stop rules that build ever larger terms before Python's stack does."""
        for fact in facts:
            if depth(fact) > MAX_TERM_DEPTH:
                raise BudgetError(
                    f"{self.meter.name}: the rules build terms nested more than {MAX_TERM_DEPTH} deep "
                    f"(relation {functor(fact)!r})"
                )


def _refuse_negative_cycle(stratum: Stratum, sheet: RuleSheet) -> None:
    if stratum.negative_cycle is not None:
        clause, atom = stratum.negative_cycle
        message = f"{kif(clause.head)} depends on its own negation through (not {kif(atom)})"
        raise GdlError([Problem("GDL301", Level.ERROR, message, clause.span)], sheet.source)


def _number_relations(all_clauses: Sequence[Clause]) -> dict[Signature, int]:
    numbers: dict[Signature, int] = {("true", 1): 0, ("does", 2): 1}
    for clause in all_clauses:
        for atom in (clause.head, *clause.positive, *clause.negative):
            numbers.setdefault(signature(atom), len(numbers))
    return numbers


def _phases(all_clauses: Sequence[Clause]) -> dict[Signature, int]:
    """The phase of each relation, as an index into `_PHASES`: the latest of the phases of all it is derived from."""
    needs: dict[Signature, set[Signature]] = defaultdict(set)
    for clause in all_clauses:
        needs[signature(clause.head)].update(signature(atom) for atom in (*clause.positive, *clause.negative))
    signatures = {*needs, *(sign for body in needs.values() for sign in body)}
    phases: dict[Signature, int] = {("true", 1): 1, ("does", 2): 2}
    for component in components(sorted(signatures | set(phases)), lambda sign: sorted(needs[sign])):
        level = max((phases.get(other, 0) for sign in component for other in needs[sign]), default=0)
        for sign in component:
            phases[sign] = max(level, phases.get(sign, 0))
    return phases


def _grows(clause: Clause) -> bool:
    """True if the head puts some variable deeper than every condition has it, so that terms can grow without end."""
    shallow: dict[object, int] = {}
    for atom in clause.positive:
        for variable, level in _variable_depths(atom, 0):
            shallow[variable] = max(shallow.get(variable, 0), level)
    return any(level > shallow.get(variable, level) for variable, level in _variable_depths(clause.head, 0))


def _variable_depths(term: Term, level: int) -> Iterable[tuple[object, int]]:
    if isinstance(term, tuple):
        for part in term[1:]:
            yield from _variable_depths(part, level + 1)
    elif not isinstance(term, str):
        yield term, level


class ReferenceGame(GdlGame):
    """A GDL game computed by the reference reasoner."""

    backend = "reference"

    def __init__(self, sheet: RuleSheet, name: str = "game", budget: Budget | None = None) -> None:
        super().__init__(sheet, name)
        self.program = _Program(sheet, name, budget or Budget())
        named = [arguments(rule.head)[0] for rule in sheet.rules if signature(rule.head) == ("role", 1)]
        known = self.program.ask(self.program.static, "role", 1)
        derived = sorted(arguments(fact)[0] for fact in known) if len(known) > len(named) else []
        self.roles = tuple(kif(role) for role in dict.fromkeys([*named, *derived]))
        if not self.roles:
            raise GameError(f"{name}: the rules define no role")

    def initial_state(self) -> ReferenceState:
        """The state in which every match begins."""
        return self.state(arguments(fact)[0] for fact in self.program.ask(self.program.static, "init", 1))

    def state(self, facts: Iterable[Term]) -> ReferenceState:
        """The state in which exactly these fluents are true."""
        return ReferenceState(self, frozenset(facts))


class ReferenceState(GdlState):
    """A position computed by the reference reasoner; what is asked of it is derived once and kept."""

    game: ReferenceGame

    def __init__(self, game: ReferenceGame, facts: frozenset[Term]) -> None:
        self.game = game
        self.facts = facts
        if game.program.grows:
            game.program.refuse_deep_terms(facts)

    @cached_property
    def _layer(self) -> _Layer:
        program = self.game.program
        return program.layer(program.static, "state", (("true", fact) for fact in self.facts))

    def _ask(self, relation: str, arity: int) -> set[Term]:
        self.game.program.meter.restart()
        return self.game.program.ask(self._layer, relation, arity)

    @cached_property
    def is_terminal(self) -> bool:
        """True if ``terminal`` holds."""
        return bool(self._ask("terminal", 0))

    def legal_moves(self, role: Role) -> Sequence[GdlMove]:
        """All moves that the role may make here, sorted; empty if the game is over."""
        return self._legal.get(role, ())

    @cached_property
    def _legal(self) -> Mapping[Role, Sequence[GdlMove]]:
        if self.is_terminal:
            return {}
        found = defaultdict(list)
        for fact in self._ask("legal", 2):
            role, move = arguments(fact)
            found[kif(role)].append(move)
        return {role: tuple(map(GdlMove, sorted(moves, key=sort_key))) for role, moves in found.items()}

    def goal_values(self, role: Role) -> Sequence[int]:
        """Every value that the rules give the role here."""
        pairs = (arguments(fact) for fact in self._ask("goal", 2))
        return sorted(int(value) for who, value in pairs if kif(who) == role and isinstance(value, str) and value.isdecimal())

    def play(self, joint_move: JointMove) -> ReferenceState:
        """The state after a joint move. Raises `IllegalMoveError`."""
        game = self.game
        does = [("does", game.read(role), self.move(role, joint_move).term) for role in game.roles]
        game.program.meter.restart()
        layer = game.program.layer(self._move_base, "move", does)
        return game.state(arguments(fact)[0] for fact in game.program.ask(layer, "next", 1))

    @cached_property
    def _move_base(self) -> _Layer:
        """The state's layer with all strata evaluated that ``next`` needs but that no move changes."""
        program = self.game.program
        program.settle(self._layer, ("next", 1))
        return self._layer

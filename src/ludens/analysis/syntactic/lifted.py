"""Subgames of rules that do not ground: by partially instantiated fluents and moves, as in the paper.

An argument of a fluent is instantiated if its value is passed on from state to state and different values are
independent; an argument of a move, if it is passed to such an argument of a fluent. Frame rules are exempt from the
second condition: the paper's own example, Nim, mentions two heaps in its frame rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from ludens.analysis.budget import Pulse, no_pulse
from ludens.analysis.subgames.partition import Partition
from ludens.analysis.subgames.parts import Kind
from ludens.analysis.syntactic.call_graph import CallGraphs
from ludens.analysis.syntactic.roles import control_fluents
from ludens.compiler.rules.domains import Domains
from ludens.core import GameError, OutOfTimeError
from ludens.gdl.logic.clauses import Clause, clauses
from ludens.gdl.logic.strata import Signature
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term, Variable, arguments, functor, is_ground, signature, substitute, unify, variables
from ludens.gdl.write import kif

MOST_NODES = 5_000
ANY = "_"
"""Stands for an argument that is not instantiated."""

Node = tuple[str, Term]
"""``fluent`` or ``move``, and the term with `ANY` for arguments that are not instantiated."""
LiftedPart = tuple[Kind, tuple[str, ...], tuple[str, ...]]
"""Kind, fluents and moves of a component."""


def lifted_decomposition(sheet: RuleSheet, pulse: Pulse = no_pulse) -> list[LiftedPart]:
    """The components of a rule sheet; one piece if the rules lead to too many atoms.

    Raises `OutOfTimeError` if the pulse does.
    """
    try:
        return _Lifted(list(clauses(sheet.rules, sheet.source)), pulse).components()
    except OutOfTimeError:
        raise
    except GameError:
        return [lifted_whole(sheet)]


def lifted_whole(sheet: RuleSheet) -> LiftedPart:
    """All fluents and moves as one piece, with nothing instantiated."""
    split = list(clauses(sheet.rules, sheet.source))
    fluents, moves = ({_pattern(sign, {}) for sign in signs} for signs in (_fluent_signs(split), _move_signs(split)))
    return Kind.GAME, tuple(sorted(map(kif, fluents))), tuple(sorted(map(kif, moves)))


@dataclass(frozen=True, slots=True)
class _NextRule:
    clause: Clause
    fluent: Term
    is_frame: bool
    """Whether the fluent itself is a condition."""
    graph: frozenset[Term]
    """The call graph of the body."""


class _Lifted:
    def __init__(self, split: Sequence[Clause], pulse: Pulse) -> None:
        self._clauses = split
        self._pulse = pulse
        self._graphs = CallGraphs(split, pulse)
        self._domains = Domains(split)

    def components(self) -> list[LiftedPart]:
        """The connected components of the dependency graph."""
        rules = [self._next_rule(clause) for clause in self._clauses if signature(clause.head) == ("next", 1)]
        fluent_places = self._fluent_places(rules)
        move_places = self._move_places(rules, fluent_places)
        nodes: dict[Node, int] = {}
        for kind, signs, places in (
            ("fluent", _fluent_signs(self._clauses), fluent_places),
            ("move", _move_signs(self._clauses), move_places),
        ):
            for sign in sorted(signs):
                for term in self._instances(sign, places.get(sign, set())):
                    nodes[kind, term] = len(nodes)
                    if len(nodes) > MOST_NODES:
                        raise GameError("too many instances")
        control = control_fluents(self._clauses, self._graphs)
        partition = Partition((1 << len(nodes)) - 1)
        noop = {sign for sign in _move_signs(self._clauses) if not self._matters(sign, rules)}
        for one, other in self._edges(rules, nodes, noop):
            if signature(one[1]) not in control:
                partition.join((nodes[one], nodes[other]))
        for fluents in self._find_joined(nodes):
            partition.join(nodes[node] for node in fluents if signature(node[1]) not in control)
        named = list(nodes)
        found = []
        for group in partition.groups():
            own = tuple(kif(named[n][1]) for n in group if named[n][0] == "fluent")
            moves = tuple(kif(named[n][1]) for n in group if named[n][0] == "move")
            found.append((self._kind([named[n] for n in group], control, noop), own, moves))
        return found

    def _kind(self, group: Sequence[Node], control: set[Signature], noop: set[Signature]) -> Kind:
        if all(kind == "fluent" and signature(term) in control for kind, term in group):
            return Kind.CONTROL
        if all(kind == "move" and signature(term) in noop for kind, term in group):
            return Kind.NOOP
        return Kind.GAME if any(kind == "move" for kind, _ in group) else Kind.COUNTER

    def _next_rule(self, clause: Clause) -> _NextRule:
        fluent = arguments(clause.head)[0]
        body = (*clause.positive, *clause.negative)
        graph = self._graphs.of(body, variables(clause.head))
        return _NextRule(clause, fluent, ("true", fluent) in clause.positive, frozenset(graph))

    def _fluent_places(self, rules: Sequence[_NextRule]) -> dict[Signature, set[int]]:
        """Which arguments of each fluent are instantiated."""
        found: dict[Signature, set[int]] = {}
        for sign in _fluent_signs(self._clauses):
            own = [rule for rule in rules if not isinstance(rule.fluent, Variable) and signature(rule.fluent) == sign]
            found[sign] = {place for place in range(sign[1]) if own and all(_hands_on(rule, place) for rule in own)}
        return found

    def _move_places(
        self, rules: Sequence[_NextRule], fluent_places: dict[Signature, set[int]]
    ) -> dict[Signature, set[int]]:
        """Which arguments of each move are instantiated: those that name an instantiated argument of a fluent."""
        found: dict[Signature, set[int]] = defaultdict(set)
        for rule in rules:
            if isinstance(rule.fluent, Variable):
                continue
            passed_on = {arguments(rule.fluent)[place] for place in fluent_places[signature(rule.fluent)]}
            for atom in rule.graph:
                if signature(atom) == ("legal", 2) and not isinstance(arguments(atom)[1], Variable):
                    move = arguments(atom)[1]
                    found[signature(move)] |= {
                        place
                        for place, part in enumerate(arguments(move))
                        if isinstance(part, Variable) and part in passed_on
                    }
        return found

    def _instances(self, sign: Signature, places: set[int]) -> Iterator[Term]:
        values = [sorted(self._values(sign, place)) if place in places else [ANY] for place in range(sign[1])]
        for combination in product(*values):
            yield (sign[0], *combination) if sign[1] else sign[0]

    def _values(self, sign: Signature, place: int) -> set[str]:
        found = self._domains.of_inner(sign, place)
        if any(not isinstance(value, str) for value in found):
            raise GameError("an argument is a compound term")
        return {value for value in found if isinstance(value, str)}

    def _matters(self, sign: Signature, rules: Sequence[_NextRule]) -> bool:
        """Whether a move is in the call graph of any rule for the next state."""
        return any(
            signature(atom) == ("legal", 2)
            and (isinstance(arguments(atom)[1], Variable) or signature(arguments(atom)[1]) == sign)
            for rule in rules
            for atom in rule.graph
        )

    def _edges(
        self, rules: Sequence[_NextRule], nodes: dict[Node, int], noop: set[Signature]
    ) -> Iterator[tuple[Node, Node]]:
        fluents = [node for node in nodes if node[0] == "fluent"]
        for move in (node for node in nodes if node[0] == "move" and signature(node[1]) not in noop):
            wanted = _open_pattern(move[1])
            for atom in self._graphs.of([("legal", Variable("role"), wanted)]):
                yield from ((node, move) for node in fluents if _may_be(atom, node[1]))
            for fluent in fluents:
                self._pulse()
                touched, conditions = self._effect(rules, fluent[1], wanted)
                if touched:
                    yield fluent, move
                    for atom in conditions:
                        yield from ((node, move) for node in fluents if _may_be(atom, node[1]))

    def _find_joined(self, nodes: dict[Node, int]) -> Iterator[list[Node]]:
        """Yield fluents that a helper of goals or of the end joins in one rule, so that they belong to one subgame."""
        ends = {("goal", 2), ("terminal", 0)}
        starts: list[Term] = [("goal", Variable("role"), Variable("value")), "terminal"]
        called = {signature(atom) for atom in self._graphs.of(starts)}
        for clause in self._clauses:
            if signature(clause.head) in called - ends:
                sets = []
                for atom in (*clause.positive, *clause.negative):
                    self._pulse()
                    graph = self._graphs.of([atom])
                    sets.append([node for node in nodes if any(_may_be(other, node[1]) for other in graph)])
                if sum(map(bool, sets)) > 1:
                    yield [node for found in sets for node in found if node[0] == "fluent"]

    def _effect(self, rules: Sequence[_NextRule], fluent: Term, move: Term) -> tuple[bool, set[Term]]:
        """Whether a move may make a fluent true or false, and the atoms that its effect depends on."""
        target = _open_pattern(fluent)
        kept = touched = False
        conditions: set[Term] = set()
        for rule in rules:
            match = unify(rule.fluent, target)
            if match is None:
                continue
            for atom in rule.clause.positive:
                done = unify(arguments(atom)[1], move, match) if signature(atom) == ("does", 2) else None
                if done is None or any(
                    substitute(left, done) == substitute(right, done) for left, right in rule.clause.distinct
                ):
                    continue
                if rule.is_frame and self._is_plain_frame(rule.clause, done):
                    kept = True
                elif not rule.is_frame:
                    touched = True
                    conditions |= self._graphs.of(substitute(other, done) for other in rule.clause.positive)
        return touched or not kept, conditions

    def _is_plain_frame(self, clause: Clause, match: dict[Variable, Term]) -> bool:
        """Whether a frame rule applies whenever the move is made: it requires only the fluent and the move."""
        if clause.negative or any(signature(atom) not in {("true", 1), ("does", 2)} for atom in clause.positive):
            return False
        return all(
            is_ground(substitute(left, match)) and is_ground(substitute(right, match))
            for left, right in clause.distinct
        )


def _fluent_signs(split: Sequence[Clause]) -> set[Signature]:
    heads = [arguments(clause.head)[0] for clause in split if signature(clause.head) in {("init", 1), ("next", 1)}]
    return {signature(head) for head in heads if not isinstance(head, Variable)}


def _move_signs(split: Sequence[Clause]) -> set[Signature]:
    heads = [arguments(clause.head)[1] for clause in split if signature(clause.head) == ("legal", 2)]
    return {signature(head) for head in heads if not isinstance(head, Variable)}


def _hands_on(rule: _NextRule, place: int) -> bool:
    """Whether a rule passes on the value of an argument, and reads no other value of it (unless it is a frame)."""
    argument = arguments(rule.fluent)[place]
    same = other = False
    for atom in rule.graph:
        if signature(atom) == ("true", 1) and not isinstance(arguments(atom)[0], Variable):
            fluent = arguments(atom)[0]
            if signature(fluent) == signature(rule.fluent):
                same = same or arguments(fluent)[place] == argument
                other = other or arguments(fluent)[place] != argument
    return same and (rule.is_frame or not other)


def _pattern(sign: Signature, known: dict[int, str]) -> Term:
    return (sign[0], *(known.get(place, ANY) for place in range(sign[1]))) if sign[1] else sign[0]


def _open_pattern(term: Term) -> Term:
    """A pattern with variables for arguments that are not instantiated."""
    if not arguments(term):
        return term
    parts = [Variable(f"open {place}") if part == ANY else part for place, part in enumerate(arguments(term))]
    return (functor(term), *parts)


def _may_be(atom: Term, fluent: Term) -> bool:
    """Whether an atom of a call graph may read an instance of a fluent."""
    return signature(atom) == ("true", 1) and unify(arguments(atom)[0], _open_pattern(fluent)) is not None

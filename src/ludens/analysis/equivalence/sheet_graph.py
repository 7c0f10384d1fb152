"""A rule sheet as a graph in which names are nodes, so that sheets with other names or another order are isomorphic."""

from __future__ import annotations

from ludens.analysis.equivalence.isomorphism import Graph, Matcher
from ludens.gdl.keywords import RESERVED
from ludens.gdl.rules import And, Condition, Distinct, Holds, Not, Or, Rule, RuleSheet
from ludens.gdl.terms import Term, Variable, arguments, functor


def map_names(left: RuleSheet, right: RuleSheet) -> dict[str, str] | None:
    """What the names of one sheet are called in the other, if the rules are the same but for names, their order and
    that of conditions; else None. Raises `OutOfTimeError`."""
    if left.repetition != right.repetition:
        return None
    one, other = _SheetGraph(left), _SheetGraph(right)
    found = Matcher(one.graph, other.graph).match()
    if found is None:
        return None
    names = {node: name for name, node in other.names.items()}
    return {name: names[found[node]] for name, node in one.names.items()}


class _SheetGraph:
    """The graph of one sheet. Rules that occur twice count once."""

    def __init__(self, sheet: RuleSheet) -> None:
        self.graph = Graph()
        self.names: dict[str, int] = {}
        self._fixed = _fixed_numbers(sheet)
        for rule in dict.fromkeys(sheet.rules):
            self._add_rule(rule)

    def _add_rule(self, rule: Rule) -> None:
        node = self.graph.add("rule")
        variables: dict[Variable, int] = {}
        self.graph.connect(node, "head", self._term(rule.head, variables))
        for condition in dict.fromkeys(rule.body):
            self.graph.connect(node, "body", self._condition(condition, variables))

    def _condition(self, condition: Condition, variables: dict[Variable, int]) -> int:
        match condition:
            case Holds(atom):
                return self._term(atom, variables)
            case Distinct(left, right):
                node = self.graph.add("distinct")
                for term in (left, right):  # their order means nothing
                    self.graph.connect(node, "part", self._term(term, variables))
                return node
            case Not(inner):
                node = self.graph.add("not")
                self.graph.connect(node, "part", self._condition(inner, variables))
                return node
            case Or(conditions) | And(conditions):
                node = self.graph.add(type(condition).__name__)
                for inner in conditions:
                    self.graph.connect(node, "part", self._condition(inner, variables))
                return node

    def _term(self, term: Term, variables: dict[Variable, int]) -> int:
        if isinstance(term, Variable):
            if term not in variables:
                variables[term] = self.graph.add("variable")
            return variables[term]
        if not isinstance(term, tuple):
            return self._name(term)
        node = self.graph.add("term")
        self.graph.connect(node, "name", self._name(functor(term)))
        for place, part in enumerate(arguments(term)):
            self.graph.connect(node, place, self._term(part, variables))
        return node

    def _name(self, name: str) -> int:
        if name not in self.names:
            fixed = name.lower() in RESERVED or name in self._fixed
            self.names[name] = self.graph.add(f"name {name.lower()}" if fixed else "name")
        return self.names[name]


def _fixed_numbers(sheet: RuleSheet) -> frozenset[str]:
    """The numbers that mean something: goals; all of them if a goal is computed."""
    values = [arguments(rule.head)[1] for rule in sheet.rules if functor(rule.head) == "goal"]
    if all(isinstance(value, str) for value in values):
        return frozenset(map(str, values))
    words = {word for rule in sheet.rules for word in _words(rule)}
    return frozenset(word for word in words if word.isdecimal())


def _words(rule: Rule) -> set[str]:
    return set(str((rule.head, rule.body)).replace("'", " ").replace(")", " ").split())

"""Which clauses need which, and an order of evaluation in which everything is complete before it is negated.

The graph is between clauses, not between relations: a clause needs another if that one's head unifies with one of
its body literals. So ``(<= (goal r 100) (not (goal r 0)))`` is stratified, as many rule sheets expect, although
the relation ``goal`` depends on its own negation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ludens.gdl.logic.clauses import Clause
from ludens.gdl.terms import Term, Variable, arguments, rename, signature, unify

Signature = tuple[str, int]
Node = TypeVar("Node", bound=object)


@dataclass(frozen=True, slots=True)
class Stratum:
    """Clauses that need each other, or a single clause; all they need besides is in earlier strata."""

    clauses: tuple[Clause, ...]
    recursive: bool
    negative_cycle: tuple[Clause, Term] | None
    """A clause and its negated literal that lies on a cycle, if there is one: then the rules mean nothing."""


class ClauseGraph:
    """Finds the clauses whose heads unify with a literal."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        # No name contains a blank, so the heads' variables cannot be taken for those of a literal.
        self._heads = [rename(clause.head, " ") for clause in clauses]
        self._by_signature: dict[Signature, list[int]] = defaultdict(list)
        self._by_argument: dict[tuple[Signature, int, Signature | None], list[int]] = defaultdict(list)
        for number, head in enumerate(self._heads):
            sign = signature(head)
            self._by_signature[sign].append(number)
            for position, argument in enumerate(arguments(head)):
                self._by_argument[sign, position, _outline(argument)].append(number)
        self._defining: dict[Term, list[int]] = {}

    def defining(self, literal: Term) -> list[int]:
        """The numbers of the clauses that can derive an instance of the literal."""
        found = self._defining.get(literal)
        if found is None:
            found = [number for number in self._candidates(literal) if unify(literal, self._heads[number]) is not None]
            self._defining[literal] = found
        return found

    def _candidates(self, literal: Term) -> list[int]:
        """Clauses that agree with the literal in the argument that leaves the fewest."""
        sign = signature(literal)
        fewest = self._by_signature.get(sign, [])
        for position, argument in enumerate(arguments(literal)):
            outline = _outline(argument)
            if outline is not None:
                same = self._by_argument.get((sign, position, outline), [])
                free = self._by_argument.get((sign, position, None), [])
                if len(same) + len(free) < len(fewest):
                    fewest = same + free
        return fewest


def _outline(term: Term) -> Signature | None:
    """Name and number of arguments of a term; None for a variable, which fits everything."""
    return None if isinstance(term, Variable) else signature(term)


def stratify(clauses: Sequence[Clause]) -> list[Stratum]:
    """The clauses as strata, lowest first."""
    graph = ClauseGraph(clauses)
    needs = [
        sorted({number for atom in (*clause.positive, *clause.negative) for number in graph.defining(atom)})
        for clause in clauses
    ]
    strata = []
    for component in components(range(len(clauses)), lambda number: needs[number]):
        members = set(component)
        negative_cycle = next(
            (
                (clauses[number], atom)
                for number in component
                for atom in clauses[number].negative
                if members.intersection(graph.defining(atom))
            ),
            None,
        )
        recursive = len(component) > 1 or component[0] in needs[component[0]]
        ordered = tuple(clauses[number] for number in sorted(component))
        strata.append(Stratum(ordered, recursive, negative_cycle))
    return strata


def components(nodes: Iterable[Node], needs: Callable[[Node], Iterable[Node]]) -> list[list[Node]]:
    """The strongly connected components of a graph, those that are needed first (Tarjan, without recursion)."""
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    on_stack: set[Node] = set()
    stack: list[Node] = []
    found: list[list[Node]] = []
    for root in nodes:
        if root in index:
            continue
        work = [(root, iter(needs(root)))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(needs(other))))
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component: list[Node] = []
                    while not component or component[-1] != node:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    found.append(component)
    return found

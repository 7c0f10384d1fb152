"""Decision diagrams: goals and the end as functions of what holds in each component.

A node asks one component which of its values holds, and has a child for each. Equal nodes are one, and a node whose
children are equal is left out, so equal functions are equal nodes. Component by component a function has as many nodes
as there are different ways to go on: few for a sum over the components, too many where each is compared with all.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ludens.analysis.budget import Pulse, TooEntangledError, no_pulse
from ludens.analysis.gates.supports import Bits
from ludens.analysis.subgames.concepts import Formula

MOST_NODES = 20_000
"""The most nodes of all functions."""
NEVER, ALWAYS = 0, 1
"""The nodes without children."""

Node = int


class Diagrams:
    """Functions of the values of components. Its methods raise `TooEntangledError` if they have too many nodes."""

    def __init__(self, values: Sequence[Sequence[Bits]], pulse: Pulse = no_pulse) -> None:
        self.values = values
        """For each component, in the order of levels, the concepts that may hold together."""
        self._pulse = pulse
        self._nodes: list[tuple[int, tuple[Node, ...]]] = [(len(values), ()), (len(values), ())]
        self._numbers: dict[tuple[int, tuple[Node, ...]], Node] = {}
        self._of: dict[int, tuple[Formula, Node]] = {}
        self._both: dict[tuple[Node, Node], Node] = {}
        self._restricted: dict[tuple[Node, int, int], Node] = {}
        self._shares = {NEVER: 0.0, ALWAYS: 1.0}
        self._not: dict[Node, Node] = {NEVER: ALWAYS, ALWAYS: NEVER}

    def level(self, node: Node) -> int:
        """The component that a node asks; the number of components if it asks none."""
        return self._nodes[node][0]

    def children(self, node: Node, level: int) -> tuple[Node, ...]:
        """What follows each value of a component, at this node or one below it."""
        found, children = self._nodes[node]
        return children if found == level else (node,) * len(self.values[level])

    def make(self, level: int, children: Sequence[Node]) -> Node:
        """The node with these children."""
        if len(set(children)) == 1:
            return children[0]
        key = level, tuple(children)
        found = self._numbers.get(key)
        if found is None:
            self._pulse()
            if len(self._nodes) >= MOST_NODES:
                raise TooEntangledError("goals or the end combine the subgames in too many ways")
            found = self._numbers[key] = len(self._nodes)
            self._nodes.append(key)
        return found

    def of(self, formula: Formula) -> Node:
        """The function of a formula."""
        known = self._of.get(id(formula))
        if known is not None:
            return known[1]
        found = ALWAYS
        for part, concept, wanted in sorted(formula.concepts, reverse=True):
            own = [int(bool(value >> concept & 1) == wanted) for value in self.values[part]]
            found = self.both(self.make(part, own), found)
        for inner in formula.formulas:
            found = self.both(found, self.of(inner))
        if formula.negated:
            found = self.negation(found)
        self._of[id(formula)] = formula, found  # the formula is kept, so that its number stays its own
        return found

    def both(self, one: Node, other: Node) -> Node:
        """The conjunction of two functions."""
        if other in (one, ALWAYS):
            return one
        if one == ALWAYS:
            return other
        if NEVER in {one, other}:
            return NEVER
        key = (one, other) if one < other else (other, one)
        found = self._both.get(key)
        if found is None:
            level = min(self.level(one), self.level(other))
            pairs = zip(self.children(one, level), self.children(other, level), strict=True)
            found = self._both[key] = self.make(level, [self.both(*pair) for pair in pairs])
        return found

    def negation(self, node: Node) -> Node:
        """The negation of a function."""
        found = self._not.get(node)
        if found is None:
            level, children = self._nodes[node]
            found = self._not[node] = self.make(level, [self.negation(child) for child in children])
        return found

    def either(self, one: Node, other: Node) -> Node:
        """The disjunction of two functions."""
        return self.negation(self.both(self.negation(one), self.negation(other)))

    def restrict(self, node: Node, level: int, value: int) -> Node:
        """The function for one value of a component, by number."""
        here = self.level(node)
        if here >= level:
            return self.children(node, level)[value] if here == level else node
        found = self._restricted.get((node, level, value))
        if found is None:
            children = [self.restrict(child, level, value) for child in self._nodes[node][1]]
            found = self._restricted[node, level, value] = self.make(here, children)
        return found

    def is_symmetric(self, node: Node, one: int, other: int) -> bool:
        """Whether a function stays the same if the values of two components, numbered alike, are exchanged."""
        count = len(self.values[one])
        return all(
            self.restrict(self.restrict(node, one, a), other, b) == self.restrict(self.restrict(node, one, b), other, a)
            for a, b in combinations(range(count), 2)
        )

    def share(self, node: Node) -> float:
        """The share of combinations of values below a node for which its function holds."""
        found = self._shares.get(node)
        if found is None:
            children = self._nodes[node][1]
            found = self._shares[node] = sum(map(self.share, children)) / len(children)
        return found

    def below(self, node: Node) -> dict[int, list[Node]]:
        """The nodes of a function that have children, by level."""
        found: dict[int, list[Node]] = {}
        seen = {NEVER, ALWAYS, node}
        stack = [node] if node > ALWAYS else []
        while stack:
            here = stack.pop()
            level, children = self._nodes[here]
            found.setdefault(level, []).append(here)
            new = set(children) - seen
            seen |= new
            stack += new
        return dict(sorted(found.items()))

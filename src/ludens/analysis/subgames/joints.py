"""How goals and the end join the subgames: all, any, a count, a weighted threshold, a sum.

The author's helpers do not matter, only the functions that they define: these are decision diagrams over the values of
the subgames (`diagrams.py`), and every structure reported is verified on all combinations of values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import permutations
from typing import Any

from ludens.analysis.budget import Pulse, TooEntangledError, no_pulse
from ludens.analysis.subgames.diagrams import ALWAYS, NEVER, Diagrams, Node
from ludens.analysis.subgames.positions import Subgames
from ludens.gdl.write import kif

MOST_ROUNDS = 200
"""How often weights are corrected before a function counts as no threshold."""
MOST_RANKED = 3
"""The most classes of a component of which all orders are tried."""
CLOCK = 0
"""The component of the clock, the first level of all diagrams."""


class Structure(StrEnum):
    """How a function joins subgames."""

    ALL = "all"
    """Something must hold in all of them."""
    ANY = "any"
    """Something must hold in one of them."""
    COUNT = "count"
    """The number of those in which something holds decides, or the sum of points in each."""
    THRESHOLD = "threshold"
    """A weighted sum must be large enough."""
    SUM = "sum"
    """The goal is a sum of one term for each."""


@dataclass(frozen=True, slots=True)
class Joint:
    """How one goal, or the end, joins subgames."""

    of: str
    """``terminal``, or the goal of a role."""
    structure: Structure
    text: str
    """The structure in words."""

    def as_json(self) -> dict[str, Any]:
        """The joint as JSON values."""
        return {"of": self.of, "structure": str(self.structure), "text": self.text}


def make_diagrams(subgames: Subgames, pulse: Pulse = no_pulse) -> Diagrams:
    """Empty diagrams over the values of the clock and the subgames."""
    values = [subgames.tick_values, *(local.values for local in subgames.locals)]
    return Diagrams([list(dict.fromkeys(own)) for own in values], pulse)


def find_joints(subgames: Subgames, pulse: Pulse = no_pulse) -> tuple[Joint, ...] | None:
    """How goals and the end join the subgames; None if one of them has no known structure.

    Functions that depend on one subgame join nothing.
    """
    try:
        return tuple(dict.fromkeys(_Search(subgames, pulse).joints()))
    except (TooEntangledError, RecursionError):
        return None


class _Search:
    def __init__(self, subgames: Subgames, pulse: Pulse) -> None:
        self._subgames = subgames
        self._pulse = pulse
        self._diagrams = make_diagrams(subgames, pulse)

    def joints(self) -> Iterator[Joint]:
        diagrams, ends = self._diagrams, self._subgames.ends
        terminal = diagrams.of(ends.terminal)
        yield from self._joints_of("terminal", terminal, terminal)
        for number, role in enumerate(self._subgames.whole.circuit.roles):
            name = f"goal {kif(role)}"
            goals = sorted({value for own, value, _ in ends.goals if own == number}, reverse=True)
            nodes = dict.fromkeys(goals, NEVER)
            for own, value, formula in ends.goals:
                if own == number:
                    nodes[value] = diagrams.either(nodes[value], diagrams.of(formula))
            terms = self._terms(nodes) if len(goals) > 2 else 0
            if terms:
                yield Joint(name, Structure.SUM, f"a sum of one term for each of {terms} subgames")
                continue
            at_least = before = NEVER
            for value in goals[:-1] or goals:
                at_least = diagrams.either(at_least, nodes[value])
                at_end = diagrams.both(at_least, terminal)
                if at_end != before:
                    yield from self._joints_of(f"{name} ≥ {value}", at_end, at_least)
                before = at_end

    def _joints_of(self, of: str, at_end: Node, anywhere: Node) -> Iterator[Joint]:
        """The structures of a function at the end of the game, tick by tick; there, or in all positions."""
        pairs = zip(self._diagrams.children(at_end, CLOCK), self._diagrams.children(anywhere, CLOCK), strict=True)
        for node, other in dict(pairs).items():
            found = self._structure(node) or self._structure(other)
            if found is not None:
                yield Joint(of, *found)
            elif self._spans(node):
                raise TooEntangledError("no known structure")

    def _spans(self, node: Node) -> bool:
        return len(self._diagrams.below(node)) > 1

    def _structure(self, node: Node) -> tuple[Structure, str] | None:
        """The structure of a function of several subgames; None if it has none that is known."""
        if not self._spans(node):
            return None
        levels = self._diagrams.below(node)
        return self._find_points(node, levels) or self._find_threshold(node, levels)

    # Points: every subgame has 0, 1, … points, and their sum decides

    def _find_points(self, node: Node, levels: dict[int, list[Node]]) -> tuple[Structure, str] | None:
        """A function of the sum of points, if equal sums always go on equally."""
        first, *others = levels
        for start in self._rankings(first, levels):
            reached = self._add_points({0: node}, first, start)
            most = len(start) - 1
            for level in others:
                self._pulse()
                each = self._rankings(level, levels)
                reached = next(filter(None, (self._add_points(reached, level, ranking) for ranking in each)), {})
                most = max(most, len(each[0]) - 1)
            if reached:
                return _describe_points([reached[points] == ALWAYS for points in sorted(reached)], len(levels), most)
        return None

    def _rankings(self, level: int, levels: dict[int, list[Node]]) -> list[list[list[int]]]:
        """Orders of a component's classes, by their points: the likeliest first, others only if there are few."""
        classes = self._classes(level, levels)
        return list(map(list, permutations(classes))) if len(classes) <= MOST_RANKED else [classes]

    def _add_points(self, reached: dict[int, Node], level: int, ranking: list[list[int]]) -> dict[int, Node]:
        """The node for each sum of points after one more component; none if one sum leads to several."""
        after: dict[int, Node] = {}
        for points, here in reached.items():
            children = self._diagrams.children(here, level)
            for rank, members in enumerate(ranking):
                if after.setdefault(points + rank, children[members[0]]) != children[members[0]]:
                    return {}
        return after

    def _classes(self, level: int, levels: dict[int, list[Node]]) -> list[list[int]]:
        """The values of a component, grouped by what follows them; those with which the function holds most often
        last."""
        groups: dict[tuple[Node, ...], list[int]] = {}
        for value in range(len(self._diagrams.values[level])):
            key = tuple(self._diagrams.children(here, level)[value] for here in levels[level])
            groups.setdefault(key, []).append(value)
        counts = {key: sum(map(self._diagrams.share, key)) for key in groups}
        return [groups[key] for key in sorted(groups, key=lambda key: counts[key])]

    # Thresholds: weights such that the lightest combination that satisfies is heavier than any that does not

    def _find_threshold(self, node: Node, levels: dict[int, list[Node]]) -> tuple[Structure, str] | None:
        classes = {level: self._classes(level, levels) for level in levels}
        weights = {level: list(range(len(own))) for level, own in classes.items()}
        for _ in range(MOST_ROUNDS):
            self._pulse()
            lightest, chosen = self._extreme(node, classes, weights, levels, ALWAYS)
            heaviest, other = self._extreme(node, classes, weights, levels, NEVER)
            if lightest > heaviest:
                shown = [max(own) - min(own) for own in weights.values()]
                base = sum(min(own) for own in weights.values())
                text = f"a weighted sum over {len(levels)} subgames is at least {lightest - base}"
                return Structure.THRESHOLD, f"{text} (weights {', '.join(map(str, shown))})"
            for level in levels:
                weights[level][chosen[level]] += 1
                weights[level][other[level]] -= 1
        return None

    def _extreme(
        self,
        node: Node,
        classes: dict[int, list[list[int]]],
        weights: dict[int, list[int]],
        levels: dict[int, list[Node]],
        wanted: Node,
    ) -> tuple[int, dict[int, int]]:
        """The weight of the lightest combination that satisfies a function, or of the heaviest that does not, and the
        class of each component in it."""
        sign = 1 if wanted == ALWAYS else -1
        order = sorted(levels)
        best = {wanted: 0}
        choice: dict[tuple[Node, int], int] = {}
        # From the last level up; nodes that skip a level take the best class there.
        for place in reversed(range(len(order))):
            level = order[place]
            here: dict[Node, int] = {}
            starts = {node} if place == 0 else self._crossing(levels, level)
            for start in starts:
                options = []
                for rank, members in enumerate(classes[level]):
                    child = self._diagrams.children(start, level)[members[0]]
                    if child in best:
                        options.append((best[child] + sign * weights[level][rank], rank))
                if options:
                    here[start], choice[start, level] = min(options)
            best = here
        chosen, at = {}, node
        for level in order:
            chosen[level] = choice[at, level]
            at = self._diagrams.children(at, level)[classes[level][chosen[level]][0]]
        return sign * best[node], chosen

    def _crossing(self, levels: dict[int, list[Node]], level: int) -> set[Node]:
        """The nodes at a level or below it that paths can be at when they come to the level."""
        found: set[Node] = {NEVER, ALWAYS}
        for below, nodes in levels.items():
            if below >= level:
                found |= set(nodes)
        return found

    # Sums

    def _terms(self, nodes: dict[int, Node]) -> int:
        """The number of subgames of which a goal is the sum of one term each, at every tick; 0 if it is not."""
        depths = [set(self._diagrams.below(node)) for node in nodes.values()]
        levels = sorted(set().union(*depths) - {CLOCK})
        if len(levels) < 2:
            return 0
        for tick in range(len(self._diagrams.values[CLOCK])):
            start = tuple(self._diagrams.children(node, CLOCK)[tick] for node in nodes.values())
            if not self._is_sum(start, tuple(nodes), levels):
                return 0
        return len(levels)

    def _is_sum(self, start: tuple[Node, ...], values: tuple[int, ...], levels: Sequence[int]) -> bool:
        """Whether what a component adds to the goal is the same whatever holds in the components before it."""
        layers = [{start}]
        steps: list[dict[tuple[Node, ...], list[tuple[Node, ...]]]] = []
        for level in levels:
            self._pulse()
            rows = {
                nodes: list(zip(*(self._diagrams.children(node, level) for node in nodes), strict=True))
                for nodes in layers[-1]
            }
            steps.append(rows)
            layers.append({after for own in rows.values() for after in own})
            if len(layers[-1]) > MOST_ROUNDS * len(levels):
                return False
        offset = {nodes: values[nodes.index(ALWAYS)] if nodes.count(ALWAYS) == 1 else 0 for nodes in layers[-1]}
        for rows in reversed(steps):
            terms = {tuple(offset[after] - offset[own[0]] for after in own) for own in rows.values()}
            if len(terms) > 1:
                return False
            offset = {nodes: offset[own[0]] for nodes, own in rows.items()}
        return True


def _describe_points(holds: Sequence[bool], subgames: int, most: int) -> tuple[Structure, str]:
    """A function of the sum of points, given for which sums it holds, in words."""
    last = len(holds) - 1
    where = [points for points, own in enumerate(holds) if own]
    first = where[0]
    if most == 1:
        if where in ([last], [0]):
            return Structure.ALL, f"all of {subgames} subgames"
        if where == list(range(1, last + 1)) or where == list(range(last)):
            return Structure.ANY, f"any of {subgames} subgames"
    what = f"of {subgames} subgames" if most == 1 else f"points in {subgames} subgames"
    if where == list(range(first, last + 1)):
        return Structure.COUNT, f"at least {first} {what}"
    if where == list(range(where[-1] + 1)):
        return Structure.COUNT, f"at most {where[-1]} {what}"
    if len(where) == 1:
        return Structure.COUNT, f"exactly {first} {what}"
    if where in (list(range(0, last + 1, 2)), list(range(1, last + 1, 2))):
        return Structure.COUNT, f"an {'odd' if first else 'even'} number {what}"
    return Structure.COUNT, f"the number {what} is one of {', '.join(map(str, where))}"

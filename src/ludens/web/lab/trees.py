"""The syntax tree of a rule as SVG, one word per node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ludens.drawing.scenes.svg import escape_text
from ludens.gdl.rules import And, Condition, Distinct, Holds, Not, Or, Rule
from ludens.gdl.terms import Term, Variable, arguments, functor

MOST_NODES = 600
"""The maximum number of nodes in a picture; hand-written rules have fewer than a hundred."""
_CHARACTER, _HEIGHT, _PAD, _GAP, _LEVEL = 7.6, 24, 9, 10, 52


@dataclass(frozen=True, slots=True)
class Node:
    """A word of a rule, with its children."""

    label: str
    kind: str
    """``rule``, ``logic``, ``relation``, ``name`` or ``variable``."""
    children: tuple[Node, ...] = ()


def tree_of(rule: Rule) -> Node:
    """The tree of a rule: the arrow above its head and its conditions; a fact is its head alone."""
    head = _relation(rule.head)
    return Node("⇐", "rule", (head, *map(_condition, rule.body))) if rule.body else head


def _condition(condition: Condition) -> Node:
    match condition:
        case Holds(atom):
            return _relation(atom)
        case Distinct(left, right):
            return Node("distinct", "logic", (_term(left), _term(right)))
        case Not(inner):
            return Node("not", "logic", (_condition(inner),))
        case Or(inner):
            return Node("or", "logic", tuple(map(_condition, inner)))
        case And(inner):
            return Node("and", "logic", tuple(map(_condition, inner)))


def _relation(atom: Term) -> Node:
    return Node(functor(atom), "relation", tuple(map(_term, arguments(atom))))


def _term(term: Term) -> Node:
    if isinstance(term, Variable):
        return Node(f"?{term.name}", "variable")
    return Node(functor(term), "name", tuple(map(_term, arguments(term))))


@dataclass(slots=True)
class _Placed:
    node: Node
    x: float
    y: float
    children: list[_Placed]

    @property
    def width(self) -> float:
        return _width(self.node)


def _width(node: Node) -> float:
    return len(node.label) * _CHARACTER + 2 * _PAD


def tree_svg(rule: Rule) -> str:
    """The tree as SVG; a page's style sheet colours it by the classes ``node-…``."""
    root = tree_of(rule)
    count = sum(1 for _ in _all(root))
    if count > MOST_NODES:
        return _note(f"This rule has {count:,} words, too many to draw.")
    placed, width = _place(root, _GAP, _GAP)
    height = max(one.y for one in _walk_placed(placed)) + _HEIGHT + _GAP
    words = " ".join(node.label for node in _all(root))
    return "".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" class="tree" role="img" '
            f'viewBox="0 0 {width + _GAP:g} {height:g}" width="{width + _GAP:g}" height="{height:g}">'
            f"<title>Syntax tree: {escape_text(words)}</title>",
            *_edges(placed),
            *_nodes(placed),
            "</svg>",
        ]
    )


def _note(text: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="tree" role="img" viewBox="0 0 480 40" width="480" height="40">'
        f'<text x="{_GAP}" y="25">{escape_text(text)}</text></svg>'
    )


def _place(node: Node, left: float, top: float) -> tuple[_Placed, float]:
    """Place a tree from its leaves up, each node above the middle of its children; returns its right edge too."""
    children, right = [], left
    for child in node.children:
        placed, right = _place(child, right, top + _LEVEL)
        children.append(placed)
        right += _GAP
    right = max(right - _GAP if children else right, left + _width(node))
    middle = (children[0].x + children[-1].x) / 2 if children else (left + right) / 2
    middle = max(middle, left + _width(node) / 2)
    return _Placed(node, middle, top, children), max(right, middle + _width(node) / 2)


def _all(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _all(child)


def _walk_placed(placed: _Placed) -> Iterator[_Placed]:
    yield placed
    for child in placed.children:
        yield from _walk_placed(child)


def _edges(root: _Placed) -> Iterator[str]:
    for one in _walk_placed(root):
        for child in one.children:
            top, bottom = one.y + _HEIGHT, child.y
            bend = (top + bottom) / 2
            yield (
                f'<path class="edge" fill="none" stroke="#888" '
                f'd="M{one.x:g} {top:g}C{one.x:g} {bend:g} {child.x:g} {bend:g} {child.x:g} {bottom:g}"/>'
            )


def _nodes(root: _Placed) -> Iterator[str]:
    for one in _walk_placed(root):
        yield (
            f'<g class="node-{one.node.kind}"><rect x="{one.x - one.width / 2:g}" y="{one.y:g}" '
            f'width="{one.width:g}" height="{_HEIGHT}" rx="{_HEIGHT / 2:g}"/>'
            f'<text x="{one.x:g}" y="{one.y + 16:g}" text-anchor="middle">{escape_text(one.node.label)}</text></g>'
        )

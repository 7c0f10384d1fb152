"""Fluents on a graph: places that facts of the rules connect, such as ``(road a b)``, and their contents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ludens.drawing.fluents.known import FluentPart, Known, Situation, is_number, readable_name
from ludens.drawing.layouts import graph_at
from ludens.drawing.model import Board, Piece, Place
from ludens.gdl.board import BLANKS
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import arguments, signature
from ludens.gdl.write import kif

_LEAST, _MOST = 4, 80
"""The maximum number of places of a graph."""
Roads = dict[str, list[tuple[str, str]]]


_MOST_ROADS = 4
"""The maximum number of roads for each place: more are a table of numbers, and nobody could follow the lines."""


class GraphPart(FluentPart):
    """A fluent on the places of a graph, with their contents: ``(at knight c)`` or ``(town c red)``."""

    def __init__(self, known: Known, sign: Signature, place: int, roads: Sequence[tuple[str, str]]) -> None:
        super().__init__(known, sign)
        self._place = place
        self._nodes = sorted({node for road in roads for node in road})
        where = graph_at(self._nodes, roads)
        name = sign[0]
        self._board = Board(
            name,
            "points",
            tuple(Place(f"{name}:{node}", *where[node], readable_name(node)) for node in self._nodes),
            {},
            lines=tuple((f"{name}:{a}", f"{name}:{b}") for a, b in roads),
            is_named=True,
        )

    def panels(self, now: Situation) -> list[Board]:
        """The graph and its contents."""
        contents: dict[str, tuple[Piece, ...]] = {}
        for words in now.words(self._sign):
            content = [word for n, word in enumerate(words) if n != self._place]
            if len(content) == 1 and content[0].lower() in BLANKS:
                continue
            spot = f"{self._sign[0]}:{words[self._place]}"
            contents[spot] = (*contents.get(spot, ()), self._known.namer.piece(content or [self._sign[0]]))
        return [self._board.with_contents(contents)]

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The places that a move names."""
        return tuple(f"{self._sign[0]}:{word}" for word in words if word in self._nodes)


def graph_of(known: Known, sign: Signature) -> GraphPart | None:
    """The graph that a fluent lies on, if one of its arguments is always a place of one."""
    for roads in _roads(known).values():
        nodes = {node for road in roads for node in road}
        if nodes <= set(known.roles):
            continue  # the turn order
        for n in range(sign[1]):
            domain = set(known.domain(sign, n))
            if len(domain) >= _LEAST and domain <= nodes:
                return GraphPart(known, sign, n, roads)
    return None


def _roads(known: Known) -> Roads:
    """The relations of the rules that connect places, without orders, in which everything has one successor."""
    by_relation: Roads = defaultdict(list)
    for rule in known.game.sheet.rules:
        if not rule.body and signature(rule.head)[1] == 2:
            here, there = map(kif, arguments(rule.head))
            by_relation[signature(rule.head)[0]].append((here, there))
    return {name: roads for name, roads in by_relation.items() if _is_graph(roads)}


def _is_ring(roads: Sequence[tuple[str, str]]) -> bool:
    """True if the places form one cycle."""
    after = dict(roads)
    here, seen = roads[0][0], set()
    while here in after and here not in seen:
        seen.add(here)
        here = after[here]
    return len(after) == len(set(roads)) == len(seen) and here == roads[0][0]


def _is_graph(roads: Sequence[tuple[str, str]]) -> bool:
    first, second = {here for here, _ in roads}, {there for _, there in roads}
    nodes = first | second
    if not _LEAST <= len(nodes) <= _MOST or len(first & second) < len(nodes) / 2:
        return False
    pairs = {frozenset(road) for road in roads if road[0] != road[1]}
    if _is_ring(roads):
        return not all(is_number(node) for node in nodes)
    # A relation between all pairs, such as "higher" or "different", says nothing about places.
    return len(set(roads)) > len(first) and len(pairs) < min(_MOST_ROADS, (len(nodes) - 1) / 2) * len(nodes)

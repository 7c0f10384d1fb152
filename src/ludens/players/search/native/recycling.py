"""Make room in a full tree, in native code: drop nodes not below the root, then those with the fewest visits."""

from __future__ import annotations

import numpy as np

from ludens.players.search.native.arrays import EDGES, IS_FULL, LINKS, NODES, NOTHING, ROOT, Array, Tree
from ludens.players.search.native.descent import is_settled
from ludens.players.search.native.hash_tables import add_link, copy_row, find_link, find_node
from ludens.players.search.native.numba_code import native, native_once


@native
def _is_kept(tree: Tree, node: int, least_visits: int) -> bool:
    """Whether a node is kept. Nodes that lack edges for want of room are dropped, so that they are created again."""
    return tree.visits[node] >= least_visits and (tree.first[node] >= 0 or is_settled(tree, node))


@native
def _edges_of(tree: Tree, node: int) -> int:
    found = 0
    for role in range(tree.counts.shape[1]):
        found += tree.counts[node, role]
    return found


@native
def _mark(tree: Tree, least_visits: int, places: Array) -> tuple[int, int, int]:
    """Mark what is kept in ``places``; returns the numbers of nodes, edges and links."""
    places[:] = NOTHING
    stack = np.empty(tree.counters[NODES], np.int32)
    root = tree.counters[ROOT]
    stack[0] = root
    height, nodes, edges, links = 1, 0, 0, 0
    places[root] = 0
    link_first, link_next = _links_by_node(tree)
    while height:
        height -= 1
        node = stack[height]
        nodes += 1
        if tree.first[node] < 0:
            continue
        count = _edges_of(tree, node)
        edges += count
        for edge in range(tree.first[node], tree.first[node] + count):
            child = tree.children[edge]
            if child >= 0 and places[child] < 0 and _is_kept(tree, child, least_visits):
                places[child] = 0
                stack[height] = child
                height += 1
        place = link_first[node]
        while place >= 0:
            child = tree.link_children[place]
            if child >= 0 and (child == root or _is_kept(tree, child, least_visits)):
                links += 1
                if places[child] < 0:
                    places[child] = 0
                    stack[height] = child
                    height += 1
            place = link_next[place]
    return nodes, edges, links


@native
def _links_by_node(tree: Tree) -> tuple[Array, Array]:
    """Linked lists of links: the first of each node, and the next of each link."""
    heads = np.full(tree.counters[NODES], NOTHING, np.int64)
    tails = np.full(len(tree.link_nodes), NOTHING, np.int64)
    for place in range(len(tree.link_nodes)):
        if tree.link_nodes[place]:
            node = tree.link_nodes[place] - 1
            tails[place] = heads[node]
            heads[node] = place
    return heads, tails


@native_once
def make_room(tree: Tree) -> None:
    """Keep the most visited nodes below the root, so that half of the room is free."""
    places = np.empty(tree.counters[NODES], np.int32)
    least = 1
    nodes, edges, links = _mark(tree, least, places)
    # At most half of the places for links are ever used.
    while 2 * nodes > len(tree.visits) or 2 * edges > len(tree.moves) or 4 * links > len(tree.link_nodes):
        least *= 2
        nodes, edges, links = _mark(tree, least, places)
    _move_down(tree, places)
    _relink(tree, places)
    tree.table[:] = 0
    for node in range(tree.counters[NODES]):
        _, bucket = find_node(tree, tree.states[node])
        tree.table[bucket] = node + 1
    tree.counters[IS_FULL] = 0


@native
def _move_down(tree: Tree, places: Array) -> None:
    """Close the gaps. Edges lie in the order of their nodes, so that moving them one by one overwrites nothing."""
    to, edge_to = 0, 0
    for node in range(len(places)):
        if places[node] < 0:
            continue
        places[node] = to
        copy_row(tree.states, to, tree.states, node)
        tree.visits[to] = tree.visits[node]
        copy_row(tree.low, to, tree.low, node)
        copy_row(tree.high, to, tree.high, node)
        copy_row(tree.counts, to, tree.counts, node)
        tree.chooser[to] = tree.chooser[node]
        first = tree.first[node]
        tree.first[to] = edge_to if first >= 0 else -1
        if first >= 0:
            for edge in range(first, first + _edges_of(tree, to)):
                tree.moves[edge_to] = tree.moves[edge]
                tree.tries[edge_to] = tree.tries[edge]
                tree.totals[edge_to] = tree.totals[edge]
                tree.children[edge_to] = tree.children[edge]
                tree.edge_low[edge_to] = tree.edge_low[edge]
                tree.edge_high[edge_to] = tree.edge_high[edge]
                if len(tree.amaf_tries):
                    tree.amaf_tries[edge_to] = tree.amaf_tries[edge]
                    tree.amaf_totals[edge_to] = tree.amaf_totals[edge]
                edge_to += 1
        to += 1
    tree.counters[ROOT] = places[tree.counters[ROOT]]
    tree.counters[NODES] = to
    tree.counters[EDGES] = edge_to
    for edge in range(edge_to):
        if tree.children[edge] >= 0:
            tree.children[edge] = places[tree.children[edge]]


@native
def _relink(tree: Tree, places: Array) -> None:
    nodes, joints, children = tree.link_nodes.copy(), tree.link_joints.copy(), tree.link_children.copy()
    tree.link_nodes[:] = 0
    tree.counters[LINKS] = 0
    for place in range(len(nodes)):
        if nodes[place] and children[place] >= 0:
            node, child = places[nodes[place] - 1], places[children[place]]
            if node >= 0 and child >= 0:
                add_link(tree, find_link(tree, node, joints[place]), node, joints[place], child)

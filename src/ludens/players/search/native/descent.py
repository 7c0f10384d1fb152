"""Descents from the root to leaves by upper confidence bounds, in native code.

A descent counts as a visit of every edge on its path at once, and its value is added later: until then the edge looks
worse than it is (virtual loss), so that the next descents of the same round go elsewhere. All descents of a round
advance in step, a node at a time: trees are larger than caches, and while one chooses, the nodes of others are fetched.

Where several roles choose at once, the width of each one's bounds is random. If it were constant, roles in the same
situation would switch moves at the same time, and each would cooperate in a prisoner's dilemma because the other seems
to do so whenever it does itself.
"""

from __future__ import annotations

import math

from ludens.core import BEST_GOAL
from ludens.players.search.native.arrays import DEEPEST, EDGE_BYTES, IS_FULL, LINKS, NOTHING, ROOT, Round, Rules, Tree
from ludens.players.search.native.chance import DICE, append_move, draw, draw_chance
from ludens.players.search.native.hash_tables import add_link, find_link
from ludens.players.search.native.numba_code import fetch, integer, native, word
from ludens.players.search.settings import WIDEST

_UNTRIED = 1e6
_LINE_BYTES = 64
_MOST_FETCHED = 32
"""Edges of a node that are prefetched; the processor prefetches the rest by itself."""


@native
def is_settled(tree: Tree, node: int) -> bool:
    """Whether a node's value is proven for all roles."""
    for role in range(tree.low.shape[1]):  # noqa: SIM110 - numba compiles no generator expressions
        if tree.low[node, role] != tree.high[node, role]:
            return False
    return True


@native
def _edge_of(tree: Tree, node: int, role: int, move: int) -> int:
    """The edge of a role's move in a node, where moves are in order; `NOTHING` if the move is not legal there."""
    low = integer(tree.first[node])
    for earlier in range(role):
        low += tree.counts[node, earlier]
    end = low + tree.counts[node, role]
    high = end
    while low < high:
        middle = (low + high) // 2
        if tree.moves[middle] < move:
            low = middle + 1
        else:
            high = middle
    found: int = low if low < end and tree.moves[low] == move else integer(NOTHING)
    return found


@native
def choose_edge(
    tree: Tree,
    node: int,
    role: int,
    first: int,
    first_move: int,
    exploration: float,
    rave: float,
    reference: int,
    mast: bool,
) -> int:
    """The edge that a role tries next: the best upper confidence bound among those that can still change its value.

    With RAVE, a move's average anywhere below is taken from the reference: the node or an ancestor.
    """
    guaranteed = tree.low[node, role]
    logarithm = math.log(tree.visits[node] + 1.0)
    best, best_score = -1, -1.0
    surest, surest_low = first, -1
    for edge in range(first, first + tree.counts[node, role]):
        low, high = integer(tree.edge_low[edge]), integer(tree.edge_high[edge])
        if low > surest_low:
            surest, surest_low = edge, low
        if high <= guaranteed:
            continue
        tries = tree.tries[edge]
        if tries == 0:
            score = _UNTRIED + draw(tree, DICE)
            if mast and tree.mast_tries[first_move + tree.moves[edge]] > 0:
                move = first_move + tree.moves[edge]
                score += tree.mast_totals[move] / tree.mast_tries[move]
        else:
            share_of_one = 1.0 / tries
            mean = min(max(tree.totals[edge] * share_of_one, low), high)
            if rave > 0.0:
                known = edge if reference == node else _edge_of(tree, reference, role, tree.moves[edge])
                if known >= 0 and tree.amaf_tries[known] > 0.0:
                    share = math.sqrt(rave / (3.0 * tries + rave))
                    mean += share * (tree.amaf_totals[known] / tree.amaf_tries[known] - mean)
            score = mean / BEST_GOAL + exploration * math.sqrt(logarithm * share_of_one)
        if score > best_score:
            best, best_score = edge, score
    return best if best >= 0 else surest


@native
def _follow(tree: Tree, batch: Round, number: int, node: int, depth: int, joint: int) -> tuple[int, int]:
    """The child after a joint move, and the edge or link that leads there; a missing one is marked as being created."""
    chooser = tree.chooser[node]
    if chooser >= 0 and not batch.path_drawn[number, depth]:
        place = batch.path_edges[number, depth, chooser]
        child = integer(tree.children[place])
        if child == NOTHING:
            tree.children[place] = -2 - number
        return child, place
    place = find_link(tree, node, joint)
    if tree.link_nodes[place]:
        child = integer(tree.link_children[place])
        if child == NOTHING:
            tree.link_children[place] = -2 - number
        return child, place
    if 2 * tree.counters[LINKS] < len(tree.link_nodes):
        add_link(tree, place, node, joint, -2 - number)
        return integer(NOTHING), place
    tree.counters[IS_FULL] = 1
    return integer(NOTHING), integer(NOTHING)


@native
def _fetch_edges(tree: Tree, node: int) -> None:
    count = integer(0)
    for role in range(tree.counts.shape[1]):
        count += tree.counts[node, role]
    start = tree.totals.ctypes.data + integer(tree.first[node]) * EDGE_BYTES
    for offset in range(0, min(count, _MOST_FETCHED) * EDGE_BYTES, _LINE_BYTES):
        fetch(start + offset)


@native
def _step(
    tree: Tree, rules: Rules, batch: Round, number: int, exploration: float, rave: float, grave: int, mast: bool
) -> bool:
    """Make one joint move of a descent; returns whether it goes on. It ends outside the tree or at a proven value."""
    players = tree.low.shape[1]
    node, depth = batch.nodes[number], batch.depths[number]
    tree.visits[node] += 1
    if depth == DEEPEST or tree.first[node] < 0 or is_settled(tree, node):
        batch.parents[number] = NOTHING
        return False
    if tree.visits[node] > grave:
        batch.references[number] = node
    first = tree.first[node]
    joint = word(0)
    batch.path_nodes[number, depth] = node
    for role in range(players):
        count = tree.counts[node, role]
        edge = first
        if count > 1:
            first_move, reference = rules.first_moves[role], batch.references[number]
            width = exploration * WIDEST * draw(tree, DICE) if tree.chooser[node] < 0 else exploration
            edge = choose_edge(tree, node, role, first, first_move, width, rave, reference, mast)
            tree.tries[edge] += 1
        batch.path_edges[number, depth, role] = edge
        batch.joint[number, role] = tree.moves[edge]
        joint = append_move(joint, count, edge - first)
        first += count
    if players < tree.counts.shape[1]:
        joint = draw_chance(tree, rules, batch, number, depth, first, joint)
    batch.depths[number] = depth + 1
    child, place = _follow(tree, batch, number, node, depth, joint)
    if child >= 0:
        batch.nodes[number] = child
        return True
    batch.parents[number] = node
    batch.places[number] = place
    batch.nodes[number] = NOTHING
    if child < NOTHING:
        batch.same[number] = -2 - child
    return False


@native
def descend(
    tree: Tree, rules: Rules, batch: Round, count: int, exploration: float, rave: float, grave: int, mast: bool
) -> None:
    """Run all descents of a round."""
    batch.nodes[:count] = tree.counters[ROOT]
    batch.references[:count] = tree.counters[ROOT]
    batch.depths[:count] = 0
    batch.same[:count] = NOTHING
    for number in range(count):
        batch.active[number] = number
    left = count
    while left:
        for n in range(left):
            _fetch_edges(tree, batch.nodes[batch.active[n]])
        going = 0
        for n in range(left):
            number = batch.active[n]
            if _step(tree, rules, batch, number, exploration, rave, grave, mast):
                fetch(tree.visits.ctypes.data + batch.nodes[number] * tree.visits.strides[0])
                batch.active[going] = number
                going += 1
            elif batch.parents[number] >= 0:
                fetch(tree.states.ctypes.data + batch.parents[number] * tree.states.strides[0])
        left = going

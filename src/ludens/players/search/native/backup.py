"""Add the results of descents to the edges on their paths, and update proofs, in native code.

Every node keeps lower and upper bounds of each role's goal. A role that chooses gets the best of its children; the
others get what it leaves them; where chance decides, all get the mean of the outcomes. Bounds that meet are a proof.
"""

from __future__ import annotations

from ludens.players.search.native.arrays import Round, Rules, Tree
from ludens.players.search.native.chance import bounds_after
from ludens.players.search.native.descent import is_settled
from ludens.players.search.native.numba_code import integer, native, real


@native
def _tighten(tree: Tree, rules: Rules, batch: Round, node: int) -> bool:
    """Tighten a node's bounds by its children's; returns whether they changed."""
    chooser = tree.chooser[node]
    if chooser < 0:
        return False
    roles = tree.low.shape[1]
    first = tree.first[node]
    for role in range(chooser):
        first += tree.counts[node, role]
    last = first + tree.counts[node, chooser]
    best_low, best_high, favourite = integer(-1), integer(-1), integer(-1)
    for edge in range(first, last):
        best_high = max(best_high, integer(tree.edge_high[edge]))
        if tree.edge_low[edge] > best_low:
            best_low, favourite = integer(tree.edge_low[edge]), integer(edge)
    changed = False
    for role in range(roles):
        low, high = integer(tree.low[node, role]), integer(tree.high[node, role])
        new_low, new_high = best_low, best_high
        if role == chooser:
            pass
        elif best_low == best_high:
            # Nothing is better for the chooser, so it may choose this one, whatever it means for others.
            new_low, new_high = bounds_after(tree, rules, batch, node, favourite, role)
        else:
            new_low, new_high = _bounds_for_others(tree, rules, batch, node, first, last, best_low, role)
        tree.low[node, role] = max(low, min(new_low, high))
        tree.high[node, role] = min(high, max(new_high, low))
        changed |= low != tree.low[node, role] or high != tree.high[node, role]
    return changed


@native
def _bounds_for_others(
    tree: Tree, rules: Rules, batch: Round, node: int, first: int, last: int, best_low: int, role: int
) -> tuple[int, int]:
    """Bounds for another role: those of all children that the chooser may prefer."""
    low, high = integer(tree.highest[role]), integer(tree.lowest[role])
    for edge in range(first, last):
        if tree.edge_high[edge] < best_low:
            continue
        edge_low, edge_high = bounds_after(tree, rules, batch, node, edge, role)
        if edge_low == tree.lowest[role] and edge_high == tree.highest[role]:
            return edge_low, edge_high
        low, high = min(low, edge_low), max(high, edge_high)
    return low, high


@native
def _note_moves(tree: Tree, rules: Rules, batch: Round, number: int, depth: int, has_amaf: bool) -> None:
    """Add a descent's value to the statistics of its moves, for MAST and, from here on, for RAVE.

    In the compiled game only the moves inside the tree are known; playouts do not record theirs.
    """
    node = batch.path_nodes[number, depth]
    for role in range(tree.low.shape[1]):
        if tree.counts[node, role] > 1:
            move = rules.first_moves[role] + tree.moves[batch.path_edges[number, depth, role]]
            tree.mast_tries[move] += 1.0
            tree.mast_totals[move] += batch.values[number, role]
    if not has_amaf:
        return
    first = tree.first[node]
    for role in range(tree.low.shape[1]):
        last = first + tree.counts[node, role]
        for below in range(depth, batch.depths[number]):
            if tree.counts[batch.path_nodes[number, below], role] < 2:
                continue
            move = tree.moves[batch.path_edges[number, below, role]]
            for edge in range(first, last):
                if tree.moves[edge] == move:
                    tree.amaf_tries[edge] += 1.0
                    tree.amaf_totals[edge] += batch.values[number, role]
                    break
        first = last


@native
def back_up(tree: Tree, rules: Rules, batch: Round, number: int, mast: bool) -> None:
    """Add the value of a leaf to all edges on its path."""
    roles = tree.low.shape[1]
    below = batch.nodes[number]
    is_closer, has_drawn = False, False
    if below >= 0 and is_settled(tree, below):
        is_closer = True
        for role in range(roles):
            batch.values[number, role] = tree.low[below, role]
    has_amaf = len(tree.amaf_tries) > 0
    for depth in range(batch.depths[number] - 1, -1, -1):
        node = batch.path_nodes[number, depth]
        for role in range(roles):
            if tree.counts[node, role] > 1:
                tree.totals[batch.path_edges[number, depth, role]] += batch.values[number, role]
        if mast or has_amaf:
            _note_moves(tree, rules, batch, number, depth, has_amaf)
        chooser = tree.chooser[node]
        is_drawn = batch.path_drawn[number, depth]
        has_drawn |= is_drawn
        if chooser >= 0 and below >= 0 and (is_closer or not is_drawn):
            edge = batch.path_edges[number, depth, chooser]
            low, high = integer(tree.low[below, chooser]), integer(tree.high[below, chooser])
            if is_drawn:
                low, high = bounds_after(tree, rules, batch, node, edge, chooser)
            tree.edge_low[edge] = max(integer(tree.edge_low[edge]), low)
            tree.edge_high[edge] = min(integer(tree.edge_high[edge]), high)
        below = node
        if is_closer:
            is_closer = _tighten(tree, rules, batch, node)
            for role in range(roles):
                low, high = integer(tree.low[node, role]), integer(tree.high[node, role])
                if low == high or not has_drawn:  # bounds of a mean do not bound a single outcome
                    batch.values[number, role] = min(max(batch.values[number, role], real(low)), real(high))

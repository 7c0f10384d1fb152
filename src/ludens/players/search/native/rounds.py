"""The main loop of the native search: rounds of descents whose leaves are evaluated together."""

from __future__ import annotations

from ludens.players.search.native.arrays import IS_FULL, NOTHING, ROOT, Array, Round, Rules, Tree
from ludens.players.search.native.backup import back_up
from ludens.players.search.native.descent import descend
from ludens.players.search.native.growth import evaluate, make_nodes, play_last_moves
from ludens.players.search.native.hash_tables import find_node
from ludens.players.search.native.numba_code import borrow, entry, native, word
from ludens.players.search.native.recycling import make_room


@native
def _set_root(tree: Tree, rules: Rules, batch: Round, state: Array) -> None:
    """Set the root to a state: its node, or the first of a new tree."""
    node, _ = find_node(tree, state)
    if node < 0:
        tree.table[:] = 0
        tree.link_nodes[:] = 0
        tree.counters[:] = 0
        batch.nexts[:] = 0
        for fluent in range(len(batch.nexts)):
            batch.nexts[fluent, 0] = (state[fluent // 64] >> word(fluent % 64)) & word(1)
        for n in range(len(state)):
            batch.states[0, n] = state[n]
        batch.parents[0] = -2
        batch.same[0] = NOTHING
        make_nodes(tree, rules, batch, 1)
        node = batch.nodes[0]
    tree.counters[ROOT] = node


@entry
def search(
    tree: Tree,
    rules: Rules,
    batch: Round,
    state: Array,
    role: int,
    rounds: int,
    leaves: int,
    lanes: int,
    cutoff: int,
    exploration: float,
    rave: float,
    grave: int,
    mast: bool,
) -> tuple[int, int]:
    """Run rounds from a state until it is proven for a role; returns the numbers of rounds and playouts.

    A full tree ends the call, and the next call begins by making room, so that the caller can choose when.
    This is the only entry point, since each takes long to compile.
    """
    tree, rules, batch = borrow(tree), borrow(rules), borrow(batch)
    _set_root(tree, rules, batch, state)
    if tree.counters[IS_FULL]:
        make_room(tree)
    playouts = 0
    for made in range(rounds):
        root = tree.counters[ROOT]
        if tree.low[root, role] == tree.high[root, role]:
            return made, playouts
        descend(tree, rules, batch, leaves, exploration, rave, grave, mast)
        play_last_moves(tree, rules, batch, leaves)
        make_nodes(tree, rules, batch, leaves)
        playouts += evaluate(tree, rules, batch, leaves, lanes, cutoff)
        for number in range(leaves):
            back_up(tree, rules, batch, number, mast)
        if tree.counters[IS_FULL]:
            return made + 1, playouts
    return rounds, playouts

"""Expand the tree where descents left it: new states, their nodes, and playouts, all in one block of lanes."""

from __future__ import annotations

import math

from ludens.core import BEST_GOAL
from ludens.players.search.native.arrays import (
    EDGES,
    IS_FULL,
    LANES,
    LANES_PER_WORD,
    NODES,
    NOTHING,
    Array,
    Round,
    Rules,
    Tree,
)
from ludens.players.search.native.chance import leave_out_idle
from ludens.players.search.native.descent import is_settled
from ludens.players.search.native.hash_tables import copy_row, find_node
from ludens.players.search.native.numba_code import (
    borrow,
    call,
    count_ones,
    lowest_one,
    native,
    native_once,
    real,
    word,
)

_ONE = word(1)
_ALL = word(2**64 - 1)


@native
def _put_state(rows: Array, state: Array, lane: int, lanes: int) -> None:
    """Write a state to neighbouring lanes, a power of two of them."""
    first_word = lane // LANES_PER_WORD
    last_word = (lane + lanes - 1) // LANES_PER_WORD
    mask = _ALL
    if lanes < LANES_PER_WORD:
        mask = ((_ONE << word(lanes)) - _ONE) << word(lane % LANES_PER_WORD)
    for n in range(len(state)):
        bits = state[n]
        while bits:
            row = n * LANES_PER_WORD + lowest_one(bits)
            bits &= bits - _ONE
            for place in range(first_word, last_word + 1):
                rows[row, place] |= mask


@native
def _take_states(rows: Array, states: Array, count: int) -> None:
    """Read the states of the first lanes."""
    states[:count] = 0
    for row in range(len(rows)):
        bit = _ONE << word(row % LANES_PER_WORD)
        for place in range((count + LANES_PER_WORD - 1) // LANES_PER_WORD):
            bits = rows[row, place]
            while bits:
                lane = place * LANES_PER_WORD + lowest_one(bits)
                bits &= bits - _ONE
                if lane < count:
                    states[lane, row // LANES_PER_WORD] |= bit


@native
def _is_set(rows: Array, row: int, lane: int) -> bool:
    found: bool = (rows[row, lane // LANES_PER_WORD] >> word(lane % LANES_PER_WORD)) & _ONE != 0
    return found


@native
def play_last_moves(tree: Tree, rules: Rules, batch: Round, count: int) -> None:
    """Play the joint moves by which descents left the tree, one lane each."""
    batch.fluents[:] = 0
    batch.over[:] = 0
    for k in range(count):
        if batch.parents[k] >= 0 and batch.same[k] < 0:
            _put_state(batch.fluents, tree.states[batch.parents[k]], k, 1)
        else:
            batch.over[k // LANES_PER_WORD] |= _ONE << word(k % LANES_PER_WORD)
    call(
        rules.advance_with,
        (
            rules.given_values.ctypes.data,
            rules.given_code,
            rules.rng.ctypes.data,
            batch.fluents.ctypes.data,
            batch.nexts.ctypes.data,
            0,
            batch.over.ctypes.data,
            1,
            batch.joint.ctypes.data,
            rules.first_moves.ctypes.data,
            len(rules.first_moves),
            count,
        ),
    )
    _take_states(batch.nexts, batch.states, count)


@native_once
def make_nodes(tree: Tree, rules: Rules, batch: Round, count: int) -> None:
    """Give every leaf its node: an existing one, or a new one with its edges."""
    tree, rules, batch = borrow(tree), borrow(rules), borrow(batch)
    call(
        rules.compute,
        (
            rules.position_values.ctypes.data,
            rules.position_code,
            rules.rng.ctypes.data,
            batch.nexts.ctypes.data,
            batch.position.ctypes.data,
            1,
        ),
    )
    for k in range(count):
        batch.fresh[k] = False
        if batch.parents[k] == NOTHING or batch.same[k] >= 0:
            continue
        node, bucket = find_node(tree, batch.states[k])
        if node < 0 and tree.counters[NODES] < len(tree.visits):
            node = tree.counters[NODES]
            tree.counters[NODES] += 1
            tree.table[bucket] = node + 1
            copy_row(tree.states, node, batch.states, k)
            tree.visits[node] = 0
            tree.first[node] = -1
            batch.fresh[k] = True
        elif node < 0:
            tree.counters[IS_FULL] = 1
        batch.nodes[k] = node
    leave_out_idle(rules, batch, tree.low.shape[1])
    _count_moves(rules, batch, count)
    _make_edges(tree, rules, batch, count)
    _write_moves(tree, rules, batch, count)
    for k in range(count):
        parent = batch.parents[k]
        if parent < 0:
            continue
        if batch.same[k] >= 0:
            batch.nodes[k] = batch.nodes[batch.same[k]]
        elif batch.places[k] >= 0 and tree.chooser[parent] >= 0 and not batch.path_drawn[k, batch.depths[k] - 1]:
            tree.children[batch.places[k]] = batch.nodes[k]
        elif batch.places[k] >= 0:
            tree.link_children[batch.places[k]] = batch.nodes[k]
        if batch.nodes[k] >= 0:
            tree.visits[batch.nodes[k]] += 1


@native
def _count_moves(rules: Rules, batch: Round, count: int) -> None:
    """Count the legal moves of each role in each new node."""
    batch.legal_counts[:count] = 0
    for role in range(len(rules.first_moves)):
        first = rules.first_legal + rules.first_moves[role]
        for row in range(first, first + rules.move_counts[role]):
            for place in range((count + LANES_PER_WORD - 1) // LANES_PER_WORD):
                bits = batch.position[row, place]
                while bits:
                    lane = place * LANES_PER_WORD + lowest_one(bits)
                    bits &= bits - _ONE
                    if lane < count:
                        batch.legal_counts[lane, role] += 1


@native
def _make_edges(tree: Tree, rules: Rules, batch: Round, count: int) -> None:
    players = tree.low.shape[1]
    for k in range(count):
        if not batch.fresh[k]:
            continue
        node = batch.nodes[k]
        for role in range(players):
            tree.low[node, role] = tree.lowest[role]
            tree.high[node, role] = tree.highest[role]
        if _is_set(batch.position, 0, k) or _is_set(batch.position, 1, k):
            for role in range(players):
                goal = 0
                for bit in range(8):
                    if _is_set(batch.position, rules.first_goal + 8 * role + bit, k):
                        goal |= 1 << bit
                tree.low[node, role] = goal
                tree.high[node, role] = goal
            continue
        chooser, choosing, wanted = 0, 0, 0
        for role in range(len(rules.first_moves)):
            own = batch.legal_counts[k, role]
            tree.counts[node, role] = own
            wanted += own
            if own > 1 and role < players:
                chooser = role
                choosing += 1
        tree.chooser[node] = chooser if choosing <= 1 else -1
        if tree.counters[EDGES] + wanted > len(tree.moves):
            tree.counters[IS_FULL] = 1
            continue
        tree.first[node] = tree.counters[EDGES]
        batch.cursors[k] = tree.counters[EDGES]
        tree.counters[EDGES] += wanted


@native
def _write_moves(tree: Tree, rules: Rules, batch: Round, count: int) -> None:
    """Write the moves of the new edges in the order of the rows: role by role."""
    for role in range(len(rules.first_moves)):
        first = rules.first_legal + rules.first_moves[role]
        for move in range(rules.move_counts[role]):
            for place in range((count + LANES_PER_WORD - 1) // LANES_PER_WORD):
                bits = batch.position[first + move, place]
                while bits:
                    lane = place * LANES_PER_WORD + lowest_one(bits)
                    bits &= bits - _ONE
                    if lane < count and batch.fresh[lane] and tree.first[batch.nodes[lane]] >= 0:
                        edge = batch.cursors[lane]
                        batch.cursors[lane] += 1
                        tree.moves[edge] = move
                        tree.tries[edge] = 0
                        tree.totals[edge] = 0.0
                        tree.children[edge] = NOTHING
                        if role < tree.low.shape[1]:
                            tree.edge_low[edge] = tree.lowest[role]
                            tree.edge_high[edge] = tree.highest[role]
                        if len(tree.amaf_tries):
                            tree.amaf_tries[edge] = 0.0
                            tree.amaf_totals[edge] = 0.0


@native
def _phase_of(rules: Rules, state: Array) -> int:
    for phase in range(rules.phases):
        fits = True
        for n in range(len(rules.known)):
            fluent = rules.known[n]
            bit = (state[fluent // LANES_PER_WORD] >> word(fluent % LANES_PER_WORD)) & _ONE
            if bit != rules.present[phase, n]:
                fits = False
                break
        if fits:
            return phase
    return 0


@native
def _set_lanes(row: Array, lane: int, lanes: int) -> None:
    if lanes < LANES_PER_WORD:
        row[lane // LANES_PER_WORD] |= ((_ONE << word(lanes)) - _ONE) << word(lane % LANES_PER_WORD)
        return
    row[lane // LANES_PER_WORD : (lane + lanes) // LANES_PER_WORD] = _ALL


@native
def _count_ones(row: Array, lane: int, lanes: int) -> int:
    if lanes < LANES_PER_WORD:
        mask = (_ONE << word(lanes)) - _ONE
        found: int = count_ones((row[lane // LANES_PER_WORD] >> word(lane % LANES_PER_WORD)) & mask)
        return found
    found = 0
    for place in range(lane // LANES_PER_WORD, (lane + lanes) // LANES_PER_WORD):
        found += count_ones(row[place])
    return found


@native
def evaluate(tree: Tree, rules: Rules, batch: Round, count: int, lanes: int, cutoff: int) -> int:
    """Compute the value of each leaf: proven, or the average of playouts. Returns the number of playouts.

    With ``lanes`` 0, the leaves share all lanes of a block.
    """
    open_leaves = 0
    for k in range(count):
        node = batch.nodes[k]
        if node < 0 or not is_settled(tree, node):
            open_leaves += 1
    if open_leaves == 0:
        return 0
    share = LANES
    while share * open_leaves > LANES:
        share //= 2
    if lanes:
        share = min(share, lanes)
    batch.fluents[:] = 0
    batch.begins[:] = 0
    batch.results[:] = 0
    lane = 0
    for k in range(count):
        node = batch.nodes[k]
        if node >= 0 and is_settled(tree, node):
            continue
        state = tree.states[node] if node >= 0 else batch.states[batch.same[k] if batch.same[k] >= 0 else k]
        _put_state(batch.fluents, state, lane, share)
        _set_lanes(batch.begins[_phase_of(rules, state)], lane, share)
        lane += share
    call(
        rules.play_out,
        (
            rules.playout_values.ctypes.data,
            rules.playout_code,
            rules.phases,
            rules.rng.ctypes.data,
            batch.fluents.ctypes.data,
            batch.begins.ctypes.data,
            cutoff,
            batch.results.ctypes.data,
            1,
        ),
    )
    if len(rules.weights):
        _estimate_cutoffs(tree, rules, batch, lane)
    lane = 0
    for k in range(count):
        node = batch.nodes[k]
        if node >= 0 and is_settled(tree, node):
            continue
        ended = _count_ones(batch.results[0], lane, share)
        for role in range(tree.low.shape[1]):
            total, counted = real(0), ended
            for bit in range(8):
                total += _count_ones(batch.results[rules.first_goal + 8 * role + bit], lane, share) << bit
            if len(rules.weights) and ended < share:
                for own in range(lane, lane + share):
                    total += batch.estimates[own, role]
                counted = share
            middle = 0.5 * (real(tree.lowest[role]) + real(tree.highest[role]))
            batch.values[k, role] = total / counted if counted else middle
        lane += share
    return lane


@native_once
def _estimate_cutoffs(tree: Tree, rules: Rules, batch: Round, lanes: int) -> None:
    """Evaluate the playouts in the first lanes that were cut off; 0 for those that ended."""
    fluents, roles = rules.weights.shape[0] - 1, rules.weights.shape[1]
    ended = batch.results[0]
    for lane in range(lanes):
        copy_row(batch.estimates, lane, rules.weights, fluents)
    for fluent in range(fluents):
        for place in range((lanes + LANES_PER_WORD - 1) // LANES_PER_WORD):
            bits = rules.playout_values[rules.first_fluent + fluent, place] & ~ended[place]
            while bits:
                lane = place * LANES_PER_WORD + lowest_one(bits)
                bits &= bits - _ONE
                for role in range(roles):
                    batch.estimates[lane, role] += rules.weights[fluent, role]
    for lane in range(lanes):
        is_over = (ended[lane // LANES_PER_WORD] >> word(lane % LANES_PER_WORD)) & _ONE
        for role in range(roles):
            estimate = BEST_GOAL / (1.0 + math.exp(-batch.estimates[lane, role]))
            estimate = min(max(estimate, real(tree.lowest[role])), real(tree.highest[role]))
            batch.estimates[lane, role] = 0.0 if is_over else estimate

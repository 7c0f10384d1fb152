"""Chance in the native search: drawing the moves of chance roles, and proofs over their outcomes.

Chance roles come after the players: the role ``random`` of GDL-II, and one for each random variable and role that may
use it. Their moves are edges like those of players, but are drawn by weight.
"""

from __future__ import annotations

import math

from ludens.players.search.native.arrays import NOTHING, Array, Round, Rules, Tree
from ludens.players.search.native.hash_tables import find_link, mix_bits, state_hash
from ludens.players.search.native.numba_code import integer, native, native_once, real, word

_OUTCOMES = 40
_WIDENING = 4.0
"""Progressive widening: a joint move gets this many outcomes, or this many times the root of its visits; where there
are more, a fixed sample of them is searched again and again."""
_PROVABLE = 256
"""The most outcomes of a move over which bounds are averaged."""
_EXACT = 2.0**45
"""Sums of weights below this, times a goal, are exact in floating point."""

DICE, SAMPLES = range(2)
"""Indices of `Tree.random`: the search's generator, and one that repeats the same sample of chance."""


@native
def draw(tree: Tree, generator: int) -> float:
    """Draw a random number from 0 to 1 (xorshift)."""
    x = tree.random[generator]
    x ^= x << word(13)
    x ^= x >> word(7)
    x ^= x << word(17)
    tree.random[generator] = x
    drawn: float = real(integer(x >> word(11))) / 2.0**53
    return drawn


@native
def _is_drawn(tree: Tree, rules: Rules, node: int, role: int, edges: Array) -> bool:
    """Whether a chance role has several moves after the players' choices, of which one is drawn."""
    if tree.counts[node, role] < 2:
        return False
    owner = rules.owners[role]
    if owner < 0:
        return True
    found: bool = rules.uses[role, rules.first_moves[owner] + tree.moves[edges[owner]]]
    return found


@native
def _count_outcomes(tree: Tree, rules: Rules, node: int, edges: Array) -> float:
    """How many outcomes chance has after the players' choices; 1 if it decides nothing."""
    outcomes = 1.0
    for role in range(tree.low.shape[1], tree.counts.shape[1]):
        if _is_drawn(tree, rules, node, role, edges):
            outcomes *= tree.counts[node, role]
    return outcomes


@native
def _draw_edge(tree: Tree, rules: Rules, node: int, role: int, first: int, generator: int) -> int:
    """Draw an edge of a chance role by the weights of its moves."""
    last = first + tree.counts[node, role]
    total = 0.0
    for edge in range(first, last):
        total += rules.odds[rules.first_moves[role] + tree.moves[edge]]
    index = total * draw(tree, generator)
    drawn: int = integer(first)
    while drawn < last - 1:
        index -= rules.odds[rules.first_moves[role] + tree.moves[drawn]]
        if index < 0.0:
            break
        drawn += 1
    return drawn


@native
def _choose_generator(tree: Tree, rules: Rules, node: int, edges: Array, tries: int, joint: int) -> int:
    """The generator to draw with; if there are too many outcomes, one that repeats a fixed sample.

    Samples come from the true distribution, so their mean is unbiased. They depend on the state and not on the node's
    number, so they stay the same when nodes are recycled.
    """
    samples = max(real(_OUTCOMES), math.ceil(_WIDENING * math.sqrt(tries)))
    if _count_outcomes(tree, rules, node, edges) <= samples:
        return DICE
    sample = word(integer(draw(tree, DICE) * samples))
    tree.random[SAMPLES] = mix_bits(mix_bits(state_hash(tree.states[node]) ^ joint) + sample) | word(1)
    return SAMPLES


@native
def draw_chance(tree: Tree, rules: Rules, batch: Round, number: int, depth: int, first: int, joint: int) -> int:
    """Draw the moves of all chance roles, and return the joint move with them appended.

    ``first`` is the first of their edges. Where nothing depends on chance, its first move is taken.
    """
    node = batch.path_nodes[number, depth]
    edges = batch.path_edges[number, depth]
    tries = tree.visits[node]
    for role in range(tree.low.shape[1]):
        if tree.counts[node, role] > 1:
            tries = min(tries, tree.tries[edges[role]])
    generator = _choose_generator(tree, rules, node, edges, tries, joint)
    has_drawn = False
    for role in range(tree.low.shape[1], tree.counts.shape[1]):
        count = tree.counts[node, role]
        edge = first
        if _is_drawn(tree, rules, node, role, edges):
            has_drawn = True
            edge = _draw_edge(tree, rules, node, role, first, generator)
            tree.tries[edge] += 1
        edges[role] = edge
        batch.joint[number, role] = tree.moves[edge]
        joint = append_move(joint, count, edge - first)
        first += count
    batch.path_drawn[number, depth] = has_drawn
    return joint


@native
def append_move(joint: int, count: int, place: int) -> int:
    """The number of a joint move with one more move: move ``place`` of ``count``.

    Factors are odd, so that overflow loses nothing.
    """
    found: int = joint * (word(count) | word(1)) + word(place)
    return found


@native
def bounds_after(tree: Tree, rules: Rules, batch: Round, node: int, edge: int, role: int) -> tuple[int, int]:
    """Bounds of a role's goal after a move of the only role that chooses."""
    if tree.counts.shape[1] > tree.low.shape[1]:
        return _mean_bounds(tree, rules, batch, node, edge, role)
    return _bounds_of(tree, integer(tree.children[edge]), role)


@native
def _bounds_of(tree: Tree, node: int, role: int) -> tuple[int, int]:
    if node < 0:
        return integer(tree.lowest[role]), integer(tree.highest[role])
    return integer(tree.low[node, role]), integer(tree.high[node, role])


@native_once
def _mean_bounds(tree: Tree, rules: Rules, batch: Round, node: int, edge: int, role: int) -> tuple[int, int]:
    """The mean bounds over all outcomes.

    The bounds are rounded down and up, so they meet only if the mean is an integer, and proofs stay exact.
    """
    chooser = tree.chooser[node]
    edges = batch.edges
    place = integer(tree.first[node])
    joint = word(0)
    for player in range(tree.low.shape[1]):
        edges[player] = edge if player == chooser else place
        joint = append_move(joint, tree.counts[node, player], edges[player] - place)
        place += tree.counts[node, player]
    outcomes = _count_outcomes(tree, rules, node, edges)
    if outcomes == 1.0:
        return _bounds_of(tree, integer(tree.children[edge]), role)
    if outcomes > _PROVABLE:
        return _bounds_of(tree, integer(NOTHING), role)
    total, low, high = 0.0, 0.0, 0.0
    for outcome in range(integer(outcomes)):
        weight, child = _outcome(tree, rules, node, edges, place, joint, outcome)
        child_low, child_high = _bounds_of(tree, child, role)
        total += weight
        low += weight * child_low
        high += weight * child_high
    if total > _EXACT:
        return _bounds_of(tree, integer(NOTHING), role)
    return integer(low) // integer(total), -(-integer(high) // integer(total))


@native
def _outcome(
    tree: Tree, rules: Rules, node: int, edges: Array, first: int, joint: int, number: int
) -> tuple[float, int]:
    """The weight of one outcome of chance, and the child to which it leads; `NOTHING` if there is none yet."""
    weight = 1.0
    for role in range(tree.low.shape[1], tree.counts.shape[1]):
        count = integer(tree.counts[node, role])
        place = integer(0)
        if _is_drawn(tree, rules, node, role, edges):
            place = number % count
            number //= count
            weight *= rules.odds[rules.first_moves[role] + tree.moves[first + place]]
        joint = append_move(joint, count, place)
        first += count
    link = find_link(tree, node, joint)
    child = integer(tree.link_children[link]) if tree.link_nodes[link] else integer(NOTHING)
    return weight, child


@native
def leave_out_idle(rules: Rules, batch: Round, players: int) -> None:
    """Keep one move in each lane of chance on which nothing depends, so that nodes have few edges."""
    for role in range(players, len(rules.first_moves)):
        owner = rules.owners[role]
        if owner < 0:
            continue
        own = rules.first_legal + rules.first_moves[role]
        for place in range(batch.position.shape[1]):
            used = word(0)
            for move in range(rules.move_counts[owner]):
                if rules.uses[role, rules.first_moves[owner] + move]:
                    used |= batch.position[rules.first_legal + rules.first_moves[owner] + move, place]
            seen = word(0)
            for row in range(own, own + rules.move_counts[role]):
                legal = batch.position[row, place]
                batch.position[row, place] = legal & (used | ~seen)
                seen |= legal

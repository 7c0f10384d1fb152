"""Find nodes by state and children by joint move, in native code."""

from __future__ import annotations

from ludens.players.search.native.arrays import LINKS, NOTHING, Array, Tree
from ludens.players.search.native.numba_code import integer, native, word

_MIX = word(0x9E3779B97F4A7C15)
_SHIFT = word(29)


@native
def copy_row(rows: Array, to: int, source: Array, place: int) -> None:
    """Copy one row of a table element by element: assignments of rows take numba seconds to compile."""
    for n in range(rows.shape[1]):
        rows[to, n] = source[place, n]


@native
def mix_bits(number: int) -> int:
    """A bijective hash of a number."""
    found: int = (number ^ (number >> _SHIFT)) * _MIX
    found = (found ^ (found >> _SHIFT)) * _MIX
    found ^= found >> _SHIFT
    return found


@native
def state_hash(state: Array) -> int:
    """A hash of a state."""
    found: int = word(len(state))
    for bits in state:
        found = (found ^ bits) * _MIX
        found ^= found >> _SHIFT
    return found


@native
def find_node(tree: Tree, state: Array) -> tuple[int, int]:
    """The node with a state and its bucket; `NOTHING` and the bucket where it belongs if there is none."""
    mask = word(len(tree.table) - 1)
    bucket = integer(state_hash(state) & mask)
    while tree.table[bucket]:
        node = tree.table[bucket] - 1
        is_same = True
        for n in range(len(state)):
            if tree.states[node, n] != state[n]:
                is_same = False
                break
        if is_same:
            return integer(node), bucket
        bucket = (bucket + 1) & integer(mask)
    return integer(NOTHING), bucket


@native
def find_link(tree: Tree, node: int, joint: int) -> int:
    """The place where the link of a node's joint move is or belongs."""
    mask = word(len(tree.link_nodes) - 1)
    mixed = (word(node) * _MIX) ^ joint
    mixed = (mixed ^ (mixed >> _SHIFT)) * _MIX
    place: int = integer((mixed ^ (mixed >> _SHIFT)) & mask)
    while tree.link_nodes[place] and (tree.link_nodes[place] != node + 1 or tree.link_joints[place] != joint):
        place = (place + 1) & integer(mask)
    return place


@native
def add_link(tree: Tree, place: int, node: int, joint: int, child: int) -> None:
    """Add a link at the place where it belongs."""
    tree.link_nodes[place] = node + 1
    tree.link_joints[place] = joint
    tree.link_children[place] = child
    tree.counters[LINKS] += 1

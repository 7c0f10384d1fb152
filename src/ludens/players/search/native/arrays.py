"""The tree of the native search as arrays, and everything else that its machine code reads and writes.

A node has an edge for every legal move of every role, role by role; chance roles, whose moves are drawn, come after the
players. Statistics belong to edges: each player chooses by its own (decoupled UCT). If only one player has a choice and
nothing is left to chance, its edges lead to children; otherwise joint moves do, through a table of links.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

LANES = 512
LANES_PER_WORD = 64
DEEPEST = 256
"""The depth limit of a descent, in joint moves."""

NOTHING = -1
"""No child yet. Lower numbers, from -2 downwards, stand for a child that a descent is creating."""

NODES, EDGES, LINKS, ROOT, IS_FULL = range(5)
"""Indices of `Tree.counters`."""


class Tree(NamedTuple):
    """Nodes, edges and links, and the tables by which they are found."""

    states: Array
    """The fluents of each node, packed into words (nodes, words)."""
    visits: Array
    """Descents through each node."""
    low: Array
    """Lower bounds of each player's goal (nodes, players)."""
    high: Array
    """Upper bounds of each player's goal (nodes, players)."""
    first: Array
    """The first edge of each node; -1 if it has none yet for want of room."""
    counts: Array
    """Edges of each role (nodes, roles)."""
    chooser: Array
    """The only player that has a choice; any if none has, -1 if several have."""
    moves: Array
    """The move of each edge, by its number."""
    tries: Array
    """Descents through each edge."""
    totals: Array
    """The sum of their values for the role whose edge it is."""
    children: Array
    """The node below each edge, where one player has a choice and nothing is drawn."""
    edge_low: Array
    """The lower bound of the role's goal by its move, cached here so that a choice need not read nodes."""
    edge_high: Array
    """The upper bound."""
    amaf_tries: Array
    """Descents in which the role made the edge's move here or further below; empty without RAVE."""
    amaf_totals: Array
    """The sum of their values."""
    table: Array
    """Nodes by the hash of their state, plus one; 0 where there is none."""
    link_nodes: Array
    """Links by the hash of node and joint move: the node plus one; 0 where there is none."""
    link_joints: Array
    """The joint move of each link, as one number."""
    link_children: Array
    """The node to which each link leads."""
    mast_tries: Array
    """Descents in which each move was made, whatever the position."""
    mast_totals: Array
    """The sum of their values."""
    lowest: Array
    """The lowest goal of each player."""
    highest: Array
    """The highest goal of each player."""
    counters: Array
    """The used lengths of the arrays, the root, and whether room ran out."""
    random: Array
    """The states of the random generators, which draw chance and break ties."""


class Rules(NamedTuple):
    """The compiled game: addresses of code, layout of rows, and the memory that the code computes in."""

    advance_with: int
    compute: int
    play_out: int
    given_code: int
    position_code: int
    playout_code: int
    phases: int
    known: Array
    """The fluents that distinguish the phases."""
    present: Array
    """Their values in each phase (phases, known)."""
    first_moves: Array
    move_counts: Array
    owners: Array
    """For each chance role, the player whose moves contain its random variable; -1 if it always moves."""
    uses: Array
    """Which of that player's moves contain the variable (roles, moves)."""
    odds: Array
    """The weight of each move where it is drawn."""
    first_goal: int
    first_legal: int
    rng: Array
    given_values: Array
    position_values: Array
    playout_values: Array
    first_fluent: int
    """Where `playout_values` stores the fluents of the lanes after playouts."""
    weights: Array
    """What each fluent, and in the last row every position, adds to the logit of each role's share of the best goal
    (fluents + 1, roles); empty if playouts that are cut off are not evaluated."""


class Round(NamedTuple):
    """Descents that are made together, and the rows of their leaves."""

    fluents: Array
    nexts: Array
    position: Array
    begins: Array
    results: Array
    over: Array
    joint: Array
    """The joint move by which each descent left the tree (descents, roles)."""
    path_nodes: Array
    path_edges: Array
    path_drawn: Array
    """Whether chance decided something after each joint move of a descent."""
    edges: Array
    """Scratch space: one edge of each role."""
    active: Array
    """The descents that have not left the tree yet."""
    references: Array
    """The node whose RAVE averages each descent uses."""
    depths: Array
    parents: Array
    """The node from which each descent left the tree; -1 if it stopped inside."""
    places: Array
    """The edge or link by which it left; -1 if there was no room."""
    same: Array
    """An earlier descent that left by the same; -1 if there is none."""
    nodes: Array
    """The node where each descent is, in the end that of its leaf; -1 if there was no room."""
    fresh: Array
    """Whether the node was created in this round."""
    states: Array
    values: Array
    """The value of each leaf for each role."""
    legal_counts: Array
    cursors: Array
    estimates: Array
    """The evaluation of playouts that were cut off (lanes, roles)."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What the size of a tree depends on."""

    width: int
    """Words of a state."""
    players: int
    roles: int
    """Players and chance roles."""
    moves: int
    """Of all roles."""
    has_amaf: bool
    """Whether edges have averages for RAVE."""
    has_links: bool
    """Whether several players may choose at once, or something is left to chance."""


def new_tree(nodes: int, shape: Shape, goals: tuple[Array, Array]) -> Tree:
    """An empty tree with room for ``nodes``."""
    roles, players = shape.roles, shape.players
    edges = nodes * EDGES_PER_NODE
    buckets = 1 << (2 * nodes - 1).bit_length()
    links = buckets if shape.has_links else 2
    amaf = edges if shape.has_amaf else 0
    # What belongs to a node or an edge lies together, whole trees being far larger than caches.
    heads = np.empty((nodes, 3 + roles + 2 * players), np.int32)
    ways = np.empty((edges, EDGE_BYTES // 8), np.float64)
    return Tree(
        states=np.empty((nodes, shape.width), np.uint64),
        visits=heads[:, 0],
        first=heads[:, 1],
        chooser=heads[:, 2],
        counts=heads[:, 3 : 3 + roles],
        low=heads[:, 3 + roles : 3 + roles + players],
        high=heads[:, 3 + roles + players :],
        totals=ways[:, 0],
        moves=ways.view(np.int32)[:, 2],
        tries=ways.view(np.int32)[:, 3],
        children=ways.view(np.int32)[:, 4],
        edge_low=ways.view(np.uint8)[:, 20],
        edge_high=ways.view(np.uint8)[:, 21],
        amaf_tries=np.empty(amaf, np.float64),
        amaf_totals=np.empty(amaf, np.float64),
        table=np.zeros(buckets, np.int32),
        link_nodes=np.zeros(links, np.int32),
        link_joints=np.zeros(links, np.uint64),
        link_children=np.zeros(links, np.int32),
        mast_tries=np.zeros(shape.moves, np.float64),
        mast_totals=np.zeros(shape.moves, np.float64),
        lowest=goals[0],
        highest=goals[1],
        counters=np.zeros(5, np.int64),
        random=np.ones(2, np.uint64),
    )


EDGE_BYTES = 24
_MOST_EDGES = 2**31 - 1
"""Edges have numbers of four bytes."""
EDGES_PER_NODE = 24
"""Average room for edges per node; a tree whose nodes have more is full earlier."""


def nodes_in(megabytes: int, shape: Shape) -> int:
    """How many nodes fit into ``megabytes``."""
    edge = EDGE_BYTES + 16 * shape.has_amaf
    head = 12 + 4 * shape.roles + 8 * shape.players
    node = 8 * shape.width + head + EDGES_PER_NODE * edge + 4 * 4 + (4 * 16 if shape.has_links else 0)
    return min(max(1024, megabytes * 2**20 // node), _MOST_EDGES // EDGES_PER_NODE)

"""The tree as arrays: what `source/tree.hpp` and `source/rules.hpp` describe for machine code, described for Python.

The order and the types of the fields are those of the C++ structures.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

LANES = 512
DEEPEST = 256
"""The depth limit of a descent, in joint moves."""
NOTHING = -1
"""No child."""
UNITS = 512
"""Units of a goal in which bounds are counted."""
SEVERAL = -1
"""The chooser of a node where several players choose."""

EDGE = np.dtype(
    [("total", "f8"), ("move", "i4"), ("tries", "i4"), ("child", "i4"), ("low", "u2"), ("high", "u2")], align=True
)
MIX = np.dtype([("regret", "f8"), ("weight", "f8")])
MEAN = np.dtype([("tries", "f8"), ("total", "f8")])
MADE = np.dtype([("tries", "f4"), ("total", "f4")])
_VISITS, _FIRST, _CHOOSER, _COUNTS = range(4)


def _structure(integers_and_pointers: str, special: dict[str, Any] | None = None) -> list[tuple[str, Any]]:
    """The fields of a structure: names of integers, and of pointers with a star."""
    kinds = special or {}
    return [
        (name.lstrip("*"), ctypes.c_void_p if name.startswith("*") else kinds.get(name, ctypes.c_int64))
        for name in integers_and_pointers.split()
    ]


class Structure(ctypes.Structure):
    """A structure of integers and pointers to arrays, which it keeps alive."""

    def hold(self, **arrays: Array | None) -> None:
        """Point to arrays; None is a null pointer."""
        for name, array in arrays.items():
            setattr(self, name, None if array is None else array.ctypes.data)
            self.__dict__.setdefault("_held", {})[name] = array

    def __getitem__(self, name: str) -> Any:
        """The array that a pointer points to."""
        return self.__dict__["_held"][name]

    @property
    def reference(self) -> Any:
        """As machine code takes it."""
        return ctypes.byref(self)


class RulesStructure(Structure):
    """The rules as code that computes blocks of states."""

    _fields_: ClassVar[Any] = _structure(
        "*position *advance *play_out position_code advance_code play_out_code *position_values *advance_values "
        "*play_out_values *rng fluent_rows first_goal first_legal first_fluent first_made phase_count known_count "
        "*known *present *move_counts move_rows *owners *uses *odds weight_count *weights *network judges_leaves"
    )


class RoundStructure(Structure):
    """Descents that are made together, and their leaves."""

    _fields_: ClassVar[Any] = _structure(
        "*fluents *nexts *position *begins *results *idle *joint *path_nodes *path_edges *path_links *path_drawn "
        "*path_detours *edges *scratch *active *references *depths *parents *places *same *nodes *fresh *states *ended "
        "*races *goals *legal_counts *offsets *moves *values *estimates *made made_stride "
        "*roots *next_joint *next_edges *next_leaves *won"
    )


class SettingsStructure(Structure):
    """The settings of a search."""

    _fields_: ClassVar[Any] = _structure(
        "leaves lanes cutoff exploration rave grave mast role lookahead minimax is_zero_sum detours *resolve",
        dict.fromkeys(("exploration", "rave", "minimax", "detours"), ctypes.c_double),
    )


class TreeStructure(Structure):
    """Nodes, edges and links, and the tables by which they are found."""

    _fields_: ClassVar[Any] = _structure(
        "node_room edge_room bucket_count link_room width players roles head_size *states *heads *edges *amaf *mixes "
        "*priors *estimates *means *table *link_nodes *link_joints *link_children *link_means *mast *first_moves "
        "*lowest *highest is_open nodes edge_count links root is_full random",
        {"random": ctypes.c_uint64 * 2},
    )


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
    has_mixes: bool
    """Whether several players may choose at once."""
    has_priors: bool = False
    """Whether an evaluator gives edges priors and nodes values."""
    has_estimates: bool = False
    """Whether an evaluation estimates the children of new nodes."""
    is_open: bool = False
    """Whether only the caller can resolve chance, and knows the states."""
    edges_per_node: int = 24
    """Average room for edges per node; a tree whose nodes have more is full earlier."""
    state_bytes: int = 0
    """What a state takes outside the tree."""
    most_nodes: int = 2**31 - 1
    """A limit besides memory."""


_MOST_EDGES = 2**31 - 1
"""Edges have numbers of four bytes."""
_LEAST_NODES = 1024
_LEAST_EDGES = 100_000


def nodes_in(megabytes: int, shape: Shape) -> int:
    """How many nodes fit into ``megabytes``."""
    edge = EDGE.itemsize + MADE.itemsize * shape.has_amaf + MIX.itemsize * shape.has_mixes + 4 * shape.has_priors
    edge += 4 * shape.has_estimates
    head = 12 + 4 * shape.roles + 8 * shape.players
    means = 8 * (shape.players + 1) * shape.has_mixes
    # The tables have between two and four places for each node.
    node = 8 * shape.width + head + means + shape.edges_per_node * edge + 16 + shape.state_bytes
    node += 4 * (16 + means) if shape.has_links else 0
    room = max(_LEAST_NODES, megabytes * 2**20 // node)
    return min(room, shape.most_nodes, _MOST_EDGES // shape.edges_per_node)


class Tree:
    """An empty tree with room for ``nodes``, and what its structures mean."""

    def __init__(self, nodes: int, shape: Shape, highest: list[int], first_moves: list[int], seed: int) -> None:
        players, roles = shape.players, shape.roles
        edges = max(nodes * shape.edges_per_node, _LEAST_EDGES)
        buckets = 1 << (2 * nodes - 1).bit_length()
        links = buckets if shape.has_links else 2
        self.players, self.roles = players, roles
        self.structure = structure = TreeStructure(
            node_room=nodes,
            edge_room=edges,
            bucket_count=buckets,
            link_room=links,
            width=shape.width,
            players=players,
            roles=roles,
            head_size=3 + roles + 2 * players,
            is_open=shape.is_open,
        )
        structure.random[:] = [seed | 1, 1]
        self.heads = np.empty((nodes, 3 + roles + 2 * players), np.int32)
        self.edges = np.empty(edges, EDGE)
        self.mixes = np.empty(edges, MIX) if shape.has_mixes else None
        has_means = shape.has_mixes or shape.has_priors
        structure.hold(
            states=np.empty((nodes, shape.width), np.uint64),
            heads=self.heads,
            edges=self.edges,
            amaf=np.empty(edges, MADE) if shape.has_amaf else None,
            mixes=self.mixes,
            priors=np.empty(edges, np.float32) if shape.has_priors else None,
            estimates=np.empty(edges, np.float32) if shape.has_estimates else None,
            means=np.empty((nodes, players + 1), np.float64) if has_means else None,
            table=np.zeros(buckets, np.int32),
            link_nodes=np.zeros(links, np.int32),
            link_joints=np.zeros(links, np.uint64),
            link_children=np.zeros(links, np.int32),
            link_means=np.empty((links, players + 1), np.float64) if shape.has_mixes else None,
            mast=np.zeros(shape.moves, MEAN),
            first_moves=np.array(first_moves, np.int64),
            # A role whose goal the rules leave out in some state gets 0 there, so that is always possible.
            lowest=np.zeros(players, np.int32),
            highest=UNITS * np.array(highest, np.int32),
        )

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return int(self.structure.nodes)

    @property
    def root(self) -> int:
        """The node of the root."""
        return int(self.structure.root)

    @property
    def is_full(self) -> bool:
        """Whether there was no room for a node, an edge or a link."""
        return bool(self.structure.is_full)

    def chooser(self, node: int) -> int:
        """The only player that has a choice; any if none has, a negative number if several have."""
        return int(self.heads[node, _CHOOSER])

    def choosers_and_edges(self, nodes: Array) -> tuple[Array, Array]:
        """The chooser of each of some nodes, and its first edge: a negative number where there was no room."""
        return self.heads[nodes, _CHOOSER], self.heads[nodes, _FIRST]

    def visits(self, node: int) -> int:
        """Descents through a node."""
        return int(self.heads[node, _VISITS])

    def bounds(self, node: int, player: int) -> tuple[float, float]:
        """What a player is sure to get, and the most it can get."""
        low = int(self.heads[node, _COUNTS + self.roles + player])
        high = int(self.heads[node, _COUNTS + self.roles + self.players + player])
        return low / UNITS, high / UNITS

    def edges_of(self, node: int, role: int) -> range:
        """The edges of a role in a node."""
        first = int(self.heads[node, _FIRST])
        if first < 0:
            return range(0)
        counts = self.heads[node, _COUNTS : _COUNTS + self.roles]
        first += int(counts[:role].sum())
        return range(first, first + int(counts[role]))

    def ends_at_once(self, edge: int) -> bool:
        """Whether the game is known to be over after an edge that no descent has followed."""
        found = self.edges[edge]
        return bool(found["child"] < 0 and found["tries"] == 0 and found["low"] == found["high"])

    def reorder_edges(self, node: int, order: list[int], role: int, count: int) -> None:
        """Give a node some of its edges, in a new order, ``count`` of them a role's."""
        first = int(self.heads[node, _FIRST])
        for name in ("edges", "amaf", "mixes", "priors", "estimates"):
            if (array := self.structure[name]) is not None:
                array[first : first + len(order)] = array[order]
        self.heads[node, _COUNTS + role] = count

    def mix(self, node: int, role: int) -> Array | None:
        """The mean strategy of a role in a node where several choose: a probability for each edge; None elsewhere."""
        edges = self.edges_of(node, role)
        if self.mixes is None or self.chooser(node) != SEVERAL or len(edges) < 2:
            return None
        weights = self.mixes["weight"][edges.start : edges.stop]
        total = weights.sum()
        return weights / total if total > 0 else np.full(len(edges), 1 / len(edges))


def new_round(leaves: int, shape: Shape) -> RoundStructure:
    """Room for the descents of a round; what blocks of states need is added by those who have them."""
    players, roles, deep = shape.players, shape.roles, DEEPEST + 1
    found = RoundStructure(made_stride=shape.moves)

    def numbers(*size: int) -> Array:
        return np.zeros(size, np.int64)

    found.hold(
        joint=np.zeros((leaves, roles), np.int32),
        path_nodes=np.zeros((leaves, deep), np.int32),
        path_edges=numbers(leaves, deep, roles),
        path_links=np.zeros((leaves, deep), np.uint64),
        path_drawn=np.zeros((leaves, deep), np.uint8),
        path_detours=np.zeros((leaves, deep), np.uint64),
        edges=numbers(roles),
        scratch=np.zeros(2 * max(1, shape.moves), np.float64),
        active=numbers(leaves),
        references=numbers(leaves),
        depths=numbers(leaves),
        parents=numbers(leaves),
        places=numbers(leaves),
        same=numbers(leaves),
        nodes=numbers(leaves),
        fresh=np.zeros(leaves, np.uint8),
        states=np.zeros((leaves, shape.width), np.uint64),
        ended=np.zeros(leaves, np.uint8),
        races=np.zeros(leaves, np.uint8),
        goals=np.zeros((leaves, players), np.int32),
        legal_counts=np.zeros((leaves, roles), np.int32),
        offsets=numbers(leaves),
        moves=np.zeros(leaves * max(1, shape.moves), np.int32),
        values=np.zeros((leaves, players), np.float64),
        made=np.zeros((leaves, max(1, shape.moves)), MADE) if shape.has_amaf else None,
    )
    return found

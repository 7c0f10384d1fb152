"""The graph search in machine code, and its structures as `source/*.hpp` describe them."""

from __future__ import annotations

import ctypes
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar

from ludens.compiler.native.bitcode import Library
from ludens.players.search.tree import Structure

HEAPS = 3
BREADTH, DISTANCE, GREEDY, DEPTH = range(4)
"""The orders in which positions are expanded."""
GOING_ON, BETTER, EXHAUSTED, FULL, CROWDED = range(5)
"""Why a search returns."""
_POINTER, _INTEGER = ctypes.c_void_p, ctypes.c_int64


def _fields(names: str) -> list[tuple[str, Any]]:
    """Integers, and pointers with a star."""
    return [(name.lstrip("*"), _POINTER if name.startswith("*") else _INTEGER) for name in names.split()]


class RulesStructure(Structure):
    """The rules as code that computes blocks of states, and room for blocks."""

    _fields_: ClassVar[Any] = _fields(
        "*position *advance position_code advance_code *position_values *advance_values *rng fluent_rows first_goal "
        "first_legal move_count *first_moves kept_count *kept counting_count *counting *fluents *nexts *seen *idle "
        "*packed *joint *owners pair_room *pairs"
    )


class RelaxationStructure(Structure):
    """The relaxed rules."""

    _fields_: ClassVar[Any] = _fields(
        "early_count late_count *early *late loop_count *loop_inputs *loop_updates fluent_count literals "
        "*fluent_inputs *fluent_rows *next free_count *free_inputs move_count *does *legal part_count *parts "
        "most_steps *may *sums *distances steps_made"
    )


class TokenGroupStructure(Structure):
    """Fluents of which always the same number is true."""

    _fields_: ClassVar[Any] = _fields("demand_count *costs *mask")


class TransportStructure(Structure):
    """Groups of tokens, and the moves that bring each to its place."""

    _fields_: ClassVar[Any] = _fields("group_count *groups *member_of *mask")


class GuideStructure(Structure):
    """What distances are computed from."""

    _fields_: ClassVar[Any] = _fields("*relaxation *transport")


class StoreStructure(Structure):
    """The positions of a search."""

    _fields_: ClassVar[Any] = [
        *_fields("room width bucket_mask count *states *parents *moves *depths *distances *ranks *closed *table"),
        ("heaps", _POINTER * HEAPS),
        ("sizes", _INTEGER * HEAPS),
        *_fields("heap_room depth_room known_depths counter_width *counters next best_goal best_node fresh expanded"),
        *_fields("computed lowest"),
        ("random", ctypes.c_uint64),
    ]


class OrderStructure(Structure):
    """The order in which positions are expanded."""

    _fields_: ClassVar[Any] = _fields("policy at_once mobility evaluates most_depth reopens")


class NoveltyStructure(Structure):
    """The fluents and pairs of fluents seen so far."""

    _fields_: ClassVar[Any] = _fields("levels pair_mask *single *pairs *type_counts turn")


class ProverStructure(Structure):
    """A proof for two players."""

    _fields_: ClassVar[Any] = _fields(
        "width total value_count *values slot_mask *slots symmetry_count *marks *history state_room child_room "
        "move_room deepest *states *children *moves *move_counts roles legal_width *legal nodes node_end "
        "computed failure stored"
    )


class RetrogradeStructure(Structure):
    """All positions of a game."""

    _fields_: ClassVar[Any] = _fields(
        "width roles bucket_mask node_room edge_room node_bytes edge_bytes byte_room count next edges computed failed "
        "outcome_count *states *outcomes *choosers *first_edges *buckets *children *goals *move_counts pair_room "
        "*pair_owners *pair_moves *first_parents *parents *pending *distances *line"
    )


class SearcherStructure(Structure):
    """A depth-first search for two players."""

    _fields_: ClassVar[Any] = _fields(
        "width roles entry_mask *entries *weights constant *network *move_counts state_room item_room move_room "
        "*states *items *moves *history most_moves salt ended_count *ended_keys *ended_values work work_end computed "
        "failure guessed change_sum change_count deepest root_count *root_moves best best_value"
    )


class MatchesStructure(Structure):
    """Matches of a player against itself."""

    _fields_: ClassVar[Any] = [
        *_fields("count most_children"),
        ("random", ctypes.c_double),
        ("greed", ctypes.c_double),
        ("rng", ctypes.c_uint64),
        *_fields("*states *estimates *is_over *shares"),
    ]


class Machine:
    """The functions that `source/graph.cpp` describes."""

    def __init__(self) -> None:
        library = Library(files(__package__).joinpath("source", "graph.bc").read_bytes())
        self.begin = library.function("ludens_begin", None, *[_POINTER] * 5)
        self.search = library.function("ludens_search", _INTEGER, *[_POINTER] * 5, _INTEGER)
        self.measure = library.function("ludens_measure", None, _POINTER, _POINTER, _INTEGER)
        self.fill_table = library.function("ludens_fill_table", None, _POINTER)


class ProofMachine:
    """The functions that `source/proof.cpp` describes."""

    def __init__(self) -> None:
        library = Library(files(__package__).joinpath("source", "proof.bc").read_bytes())
        self.mark = library.mark
        self.prove = library.function("ludens_prove", _INTEGER, *[_POINTER] * 3, _INTEGER, _INTEGER)
        self.deciding_move = library.function("ludens_deciding_move", _INTEGER, *[_POINTER] * 3)


class RetrogradeMachine:
    """The functions that `source/retrograde.cpp` describes."""

    def __init__(self) -> None:
        library = Library(files(__package__).joinpath("source", "retrograde.bc").read_bytes())
        self.begin = library.function("ludens_begin", None, *[_POINTER] * 2)
        self.enumerate = library.function("ludens_enumerate", _INTEGER, *[_POINTER] * 2, _INTEGER)
        self.fill_buckets = library.function("ludens_fill_buckets", None, _POINTER)
        self.list_parents = library.function("ludens_list_parents", None, _POINTER)
        self.attract = library.function("ludens_attract", None, _POINTER, _INTEGER, _INTEGER)


class DepthMachine:
    """The functions that `source/depth.cpp` describes."""

    def __init__(self) -> None:
        library = Library(files(__package__).joinpath("source", "depth.bc").read_bytes())
        self.key = library.function("ludens_key", ctypes.c_uint64, *[_POINTER] * 3)
        self.plant = library.function("ludens_plant", _INTEGER, *[_POINTER] * 3)
        self.deepen = library.function("ludens_deepen", _INTEGER, *[_POINTER] * 3, _INTEGER, _INTEGER)
        self.line = library.function("ludens_line", _INTEGER, *[_POINTER] * 3, _INTEGER, _POINTER, _INTEGER)


class SelfPlayMachine:
    """The functions that `source/self_play.cpp` describes."""

    def __init__(self) -> None:
        library = Library(files(__package__).joinpath("source", "self_play.bc").read_bytes())
        self.turn = library.function("ludens_turn", _INTEGER, *[_POINTER] * 4)
        sizes, network, samples = [_INTEGER] * 3, [_POINTER, _INTEGER], [_POINTER, _INTEGER]
        self.slope = library.function("ludens_slope", None, _POINTER, _POINTER, *sizes, _POINTER, _POINTER)
        order = [_POINTER, _POINTER, _INTEGER]
        self.descend = library.function("ludens_descend", None, _POINTER, *network, *samples, *order, ctypes.c_double)
        self.predict = library.function("ludens_predict", None, *network, *samples, _INTEGER, _POINTER)


@cache
def self_play_machine() -> SelfPlayMachine:
    """The functions, loaded when they are first needed."""
    return SelfPlayMachine()


@cache
def retrograde_machine() -> RetrogradeMachine:
    """The functions, loaded when they are first needed."""
    return RetrogradeMachine()


@cache
def depth_machine() -> DepthMachine:
    """The functions, loaded when they are first needed."""
    return DepthMachine()


@cache
def proof_machine() -> ProofMachine:
    """The functions, loaded when they are first needed."""
    return ProofMachine()


@cache
def machine() -> Machine:
    """The functions, loaded when they are first needed."""
    return Machine()

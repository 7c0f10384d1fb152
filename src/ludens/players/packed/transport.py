"""Tokens that the goal puts in their places, and the moves that each needs if no other is in its way.

Tokens are fluents of which always the same number is true, such as the boxes of Sokoban or a tile of a sliding puzzle.
`source/transport.hpp` finds for each position the cheapest way to serve all places.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.players.packed.machine import TokenGroupStructure, TransportStructure

MOST_TOKENS = 32
"""Tokens of one group; `source/transport.hpp` has the same."""

Costs = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class TokenGroup:
    """Tokens that can take each other's places."""

    members: tuple[int, ...]
    """The fluents."""
    costs: Costs
    """Moves from each member to each place (members, places); `DEAD` if it cannot get there."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Groups of tokens; no fluent is in two of them."""

    groups: tuple[TokenGroup, ...]

    def structure(self, kept: Sequence[int], width: int) -> TransportStructure:
        """For machine code, where packed positions have the fluents ``kept``."""
        bit_of = {fluent: bit for bit, fluent in enumerate(kept)}
        member_of = np.zeros(64 * width, np.int32)
        mask = np.zeros(width, np.uint64)
        groups = (TokenGroupStructure * len(self.groups))()
        held = []
        for group, structure in zip(self.groups, groups, strict=True):
            bits = np.array([bit_of[fluent] for fluent in group.members], np.int32)
            member_of[bits] = np.arange(len(bits))
            own = np.zeros(64 * width, np.bool_)
            own[bits] = True
            own_mask = np.packbits(own, bitorder="little").view(np.uint64)
            mask |= own_mask
            structure.demand_count = group.costs.shape[1]
            structure.hold(costs=group.costs, mask=own_mask)
            held.append((group.costs, own_mask))
        found = TransportStructure()
        found.group_count = len(groups)
        found.groups = ctypes.addressof(groups)
        found.hold(member_of=member_of, mask=mask)
        found.__dict__["_groups"] = groups, held
        return found

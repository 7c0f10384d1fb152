"""The rules of a game as searches in machine code call them, with room for a block of states."""

from __future__ import annotations

import numpy as np

from ludens.core import State
from ludens.core.batch_game import BatchGame, Flags
from ludens.core.block import LANES, row_array
from ludens.players.packed.machine import RulesStructure

PAIR_ROOM = 1 << 17
"""Children that can be listed before they are computed."""


class BlockRules:
    """The rules, and how positions are packed: without fluents that never change or only count steps."""

    def __init__(self, game: BatchGame, root: State, counting: Flags, seed: int) -> None:
        self.code = game.block_code(seed)
        """The game as machine code calls it."""
        bits = np.unpackbits(game.pack([root]), count=len(game.fluent_texts), bitorder="little").view(np.bool_)
        kept = game.changing_fluents & ~counting
        self.kept = np.flatnonzero(kept).astype(np.int32)
        """The fluents of packed positions."""
        self.width = max(1, -(-len(self.kept) // 64))
        """Words of a packed position."""
        layout, rules = self.code.layout, RulesStructure()
        rules.fluent_rows, rules.first_goal = layout.fluent_rows, layout.first_goal
        rules.first_legal, rules.move_count = layout.first_legal, len(game.move_texts[0])
        rules.kept_count, rules.counting_count = len(self.kept), int(counting.sum())
        rules.pair_room = max(PAIR_ROOM, rules.move_count + 1)
        self.root = row_array(layout.fluent_rows)
        """The root in every lane."""
        self.root[: len(bits)][bits] = 2**64 - 1
        fluents = row_array(layout.fluent_rows)
        fluents[:] = self.root
        rules.hold(
            rng=self.code.rng,
            first_moves=np.array(layout.first_moves, np.int64),
            kept=self.kept,
            counting=np.flatnonzero(counting).astype(np.int32),
            fluents=fluents,
            nexts=row_array(layout.fluent_rows),
            seen=row_array(layout.position_rows),
            idle=row_array(1),
            packed=np.zeros((LANES, self.width), np.uint64),
            joint=np.zeros((LANES, len(game.move_roles)), np.int32),
            owners=np.zeros(LANES, np.int32),
            pairs=np.zeros((rules.pair_room, 2), np.int32),
        )
        self.structure = rules
        """For machine code."""

    def update_code(self) -> None:
        """Use the fastest code that is there by now."""
        rules, functions = self.structure, self.code.functions()
        rules.position, rules.position_code = functions.position.address, functions.position.code
        rules.advance, rules.advance_code = functions.advance.address, functions.advance.code
        rules.hold(position_values=functions.position.values, advance_values=functions.advance.values)

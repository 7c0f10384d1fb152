"""Tree search on games that compute blocks of states: whole rounds are machine code, playouts included."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from ludens.core import BEST_GOAL, Move, State
from ludens.core.batch_game import BatchGame
from ludens.core.block import row_array
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.search.settings import SearchSettings
from ludens.players.search.tree import LANES, NOTHING, Array, Shape
from ludens.players.search.tree_search import TreeSearch

_LEAVES = 16
"""The default number of leaves per round."""
_JUDGED_LEAVES = 64
"""The same where leaves are valued by a network, without playouts."""
_REPETITIONS = 16
"""Turns ahead for which states that end the match by repetition are looked up."""
_ROOT = -2
"""The parent of a node that no descent made."""
_TYPICAL_LENGTH = 50
"""The approximate length of a playout, which decides when its code is compiled."""


class BlockSearch(TreeSearch):
    """Tree search whose states and playouts are computed in blocks."""

    def __init__(
        self, game: BatchGame, role: int, settings: SearchSettings, seed: int, weights: FluentWeights | None = None
    ) -> None:
        """With ``weights``, playouts that are cut off are scored by an evaluation."""
        self._game = game
        self._code = game.block_code(seed, notes_moves=settings.rave > 0)
        layout = self._code.layout
        has_network = game.chance and weights is not None and weights.network is not None
        few = _JUDGED_LEAVES if has_network else _LEAVES
        leaves = settings.leaves or (LANES // settings.lanes if settings.lanes else few)
        shape = Shape(
            width=-(-layout.fluent_rows // 64),
            players=len(game.roles),
            roles=len(game.move_roles),
            moves=layout.move_rows,
            has_amaf=settings.rave > 0,
            has_links=game.facts.may_be_simultaneous or game.chance,
            has_mixes=game.facts.may_be_simultaneous,
            has_estimates=settings.lookahead and weights is not None,
        )
        highest = [min(max(own, default=0), BEST_GOAL) for own in game.goal_values]
        leaves = min(leaves, LANES // max(1, settings.lanes))
        super().__init__(shape, highest, list(layout.first_moves), role, leaves, settings, seed)
        self._round.hold(
            fluents=row_array(layout.fluent_rows),
            nexts=row_array(layout.fluent_rows),
            position=row_array(layout.position_rows),
            results=row_array(layout.first_legal),
            idle=row_array(1),
            estimates=np.zeros((LANES, shape.players), np.float64),
            next_joint=np.zeros((LANES, shape.roles), np.int32),
            next_edges=np.zeros(LANES, np.int64),
            next_leaves=np.zeros(LANES, np.int64),
            won=np.zeros((leaves, shape.players), np.int32),
        )
        if weights is not None:
            self._settings.is_zero_sum = weights.is_opposed
            if (network := weights.network_for(game.changing_fluents)) is not None:
                self._rules.hold(network=network)
                self._rules.judges_leaves = game.chance
        self._hold_rules(None if weights is None else np.ascontiguousarray(weights.by_fluent, np.float64))

    def _hold_rules(self, weights: Array | None) -> None:
        """What stays the same for all roots."""
        rules, layout = self._rules, self._code.layout
        owners, uses, odds = self._chance()
        rules.fluent_rows, rules.move_rows = layout.fluent_rows, layout.move_rows
        rules.first_goal, rules.first_legal = layout.first_goal, layout.first_legal
        rules.first_fluent, rules.first_made = self._code.first_fluent, self._code.first_made
        rules.weight_count = 0 if weights is None else len(weights) - 1
        counts = np.array([len(moves) for moves in self._game.move_texts], np.int64)
        rules.hold(move_counts=counts, owners=owners, uses=uses, odds=odds, weights=weights, rng=self._code.rng)

    def _chance(self) -> tuple[Array, Array, Array]:
        """For chance roles: owners, the moves that use their random variables, and weights."""
        game, layout = self._game, self._code.layout
        owners = np.full(len(game.move_roles), NOTHING, np.int64)
        uses = np.zeros((len(game.move_roles), layout.move_rows), np.uint8)
        odds = np.zeros(layout.move_rows, np.float64)
        for role, source in enumerate(game.chance_sources, start=len(game.roles)):
            odds[layout.first_moves[role] :][: len(source.weights)] = source.weights
            if source.owner is not None and source.uses is not None:
                owners[role] = source.owner
                uses[role, layout.first_moves[source.owner] :][: len(source.uses)] = source.uses
        return owners, uses, odds

    def _update_code(self) -> None:
        """Use the fastest code that is there by now."""
        rules, functions = self._rules, self._code.functions()
        rules.position, rules.position_code = functions.position.address, functions.position.code
        rules.advance, rules.advance_code = functions.advance.address, functions.advance.code
        rules.play_out, rules.play_out_code = functions.play_out.address, functions.play_out.code
        rules.hold(
            position_values=functions.position.values,
            advance_values=functions.advance.values,
            play_out_values=functions.play_out.values,
        )

    def _packed(self, state: State) -> Array:
        packed = np.zeros(8 * self._tree.structure.width, np.uint8)
        bits = self._game.pack([state])[0]
        packed[: len(bits)] = bits
        return packed.view(np.uint64)

    def _find(self, state: State) -> bool:
        packed = self._packed(state)
        self._begin_at(packed)
        return bool(self._machine.find(self._tree.structure.reference, packed.ctypes.data))

    def _begin_at(self, packed: Array) -> None:
        self._code.begin_at(packed)
        phases = self._code.phases
        self._rules.phase_count, self._rules.known_count = len(phases), len(phases.known)
        self._rules.hold(
            known=np.ascontiguousarray(phases.known), present=np.ascontiguousarray(phases.present, np.uint64)
        )
        self._round.hold(begins=row_array(max(1, len(phases))))

    def _plant(self, state: State) -> None:
        packed = self._packed(state)
        self._begin_at(packed)
        self._update_code()
        self._machine.plant_block(
            self._tree.structure.reference,
            self._rules.reference,
            self._round.reference,
            self._settings.reference,
            packed.ctypes.data,
        )

    def _repetitions(self, state: State) -> tuple[State, ...]:
        return tuple(state.repetitions(_REPETITIONS))

    def _end(self, states: Sequence[State]) -> None:
        room, found = self._leaves, self._round
        for first in range(0, len(states), room):
            some = states[first : first + room]
            for k, state in enumerate(some):
                found["states"][k] = self._packed(state)
                found["parents"][k], found["same"][k] = _ROOT, NOTHING
                found["ended"][k], found["races"][k] = 1, 0
                goals = state.goals
                found["goals"][k] = [goals[role] for role in self._game.roles]
            self._machine.make_nodes(self._tree.structure.reference, found.reference, len(some))

    def _grow(self, rounds: int) -> int:
        self._update_code()
        playouts = ctypes.c_int64(0)
        made: int = self._machine.search(
            self._tree.structure.reference,
            self._rules.reference,
            self._round.reference,
            self._settings.reference,
            rounds,
            ctypes.byref(playouts),
        )
        self.playouts += playouts.value
        self._code.note_use(made, made * _TYPICAL_LENGTH)
        return made

    def _text(self, role: int, number: int) -> Move:
        return self._game.move_texts[role][number]

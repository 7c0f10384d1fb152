"""Depth-first search for two players who move in turns: alpha-beta in machine code, with a learnt evaluation."""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from typing import Any

import numpy as np

from ludens.core import BEST_GOAL, Move, State
from ludens.core.batch_game import BatchGame, Flags
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.packed.block_rules import BlockRules
from ludens.players.packed.machine import SearcherStructure, depth_machine
from ludens.players.search.settings import RootMove, Search
from ludens.players.search.tree import Array

MOST_PLIES = 100
WIN, WON = 1_000_000, 990_000
"""The value of a won position, less the plies to its end, and the least value that is a win."""
EXACT = 0
_SCALE = 1000
"""Units of a logit."""
_REPETITIONS = 16
"""Turns ahead for which states that end the match by repetition are looked up."""
_ENTRY = np.dtype([("key", "u8"), ("value", "i4"), ("best", "u2"), ("depth", "u1"), ("bound", "u1")])
_ITEM_BYTES = 56
_ROOT_MOVE = np.dtype([("move", "i4"), ("value", "i4"), ("bound", "i4"), ("proven", "i4"), ("work", "i8")])
_BUCKET = 4
_ITEMS, _MOVES, _STATE_WORDS = 1 << 17, 1 << 22, 1 << 21
_LINE = 64
_LEAST_WORK, _MOST_WORK = 32, 1 << 20
"""Blocks of one call."""


class DepthSearch(Search):
    """Searches deeper and deeper. Values are exact where the match ends in all lines, else estimates."""

    def __init__(
        self,
        game: BatchGame,
        role: int,
        weights: FluentWeights,
        megabytes: int,
        seed: int,
        *,
        proves_goals: bool = True,
    ) -> None:
        """With ``proves_goals``, one role gets what the other loses, so an exact lead is an exact goal."""
        self._game, self._role, self._proves_goals = game, role, proves_goals
        self._weights = (weights.by_fluent[:, 0] - weights.by_fluent[:, 1]) / 2 * _SCALE
        self._machine = depth_machine()
        self._rules = BlockRules(game, game.initial_state(), np.zeros(len(game.fluent_texts), np.bool_), seed)
        self._root = self._rules.root
        counts = [len(moves) for moves in game.move_texts]
        buckets = 1 << max(10, (megabytes * 1_000_000 // (_BUCKET * _ENTRY.itemsize)).bit_length() - 1)
        searcher = SearcherStructure()
        searcher.width, searcher.roles, searcher.entry_mask = self._rules.width, len(counts), buckets - 1
        searcher.state_room, searcher.item_room, searcher.move_room = _STATE_WORDS, _ITEMS, _MOVES
        searcher.most_moves = max(counts)
        searcher.hold(
            entries=np.zeros(buckets * _BUCKET, _ENTRY),
            weights=np.round(self._weights[self._rules.kept]).astype(np.int32),
            move_counts=np.array(counts, np.int64),
            states=np.zeros(_STATE_WORDS, np.uint64),
            items=np.zeros(_ITEMS * _ITEM_BYTES, np.uint8),
            moves=np.zeros(_MOVES, np.int32),
            history=np.zeros((2, max(counts)), np.int64),
            root_moves=np.zeros(max(counts), _ROOT_MOVE),
        )
        if weights.network is not None:
            searcher.hold(network=weights.network)
        self._searcher = searcher
        self._repeated: tuple[State, ...] = ()
        self._depth = 0
        self._chooser = -1
        self._is_solved = False
        self._seconds_per_block = 0.0
        self._longest = 0.0

    # Roots

    def set_root(self, state: State, seconds: float = math.inf, only: Collection[Move] | None = None) -> None:
        """Search from this position from now on; the table is kept."""
        self._state = state
        self._set_repetitions(tuple(state.repetitions(_REPETITIONS)))
        bits = self._bits(state)
        unchanging = np.flatnonzero(bits & ~self._game.changing_fluents)
        self._searcher.constant = round(float(self._weights[-1] + self._weights[unchanging].sum()))
        self._put(bits)
        self._rules.update_code()
        self._chooser = int(self._call(self._machine.plant))
        self._depth, self._is_solved = 0, False
        if only is not None and self._chooser == self._role:
            found = self._root_array
            kept = found[[self._text(int(one["move"])) in only for one in found]]
            found[: len(kept)] = kept
            self._searcher.root_count = len(kept)

    def _bits(self, state: State) -> Flags:
        packed = self._game.pack([state])[0]
        return np.unpackbits(packed, count=len(self._game.fluent_texts), bitorder="little").view(np.bool_)

    def _put(self, bits: Flags) -> None:
        self._root[:] = 0
        self._root[: len(bits)][bits] = 2**64 - 1

    def _set_repetitions(self, states: tuple[State, ...]) -> None:
        """Note the states that end the match; values that were found without them are no longer used."""
        if states == self._repeated:
            return
        self._repeated = states
        searcher = self._searcher
        searcher.salt = hash(states) & (2**63 - 1) if states else 0
        keys, values = np.zeros(len(states), np.uint64), np.zeros(len(states), np.int32)
        for n, state in enumerate(states):
            self._put(self._bits(state))
            keys[n] = self._call(self._machine.key)
            first, second = (state.goals[role] for role in self._game.roles)
            values[n] = _value_of(first - second)
        searcher.ended_count = len(states)
        searcher.hold(ended_keys=keys, ended_values=values)

    def _call(self, function: Any, *arguments: Any) -> Any:
        references = self._rules.structure.reference, self._searcher.reference, self._root.ctypes.data
        return function(*references, *arguments)

    # Searching

    def run(self, seconds: float, iterations: int) -> None:
        """Search for about ``seconds``, or until ``iterations`` positions are computed; return early once settled."""
        began = time.monotonic()
        end = self.iterations + iterations
        self._longest /= 2
        while not self.is_settled and self.iterations < end:
            left = seconds - (time.monotonic() - began)
            if left <= 0:
                return
            self._deepen(left)

    def _deepen(self, seconds: float) -> None:
        """Search one ply deeper, for about so many seconds."""
        searcher = self._searcher
        began, before = time.monotonic(), int(searcher.work)
        self._rules.update_code()
        wanted = seconds / self._seconds_per_block if self._seconds_per_block else 0
        is_done = self._call(self._machine.deepen, self._depth + 1, int(min(max(wanted, _LEAST_WORK), _MOST_WORK)))
        taken = time.monotonic() - began
        blocks = max(1, int(searcher.work) - before)
        self._rules.code.note_use(blocks, 0)
        self._seconds_per_block = taken / blocks
        self._longest = max(self._longest, taken - seconds)
        self.iterations = self.playouts = int(searcher.computed)
        if is_done:
            self._depth += 1
            value = int(searcher.best_value)
            self._is_solved = not searcher.guessed or abs(value) > WON or self._depth >= MOST_PLIES

    @property
    def _root_array(self) -> Array:
        found: Array = self._searcher["root_moves"]
        return found[: self._searcher.root_count]

    @property
    def is_settled(self) -> bool:
        """True if the value is exact, or no search is possible."""
        return self._is_solved or self._chooser < 0 or int(self._searcher.best_value) > WON or bool(self.failed)

    @property
    def failed(self) -> bool:
        """True if both players choose at once somewhere, so that another search is needed."""
        return bool(self._searcher.failure)

    @property
    def longest_step(self) -> float:
        """Seconds by which `run` may exceed its time limit."""
        return self._longest

    @property
    def nodes(self) -> int:
        """The number of positions computed."""
        return int(self._searcher.computed)

    @property
    def deepest(self) -> int:
        """The longest line since the root was set."""
        return int(self._searcher.deepest)

    @property
    def depth(self) -> int:
        """The depth that was searched to its end."""
        return self._depth

    # Results

    def root_moves(self) -> list[RootMove]:
        """The own role's moves; those that are not best have upper bounds as values."""
        if self._chooser != self._role:
            legal = self._state.legal_moves(self._game.roles[self._role])
            value = _goal_of(-int(self._searcher.best_value))
            return [RootMove(move, 1, value, 0, BEST_GOAL) for move in legal]
        found = self._root_array
        most = int(found["work"].max(initial=0)) + 1
        best = int(self._searcher.best)
        moves = []
        for one in found:
            goal = _goal_of(int(one["value"]))
            is_lost = one["value"] < -WON
            is_proven = self._proves_goals and one["proven"] and (one["bound"] == EXACT or is_lost)
            low, high = (goal, goal) if is_proven else (0.0, float(BEST_GOAL))
            visits = most if one["move"] == best else int(one["work"])
            moves.append(RootMove(self._text(int(one["move"])), visits, goal, low, high))
        return moves

    def line(self, move: Move) -> tuple[Move, ...]:
        """The expected line after an own move, that move first."""
        number = next((int(one["move"]) for one in self._root_array if self._text(int(one["move"])) == move), None)
        if number is None or self._chooser != self._role:
            return (move,)
        line = np.zeros((_LINE, 2), np.int32)
        count = self._call(self._machine.line, number, line.ctypes.data, _LINE)
        return tuple(self._game.move_texts[role][one] for role, one in line[:count].tolist())

    def plies_to_end(self, move: Move) -> int | None:
        """Joint moves until the game ends after an own move that wins or loses."""
        for one in self._root_array:
            if self._text(int(one["move"])) == move and abs(int(one["value"])) > WON:
                return WIN - abs(int(one["value"]))
        return None

    def _text(self, number: int) -> Move:
        return self._game.move_texts[self._chooser][number]


def _goal_of(value: int) -> float:
    """The expected goal of the player who chooses."""
    if abs(value) > WON:
        return float(BEST_GOAL) if value > 0 else 0.0
    return BEST_GOAL / (1.0 + math.exp(-value / _SCALE))


def _value_of(lead: int) -> int:
    """The value of a finished match for the first player, by its lead in goals."""
    if abs(lead) >= BEST_GOAL:
        return WIN if lead > 0 else -WIN
    share = 0.5 + lead / (2 * BEST_GOAL)
    return round(_SCALE * math.log(share / (1.0 - share)))

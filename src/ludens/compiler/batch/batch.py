"""Many states of one game that advance together: the batch contract of compiled games.

Every state is a *lane*. All arrays go by lane first; roles, fluents and moves have numbers, which never change for a
game: role r is ``game.roles[r]``, fluent n is ``batch.fluents[n]``, move m of a role is ``batch.moves[role][m]``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludens.compiler.batch.game import CircuitGame, CircuitState
from ludens.compiler.batch.lane_kernel import lane_kernel
from ludens.compiler.batch.step_code import Step, StepCode
from ludens.compiler.batch.transpose import (
    PackedBits,
    block_rows,
    flag_rows,
    lane_flags,
    padded,
    to_dense,
    to_lanes,
    to_rows,
)
from ludens.compiler.native.kernel import Words, aligned_values, seed_words
from ludens.compiler.native.truth_tables import LANES
from ludens.core import Game, GameError, IllegalMoveError, Role
from ludens.gdl.game import GdlMove, GdlState
from ludens.gdl.write import kif

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int32]
_MOST_LANES = 2**40
_MOST_MOVES = 2**63 - 1
"""What the machine code counts with."""


@dataclass(frozen=True)
class Playouts:
    """How one random playout from each lane's state ended."""

    goals: Numbers
    """The goal of each role (lanes, roles); 0 where the playout did not end."""
    ended: Flags
    """The lanes whose playout reached a terminal state."""
    moves: int
    """Joint moves that were made, all lanes together."""

    def goal_sums(self, lanes_per_state: int) -> NDArray[np.int64]:
        """The sum of the goals over each group of so many neighbouring lanes (groups, roles)."""
        lanes = len(self.goals)
        lanes_per_state = _count(lanes_per_state, "lanes to a state", 1, lanes)
        if lanes % lanes_per_state:
            raise GameError(f"{lanes} lanes are not groups of {lanes_per_state}")
        groups = self.goals.reshape(-1, lanes_per_state, self.goals.shape[1])
        sums: NDArray[np.int64] = groups.sum(axis=1, dtype=np.int64)
        return sums


class Batch:
    """``size`` states of a game, which all begin as the initial state.

    With ``restart``, `advance` puts every lane that is over back to the initial state; without, such lanes stay as they
    are. What is random depends on ``seed`` and nothing else; without one, every batch is different.
    """

    def __init__(self, game: Game, size: int, *, seed: int | None = None, restart: bool = False) -> None:
        if not isinstance(game, CircuitGame):
            raise GameError(f"batches need a compiled game: load {game.name} with backend='circuit'")
        size = _count(size, "lanes of a batch", 1, _MOST_LANES)
        self.game = game
        """The game that all lanes play."""
        self.size = size
        """How many lanes there are."""
        self.restarts = restart
        """Whether `advance` restarts lanes that are over."""
        self._steps = game.batch_steps
        self._blocks = -(-size // LANES)
        self._fluents = block_rows(self._blocks, self._steps.fluent_rows)
        self._fluents[:] = self._steps.initial
        self._spare = block_rows(self._blocks, self._steps.fluent_rows)
        self._known_position: Words | None = None
        self._rng = block_rows(self._blocks, 2)
        self._rng[:] = seed_words(seed, self._rng.size).reshape(self._rng.shape)
        self._values: dict[Step, Words] = {}

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"Batch({self.game.name}, {self.size} lanes)"

    @cached_property
    def fluents(self) -> tuple[str, ...]:
        """The text of each fluent, by its number; `CircuitGame.fluent_numbers` gives the number of a term."""
        return tuple(map(kif, self.game.circuit.fluents))

    @cached_property
    def moves(self) -> Mapping[Role, Sequence[GdlMove]]:
        """The text of each role's moves, by their numbers; those of `chance_roles` come last."""
        return dict(zip(self.game.move_roles, self.game.move_texts, strict=True))

    @cached_property
    def move_numbers(self) -> Mapping[Role, Mapping[str, int]]:
        """The number of each role's moves, by their texts."""
        return dict(zip(self.game.move_roles, self.game.move_numbers, strict=True))

    @property
    def chance_roles(self) -> tuple[Role, ...]:
        """The roles that nobody plays, whose moves chance draws: the role ``random`` of GDL-II, and one for each random
        variable and role that may use it."""
        return self.game.move_roles[len(self.game.roles) :]

    # What holds in each lane

    @property
    def terminal(self) -> Flags:
        """The lanes that are over (lanes,)."""
        return lane_flags(self._position[:, 0], self.size)

    @property
    def stuck(self) -> Flags:
        """The lanes that go on although the rules leave a role without a move, or chance without weights (lanes,)."""
        return lane_flags(self._position[:, 1], self.size)

    @property
    def goals(self) -> Numbers:
        """What each lane's state is worth for each role (lanes, roles), as `State.goals` has it."""
        rows = self._position[:, self._steps.first_goal : self._steps.first_legal]
        return to_lanes(rows, self.size).astype(np.int32)

    def legal(self, role: Role) -> Flags:
        """The legal moves of a role (lanes, moves of the role); none where the lane is over."""
        return to_dense(self._legal_rows(role), self.size, len(self.moves[role]))

    def packed_legal(self, role: Role) -> PackedBits:
        """The same, eight moves to the byte, the lowest bit first."""
        return to_lanes(self._legal_rows(role), self.size)

    @property
    def observation(self) -> Flags:
        """Which fluents are true (lanes, fluents)."""
        return to_dense(self._fluents, self.size, len(self.fluents))

    @property
    def packed_states(self) -> PackedBits:
        """The same, eight fluents to the byte, the lowest bit first; `set_states` takes it back."""
        return to_lanes(self._fluents, self.size)[:, : -(-len(self.fluents) // 8)]

    def fluent_flags(self, numbers: Sequence[int]) -> Flags:
        """Which of some fluents are true (lanes, numbers)."""
        return to_dense(self._rows_of(numbers), self.size, len(numbers))

    def packed_fluents(self, numbers: Sequence[int]) -> PackedBits:
        """The same, eight fluents to the byte, the lowest bit first."""
        return to_lanes(self._rows_of(numbers), self.size)

    def _rows_of(self, numbers: Sequence[int]) -> Words:
        if len(numbers) and not 0 <= np.min(numbers) <= np.max(numbers) < len(self.fluents):
            raise GameError(f"{self.game.name} has fluents 0 to {len(self.fluents) - 1}, not all of {list(numbers)}")
        rows = block_rows(self._blocks, padded(len(numbers)))
        rows[:, : len(numbers)] = self._fluents[:, numbers]
        return rows

    def states(self) -> list[CircuitState]:
        """The state of each lane."""
        return [CircuitState(self.game, bits) for bits in self.observation]

    # What changes the lanes

    def advance(self, moves: ArrayLike | None = None) -> None:
        """Make a joint move in every lane: the given one, or a random one in which each role chooses uniformly.

        ``moves`` are numbers (lanes, roles); chance is drawn unless its moves are given, too, in columns of their own
        for `chance_roles`. In lanes that are over, nothing is played: they stay, or restart, as the
        batch was told. Raises `IllegalMoveError` for the first move that is not legal, and `GameError` where the rules
        leave a role without a move in a random joint move; the batch is then as it was.
        """
        if moves is None:
            self._advance_randomly()
        else:
            self._advance_with(self._checked(np.asarray(moves)))
        self._fluents, self._spare = self._spare, self._fluents
        self._known_position = None

    def random_moves(self) -> Numbers:
        """A legal move of each role (lanes, roles), drawn uniformly; -1 where it has none. Nothing is played yet."""
        chosen = block_rows(self._blocks, self._steps.choice.output_rows)
        self._compute(self._steps.choice, chosen)
        return to_lanes(chosen, self.size).view(np.int32)

    def restart(self, lanes: ArrayLike | None = None) -> None:
        """Put lanes back to the initial state: those that a mask (lanes,) names, or all."""
        mask = np.ones(self.size, np.bool_) if lanes is None else np.asarray(lanes)
        if mask.shape != (self.size,) or mask.dtype != np.bool_:
            raise GameError(f"which lanes restart is told by {self.size} truth values, not by {_described(mask)}")
        rows = flag_rows(mask, self._blocks)[:, None]
        self._fluents[:] = (self._fluents & ~rows) | (self._steps.initial & rows)
        self._known_position = None

    def set_states(self, states: Sequence[GdlState] | PackedBits) -> None:
        """Set every lane: to one of as many states, or packed bits, as there are lanes; or, if there are fewer, each
        state fills the same number of neighbouring lanes (64 for each leaf of a search, for example)."""
        packed = states if isinstance(states, np.ndarray) else self._packed(states)
        width = -(-len(self.fluents) // 8)
        if packed.ndim != 2 or packed.shape[1] != width or packed.dtype != np.uint8:
            raise GameError(f"packed states are bytes of shape (lanes, {width}), not {_described(packed)}")
        if not len(packed) or self.size % len(packed):
            raise GameError(f"{len(packed)} states cannot be shared out evenly among {self.size} lanes")
        spread = np.repeat(packed, self.size // len(packed), axis=0)
        if len(self.fluents) % 8:
            spread[:, -1] &= (1 << len(self.fluents) % 8) - 1
        to_rows(spread, self._fluents)
        self._known_position = None

    def playouts(self, most_moves: int = 10_000) -> Playouts:
        """Play every lane to its end, uniformly at random; the batch itself stays as it is.

        A playout that is not over after ``most_moves`` joint moves, or in which a role has no legal move, is given up.
        Raises `GameError` if ``most_moves`` is negative, no integer, or 2**63 or more.
        """
        most_moves = _count(most_moves, "joint moves of a playout", 0, _MOST_MOVES)
        valid = flag_rows(np.ones(self.size, np.bool_), self._blocks)[:, None]
        steps = self._steps.playouts
        beginning = steps.beginning(self._fluents) & valid
        if not np.array_equal(np.bitwise_or.reduce(beginning, axis=1, keepdims=True), valid):
            steps, beginning = self._steps.playouts_from_anywhere, valid
        begins = block_rows(*beginning.shape[:2])
        begins[:] = beginning
        results = block_rows(self._blocks, self._steps.first_legal)
        code, values = self._prepared(steps.step)
        made = lane_kernel().play_out(
            values.ctypes.data,
            code.address,
            len(code.entries),
            self._rng.ctypes.data,
            self._fluents.ctypes.data,
            begins.ctypes.data,
            most_moves,
            results.ctypes.data,
            self._blocks,
        )
        steps.step.note_use(made // LANES)
        goals = to_lanes(results[:, self._steps.first_goal :], self.size).astype(np.int32)
        return Playouts(goals, lane_flags(results[:, 0], self.size), made)

    def copy(self) -> Batch:
        """A batch with the same states that will make the same random moves; pickles come back as such a batch, too."""
        return _restored(self.game, self.size, self.restarts, self._fluents, self._rng)

    def __deepcopy__(self, memo: object) -> Batch:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.game, self.size, self.restarts, self._fluents, self._rng)

    # Inside

    @property
    def _position(self) -> Words:
        if self._known_position is None:
            self._known_position = block_rows(self._blocks, self._steps.position.output_rows)
            self._compute(self._steps.position, self._known_position)
        return self._known_position

    def _legal_rows(self, role: Role) -> Words:
        if role not in self.moves:
            raise GameError(f"{self.game.name} has no role {role!r} (roles: {', '.join(self.moves)})")
        first = self._steps.first_legal + self._steps.first_moves[self.game.move_roles.index(role)]
        return self._position[:, first : first + padded(len(self.moves[role]))]

    def _compute(self, step: Step, outputs: Words) -> None:
        code, values = self._prepared(step)
        lane_kernel().compute(
            values.ctypes.data,
            code.address,
            self._rng.ctypes.data,
            self._fluents.ctypes.data,
            outputs.ctypes.data,
            self._blocks,
        )
        step.note_use(self._blocks)

    def _prepared(self, step: Step) -> tuple[StepCode, Words]:
        """The best code of a step, and memory of the step's own, since rows that nothing is written to must stay zero.

        The caller keeps the code as long as it runs.
        """
        code = step.code
        values = self._values.get(step)
        if values is None or len(values) < code.slots:
            values = self._values[step] = aligned_values(code.slots)
        return code, values

    @property
    def _replacement(self) -> int | None:
        """Where the rows are that lanes which are over continue with; their own if None."""
        return self._steps.initial.ctypes.data if self.restarts else None

    def _advance_randomly(self) -> None:
        step = self._steps.random
        stuck = aligned_values(self._blocks)
        code, values = self._prepared(step)
        lane_kernel().advance_randomly(
            values.ctypes.data,
            code.address,
            self._rng.ctypes.data,
            self._fluents.ctypes.data,
            self._spare.ctypes.data,
            self._replacement,
            stuck.ctypes.data,
            self._blocks,
        )
        step.note_use(self._blocks)
        # Lanes beyond the last may be stuck too, so the row alone does not tell.
        if stuck.any() and (lanes := np.flatnonzero(lane_flags(stuck, self.size))).size:
            lane = int(lanes[0])
            role = next((role for role in self.moves if not self.legal(role)[lane].any()), None)
            what = f"{role} no legal move" if role else "chance no weights, or contradictory ones, to draw by"
            raise GameError(f"lane {lane}: the rules give {what}, and the match is not over; restart it")

    def _advance_with(self, moves: Numbers) -> None:
        step = self._steps.given if moves.shape[1] == len(self.game.roles) else self._steps.resolved
        offsets = np.array(self._steps.first_moves, np.int64)
        legal = self._position
        code, values = self._prepared(step)
        lane_kernel().advance_with(
            values.ctypes.data,
            code.address,
            self._rng.ctypes.data,
            self._fluents.ctypes.data,
            self._spare.ctypes.data,
            self._replacement,
            legal.ctypes.data,
            legal.shape[1],
            moves.ctypes.data,
            offsets.ctypes.data,
            moves.shape[1],
            self.size,
        )
        step.note_use(self._blocks)

    def _checked(self, moves: NDArray[np.generic]) -> Numbers:
        """The moves as the machine code reads them, all legal."""
        roles = moves.shape[-1] if moves.ndim == 2 and moves.shape[1] == len(self.moves) else len(self.game.roles)
        if moves.shape != (self.size, roles) or moves.dtype.kind not in "iu":
            raise IllegalMoveError(f"moves are integers of shape ({self.size}, {roles}), not {_described(moves)}")
        numbers = np.ascontiguousarray(np.clip(moves, -1, 2**31 - 1), np.int32)
        counts = np.array([len(own) for own in self.game.move_texts], np.int64)
        offsets = np.array(self._steps.first_moves, np.int64) + self._steps.first_legal
        legal = self._position
        bad = lane_kernel().find_illegal(
            legal.ctypes.data,
            legal.shape[1],
            numbers.ctypes.data,
            offsets.ctypes.data,
            counts.ctypes.data,
            roles,
            self.size,
        )
        if bad >= 0:
            lane, role = divmod(bad, roles)
            self._complain(lane, role, int(moves[lane, role]))
        return numbers

    def _complain(self, lane: int, role: int, move: int) -> None:
        name, texts = self.game.move_roles[role], self.game.move_texts[role]
        if not 0 <= move < len(texts):
            raise IllegalMoveError(f"lane {lane}: {move} is not the number of a move of {name}, which has {len(texts)}")
        others = int(self.legal(name)[lane].sum())
        raise IllegalMoveError(
            f"lane {lane}: move {move}, {str(texts[move])!r}, is not a legal move of {name} there ({others} others are)"
        )

    def _packed(self, states: Sequence[GdlState]) -> PackedBits:
        own = [
            state if isinstance(state, CircuitState) and state.game is self.game else self.game.state(state.facts)
            for state in states
        ]
        bits = np.array([state.bits for state in own], np.bool_).reshape(len(own), len(self.fluents))
        return np.packbits(bits, axis=1, bitorder="little")


def _restored(game: Game, size: int, restarts: bool, fluents: Words, rng: Words) -> Batch:
    batch = Batch(game, size, restart=restarts)
    batch._fluents[:] = fluents
    batch._rng[:] = rng
    return batch


def _count(value: object, what: str, least: int, most: int) -> int:
    """An integer, of NumPy's or Python's. Raises `GameError` if it is none, or out of range."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise GameError(f"the number of {what} is an integer, not {value!r}")
    if not least <= value <= most:
        raise GameError(f"the number of {what} is {least:,} to {most:,}, not {value:,}")
    return int(value)


def _described(array: NDArray[np.generic]) -> str:
    return f"{array.dtype} of shape {array.shape}"

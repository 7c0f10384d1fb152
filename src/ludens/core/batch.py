"""Batches: many states of one compiled game, as users, players and environments handle them.

`ludens.core.batch_game` has what a backend implements for this, and says how arrays and bits are laid out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludens.core.batch_game import BatchGame, Flags, Lanes, Numbers, PackedBits, Playouts, check_count
from ludens.core.errors import GameError, IllegalMoveError
from ludens.core.game import Game, Move, Role, State

_MOST_LANES = 2**40
_MOST_MOVES = 2**63 - 1
"""The integers of machine code."""


class Batch:
    """``size`` states of a game, which all begin as the initial state.

    With ``restart``, `advance` puts every lane that is over back to the initial state; without, such lanes stay as they
    are. What is random depends on ``seed`` and nothing else; without one, every batch is different. Batches copy and
    pickle: the twin makes the same random moves.
    """

    def __init__(self, game: Game, size: int, *, seed: int | None = None, restart: bool = False) -> None:
        game = game.compiled()
        if not isinstance(game, BatchGame):
            raise GameError(f"batches need a compiled game: load {game.name} with backend='circuit'")
        self.game = game
        """The game that all lanes play."""
        self.size = check_count(size, "lanes of a batch", 1, _MOST_LANES)
        """How many lanes there are."""
        self.restarts = restart
        """Whether `advance` restarts lanes that are over."""
        self._lanes = game.lanes(self.size, seed)

    @property
    def lanes(self) -> Lanes:
        """The lanes as the backend keeps them, for code that drives them itself; arguments are not checked there."""
        return self._lanes

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"Batch({self.game.name}, {self.size} lanes)"

    @property
    def fluents(self) -> Sequence[str]:
        """The text of each fluent, by its number."""
        return self.game.fluent_texts

    @cached_property
    def moves(self) -> Mapping[Role, Sequence[Move]]:
        """The text of each role's moves, by their numbers; those of `chance_roles` come last."""
        return dict(zip(self.game.move_roles, self.game.move_texts, strict=True))

    @cached_property
    def move_numbers(self) -> Mapping[Role, Mapping[str, int]]:
        """The number of each role's moves, by their texts."""
        return dict(zip(self.game.move_roles, self.game.move_numbers, strict=True))

    @property
    def chance_roles(self) -> tuple[Role, ...]:
        """The chance roles, whose moves are drawn: the role ``random`` of GDL-II, and one for each random
        variable and role that may use it."""
        return self.game.move_roles[len(self.game.roles) :]

    # What holds in each lane

    @property
    def terminal(self) -> Flags:
        """The lanes that are over (lanes,)."""
        return self._lanes.terminal

    @property
    def stuck(self) -> Flags:
        """The lanes that are not over although a role has no move, or chance no weights (lanes,)."""
        return self._lanes.stuck

    @property
    def goals(self) -> Numbers:
        """The goals of each lane's state (lanes, roles), as in `State.goals`."""
        return self._lanes.goals

    def legal(self, role: Role) -> Flags:
        """The legal moves of a role (lanes, moves of the role); none where the lane is over."""
        return self._lanes.legal(self._role_number(role))

    def packed_legal(self, role: Role) -> PackedBits:
        """The same, eight moves to the byte, the lowest bit first."""
        return self._lanes.packed_legal(self._role_number(role))

    @property
    def observation(self) -> Flags:
        """Which fluents are true (lanes, fluents)."""
        return self._lanes.observation

    @property
    def packed_states(self) -> PackedBits:
        """The same, eight fluents to the byte, the lowest bit first; `set_states` takes it back."""
        return self._lanes.packed_states

    def fluent_flags(self, numbers: Sequence[int]) -> Flags:
        """Which of some fluents are true (lanes, numbers)."""
        return self._lanes.fluent_flags(self._check_fluents(numbers))

    def packed_fluents(self, numbers: Sequence[int]) -> PackedBits:
        """The same, eight fluents to the byte, the lowest bit first."""
        return self._lanes.packed_fluents(self._check_fluents(numbers))

    def states(self) -> list[State]:
        """The state of each lane."""
        return self.game.unpack(self.packed_states)

    # What changes the lanes

    def advance(self, moves: ArrayLike | None = None) -> None:
        """Make a joint move in every lane: the given one, or a random one in which each role chooses uniformly.

        ``moves`` are numbers (lanes, roles); chance is drawn unless its moves are given, too, in columns of their own
        for `chance_roles`. In lanes that are over, nothing is played: they stay or restart. Raises `IllegalMoveError`
        for the first move that is not legal, and `GameError` where the rules leave a role without a move in a random
        joint move; the batch is then as it was.
        """
        if moves is not None:
            self._lanes.advance(self._check_moves(np.asarray(moves)), self.restarts)
        elif (stuck := self._lanes.advance_randomly(self.restarts)).any():
            self.refuse_stuck(int(np.flatnonzero(stuck)[0]))

    def random_moves(self) -> Numbers:
        """A legal move of each role (lanes, roles), drawn uniformly; -1 where it has none. Nothing is played yet."""
        return self._lanes.random_moves()

    def restart(self, lanes: ArrayLike | None = None) -> None:
        """Put lanes back to the initial state: those that a mask (lanes,) names, or all."""
        mask = np.ones(self.size, np.bool_) if lanes is None else np.asarray(lanes)
        if mask.shape != (self.size,) or mask.dtype != np.bool_:
            raise GameError(f"the mask of lanes to restart has {self.size} truth values, not {_describe(mask)}")
        self._lanes.restart(mask)

    def set_states(self, states: Sequence[State] | PackedBits) -> None:
        """Set every lane: to one of as many states, or packed bits, as there are lanes; or, if there are fewer, each
        state fills the same number of neighbouring lanes (64 for each leaf of a search, for example)."""
        packed = states if isinstance(states, np.ndarray) else self.game.pack(states)
        width = self.game.packed_width
        if packed.ndim != 2 or packed.shape[1] != width or packed.dtype != np.uint8:
            raise GameError(f"packed states are bytes of shape (lanes, {width}), not {_describe(packed)}")
        if not len(packed) or self.size % len(packed):
            raise GameError(f"{len(packed)} states cannot be shared out evenly among {self.size} lanes")
        spread = np.repeat(packed, self.size // len(packed), axis=0)
        if len(self.fluents) % 8:
            spread[:, -1] &= (1 << len(self.fluents) % 8) - 1
        self._lanes.set_packed(spread)

    def playouts(self, most_moves: int = 10_000, *, keep_last: bool = False) -> Playouts:
        """Play every lane to its end, uniformly at random; the batch itself stays as it is.

        A playout that is not over after ``most_moves`` joint moves, or in which a role has no legal move, is given up.
        With ``keep_last``, `Playouts.last` has the last states. Raises `GameError` if ``most_moves`` is negative, no
        integer, or 2**63 or more.
        """
        most_moves = check_count(most_moves, "joint moves of a playout", 0, _MOST_MOVES)
        return self._lanes.playouts_with_last(most_moves) if keep_last else self._lanes.playouts(most_moves)

    def copy(self) -> Batch:
        """A batch with the same states that will make the same random moves."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._lanes = self._lanes.copy()
        return twin

    def __copy__(self) -> Batch:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Batch:
        return self.copy()

    # Checks

    def _role_number(self, role: Role) -> int:
        if role not in self.moves:
            raise GameError(f"{self.game.name} has no role {role!r} (roles: {', '.join(self.moves)})")
        return self.game.move_roles.index(role)

    def _check_fluents(self, numbers: Sequence[int]) -> Sequence[int]:
        if len(numbers) and not 0 <= np.min(numbers) <= np.max(numbers) < len(self.fluents):
            raise GameError(f"{self.game.name} has fluents 0 to {len(self.fluents) - 1}, not all of {list(numbers)}")
        return numbers

    def _check_moves(self, moves: NDArray[np.generic]) -> Numbers:
        """The moves as backends take them, all legal."""
        columns = moves.shape[-1] if moves.ndim == 2 and moves.shape[1] == len(self.moves) else len(self.game.roles)
        if moves.shape != (self.size, columns) or moves.dtype.kind not in "iu":
            raise IllegalMoveError(f"moves are integers of shape ({self.size}, {columns}), not {_describe(moves)}")
        numbers = np.ascontiguousarray(np.clip(moves, -1, 2**31 - 1), np.int32)
        found = self._lanes.first_illegal(numbers)
        if found is not None:
            self.refuse_move(*found, int(moves[found]))
        return numbers

    def refuse_move(self, lane: int, role: int, move: int) -> None:
        """Raise `IllegalMoveError` for a move of a lane."""
        name, texts = self.game.move_roles[role], self.game.move_texts[role]
        if not 0 <= move < len(texts):
            raise IllegalMoveError(f"lane {lane}: {move} is not the number of a move of {name}, which has {len(texts)}")
        others = int(self.legal(name)[lane].sum())
        raise IllegalMoveError(
            f"lane {lane}: move {move}, {str(texts[move])!r}, is not a legal move of {name} there ({others} others are)"
        )

    def refuse_stuck(self, lane: int) -> None:
        """Raise `GameError` for a lane that is stuck."""
        role = next((role for role in self.moves if not self.legal(role)[lane].any()), None)
        what = f"{role} no legal move" if role else "chance no weights, or contradictory ones, to draw by"
        raise GameError(f"lane {lane}: the rules give {what}, and the match is not over; restart it")


def _describe(array: NDArray[np.generic]) -> str:
    return f"{array.dtype} of shape {array.shape}"

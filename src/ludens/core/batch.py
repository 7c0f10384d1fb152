"""The batch contract: many states of one game as arrays. Fast players and environments rely on nothing else.

A backend that computes many states at once implements `BatchGame` and `Lanes`; everybody else uses `Batch`. Every state
of a batch is a *lane*. All arrays go by lane first; roles, fluents and moves have numbers that never change for a game:
role r is ``game.roles[r]``, fluent n is ``game.fluent_texts[n]``, move m of role r is ``game.move_texts[r][m]``.

A state is a row of bits, one for each fluent, packed eight to the byte with the lowest bit first (`PackedBits`).
Machine code that drives a game itself, such as the tree search, uses `BatchGame.block_code` (`ludens.core.block`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludens.core.array_plan import ArrayPlan, ArrayWriter
from ludens.core.block import BlockCode
from ludens.core.errors import GameError, IllegalMoveError
from ludens.core.game import Game, Move, Role, State, Worlds

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int32]
PackedBits = NDArray[np.uint8]
"""Bits of each lane, eight to the byte, the lowest bit first (lanes, bytes)."""

_MOST_LANES = 2**40
_MOST_MOVES = 2**63 - 1
"""The integers of machine code."""

Nearness = Callable[[NDArray[np.uint8]], NDArray[np.float64]]
"""How near states look to a goal, 0 to 1, given their bits as zeros and ones (states, fluents)."""


@dataclass(frozen=True, slots=True, eq=False)
class ChanceSource:
    """A chance role: its moves are drawn by their weights."""

    weights: NDArray[np.float64]
    """The weight of each of its moves."""
    idle: int | None = None
    """The move that it makes when there is nothing to draw; None if it always draws."""
    owner: int | None = None
    """The number of the role whose moves contain the random variable; None for a role that moves by itself."""
    uses: Flags | None = None
    """The owner's moves that contain the variable; None without owner."""


class CountingHorizon(ABC):
    """For how many steps from a state its counting fluents (`BatchGame.counting_fluents`) change nothing else."""

    forever: bool
    """True once it is known that the count never matters."""

    @abstractmethod
    def holds_through(self, step: int) -> bool:
        """True if the count does not matter in positions that are up to so many steps away."""


class BatchGame(Game):
    """A game whose states are bits, so that many of them advance at once."""

    move_roles: tuple[Role, ...]
    """All roles that move: `roles`, then the chance roles."""
    move_texts: Sequence[Sequence[Move]]
    """The moves of each of the `move_roles`, by their numbers."""
    move_numbers: Sequence[Mapping[str, int]]
    """The number of each move, by its text."""
    fluent_texts: Sequence[str]
    """The text of each fluent, by its number."""
    percept_numbers: Collection[int] = ()
    """The fluents of percepts. They are no part of the position."""
    goal_values: Sequence[Collection[int]]
    """For each role, the goals that the rules may give it."""
    chance_sources: Sequence[ChanceSource] = ()
    """The source of each chance role's moves."""

    @abstractmethod
    def lanes(self, size: int, seed: int | None) -> Lanes:
        """``size`` initial states, for `Batch`; the seed determines all random choices."""

    @abstractmethod
    def pack(self, states: Sequence[State]) -> PackedBits:
        """States, also those of another backend of the same rules, as packed bits (states, `packed_width`)."""

    @abstractmethod
    def unpack(self, packed: PackedBits) -> list[State]:
        """The states of packed bits."""

    def percept_fluents(self, role: int) -> Mapping[str, int]:
        """The fluents of one role's percepts, by the percepts' texts."""
        return {}

    @property
    def packed_width(self) -> int:
        """Bytes of a packed state."""
        return -(-len(self.fluent_texts) // 8)

    def block_code(self, seed: int) -> BlockCode:
        """The game for machine code that computes blocks itself.

        By default machine code calls back into a batch, which works for every game; a backend that generates machine
        code hands out its own functions.
        """
        from ludens.core.block_callbacks import CallbackBlockCode  # noqa: PLC0415 - it needs batches

        return CallbackBlockCode(self, seed)

    @property
    def operations(self) -> int:
        """About how many processor operations a joint move takes in a block; 0 if the backend does not count."""
        return 0

    def prepare_batches(self) -> None:
        """Compile now what batches would compile on first use."""

    # What a backend may know about the rules. The defaults are right for every game.

    @property
    def draws_at_once(self) -> bool:
        """False if a chance source draws for the moves of another one, after those are drawn."""
        players = len(self.roles)
        return not any(
            source.owner is not None and source.owner >= players and source.uses is not None and source.uses.any()
            for source in self.chance_sources
        )

    @property
    def changing_fluents(self) -> Flags:
        """The fluents whose value may change in a match."""
        return np.ones(len(self.fluent_texts), np.bool_)

    @property
    def counting_fluents(self) -> Flags:
        """The fluents that count steps: no move changes them, and legal moves and other fluents ignore them."""
        return np.zeros(len(self.fluent_texts), np.bool_)

    def counting_horizon(self, state: State) -> CountingHorizon | None:
        """How long the counting fluents do not matter after a state; None if there are none."""
        return None

    def nearness(self, role: int, goal: int) -> Nearness | None:
        """How near states look to a role's goal; None if the rules give no such measure."""
        return None


@dataclass(frozen=True)
class Playouts:
    """How one random playout from each lane's state ended."""

    goals: Numbers
    """The goal of each role (lanes, roles); 0 where the playout did not end."""
    ended: Flags
    """The lanes whose playout reached a terminal state."""
    moves: int
    """Joint moves that were made, all lanes together."""
    last: PackedBits | None = None
    """The last state of each playout, if it was asked for."""

    def goal_sums(self, lanes_per_state: int) -> NDArray[np.int64]:
        """The sum of the goals over each group of so many neighbouring lanes (groups, roles)."""
        lanes = len(self.goals)
        lanes_per_state = check_count(lanes_per_state, "lanes to a state", 1, lanes)
        if lanes % lanes_per_state:
            raise GameError(f"{lanes} lanes are not groups of {lanes_per_state}")
        groups = self.goals.reshape(-1, lanes_per_state, self.goals.shape[1])
        sums: NDArray[np.int64] = groups.sum(axis=1, dtype=np.int64)
        return sums


Keys = NDArray[np.uint64]
"""A number for each role and state (lanes, roles): equal for all states that the role cannot distinguish."""


@dataclass(frozen=True, slots=True, eq=False)
class Particles:
    """Some complete states, and what each role knows in each."""

    states: PackedBits
    keys: Keys

    def take(self, which: NDArray[np.intp] | Flags) -> Particles:
        """Some of them."""
        return Particles(self.states[which], self.keys[which])

    def __len__(self) -> int:
        return len(self.states)


class BatchWorlds(Worlds):
    """A belief state as lanes, for searches that follow many states at once."""

    @abstractmethod
    def particles(self, count: int) -> Particles:
        """``count`` of the states, each about equally often."""

    @abstractmethod
    def keys_after(self, keys: Keys, batch: Batch, moves: Numbers) -> Keys:
        """The roles' knowledge after a turn: from the knowledge before it, their moves, and the batch after it."""


class Lanes(ABC):
    """What a backend implements: the states of a batch. `Batch` has checked all arguments."""

    @property
    @abstractmethod
    def terminal(self) -> Flags:
        """The lanes that are over (lanes,)."""

    @property
    @abstractmethod
    def stuck(self) -> Flags:
        """The lanes that are not over although a role has no move, or chance no weights (lanes,)."""

    @property
    @abstractmethod
    def goals(self) -> Numbers:
        """The goals of each lane's state (lanes, roles), as in `State.goals`."""

    @abstractmethod
    def legal(self, role: int) -> Flags:
        """The legal moves of one of the `move_roles` (lanes, moves of the role); none where the lane is over."""

    def packed_legal(self, role: int) -> PackedBits:
        """The same, eight moves to the byte, the lowest bit first."""
        return np.packbits(self.legal(role), axis=1, bitorder="little")

    @property
    @abstractmethod
    def observation(self) -> Flags:
        """Which fluents are true (lanes, fluents)."""

    @property
    def packed_states(self) -> PackedBits:
        """The same, eight fluents to the byte, the lowest bit first."""
        return np.packbits(self.observation, axis=1, bitorder="little")

    def fluent_flags(self, numbers: Sequence[int]) -> Flags:
        """Which of some fluents are true (lanes, numbers)."""
        return self.observation[:, list(numbers)]

    def packed_fluents(self, numbers: Sequence[int]) -> PackedBits:
        """The same, eight fluents to the byte, the lowest bit first."""
        return np.packbits(self.fluent_flags(numbers), axis=1, bitorder="little")

    @abstractmethod
    def set_packed(self, packed: PackedBits) -> None:
        """Set every lane to a packed state of its own."""

    @abstractmethod
    def restart(self, mask: Flags) -> None:
        """Put the lanes of a mask back to the initial state."""

    @abstractmethod
    def random_moves(self) -> Numbers:
        """A legal move of each role (lanes, roles), drawn uniformly; -1 where it has none."""

    @abstractmethod
    def advance(self, moves: Numbers, restart: bool) -> None:
        """Make a legal joint move in every lane, chance drawn unless its roles have columns, too.

        Lanes that are over stay, or, with ``restart``, get the initial state.
        """

    def advance_randomly(self, restart: bool) -> Flags:
        """Make a random joint move in every lane; where lanes are stuck, which is returned, nothing changes at all."""
        stuck = self.stuck
        if not stuck.any():
            self.advance(self.random_moves(), restart)
        return stuck

    def first_illegal(self, moves: Numbers) -> tuple[int, int] | None:
        """Lane and role of the first move that is not legal; lanes that are over do not count."""
        going = ~self.terminal
        for role in range(moves.shape[1]):
            legal = self.legal(role)
            own = moves[:, role]
            fits = (own >= 0) & (own < legal.shape[1])
            fits[fits] = legal[fits, own[fits]]
            bad = np.flatnonzero(going & ~fits)
            if len(bad):
                return int(bad[0]), role
        return None

    @abstractmethod
    def playouts(self, most_moves: int) -> Playouts:
        """Play every lane to its end, uniformly at random; the lanes themselves stay as they are."""

    def playouts_with_last(self, most_moves: int) -> Playouts:
        """The same, with the last states. A backend that keeps them in its playouts overrides this."""
        lanes, moves = self.copy(), 0
        for _ in range(most_moves):
            going = int((~lanes.terminal).sum())
            if not going or lanes.advance_randomly(restart=False).any():
                break
            moves += going
        ended = lanes.terminal
        return Playouts(np.where(ended[:, None], lanes.goals, 0).astype(np.int32), ended, moves, lanes.packed_states)

    def writer(self, game: BatchGame, plan: ArrayPlan) -> ArrayWriter | None:
        """The backend's own way to write these lanes into arrays; None if they are written attribute by attribute."""
        return None

    @abstractmethod
    def copy(self) -> Lanes:
        """The same states, which will make the same random moves. Lanes pickle, too."""


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


def check_count(value: object, what: str, least: int, most: int) -> int:
    """A count that is an integer within bounds. Raises `GameError`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise GameError(f"the number of {what} is an integer, not {value!r}")
    if not least <= value <= most:
        raise GameError(f"the number of {what} is {least:,} to {most:,}, not {value:,}")
    return int(value)


def _describe(array: NDArray[np.generic]) -> str:
    return f"{array.dtype} of shape {array.shape}"

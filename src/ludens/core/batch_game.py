"""The batch contract: many states of one game as arrays. Fast players and environments rely on nothing else.

A backend that computes many states at once implements `BatchGame` and `Lanes`; everybody else uses `Batch`
(`ludens.core.batch`). Every state of a batch is a *lane*. All arrays go by lane first; roles, fluents and moves have
numbers that never change for a game: role r is ``game.roles[r]``, fluent n is ``game.fluent_texts[n]``, move m of role
r is ``game.move_texts[r][m]``.

A state is a row of bits, one for each fluent, packed eight to the byte with the lowest bit first (`PackedBits`).
Machine code that drives a game itself, such as the tree search, uses `BatchGame.block_code` (`ludens.core.block`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.core.array_plan import ArrayPlan, ArrayWriter
from ludens.core.block import BlockCode
from ludens.core.errors import GameError
from ludens.core.game import Game, Move, Role, State

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int32]
PackedBits = NDArray[np.uint8]
"""Bits of each lane, eight to the byte, the lowest bit first (lanes, bytes)."""

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

    def block_code(self, seed: int, *, notes_moves: bool = False) -> BlockCode:
        """The game for machine code that computes blocks itself. With ``notes_moves``, its playouts report in which
        lanes each move was made, if the backend can do that.

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


def check_count(value: object, what: str, least: int, most: int) -> int:
    """A count that is an integer within bounds. Raises `GameError`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise GameError(f"the number of {what} is an integer, not {value!r}")
    if not least <= value <= most:
        raise GameError(f"the number of {what} is {least:,} to {most:,}, not {value:,}")
    return int(value)

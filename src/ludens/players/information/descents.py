"""Sampled states that descend the tree side by side: one `State`, or many lanes where the game is compiled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from random import Random
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ludens.core import BEST_GOAL, Deadline, Game, JointMove, Move, Role, State, View, Worlds, settle_race
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame, Flags, Numbers
from ludens.core.batch_worlds import BatchWorlds, Keys, Particles
from ludens.players.information.sets import Choices, Values
from ludens.players.information.thinning import thin_out
from ludens.players.search.leaves import SharedPlayouts, play_out

_LANES = 1024


class Descents(ABC):
    """What the search needs of the game, and the values of leaves. Information sets have keys, moves have numbers."""

    width: ClassVar[int]
    """The number of lanes."""
    expanded: ClassVar[int]
    """Visits that an information set needs for lanes to descend further."""
    roles: int
    has_own_playouts: bool = False
    """True if playouts are not random, so that they value a state better than after a random move. One lane only."""
    has_sensible_playouts: bool = False
    """True if sensible players play all turns of a playout. Then only the next choice of the searching role is
    searched: playouts know better what others do than information sets that are hardly ever visited twice. The better
    half of the moves is tried in each state, since moves are compared best in the same states. One lane only."""

    @abstractmethod
    def set_root(self, view: View) -> None:
        """Begin at this view from now on; the worlds have observed it."""

    @property
    @abstractmethod
    def root_key(self) -> int:
        """The key of the searching role's information set at the root."""

    @abstractmethod
    def begin(self) -> None:
        """Draw a state for each lane."""

    @abstractmethod
    def begin_game(self) -> None:
        """Begin at the beginning of the game in each lane."""

    @property
    @abstractmethod
    def over(self) -> Flags:
        """The lanes that have ended."""

    @abstractmethod
    def begin_turn(self) -> None:
        """Let every role move at random, unless `set_moves` says otherwise."""

    @abstractmethod
    def choices(self, role: int, observer: int, lanes: Flags) -> Choices | None:
        """Where a role can choose in these lanes, by what ``observer`` knows; None if nowhere."""

    @abstractmethod
    def set_moves(self, role: int, choices: Choices, places: Numbers) -> None:
        """Let a role play these of its moves."""

    @abstractmethod
    def end_turn(self) -> None:
        """Play the moves."""

    @abstractmethod
    def results(self, deadline: Deadline) -> Values:
        """The value of each lane for each role, from 0 to 1, or NaN (lanes, roles): by a random playout, or as a
        subclass values leaves. May raise `OutOfTimeError`."""

    @abstractmethod
    def move_text(self, role: int, number: int) -> Move:
        """The text of a move."""


class LaneDescents(Descents):
    """Many lanes of a compiled game."""

    width = _LANES
    expanded = 8

    def __init__(self, game: BatchGame, role: Role, worlds: BatchWorlds, cutoff: int, rng: Random) -> None:
        self._game = game
        self.roles = len(game.roles)
        self._role = game.roles.index(role)
        self._worlds = worlds
        self._cutoff = cutoff
        self._batch = Batch(game, _LANES, seed=rng.randrange(2**32))
        self._keys: Keys = np.zeros((0, 0), np.uint64)
        self._first: Particles | None = None

    def set_root(self, view: View) -> None:
        """Begin at the worlds; the first view is the beginning of the game."""
        if self._first is None:
            self._first = self._worlds.particles(_LANES)

    def begin_game(self) -> None:
        """From the first view."""
        assert self._first is not None  # the player has set the root
        self._batch.set_states(self._first.states)
        self._keys = self._first.keys

    @property
    def root_key(self) -> int:
        """By the worlds."""
        return int(self._worlds.particles(1).keys[0, self._role])

    def begin(self) -> None:
        """Draw particles."""
        particles = self._worlds.particles(_LANES)
        self._batch.set_states(particles.states)
        self._keys = particles.keys

    @property
    def over(self) -> Flags:
        """Terminal states."""
        return self._batch.terminal

    def begin_turn(self) -> None:
        """Draw moves."""
        self._moves = self._batch.random_moves()

    def choices(self, role: int, observer: int, lanes: Flags) -> Choices | None:
        """Lanes with several legal moves."""
        legal = self._batch.legal(self._game.roles[role])
        counts = legal.sum(axis=1)
        places = np.flatnonzero(lanes & (counts > 1))
        if not len(places):
            return None
        starts = np.concatenate([[0], np.cumsum(counts[places])])
        moves = np.nonzero(legal[places])[1].astype(np.int32)
        return Choices(places, np.ascontiguousarray(self._keys[places, observer]), starts, moves)

    def set_moves(self, role: int, choices: Choices, places: Numbers) -> None:
        """By number."""
        self._moves[choices.lanes, role] = choices.moves[choices.starts[:-1] + places]

    def end_turn(self) -> None:
        """Advance all lanes."""
        self._batch.advance(self._moves)
        self._keys = self._worlds.keys_after(self._keys, self._batch, self._moves)

    def results(self, deadline: Deadline) -> Values:
        """Play out all lanes; the deadline is not checked, as this takes milliseconds."""
        playouts = self._batch.playouts(self._cutoff)
        results: Values = playouts.goals / BEST_GOAL
        results[~playouts.ended] = np.nan
        return results

    def move_text(self, role: int, number: int) -> Move:
        """From the game."""
        return self._game.move_texts[role][number]


class StateDescents(Descents):
    """One State at a time, for every game. Keys are hashes of what a role has perceived since the root."""

    width = 1
    expanded = 1
    _LANE: ClassVar[NDArray[np.intp]] = np.zeros(1, np.intp)

    def __init__(
        self, game: Game, role: Role, worlds: Worlds, cutoff: int, rng: Random, native: SharedPlayouts | None = None
    ) -> None:
        self._game = game
        self.roles = len(game.roles)
        self._role = role
        self._worlds = worlds
        self._cutoff = cutoff
        self._rng = rng
        self._native = native
        self.has_own_playouts = game.has_own_playouts
        self.has_sensible_playouts = game.has_sensible_playouts
        self._numbers: dict[Move, int] = {}
        self._texts: list[Move] = []

    def set_root(self, view: View) -> None:
        """The information of the searching role is that of the view in all worlds."""
        self._root_information: Hashable = view.information
        self._tried: set[Move] = set()
        self._enough = 0

    @property
    def root_key(self) -> int:
        """The hash of the view's information."""
        return _key(self._root_information)

    def begin(self) -> None:
        """Draw a state; or the last one again, until half of the moves were tried in it."""
        if len(self._tried) >= self._enough:
            self._begun = self._worlds.draw()
            self._tried = set()
        self._state = self._begun
        self._is_whole = False
        self._turns: list[tuple[State, JointMove, JointMove]] = []
        self._keys: dict[int, tuple[int, int]] = {}

    def begin_game(self) -> None:
        """At the first state; information sets then have the keys of roots."""
        self._state = self._game.initial_state()
        self._is_whole = True

    def _key_of(self, role: int) -> int:
        """The key of a role's information set. Keys are computed when they are asked for, as most roles have no choice
        on the few turns of a descent."""
        name = self._game.roles[role]
        if self._is_whole:
            return _key(self._state.view(name).information)
        if role in self._keys:
            turns, key = self._keys[role]
        else:
            turns, key = 0, self.root_key if name == self._role else _key(self._begun.view(name).information)
        for state, chosen, resolved in self._turns[turns:]:
            perceived: Hashable = tuple(resolved.items())
            if self._game.hidden:
                perceived = chosen.get(name), tuple(state.percepts(name))
            key = _key((key, perceived))
        self._keys[role] = len(self._turns), key
        return key

    @property
    def over(self) -> Flags:
        """Terminal, or without moves."""
        return np.array([self._state.is_terminal or not any(map(self._state.legal_moves, self._game.roles))])

    def begin_turn(self) -> None:
        """Draw moves."""
        self._legal = {role: moves for role in self._game.roles if (moves := self._state.promising_moves(role))}
        self._moves = {role: self._rng.choice(moves) for role, moves in self._legal.items()}

    def choices(self, role: int, observer: int, lanes: Flags) -> Choices | None:
        """The promising moves, without most of those that differ in one number only."""
        name = self._game.roles[role]
        moves = self._legal.get(name, ())
        is_root = name == self._role and not self._turns and not self._is_whole
        if len(moves) < (1 if is_root else 2) or not lanes[0]:  # at the root, one promising move is an answer
            return None
        self._thinned: Sequence[Move] = thin_out(tuple(moves))
        if self.has_sensible_playouts:
            self._enough = max(2, (len(self._thinned) + 1) // 2)
            self._thinned = [move for move in self._thinned if move not in self._tried] or self._thinned
        numbers = np.array([self._number_of(move) for move in self._thinned], np.int32)
        key = np.array([self._key_of(observer)], np.uint64)
        return Choices(self._LANE, key, np.array([0, len(numbers)]), numbers)

    def _number_of(self, move: Move) -> int:
        number = self._numbers.setdefault(move, len(self._texts))
        if number == len(self._texts):
            self._texts.append(move)
        return number

    def set_moves(self, role: int, choices: Choices, places: Numbers) -> None:
        """By number."""
        move = self._moves[self._game.roles[role]] = self._thinned[int(places[0])]
        if self.has_sensible_playouts:
            self._tried.add(move)

    def end_turn(self) -> None:
        """Play them, with races and chance resolved."""
        chosen = settle_race(self._state, self._moves, self._rng)
        if self.has_sensible_playouts:
            self._last = chosen
            return
        resolved = self._state.resolve(chosen, self._rng)
        self._state = self._state.play(resolved)
        if not self._is_whole:
            self._turns.append((self._state, chosen, resolved))

    def results(self, deadline: Deadline) -> Values:
        """Play out the state, after the last turn."""
        if self.has_sensible_playouts:
            return np.array([self._state.play_out_after(self._last, self._rng, self._cutoff)]) / BEST_GOAL
        found = None if self._native is None else self._native.value(self._state, self._cutoff)
        if found is not None:
            return np.array([found]) / BEST_GOAL
        return np.array([play_out(self._state, self._rng, self._cutoff, deadline)[1]]) / BEST_GOAL

    def move_text(self, role: int, number: int) -> Move:
        """By the numbers given."""
        return self._texts[number]


def _key(information: Hashable) -> int:
    return hash(information) & 0xFFFF_FFFF_FFFF_FFFF


def make_descents(
    game: Game, role: Role, worlds: Worlds, cutoff: int, rng: Random, native: SharedPlayouts | None = None
) -> Descents:
    """Descents on lanes where the game and the worlds have them, else on States, with leaves valued by ``native``."""
    if isinstance(game, BatchGame) and isinstance(worlds, BatchWorlds):
        return LaneDescents(game, role, worlds, cutoff, rng)
    return StateDescents(game, role, worlds, cutoff, rng, native)

"""Encode moves as numbers and observations as arrays, for libraries that require it."""

from __future__ import annotations

import os
import zlib
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import ludens
from ludens.core import Game, IllegalMoveError, Move, Role, State, random_joint_move
from ludens.core.batch_game import BatchGame
from ludens.gdl.game import GdlState
from ludens.gdl.write import kif
from ludens.tabletop.hidden.view import TableView
from ludens.tabletop.state import TabletopState

Bits: TypeAlias = NDArray[np.int8]
"""Zeros and ones."""
HASHED = 1024
"""The length of an observation by feature hashing: each word sets one place."""
_TRIALS = 20
"""Random matches for estimating the largest number of legal moves."""
_LONGEST_TRIAL = 300


def game_of(game: Game | str | os.PathLike[str]) -> Game:
    """The compiled form of a game, or of the one with a name or path: moves and fluents have numbers there."""
    return game.compiled() if isinstance(game, Game) else ludens.load(game, wait=True)


class Encoding(ABC):
    """The numbering of moves and the layout of observations of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    @abstractmethod
    def observation_size(self) -> int:
        """The length of every observation."""

    @abstractmethod
    def actions(self, role: Role) -> int:
        """The number of actions of a role."""

    @abstractmethod
    def observe(self, state: State, role: Role) -> Bits:
        """The role's observation of a state."""

    @abstractmethod
    def mask(self, state: State, role: Role) -> Bits:
        """Which actions are legal in a state."""

    @abstractmethod
    def legal(self, state: State, role: Role) -> list[int]:
        """The numbers of the legal actions in a state, in order."""

    @abstractmethod
    def move(self, state: State, role: Role, action: int) -> Move:
        """The legal move of an action. Raises `IllegalMoveError` if there is none."""

    @abstractmethod
    def number(self, role: Role, move: Move, legal: Sequence[Move]) -> int:
        """The action of a move, given all legal moves of the role."""

    def _no_such_move(self, state: State, role: Role, action: int) -> IllegalMoveError:
        legal = len(state.legal_moves(role))
        return IllegalMoveError(
            f"{self.game.name}: action {action} is not a legal move of {role} here ({legal} others are)"
        )


class FixedEncoding(Encoding):
    """For compiled games: a number means the same move in every state, and a place the same fluent."""

    game: BatchGame

    def __init__(self, game: BatchGame) -> None:
        super().__init__(game)
        self._position = np.array([number not in game.percept_numbers for number in range(len(game.fluent_texts))])

    @property
    def observation_size(self) -> int:
        """One place for each fluent, or for hashed words where information is hidden."""
        return HASHED if self.game.hidden else int(self._position.sum())

    def actions(self, role: Role) -> int:
        """The number of the role's moves in the rules."""
        return len(self._numbers(role))

    def observe(self, state: State, role: Role) -> Bits:
        """The true fluents; hashed words of own moves and percepts where information is hidden."""
        if self.game.hidden:
            return hash_knowledge(state, role)
        bits = np.unpackbits(self.game.pack([state])[0], count=len(self._position), bitorder="little")
        seen: Bits = bits[self._position].astype(np.int8)
        return seen

    def mask(self, state: State, role: Role) -> Bits:
        """Which moves are legal."""
        bits = np.zeros(self.actions(role), np.int8)
        bits[self.legal(state, role)] = 1
        return bits

    def legal(self, state: State, role: Role) -> list[int]:
        """The numbers of the legal moves."""
        numbers = self._numbers(role)
        return sorted([numbers[move] for move in state.legal_moves(role)])

    def move(self, state: State, role: Role, action: int) -> Move:
        """The legal move of an action."""
        texts = self.game.move_texts[self.game.move_roles.index(role)]
        if not (0 <= action < len(texts) and texts[action] in state.legal_moves(role)):
            raise self._no_such_move(state, role, action)
        return texts[action]

    def number(self, role: Role, move: Move, legal: Sequence[Move]) -> int:
        """The number that the move has in every state."""
        return self._numbers(role)[move]

    def _numbers(self, role: Role) -> Mapping[str, int]:
        return self.game.move_numbers[self.game.move_roles.index(role)]


class ListedEncoding(Encoding):
    """For all other games: action n is the n-th legal move of the state."""

    def __init__(self, game: Game, actions: int | None = None) -> None:
        super().__init__(game)
        self._actions = actions or 2 * _most_legal_moves(game)

    @property
    def observation_size(self) -> int:
        """The length of hashed observations."""
        return HASHED

    def actions(self, role: Role) -> int:
        """Twice the largest number of legal moves seen, unless specified; moves beyond it are dropped."""
        return self._actions

    def observe(self, state: State, role: Role) -> Bits:
        """Hashed words of the role's observation."""
        return hash_knowledge(state, role)

    def mask(self, state: State, role: Role) -> Bits:
        """A one for each legal move, then zeros."""
        bits = np.zeros(self._actions, np.int8)
        bits[: len(state.legal_moves(role))] = 1
        return bits

    def legal(self, state: State, role: Role) -> list[int]:
        """The indices of the list."""
        return list(range(min(self._actions, len(state.legal_moves(role)))))

    def move(self, state: State, role: Role, action: int) -> Move:
        """The legal move at an index of the list."""
        moves = state.legal_moves(role)
        if not 0 <= action < len(moves):
            raise self._no_such_move(state, role, action)
        return moves[action]

    def number(self, role: Role, move: Move, legal: Sequence[Move]) -> int:
        """The index of the move in the list."""
        return legal.index(move)


def encoding_of(game: Game, actions: int | None = None) -> Encoding:
    """The encoding for a game; ``actions`` is the number of actions where moves are listed by state."""
    return FixedEncoding(game) if isinstance(game, BatchGame) else ListedEncoding(game, actions)


def hash_knowledge(state: State, role: Role) -> Bits:
    """What a role knows as words, each of which sets one of `HASHED` places; the same in every process."""
    observation = np.zeros(HASHED, np.int8)
    for word in _words(_knowledge(state, role)):
        observation[zlib.crc32(word.encode()) % HASHED] = 1
    return observation


def _knowledge(state: State, role: Role) -> Any:
    if isinstance(state, TabletopState):
        return TableView(state, role).observation
    if isinstance(state, GdlState) and not state.game.hidden:
        return [kif(fact) for fact in state.facts]
    knowledge: Hashable = state.view(role).information
    return str(knowledge) if isinstance(knowledge, State) else knowledge


def _words(knowledge: Any, path: str = "") -> Iterator[str]:
    """Every leaf of a nested value with its path."""
    if isinstance(knowledge, Mapping):
        for key, value in knowledge.items():
            yield from _words(value, f"{path}/{key}")
    elif isinstance(knowledge, tuple):
        for number, value in enumerate(knowledge):
            yield from _words(value, f"{path}/{number}")
    elif isinstance(knowledge, (list, set, frozenset)):
        for value in knowledge:
            yield from _words(value, path)
    else:
        yield f"{path}={knowledge}"


def _most_legal_moves(game: Game) -> int:
    rng = Random(0)
    most = 1
    for _ in range(_TRIALS):
        state = game.initial_state()
        for _ in range(_LONGEST_TRIAL):
            if state.is_terminal:
                break
            most = max(most, *(len(state.legal_moves(role)) for role in game.roles))
            state = state.sample(random_joint_move(state, rng), rng)
    return most

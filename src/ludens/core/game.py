"""The contract of every game, whatever language its rules are written in.

A player author needs these few names:

    state = game.initial_state()
    while not state.is_terminal:
        joint_move = {role: random.choice(moves) for role in game.roles if (moves := state.legal_moves(role))}
        state = state.sample(joint_move, rng)
    print(state.goals)

States are values: playing a move returns a new state and leaves the old one as it was.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Self, TypeAlias

from ludens.core.errors import GameError, TooManyOutcomesError
from ludens.core.facts import Facts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Role: TypeAlias = str
"""A side of the game ("white"). A Player is the agent that plays a Role."""

Move: TypeAlias = str
"""What a Role does in one turn: its text, such as ``(mark 1 1)`` or ``noop``.

Equality is equality of text. A backend may hand out a subclass of ``str`` that remembers what the text stands
for, and accepts plain text that equals a legal move wherever it takes a Move.
"""

JointMove: TypeAlias = Mapping[Role, Move]
"""One Move for each Role that moves. In GDL games that is every role, ``noop`` included; in tabletop games an
idle role has no legal moves and is absent."""


BEST_GOAL = 100
"""The best goal of a role; the worst is 0."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way in which chance can resolve a joint move."""

    probability: float
    """Between 0 and 1; the outcomes of one joint move add up to 1."""
    joint_move: JointMove
    """The joint move with every random variable replaced by its value, ready for `State.play`."""


class Game(ABC):
    """The rules of one game, loaded. Immutable; two matches may share it."""

    name: str
    """The name by which the library or the caller knows the game, such as ``nim:3,4,5``."""
    roles: tuple[Role, ...]
    """All roles, in the order of the rules."""
    chance: bool = False
    """True if some outcomes are drawn at random."""
    hidden: bool = False
    """True if some role may not see the whole state."""
    has_own_playouts: bool = False
    """True if `State.play_out` does not choose uniformly, but as sensible players might."""
    has_sensible_playouts: bool = False
    """True if it does so for all players in all turns, each by what it sees."""
    has_twin: bool = False
    """True if `native_playouts` are worth asking for: states are computed in Python, and playouts in machine code would
    choose as `State.play_out` does."""
    has_ready_twin: bool = False
    """True if `has_twin`, and nothing has to be compiled for them first."""
    messages: bool = False
    """True if the rules let players send each other messages."""
    backend: str = "Python"
    """What computes the game: a backend for rules in GDL, such as ``circuit`` or ``interpreter``, or Python."""
    rules_text: str
    """The source text of the rules, by which records detect that a game has changed."""

    @property
    def deterministic(self) -> bool:
        """True if a joint move has exactly one outcome in every state."""
        return not self.chance

    @property
    def rules_hash(self) -> str:
        """SHA-256 of the rules' text, by which records and trained players recognise their game."""
        return hashlib.sha256(self.rules_text.encode()).hexdigest()

    @cached_property
    def facts(self) -> Facts:
        """What is known of the game for certain, each fact with its reason. Computed when asked for, and kept."""
        return Facts(self)

    @abstractmethod
    def initial_state(self) -> State:
        """The state in which every match begins."""

    def compiled(self, seconds: float = math.inf) -> Game:
        """The fastest form of the game that is ready within so many seconds, such as a `BatchGame`; by default itself.

        Its states are others, with the same facts. Asking starts the compiler, in the background, if the game was
        loaded without waiting for it; ``compiled(0.0)`` only looks.
        """
        return self

    def convert(self, state: State) -> State:
        """A state of another form of the game as a state of this one. Raises `GameError` if that is not possible."""
        return state

    def stop_compiling(self) -> None:  # noqa: B027 - most games have no compiler
        """Nobody waits for the compiled form any more: stop making it."""

    def native_playouts(self, seed: int, seconds: float = math.inf) -> NativePlayouts | None:
        """Playouts of the game's states in machine code, if there are any, and ready within so many seconds.

        They choose as `State.play_out` does, if `has_twin` says so; else at random. Not to be shared between threads.
        """
        return None

    def worlds(self, role: Role, rng: Random) -> Worlds:
        """A sampler, kept over a match, of states that fit what the role knows."""
        return SampledWorlds(rng)


class State(ABC):
    """One position of a game and, where information is hidden, what each role knows of it.

    Immutable and hashable. States are equal if the position is the same and every role knows the same in both; with
    perfect information that is the position alone. Copies are the state itself, and pickling keeps all that roles know.
    """

    game: Game
    """The game that the state belongs to."""

    @property
    def position(self) -> Hashable:
        """The position without what roles know, as a key for tables of searches that look at every card."""
        return self

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    @property
    @abstractmethod
    def is_terminal(self) -> bool:
        """True if the match is over."""

    @abstractmethod
    def legal_moves(self, role: Role) -> Sequence[Move]:
        """All legal moves of the role, in a fixed order; empty if the role is idle or the game over."""

    def promising_moves(self, role: Role) -> Sequence[Move]:
        """The legal moves of the role that a search with little time tries: all, unless the game knows better."""
        return self.legal_moves(role)

    @property
    @abstractmethod
    def goals(self) -> Mapping[Role, int]:
        """The goal of each role, 0 to 100. Meant for terminal states.

        A role for which the rules give no value, or more than one, gets 0.
        """

    @property
    def points(self) -> Mapping[Role, float]:
        """The raw score of each role (chips, Bridge points); by default the goals."""
        return self.goals

    @abstractmethod
    def play(self, joint_move: JointMove) -> State:
        """The state after a joint move whose chance is resolved.

        Raises `IllegalMoveError` if a move is not legal or a role that has to move is missing.
        """

    def repetitions(self, turns: int) -> Sequence[State]:
        """States that would end the match within ``turns`` because their positions came up too often before.

        None in most games. States from `play` know by themselves that they end the match; searches that compute
        positions in another way have to be told.
        """
        return ()

    @property
    def is_race(self) -> bool:
        """True if the roles that may move here race: one of them gets its move, the others are refused.

        The joint move of a race is the winner's move alone.
        """
        return False

    def race_winner(self, answers: Mapping[Role, Move], waiting: Collection[Role]) -> Role | None:
        """Who wins a race, given the valid answers in the order of their arrival; None to go on waiting.

        The first to answer, unless the rules have priorities. While roles that could still win are ``waiting``, a rule
        with priorities returns None; once nobody is, it must name one of those who answered.
        """
        return next(iter(answers), None)

    def resolve(self, joint_move: JointMove, rng: Random) -> JointMove:
        """The joint move with chance resolved by ``rng``, ready for `play`.

        A game with more outcomes than can be listed draws them here in its own way.
        """
        if not self.game.chance:
            return joint_move
        outcomes = self.chance_outcomes(joint_move)
        return rng.choices(outcomes, [outcome.probability for outcome in outcomes])[0].joint_move

    def sample(self, joint_move: JointMove, rng: Random) -> State:
        """The state after a joint move, chance resolved by ``rng``."""
        return self.play(self.resolve(joint_move, rng))

    def play_out(self, rng: Random, most: int) -> Sequence[float]:
        """The goals of a random playout of at most ``most`` joint moves, in the order of roles."""
        goals = play_randomly(self, rng, most).goals
        return [float(goals[role]) for role in self.game.roles]

    def play_out_after(self, joint_move: JointMove, rng: Random, most: int) -> Sequence[float]:
        """The goals of a playout from the state after a joint move, chance resolved by ``rng``."""
        return self.sample(joint_move, rng).play_out(rng, most)

    def chance_outcomes(self, joint_move: JointMove, limit: int = 10_000) -> Sequence[Outcome]:
        """All ways in which chance can resolve the joint move, with exact probabilities.

        Raises `TooManyOutcomesError` if there are more than ``limit``: a shuffled deck has 52! of them.
        """
        if limit < 1:
            raise TooManyOutcomesError(f"1 outcome, where at most {limit} are allowed")
        return (Outcome(1.0, dict(joint_move)),)

    def percepts(self, role: Role) -> Sequence[str]:
        """What the role perceived of the last turn, beyond what everybody sees."""
        return ()

    @abstractmethod
    def view(self, role: Role) -> View:
        """What the role may know in this state."""


class View(ABC):
    """One role's knowledge of the current position."""

    game: Game
    """The game being played."""
    role: Role
    """Whose knowledge this is."""

    @property
    @abstractmethod
    def legal_moves(self) -> Sequence[Move]:
        """The moves that the role can choose from now."""

    @property
    def information(self) -> Hashable:
        """The information set as a key, for players that keep statistics by it.

        None if a view does not know, so that all count as the same.
        """
        return None

    @abstractmethod
    def sample(self, rng: Random) -> State:
        """A complete state that is consistent with all the role knows, drawn with ``rng``.

        Where nothing is hidden it is the state itself.
        """


class Worlds(ABC):
    """The complete states that a role considers possible, kept from turn to turn by its player."""

    models_opponents: bool = True
    """Weigh states by how likely the choices of others are in them, if the game has a model of that."""

    @property
    def partial(self) -> int:
        """How many states were drawn so far that contradict something which the role perceived, because no better one
        was found, or not in time."""
        return 0

    @abstractmethod
    def observe(self, view: View) -> None:
        """Update the states to what the role knows now."""

    def prepare(self) -> None:  # noqa: B027 - most have nothing to prepare
        """Compute now what the next draws need, so that they are fast."""

    @abstractmethod
    def draw(self) -> State:
        """One of the states."""

    @property
    def has_rollouts(self) -> bool:
        """True if the game plays out many of the states at once."""
        return False

    def rollouts(self, moves: Sequence[Move]) -> Sequence[Sequence[float]]:
        """The role's goals, 0 to 100, in many playouts after each of its moves (moves, playouts), if the game can:
        all states at the same place are the same."""
        raise NotImplementedError


class SampledWorlds(Worlds):
    """Draws every state from the view, which caches its belief."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._view: View | None = None

    def observe(self, view: View) -> None:
        """Draw from this view from now on."""
        self._view = view

    def draw(self) -> State:
        """A sample."""
        if self._view is None:
            raise GameError("there are no worlds before the first view: call observe first")
        return self._view.sample(self._rng)


class NativePlayouts(ABC):
    """Plays out many states at once in machine code, where `State.play_out` plays out one in Python."""

    width: int = 1
    """So many playouts cost about as much as one."""
    turns: int = 0
    """Turns that were played in machine code so far, all playouts together."""
    noted_moves: Sequence[Move] = ()
    """The moves that playouts report; empty if they report none."""
    made: NDArray[np.bool_] | None = None
    """Which of these each role made in the playouts from the last state (playouts, roles, moves)."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    @abstractmethod
    def play_out(self, states: Sequence[State], each: int, most: int) -> NDArray[np.float64]:
        """The goals of ``each`` playouts of at most ``most`` turns from each state (states, each, roles), 0 to 100;
        NaN where a playout was cut off and the game has no evaluation."""

    def play_out_moves(
        self, states: Sequence[State], role: Role, moves: Sequence[Move], each: int, most: int
    ) -> NDArray[np.float64]:
        """The same after each of a role's moves (moves, states, each, roles), chance and other roles at random."""
        after = [state.sample(with_move(state, role, move, self.rng), self.rng) for move in moves for state in states]
        return self.play_out(after, each, most).reshape(len(moves), len(states), each, -1)


class StateView(View):
    """A view that holds the state, and shows what the role may know of it."""

    def __init__(self, state: State, role: Role) -> None:
        self.game = state.game
        self.role = role
        self._state = state

    @property
    def legal_moves(self) -> Sequence[Move]:
        """The moves that the role can choose from now."""
        return self._state.legal_moves(self.role)


class OpenView(StateView):
    """The view of a game in which every role sees everything."""

    @property
    def information(self) -> Hashable:
        """The state itself."""
        return self._state

    def sample(self, rng: Random) -> State:
        """The state itself."""
        return self._state


class SomeMovesView(OpenView):
    """A view in which the role may choose among some of its legal moves only, as analysts ask."""

    def __init__(self, state: State, role: Role, moves: Sequence[Move]) -> None:
        super().__init__(state, role)
        self._moves = tuple(moves)

    @property
    def legal_moves(self) -> Sequence[Move]:
        """The moves to choose from."""
        return self._moves


def joint_moves(state: State) -> Iterator[dict[Role, Move]]:
    """Every joint move that the roles can make in the state, in a fixed order; none if nobody can move.

    In a race, these are the moves of one role each.
    """
    moving = [(role, moves) for role in state.game.roles if (moves := state.legal_moves(role))]
    if not moving:
        return
    if state.is_race:
        yield from ({role: move} for role, moves in moving for move in moves)
        return
    roles = [role for role, _ in moving]
    for choice in itertools.product(*(moves for _, moves in moving)):
        yield dict(zip(roles, choice, strict=True))


def random_joint_move(state: State, rng: Random) -> dict[Role, Move]:
    """A joint move in which all who can move choose uniformly; empty if nobody can.

    In a race they answer in random order, and the rule's priorities decide.
    """
    moves = {role: rng.choice(moves) for role in state.game.roles if (moves := state.legal_moves(role))}
    return settle_race(state, moves, rng)


def with_move(state: State, role: Role, move: Move, rng: Random) -> dict[Role, Move]:
    """A random joint move in which a role makes a given move."""
    return {role: move} if state.is_race else random_joint_move(state, rng) | {role: move}


def play_randomly(state: State, rng: Random, most: int) -> State:
    """The state after a random playout of at most ``most`` joint moves."""
    for _ in range(most):
        joint_move = {} if state.is_terminal else random_joint_move(state, rng)
        if not joint_move:
            break
        state = state.sample(joint_move, rng)
    return state


def compiled_state(state: State) -> State:
    """The state in the compiled form of its game, for those who compute much from it; waits for the compiler."""
    return state.game.compiled().convert(state)


def settle_race(state: State, moves: dict[Role, Move], rng: Random) -> dict[Role, Move]:
    """The joint move made of the moves that roles want to make: all of them, unless they race.

    In a race they arrive in random order, the rule's priorities decide, and the winner's move alone is made.
    """
    if not moves or not state.is_race:
        return moves
    arrivals = {role: moves[role] for role in rng.sample(list(moves), len(moves))}
    winner = state.race_winner(arrivals, ()) or next(iter(arrivals))
    return {winner: arrivals[winner]}

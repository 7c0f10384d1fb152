"""Strong play: matches of searches against each other, with what they thought on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from ludens.core import (
    Clock,
    Deadline,
    Decision,
    Game,
    GameError,
    JointMove,
    Move,
    OutOfTimeError,
    Player,
    PlayerError,
    Role,
    State,
)
from ludens.core.game import settle_race
from ludens.design.move_words import kind_of
from ludens.players.registry import make_player

MOST_TURNS = 1_000
"""Turns after which a match of strong players counts as endless."""
LEAST_LEAVES = 64
"""Leaves a move below which searches are too weak to say anything about seats, moves or drama."""
_MEGABYTES = 32
_MOST_LISTED = 1_000
"""Moves of a choice that are kept."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move that a search chose among others."""

    turn: int
    role: Role
    move: Move
    value: float | None
    """What the search expected for the role, 0 to 100."""
    kinds: frozenset[str]
    """The kinds of moves it could choose from."""
    moves: int
    """How many moves it could choose from."""
    legal: tuple[Move, ...] = ()
    """These moves, unless there are too many."""

    @property
    def is_lost(self) -> bool:
        """Whether the search expected nothing from any move, so that which one it took says nothing."""
        return self.value == 0


@dataclass(slots=True)
class StrongMatch:
    """One match of searches."""

    roles: tuple[Role, ...]
    choices: list[Choice] = field(default_factory=list)
    joint_moves: list[JointMove] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    """All positions, the first and the last included."""
    goals: tuple[int, ...] | None = None
    """The result; None if the match did not end."""
    stuck: bool = False

    @property
    def length(self) -> int:
        """Turns that were played."""
        return len(self.joint_moves)


Forbidden = Mapping[Role, str]
"""A kind of move that a role must not make if it has another."""


class Table:
    """A game, and for each role a search of some strength."""

    def __init__(self, game: Game, rng: Random) -> None:
        self.game = game
        self._rng = rng
        self._seated: dict[tuple[Role, int], Player] = {}

    def play(
        self,
        strength: Mapping[Role, int],
        deadline: Deadline,
        forbidden: Forbidden | None = None,
    ) -> StrongMatch | None:
        """Play a match between searches of so many leaves a move; None if time ran out first."""
        game, match = self.game, StrongMatch(self.game.roles)
        state = game.initial_state()
        match.states.append(state)
        if game.hidden:
            self.close()  # these remember what they perceived
        try:
            with deadline.enforced():
                while not state.is_terminal and match.length < MOST_TURNS:
                    if deadline.remaining() <= 0:
                        return None
                    moves = self._moves(state, strength, deadline, forbidden or {}, match)
                    if moves is None:
                        match.stuck = True
                        return match
                    joint_move = state.resolve(moves, self._rng)
                    state = state.play(joint_move)
                    match.joint_moves.append(joint_move)
                    match.states.append(state)
        except (OutOfTimeError, PlayerError):
            return None
        if state.is_terminal:
            match.goals = tuple(state.goals[role] for role in game.roles)
        return match

    def _moves(
        self, state: State, strength: Mapping[Role, int], deadline: Deadline, forbidden: Forbidden, match: StrongMatch
    ) -> dict[Role, Move] | None:
        moves: dict[Role, Move] = {}
        for role in self.game.roles:
            legal = state.legal_moves(role)
            if not legal:
                continue
            if len(legal) == 1:
                moves[role] = legal[0]
                continue
            decision = self._player(role, strength[role]).choose(state.view(role), deadline)
            move = _allowed(decision, legal, forbidden.get(role), self._rng)
            kinds = frozenset(map(kind_of, legal))
            listed = tuple(legal) if len(legal) <= _MOST_LISTED else ()
            match.choices.append(Choice(match.length, role, move, decision.thinking.value, kinds, len(legal), listed))
            moves[role] = move
        return settle_race(state, moves, self._rng) if moves else None

    def _player(self, role: Role, leaves: int) -> Player:
        if (role, leaves) not in self._seated:
            options = f"iterations={leaves}"
            name = "ismcts" if self.game.hidden else "mcts"
            if name == "mcts":
                options += f",guess=off,ponder=off,memory={_MEGABYTES}"
            player = make_player(f"{name}:{options}")
            player.start(self.game, role, self._rng.getrandbits(30), Clock(1.0, 1.0))
            self._seated[role, leaves] = player
        return self._seated[role, leaves]

    def close(self) -> None:
        """Release the searches."""
        for player in self._seated.values():
            player.stop()
        self._seated.clear()


def _allowed(decision: Decision, legal: Sequence[Move], forbidden: str | None, rng: Random) -> Move:
    """The best move that is not of a forbidden kind, if there is another."""
    if forbidden is None or kind_of(decision.move) != forbidden:
        return decision.move
    others = [move for move in legal if kind_of(move) != forbidden]
    if not others:
        return decision.move
    return next((found.move for found in decision.thinking.moves if found.move in others), rng.choice(others))


def find_strength(table: Table, seconds_for_match: float, deadline: Deadline) -> int:
    """How many leaves a move a search may have, so that a match takes about so many CPU seconds."""
    leaves, best = 16, 16
    while leaves <= _MOST_LEAVES:
        took = _seconds_for_match(table, leaves, deadline)
        if took is None or took > seconds_for_match:
            break
        best = leaves
        if took > seconds_for_match / 2:
            break
        leaves *= 4
    return best


def _seconds_for_match(table: Table, leaves: int, deadline: Deadline) -> float | None:
    """The median CPU time of three matches, as one that loads a module is no measure; None if time ran out first."""
    strengths = dict.fromkeys(table.game.roles, leaves)
    table.play(strengths, deadline)  # the first match with new searches takes longer
    seconds = []
    for _ in range(3):
        before = deadline.remaining()
        if table.play(strengths, deadline) is None:
            return None
        seconds.append(before - deadline.remaining())
    return sorted(seconds)[1]


_MOST_LEAVES = 1_024
_MOST_FAILURES = 3


def play_series(
    table: Table,
    strengths: Callable[[int], Mapping[Role, int]],
    count: int,
    deadline: Deadline,
    forbidden: Callable[[int], Forbidden] = lambda _: {},
    into: list[StrongMatch] | None = None,
) -> list[StrongMatch]:
    """Play up to so many matches, each with the strengths and forbidden kinds for its number, and add them to a list,
    which has them also if it is interrupted."""
    matches: list[StrongMatch] = [] if into is None else into
    failures = 0
    for number in range(count):
        if deadline.remaining() <= 0 or failures >= _MOST_FAILURES:
            break
        try:
            match = table.play(strengths(number), deadline, forbidden(number))
        except GameError:
            failures += 1
            continue
        if match is None:
            break
        matches.append(match)
    return matches

"""Choose the evaluation of a player, and learn weights once per game."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from weakref import WeakKeyDictionary

from ludens.core import Deadline
from ludens.core.batch_game import BatchGame
from ludens.players.evaluation.evaluators import Evaluation, GoalNearness, Learned, Mobility
from ludens.players.evaluation.fit import FEWEST_MATCHES, learn
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.packed.chance_self_play import learn_with_chance
from ludens.players.packed.self_play import can_learn, has_lead, is_opposed, learn_by_self_play
from ludens.players.space.compiled import CompiledSpace
from ludens.players.space.space import Space

FEWEST_ROUNDS = 3
"""After fewer rounds of learning, weights are worse than mobility (measured on breakthrough)."""
FEWEST_NETWORK_ROUNDS = 6
"""The same for networks of games with chance."""

_TURN_SHARE = 0.1
"""The share of the time for learning that one turn of a round of matches may take."""


def evaluation_of(space: Space, word: str, deadline: Deadline) -> Evaluation:
    """The evaluation that the option ``evaluation`` of a player names.

    Mobility is used for games that are not compiled, since they have no fluents to weigh, if weights cannot be
    learnt before the deadline, and with ``auto`` for games with chance, where weights were no better in pig.
    """
    if not isinstance(space, CompiledSpace) or word == "mobility" or (word == "auto" and space.game.chance):
        return Mobility()
    if word == "goal":
        return GoalNearness(space.game)
    weights = learnt_weights(space, deadline)
    return Mobility() if weights is None else Learned(weights)


def _has_time(space: CompiledSpace, deadline: Deadline) -> bool:
    """Whether the first turn of a round of matches takes only a part of the time that is left.

    With many joint moves it may take seconds, in which the deadline is not checked.
    """
    first = [space.key(space.game.initial_state())]
    space.expand(first)  # which prepares batches
    began = time.monotonic()
    space.expand(first)
    return FEWEST_MATCHES * (time.monotonic() - began) < _TURN_SHARE * deadline.remaining()


Rounds = Callable[[CompiledSpace, Deadline], Iterator[FluentWeights]]
"""Yields better and better weights until the deadline."""


class _Lessons:
    """Weights learnt in one way, by game: they depend on the game alone, so all players get the same."""

    def __init__(self, rounds: Rounds, fewest_rounds: int = FEWEST_ROUNDS) -> None:
        """What fewer rounds have taught is not used."""
        self._rounds, self._fewest_rounds = rounds, fewest_rounds
        self.learnt: WeakKeyDictionary[BatchGame, FluentWeights] = WeakKeyDictionary()
        """Of all rounds."""
        self._so_far: WeakKeyDictionary[BatchGame, tuple[int, FluentWeights]] = WeakKeyDictionary()
        """The most rounds and their weights, if there was no time for all, or games are still being learnt."""
        self._seconds_spent: WeakKeyDictionary[BatchGame, float] = WeakKeyDictionary()
        """The longest time that learning took without coming to an end."""
        self._lock = threading.Lock()

    def weights(self, space: CompiledSpace, deadline: Deadline) -> FluentWeights | None:
        """The weights, learnt on the first call; None if there is no time for that.

        If time is up before all rounds are played, a later player with twice the time learns anew; one that has less
        gets what was learnt so far.
        """
        game = space.game
        if not self._lock.acquire(timeout=max(0.0, min(deadline.remaining(), threading.TIMEOUT_MAX))):
            return self._best(game)
        try:
            if (known := self.learnt.get(game)) is not None:
                return known
            seconds = deadline.remaining()
            if seconds < 2 * self._seconds_spent.get(game, 0.0):
                return self._best(game)
            for count, weights in enumerate(self._rounds(space, deadline), start=1):
                if count >= max(self._fewest_rounds, self._so_far.get(game, (0,))[0]):
                    self._so_far[game] = count, weights
            if game in self._so_far and deadline.remaining() > 0:
                self.learnt[game] = self._so_far[game][1]
            else:
                self._seconds_spent[game] = seconds
            return self._best(game)
        finally:
            self._lock.release()

    def _best(self, game: BatchGame) -> FluentWeights | None:
        found = self._so_far.get(game)
        return None if found is None else found[1]


def learnt_weights(space: CompiledSpace, deadline: Deadline) -> FluentWeights | None:
    """The weights of a game's fluents for the goals of its roles, learnt on the first call; None without time."""
    return goal_lessons.weights(space, deadline)


def lead_weights(space: CompiledSpace, deadline: Deadline) -> FluentWeights | None:
    """Weights for the lead of one of two roles over the other, learnt on the first call; None if there is no time, or
    in games that have no lead to learn.

    Where one gets what the other loses they are the same as those for the goals.
    """
    if can_learn(space.game):
        return goal_lessons.weights(space, deadline)
    return lead_lessons.weights(space, deadline) if has_lead(space.game) else None


def learnt_network(space: CompiledSpace, deadline: Deadline) -> FluentWeights | None:
    """Weights with a network, which values the positions of a game with chance for two; learnt as `learnt_weights` are.
    None if there is no time for that, or the game is not one for it."""
    if not space.game.chance or not is_opposed(space.game):
        return None
    return network_lessons.weights(space, deadline)


def _rounds(space: CompiledSpace, deadline: Deadline) -> Iterator[FluentWeights]:
    """Weights after each round of learning: in machine code, if the game is one for that."""

    def has_time() -> bool:
        return deadline.remaining() > 0

    if not has_time():
        return
    is_native = False
    if can_learn(space.game):
        for weights in learn_by_self_play(space.game, has_time):
            is_native = True
            yield weights
    if not is_native and _has_time(space, deadline):
        yield from learn(space, has_time)


def _lead_rounds(space: CompiledSpace, deadline: Deadline) -> Iterator[FluentWeights]:
    """Weights for the lead after each round of learning."""
    return learn_by_self_play(space.game, lambda: deadline.remaining() > 0)


def _network_rounds(space: CompiledSpace, deadline: Deadline) -> Iterator[FluentWeights]:
    """Networks after each round of learning."""
    return learn_with_chance(space.game, lambda: deadline.remaining() > 0)


goal_lessons, lead_lessons = _Lessons(_rounds), _Lessons(_lead_rounds)
network_lessons = _Lessons(_network_rounds, FEWEST_NETWORK_ROUNDS)

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
from ludens.players.packed.self_play import can_learn, is_opposed, learn_by_self_play
from ludens.players.space.compiled import CompiledSpace
from ludens.players.space.space import Space

FEWEST_ROUNDS = 3
"""After fewer rounds of learning, weights are worse than mobility (measured on breakthrough)."""
FEWEST_NETWORK_ROUNDS = 6
"""The same for networks of games with chance."""

_TURN_SHARE = 0.1
"""The share of the time for learning that one turn of a round of matches may take."""


class _Lessons:
    """What has been learnt about games, by one way of learning."""

    def __init__(self, fewest_rounds: int) -> None:
        """What fewer rounds have taught is not used."""
        self.fewest_rounds = fewest_rounds
        self.learnt: WeakKeyDictionary[BatchGame, FluentWeights] = WeakKeyDictionary()
        self.so_far: WeakKeyDictionary[BatchGame, tuple[int, FluentWeights]] = WeakKeyDictionary()
        """The most rounds and their weights of games for which there was no time to play all rounds, or which are still
        being learnt."""
        self.seconds_spent: WeakKeyDictionary[BatchGame, float] = WeakKeyDictionary()
        """The longest time that learning took without coming to an end."""
        self.learning = threading.Lock()

    def learn(
        self, game: BatchGame, rounds: Callable[[], Iterator[FluentWeights]], deadline: Deadline
    ) -> FluentWeights | None:
        """The weights of a game, learnt on the first call; None if there is no time for that."""
        if not self.learning.acquire(timeout=max(0.0, min(deadline.remaining(), threading.TIMEOUT_MAX))):
            return self._known(game)
        try:
            if (known := self.learnt.get(game)) is not None:
                return known
            seconds = deadline.remaining()
            if seconds < 2 * self.seconds_spent.get(game, 0.0):
                return self._known(game)
            for count, weights in enumerate(rounds(), start=1):
                if count >= max(self.fewest_rounds, self.so_far.get(game, (0,))[0]):
                    self.so_far[game] = count, weights
            if game in self.so_far and deadline.remaining() > 0:
                self.learnt[game] = self.so_far[game][1]
            else:
                self.seconds_spent[game] = seconds
            return self._known(game)
        finally:
            self.learning.release()

    def _known(self, game: BatchGame) -> FluentWeights | None:
        found = self.so_far.get(game)
        return None if found is None else found[1]


_weights, _networks = _Lessons(FEWEST_ROUNDS), _Lessons(FEWEST_NETWORK_ROUNDS)


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


def learnt_weights(space: CompiledSpace, deadline: Deadline) -> FluentWeights | None:
    """The weights of a game's fluents, learnt on the first call; None if there is no time for that.

    They depend on the game alone, so all players get the same. If time is up before all rounds are played, a later
    player with twice the time learns anew; one that has less gets what was learnt so far.
    """
    return _weights.learn(space.game, lambda: _rounds(space, deadline), deadline)


def learnt_network(game: BatchGame, deadline: Deadline) -> FluentWeights | None:
    """Weights with a network, which values the positions of a game with chance for two; learnt as `learnt_weights` are.
    None if there is no time for that, or the game is not one for it."""
    if not game.chance or not is_opposed(game):
        return None
    return _networks.learn(game, lambda: learn_with_chance(game, lambda: deadline.remaining() > 0), deadline)


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

"""Choose the evaluation of a player, and learn weights once per game."""

from __future__ import annotations

import threading
import time
from weakref import WeakKeyDictionary

from ludens.core import Deadline
from ludens.core.batch import BatchGame
from ludens.players.evaluation.evaluators import Evaluation, GoalNearness, Learned, Mobility
from ludens.players.evaluation.fit import FEWEST_MATCHES, ROUNDS, learn
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.space.compiled import CompiledSpace
from ludens.players.space.space import Space

FEWEST_ROUNDS = 3
"""After fewer rounds of learning, weights are worse than mobility (measured on breakthrough)."""

_TURN_SHARE = 0.1
"""The share of the time for learning that one turn of a round of matches may take."""

_learnt: WeakKeyDictionary[BatchGame, FluentWeights] = WeakKeyDictionary()
_learning = threading.Lock()


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

    They depend on the game alone, so all players get the same. If time is up before all rounds are played, they are
    not cached.
    """
    if not _learning.acquire(timeout=max(0.0, min(deadline.remaining(), threading.TIMEOUT_MAX))):
        return None
    try:
        if (known := _learnt.get(space.game)) is not None:
            return known
        if not _has_time(space, deadline):
            return None
        rounds = list(learn(space, lambda: deadline.remaining() > 0))
        if len(rounds) == ROUNDS:
            _learnt[space.game] = rounds[-1]
        return rounds[-1] if len(rounds) >= FEWEST_ROUNDS else None
    finally:
        _learning.release()

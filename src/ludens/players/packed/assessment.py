"""How well a learnt evaluation predicts results: its log loss in matches that it was not learnt from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludens.core import BEST_GOAL
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame
from ludens.players.evaluation.weights import FluentWeights, expected_share
from ludens.players.packed.self_play import SelfPlay

MATCHES, POSITIONS = 400, 1_000
PLAYOUTS = 16
"""Random playouts of each position."""
HEAVIEST = 12
_SEED = 77
"""Other matches than those of learning."""
_LEAST_SHARE = 0.5 / PLAYOUTS
"""No prediction is surer than this."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """Log losses of predictions, in nats for each position; smaller is better, and a fair coin has 0.693."""

    positions: int
    constant: float
    """Always the mean result of these positions."""
    playouts: float
    """The mean result of random playouts."""
    weights: float
    """The weights of single fluents."""
    network: float | None
    """The network, if one was trained."""
    heaviest: tuple[tuple[str, float], ...]
    """The fluents with the largest weights, for the first role, in logits."""

    def as_json(self) -> dict[str, Any]:
        """The same as JSON."""
        losses = {"constant": self.constant, "playouts": self.playouts, "evaluation": self.weights}
        if self.network is not None:
            losses["network"] = self.network
        return {"positions": self.positions, "log_loss": losses, "weights": dict(self.heaviest)}


def assess(game: BatchGame, weights: FluentWeights) -> Assessment | None:
    """Play matches by an evaluation, and compare what it predicts; None if no match came to an end."""
    play = SelfPlay(game, _SEED)
    fitted = play.fitted(weights)
    found = play.play(fitted, MATCHES, 1.0, lambda: True, weights.network)
    if found is None or not len(found[0].shares):
        return None
    samples = found[0].take(np.random.default_rng(_SEED), POSITIONS)
    packed = play.packed(samples)
    shares, count = samples.shares, len(samples.shares)
    batch = Batch(game, count * PLAYOUTS, seed=_SEED)
    batch.set_states(np.repeat(packed, PLAYOUTS, axis=0))
    sums = batch.playouts().goal_sums(PLAYOUTS)[:, 0]
    predicted = expected_share(weights(packed)[:, :1])[:, 0]
    network = (
        None if weights.network is None else _log_loss(expected_share(play.logits(weights.network, samples)), shares)
    )
    by_fluent = weights.by_fluent[: len(game.fluent_texts), 0]
    order = np.argsort(-np.abs(by_fluent * game.changing_fluents))[:HEAVIEST]
    return Assessment(
        positions=count,
        constant=_log_loss(np.full(count, shares.mean()), shares),
        playouts=_log_loss(sums / (PLAYOUTS * BEST_GOAL), shares),
        weights=_log_loss(predicted, shares),
        network=network,
        heaviest=tuple((game.fluent_texts[n], float(by_fluent[n])) for n in order),
    )


def _log_loss(predicted: NDArray[np.float64], shares: NDArray[np.float64]) -> float:
    sure = np.clip(predicted, _LEAST_SHARE, 1 - _LEAST_SHARE)
    return float(-(shares * np.log(sure) + (1 - shares) * np.log(1 - sure)).mean())

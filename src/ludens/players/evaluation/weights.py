"""Linear evaluation by a weight for each fluent, computed on packed bits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.core.batch_game import PackedBits
from ludens.players.space.space import Values

Weights = NDArray[np.float64]
Network = NDArray[np.float32]
"""A row of weights for each fluent that changes, one for all positions, and outputs (packed/source/network.hpp)."""

FIT_STEPS = 40
PENALTY = 1e-3
"""Half of the loss per squared weight (L2 regularisation); an uninformative sample has a loss of 0.7."""
BITS_OF_BYTES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.float64)
"""The eight bits of each byte value."""


@dataclass(frozen=True, slots=True)
class FluentWeights:
    """Sums of weights for each role, one table of 256 sums for each byte of a packed state."""

    sums: NDArray[np.float64]
    """The sum of weights for each value of each byte and each role (bytes, 256, roles)."""
    bias: Weights
    """The value of a position without fluents for each role."""
    network: Network | None = None
    """A better evaluation for the first of two roles with opposite goals, for searches that can use it."""

    @classmethod
    def of(cls, weights: Weights) -> FluentWeights:
        """From the weights of the fluents, eight for each byte, and the bias in the last row, for each role."""
        bytes_, roles = len(weights) // 8, weights.shape[1]
        fluents = weights[:-1].reshape(bytes_, 8, roles)
        return cls(np.einsum("vb,wbr->wvr", BITS_OF_BYTES, fluents), weights[-1])

    @property
    def by_fluent(self) -> Weights:
        """The weights of the fluents, and the bias in the last row, for each role."""
        fluents = self.sums[:, 1 << np.arange(8)].reshape(-1, self.sums.shape[2])
        return np.vstack([fluents, self.bias])

    def network_for(self, changing: NDArray[np.bool_]) -> Network | None:
        """The network with a row for every fluent that has a weight, given which fluents change."""
        if self.network is None:
            return None
        found = np.zeros((8 * len(self.sums) + 2, self.network.shape[1]), np.float32)
        found[np.flatnonzero(changing)], found[-2:] = self.network[:-2], self.network[-2:]
        return found

    @property
    def is_opposed(self) -> bool:
        """True if one of two roles gets what the other loses."""
        return self.sums.shape[2] == 2 and bool(np.allclose(self.by_fluent.sum(axis=1), 0.0))

    def __call__(self, packed: PackedBits) -> Values:
        """The sum for each position and role."""
        found: Values = np.repeat(self.bias[None], len(packed), axis=0)
        for column, sums in enumerate(self.sums):
            found += sums[packed[:, column]]
        return found


def expected_share(sums: Values) -> Values:
    """The expected share of the best goal for a sum of weights, 0 to 1 (the logistic function)."""
    found: Values = 1.0 / (1.0 + np.exp(-np.clip(sums, -30.0, 30.0)))
    return found


def fit_weights(packed: PackedBits, shares: Values, start: Weights, go_on: Callable[[], bool]) -> Weights:
    """Fit weights that predict which share of the best goal each role gets (logistic regression).

    Adam on all samples at once. Sums and gradients go by bytes, so nothing is unpacked and the order of additions does
    not depend on a library's number of threads; equal samples give equal weights. Ends early if ``go_on`` returns
    False.
    """
    if shares.shape[1] == 2 and np.allclose(shares.sum(axis=1), 1.0):
        first = fit_weights(packed, shares[:, :1], start[:, :1], go_on)
        return np.concatenate([first, -first], axis=1)
    count, width = packed.shape
    places = (packed + 256 * np.arange(width)).ravel()

    def slope_at(weights: Weights) -> Weights:
        error = expected_share(FluentWeights.of(weights)(packed)) - shares
        slope = np.zeros_like(weights)
        slope[-1] = error.mean(axis=0)
        for role in range(weights.shape[1]):
            by_byte = np.bincount(places, np.repeat(error[:, role], width), 256 * width).reshape(width, 256)
            slope[:-1, role] = (by_byte @ BITS_OF_BYTES).ravel() / count
        return slope

    return descend(slope_at, start, go_on)


def descend(slope_at: Callable[[Weights], Weights], start: Weights, go_on: Callable[[], bool]) -> Weights:
    """Lower the mean loss by Adam, given its slope, with a penalty for large weights except the last row, the bias."""
    weights = start.copy()
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, FIT_STEPS + 1):
        if not go_on():
            break
        slope = slope_at(weights)
        slope[:-1] += PENALTY * weights[:-1]
        mean += 0.1 * (slope - mean)
        square += 0.01 * (slope * slope - square)
        rate = 0.1 * (1 - step / (FIT_STEPS + 1))
        weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-6)
    return weights

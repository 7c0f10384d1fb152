"""A weight for each fluent: what a position is worth, computed from its packed bits without unpacking them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.core.batch import PackedBits
from ludens.players.space.space import Values

Weights = NDArray[np.float64]

FIT_STEPS = 40
PENALTY = 1e-3
"""Half of the loss for each squared weight, where a sample that says nothing has a loss of 0.7."""
BITS_OF_BYTES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.float64)
"""Which of its eight bits each byte has."""


@dataclass(frozen=True, slots=True)
class FluentWeights:
    """Sums of weights for each role, one table of 256 sums for each byte of a packed state."""

    sums: NDArray[np.float64]
    """What the fluents of each value of each byte are worth for each role (bytes, 256, roles)."""
    bias: Weights
    """What a position without fluents is worth for each role."""

    @classmethod
    def of(cls, weights: Weights) -> FluentWeights:
        """From the weight of each fluent, eight for each byte, and of the bias in the last row, for each role."""
        bytes_, roles = len(weights) // 8, weights.shape[1]
        fluents = weights[:-1].reshape(bytes_, 8, roles)
        return cls(np.einsum("vb,wbr->wvr", BITS_OF_BYTES, fluents), weights[-1])

    @property
    def by_fluent(self) -> Weights:
        """The weights that it was made from: of each fluent, and of the bias in the last row, for each role."""
        fluents = self.sums[:, 1 << np.arange(8)].reshape(-1, self.sums.shape[2])
        return np.vstack([fluents, self.bias])

    def __call__(self, packed: PackedBits) -> Values:
        """The sum for each position and role."""
        found: Values = np.repeat(self.bias[None], len(packed), axis=0)
        for column, sums in enumerate(self.sums):
            found += sums[packed[:, column]]
        return found


def chance_of(sums: Values) -> Values:
    """The share of the best goal that a sum of weights stands for, 0 to 1 (the logistic function)."""
    found: Values = 1.0 / (1.0 + np.exp(-np.clip(sums, -30.0, 30.0)))
    return found


def fitted(packed: PackedBits, shares: Values, start: Weights, go_on: Callable[[], bool]) -> Weights:
    """The weights that tell best which share of the best goal each role gets (logistic regression).

    Adam on all samples at once: sums and gradients go by bytes, so nothing is unpacked, and no library decides by the
    number of its threads in which order numbers are added; equal samples give equal weights. Ends early if ``go_on``
    says no.
    """
    if shares.shape[1] == 2 and np.allclose(shares.sum(axis=1), 1.0):
        first = fitted(packed, shares[:, :1], start[:, :1], go_on)
        return np.concatenate([first, -first], axis=1)
    count, width = packed.shape
    places = (packed + 256 * np.arange(width)).ravel()
    weights = start.copy()
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, FIT_STEPS + 1):
        if not go_on():
            break
        error = chance_of(FluentWeights.of(weights)(packed)) - shares
        slope = PENALTY * weights
        slope[-1] = error.mean(axis=0)
        for role in range(weights.shape[1]):
            by_byte = np.bincount(places, np.repeat(error[:, role], width), 256 * width).reshape(width, 256)
            slope[:-1, role] += (by_byte @ BITS_OF_BYTES).ravel() / count
        mean += 0.1 * (slope - mean)
        square += 0.01 * (slope * slope - square)
        rate = 0.1 * (1 - step / (FIT_STEPS + 1))
        weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-6)
    return weights

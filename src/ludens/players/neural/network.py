"""The network: a residual perceptron on the bits of a position, with a policy over all moves and a value for each role.

This module imports torch, so everything that must work without it imports this module when it is needed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from ludens.players.neural.encoding import Encoding
from ludens.players.neural.positions import Choices, Reals


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of a network."""

    inputs: int
    places: int
    """Of the policy."""
    roles: int
    hidden: int = 128
    blocks: int = 2

    @classmethod
    def of(cls, encoding: Encoding, hidden: int, blocks: int) -> Shape:
        """The shape of a network for a game."""
        return cls(len(encoding.fluents), encoding.places, encoding.roles, hidden, blocks)


class _Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)

    def forward(self, values: Tensor) -> Tensor:
        """The input plus the output of two layers."""
        inner: Tensor = self.second(torch.relu(self.first(self.norm(values))))
        return values + inner


class Network(nn.Module):
    """Policy and values of positions."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        """Its size."""
        self.entrance = nn.Linear(shape.inputs, shape.hidden)
        self.blocks = nn.Sequential(*(_Block(shape.hidden) for _ in range(shape.blocks)))
        self.norm = nn.LayerNorm(shape.hidden)
        self.policy = nn.Linear(shape.hidden, shape.places)
        self.value = nn.Linear(shape.hidden, shape.roles)

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the policy (positions, places), and of each role's share of the best goal (positions, roles)."""
        inner = torch.relu(self.norm(self.blocks(self.entrance(inputs))))
        return self.policy(inner), self.value(inner)


class NetworkJudge:
    """A network as the evaluation of a search: positions in, policy and values out, as arrays."""

    def __init__(self, network: Network, encoding: Encoding) -> None:
        self.network = network.eval()
        """The network."""
        self._encoding = encoding

    def __call__(self, found: Choices) -> tuple[Reals, Reals]:
        """The policy of each move, and the value of each position for each role."""
        with torch.inference_mode():
            policy, value = self.network(torch.from_numpy(self._encoding.inputs(found.packed)))
            logits, values = policy.numpy(), torch.sigmoid(value).numpy()
        lanes = np.repeat(np.arange(len(found)), found.counts)
        first = np.cumsum(found.counts) - found.counts
        own = logits[lanes, self._encoding.first_places[found.chooser[lanes]] + found.moves]
        powers = np.exp(own - np.maximum.reduceat(own, first)[lanes])
        shares: Reals = powers / np.add.reduceat(powers, first)[lanes]
        return shares, values

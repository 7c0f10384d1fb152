"""Samples to learn from: positions, the search's visits, and the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ludens.core.batch_game import PackedBits
from ludens.players.neural.agents import MOST_TURNS, Searcher
from ludens.players.neural.encoding import Encoding, Symmetry
from ludens.players.neural.positions import Positions, Reals, Rules

MOST_BYTES = 400_000_000
"""The memory limit for samples, in bytes."""
ILLEGAL = -1.0
"""Marks illegal moves in a policy."""

Halves = NDArray[np.float16]


@dataclass(frozen=True, slots=True)
class Samples:
    """Samples, one per row."""

    packed: PackedBits
    policy: Halves
    """The share of visits of each move in the policy (positions, places), or `ILLEGAL`."""
    shares: Halves
    """The share of the best goal that each role got in the end (positions, roles)."""

    def __len__(self) -> int:
        return len(self.packed)

    @classmethod
    def empty(cls, width: int, encoding: Encoding) -> Samples:
        """No samples yet."""
        return cls(
            np.zeros((0, width), np.uint8),
            np.zeros((0, encoding.places), np.float16),
            np.zeros((0, encoding.roles), np.float16),
        )

    def concatenate(self, others: Samples, most: int) -> Samples:
        """These and other samples, the last ``most`` of them."""
        row = sum(getattr(self, field.name)[:0].itemsize * getattr(self, field.name).shape[1] for field in fields(self))
        most = max(1, min(most, MOST_BYTES // row))
        return Samples(
            *(
                np.concatenate([getattr(self, field.name), getattr(others, field.name)])[-most:]
                for field in fields(self)
            )
        )


@dataclass(frozen=True, slots=True)
class Lesson:
    """A training batch: inputs and targets of the network, as arrays."""

    inputs: Reals
    policy: Reals
    shares: Reals


def lesson(
    samples: Samples, size: int, encoding: Encoding, symmetries: Sequence[Symmetry], rng: np.random.Generator
) -> Lesson:
    """Random samples, each transformed by a random symmetry."""
    chosen = rng.integers(0, len(samples), size)
    inputs = encoding.inputs(samples.packed[chosen])
    policy = samples.policy[chosen].astype(np.float32)
    kinds = rng.integers(0, len(symmetries), size)
    for kind, symmetry in enumerate(symmetries[1:], start=1):
        rows = kinds == kind
        inputs[rows] = inputs[rows][:, symmetry.inputs]
        policy[rows] = policy[rows][:, symmetry.policy]
    return Lesson(inputs, policy, samples.shares[chosen].astype(np.float32))


def play(rules: Rules, encoding: Encoding, searcher: Searcher, matches: int) -> tuple[Samples, int]:
    """Play matches of the search against itself, all at once; returns samples and the number of matches that ended."""
    found, lanes = rules.initial(matches), np.arange(matches)
    final = np.full((matches, encoding.roles), np.nan, np.float16)
    seen: list[tuple[NDArray[np.int64], PackedBits, Halves]] = []
    for turn in range(MOST_TURNS):
        final[lanes[found.over]] = found.shares[found.over]
        lanes, found = lanes[~found.over], found.select(~found.over)
        if not len(lanes):
            break
        moves = found.joint[np.arange(len(lanes)), found.chooser]
        if (choosing := found.counts > 1).any():
            asked = found.select(choosing)
            moves[choosing], shares = searcher.choose(asked, turn)
            seen.append((lanes[choosing], asked.packed, _policy(asked, shares, encoding)))
        found = rules.after(found.packed, found.with_moves(moves))
    if not seen:
        return Samples.empty(rules.width, encoding), matches
    lane = np.concatenate([lanes for lanes, _, _ in seen])
    ended = ~np.isnan(final[lane, 0])
    packed, policy = (np.concatenate([part[place] for part in seen])[ended] for place in (1, 2))
    return Samples(packed, policy, final[lane][ended]), int((~np.isnan(final[:, 0])).sum())


def _policy(found: Positions, shares: Reals, encoding: Encoding) -> Halves:
    lanes = np.repeat(np.arange(len(found)), found.counts)
    policy = np.full((len(found), encoding.places), ILLEGAL, np.float16)
    policy[lanes, encoding.first_places[found.chooser[lanes]] + found.moves] = shares
    return policy

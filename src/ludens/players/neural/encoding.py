"""What a network is shown of a game, and which place of its answer stands for which move."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.analysis.symmetry import Exchange, find_exchanges
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core.batch import BatchGame, PackedBits
from ludens.gdl.write import kif
from ludens.players.neural.positions import Numbers, Reals

MOST_SYMMETRIES = 16
"""Among which one is drawn for each position that is learnt from."""


@dataclass(frozen=True)
class Encoding:
    """The places of a network's input and of its policy."""

    fluents: Numbers
    """The fluents that can change: what the network sees, one place each."""
    first_places: Numbers
    """Where the moves of each role begin among the places of the policy."""
    places: int
    """Moves of all roles together."""
    roles: int
    layout: str
    """A hash of the names of all fluents and moves, in their order."""

    @classmethod
    def of(cls, game: BatchGame) -> Encoding:
        """The encoding of a game, the same in every process."""
        changing = np.flatnonzero(game.changing_fluents)
        sizes = [len(moves) for moves in game.move_texts[: len(game.roles)]]
        names = [
            *game.fluent_texts,
            *(f"{role} {move}" for role, own in zip(game.move_roles, game.move_texts, strict=True) for move in own),
        ]
        return cls(
            changing.astype(np.int32),
            (np.cumsum(sizes) - sizes).astype(np.int32),
            sum(sizes),
            len(game.roles),
            hashlib.sha256("\n".join(names).encode()).hexdigest(),
        )

    def inputs(self, packed: PackedBits) -> Reals:
        """What the network sees of some positions (positions, inputs): zeros and ones."""
        bits = np.unpackbits(packed, axis=1, bitorder="little")
        return bits[:, self.fluents].astype(np.float32)


@dataclass(frozen=True)
class Symmetry:
    """A symmetry of a game as the network sees it: which place's content comes to each place."""

    inputs: NDArray[np.int64]
    policy: NDArray[np.int64]


def symmetries_of(game: BatchGame, encoding: Encoding) -> list[Symmetry]:
    """The symmetries that the analysis finds, and what they make together, the identity first."""
    exchanges = find_exchanges(game) if isinstance(game, CircuitRules) else ()
    generators = [_places(game, encoding, exchange) for exchange in exchanges]
    identity = Symmetry(np.arange(len(encoding.fluents)), np.arange(encoding.places))
    found = {identity.inputs.tobytes() + identity.policy.tobytes(): identity}
    frontier = [identity]
    while frontier and len(found) < MOST_SYMMETRIES:
        fresh = []
        for one in frontier:
            for other in generators:
                both = Symmetry(one.inputs[other.inputs], one.policy[other.policy])
                key = both.inputs.tobytes() + both.policy.tobytes()
                if key not in found and len(found) < MOST_SYMMETRIES:
                    found[key] = both
                    fresh.append(both)
        frontier = fresh
    return list(found.values())


def _places(game: BatchGame, encoding: Encoding, exchange: Exchange) -> Symmetry:
    number_of = {text: number for number, text in enumerate(game.fluent_texts)}
    place_of = {int(number): place for place, number in enumerate(encoding.fluents)}
    inputs = np.arange(len(encoding.fluents))
    for source, target in exchange.fluents.items():
        place = place_of.get(number_of.get(kif(source), -1))
        if place is not None:
            inputs[place_of[number_of[kif(target)]]] = place
    policy = np.arange(encoding.places)
    for role, (name, own) in enumerate(zip(game.move_roles, game.move_numbers, strict=True)):
        first = int(encoding.first_places[role])
        for (who, source), (_, target) in exchange.moves.items():
            if kif(who) == name:
                policy[first + own[kif(target)]] = first + own[kif(source)]
    return Symmetry(inputs, policy)

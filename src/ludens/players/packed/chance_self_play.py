"""Learn an evaluation of a game with chance from matches of a player against itself, hundreds at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ludens.core import BEST_GOAL
from ludens.core.batch_game import BatchGame, Numbers, PackedBits
from ludens.players.evaluation.fit import LONGEST_MATCH
from ludens.players.evaluation.weights import FluentWeights, Network, Weights, expected_share
from ludens.players.packed.self_play import FITTED_SAMPLES, UNITS, Samples, SelfPlay, mixed_targets
from ludens.players.space.expander import Expander, Found, first_bits, set_bits

ROUNDS = 14
"""Rounds of playing matches and training the network with them, each with twice as many matches up to a limit."""
FEWEST_MATCHES, MOST_MATCHES = 64, 2_048
PASSES = 6
"""How often each round of training goes through the positions of a round."""
SAMPLES = 300_000
"""Positions of a round that the network is trained with, approximately."""
LONGEST = 4 * LONGEST_MATCH
"""Longer matches are not learnt from. A throw of dice is a turn of its own, and so are parts of a move."""
RANDOM_BEGINNING, RANDOM_LATER, BEGINNING = 0.1, 0.01, 20
"""The share of random moves, in the first turns and later: few, since chance makes matches differ."""
OUTCOMES = 12
"""Samples of chance by which a move is evaluated whose outcome is drawn."""
_TIE = 1e-9
"""Breaks ties at random."""


class ChanceSelfPlay(SelfPlay):
    """Matches of a game with chance for two who move in turns. The best move is played: chance explores."""

    def __init__(self, game: BatchGame, seed: int = 0) -> None:
        super().__init__(game, seed)
        self._expander = Expander(game, game.move_roles, seed)

    def play(
        self, fitted: Weights, count: int, keep: float, go_on: Callable[[], bool], network: Network | None = None
    ) -> tuple[Samples, int, float] | None:
        """Matches by the weights, or by a network, as `SelfPlay.play` plays those of games without chance."""
        net = self._for_all_fluents(self.linear_network(fitted) if network is None else network)
        packed = np.repeat(self._game.pack([self._game.initial_state()]), count, axis=0)
        shares, is_over = np.zeros(count), np.zeros(count, np.bool_)
        owners, states, numbers, expected = [], [], [], []
        computed = turns = 0
        for turn in range(LONGEST):
            playing = np.flatnonzero(~is_over)
            found = self._turn(net, packed[playing], RANDOM_BEGINNING if turn < BEGINNING else RANDOM_LATER)
            if found is None or not go_on():
                return None
            after, children = found
            computed += children
            packed[playing] = after.packed
            ended = after.terminal | after.stuck
            is_over[playing[ended]] = True
            shares[playing[ended]] = after.goals[ended, 0] / BEST_GOAL
            turns += int((~ended).sum())
            expected.append(np.where(is_over, shares, expected_share(self._predict(net, packed))))
            sampled = playing[~ended]
            sampled = sampled[self.rng.random(len(sampled)) < keep]
            owners.append(sampled)
            states.append(self._kept(packed[sampled]))
            numbers.append(np.full(len(sampled), turn))
            if is_over.all():
                break
        owner = np.concatenate(owners)
        ended = is_over[owner]
        owner, number = owner[ended], np.concatenate(numbers)[ended]
        targets = mixed_targets(expected, shares)[number, owner]
        return Samples(np.concatenate(states)[ended], shares[owner], targets), computed, turns / count

    def _turn(self, net: Network, packed: PackedBits, random: float) -> tuple[Found, int] | None:
        """The positions after a joint move in each, and how many were computed; None if both players choose."""
        found = self._expander.at(packed)
        players = range(len(self._game.roles))
        counts = found.counts[:, : len(players)]
        if (counts > 1).all(axis=1).any():
            return None
        joint = np.stack([first_bits(found.legal[role]) for role in players], axis=1)
        computed = len(packed)
        for role in players:
            choosing = np.flatnonzero(counts[:, role] > 1)
            if len(choosing):
                joint[choosing, role], more = self._choose(net, found, choosing, role, joint[choosing], random)
                computed += more
        return self._expander.after(packed, joint), computed

    def _choose(
        self, net: Network, found: Found, rows: NDArray[np.int64], role: int, joint: Numbers, random: float
    ) -> tuple[Numbers, int]:
        """The moves of a role in some positions, mostly the best by the network, and how many positions that took."""
        legal = found.legal[role][rows]
        moves, counts = set_bits(legal), np.bitwise_count(legal).sum(axis=1, dtype=np.int64)
        owner = np.repeat(np.arange(len(rows)), counts)
        samples = np.where(self._is_drawn(role, moves), OUTCOMES, 1)
        pair = np.repeat(np.arange(len(moves)), samples)
        tried = joint[owner[pair]]
        tried[:, role] = moves[pair]
        after = self._expander.after(found.packed[rows[owner[pair]]], tried)
        expected = expected_share(self._predict(net, after.packed))
        values = np.where(after.terminal | after.stuck, after.goals[:, 0] / BEST_GOAL, expected)
        worth = np.bincount(pair, values, len(moves)) / samples
        promise = np.where(role == 0, worth, -worth) + _TIE * self.rng.random(len(moves))
        at_random = self.rng.random(len(rows)) < random
        promise = np.where(at_random[owner], self.rng.random(len(moves)), promise)
        best = np.lexsort((promise, owner))[np.cumsum(counts) - 1]
        return moves[best], len(pair)

    def _is_drawn(self, role: int, moves: Numbers) -> NDArray[np.bool_]:
        """Whether chance decides something after each of a role's moves."""
        found = np.zeros(len(moves), np.bool_)
        for source in self._game.chance_sources:
            if source.owner is None or source.uses is None:
                return np.ones(len(moves), np.bool_)
            if source.owner == role:
                found |= source.uses[moves]
        return found

    # Packed positions and networks of all fluents

    def _for_all_fluents(self, network: Network) -> Network:
        """A network with a row for every bit of a packed position, so that those need not be unpacked."""
        width = -(-self._game.packed_width // 8) * 64
        found = np.zeros((width + 2, network.shape[1]), np.float32)
        found[self._rules.kept] = network[:-2]
        found[-2:] = network[-2:]
        return found

    def _predict(self, net: Network, packed: PackedBits) -> Weights:
        """The logits of packed positions, for the first player."""
        words = -(-packed.shape[1] // 8)
        states = np.pad(packed, ((0, 0), (0, 8 * words - packed.shape[1])))
        found = np.zeros(len(packed))
        self._machine.predict(net.ctypes.data, 64 * words, states.ctypes.data, words, len(packed), found.ctypes.data)
        return found

    def _kept(self, packed: PackedBits) -> NDArray[np.uint64]:
        """The fluents that change, packed."""
        bits = np.unpackbits(packed, axis=1, bitorder="little")[:, self._rules.kept]
        found = np.zeros((len(packed), 8 * self._rules.width), np.uint8)
        kept = np.packbits(bits, axis=1, bitorder="little")
        found[:, : kept.shape[1]] = kept
        return found.view(np.uint64)


def learn_with_chance(game: BatchGame, go_on: Callable[[], bool]) -> Iterator[FluentWeights]:
    """Yield weights for all fluents, with a network, after each round of matches, which are played by the network of
    the round before. Stops without a result in the round in which ``go_on`` returns False."""
    learner = ChanceSelfPlay(game)
    fitted: Weights = np.zeros(learner.bits + 1)
    network, squares = learner.new_network(fitted), np.ones((learner.bits + 2, UNITS), np.float32)
    count, length = FEWEST_MATCHES, float(LONGEST)
    for number in range(ROUNDS):
        found = learner.play(fitted, count, min(1.0, SAMPLES / (count * length)), go_on, network if number else None)
        if found is None:
            return
        samples, _, length = found
        if len(samples.shares):
            fitted = learner.fit(samples.take(learner.rng, FITTED_SAMPLES), fitted, go_on)
            learner.train(network, squares, samples, go_on, PASSES)
        if not go_on():
            return
        yield replace(learner.weights_of(fitted), network=network.copy())
        count, length = min(2 * count, MOST_MATCHES), max(1.0, length)

"""Belief states of a role in a compiled game: many complete states, kept as lanes and advanced turn by turn.

A particle filter. After each turn every state of it makes the role's own move, the others' moves are drawn, and those
in which the role would have perceived something else are dropped, until there are enough. If none is left, it goes back
some turns, and at last asks the view, which searches for a history that fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from ludens.compiler.batch.game import CircuitGame, CircuitState
from ludens.core import OutOfTimeError, PerceptView, Role, State, View
from ludens.core.batch import Batch
from ludens.core.batch_game import Numbers
from ludens.core.batch_worlds import BatchWorlds, Keys, Particles
from ludens.core.knowledge import Knowledge

SIZE = 1024
"""States of a belief, and lanes that are tried at once."""
ROUNDS = 24
"""Rounds of drawing successors, one for each lane, until enough of them fit."""
RETRIES = 5
"""How often an empty belief is resampled from earlier turns."""


class LaneWorlds(BatchWorlds):
    """The belief of one role, as lanes."""

    def __init__(self, game: CircuitGame, role: Role, rng: Random) -> None:
        self._game = game
        self._role = game.roles.index(role)
        self._rng = rng
        self._drawing = np.random.default_rng(rng.randrange(2**32))
        self._batch = Batch(game, SIZE, seed=rng.randrange(2**32))
        self._knowledge = Knowledge(game)
        self._percepts = game.percept_fluents(self._role)
        self._views: list[View] = []
        self._turns: list[Particles] = []
        """The belief after each turn."""

    def observe(self, view: View) -> None:
        """Follow the match to this view."""
        chain: Sequence[View] = view.history if isinstance(view, PerceptView) else [view]
        common = 0
        while common < min(len(chain), len(self._views)) and chain[common] is self._views[common]:
            common += 1
        del self._views[common:], self._turns[common:]
        for turn in chain[common:]:
            self._views.append(turn)
            try:
                self._turns.append(self._follow(turn))
            except OutOfTimeError:  # the next call begins with this turn
                self._views.pop()
                raise

    def draw(self) -> State:
        """One of the states."""
        lanes = self._turns[-1]
        place = self._rng.randrange(len(lanes))
        return self._game.unpack(lanes.states[place : place + 1])[0]

    def particles(self, count: int) -> Particles:
        """``count`` of the states."""
        lanes = self._turns[-1]
        order = self._drawing.permutation(len(lanes))
        return lanes.take(np.resize(order, count))

    def keys_after(self, keys: Keys, batch: Batch, moves: Numbers) -> Keys:
        """By the percepts of the turn."""
        return self._knowledge.after(keys, batch.packed_fluents, moves)

    # Following

    def _follow(self, view: View) -> Particles:
        if not isinstance(view, PerceptView):
            state = view.sample(self._rng)
            assert isinstance(state, CircuitState)
            return self._particles_of_states([state])
        if len(self._turns) == 0:
            return self._particles_of_view(view)
        for attempt in range(RETRIES):
            first = max(0, len(self._turns) - 2**attempt)
            lanes: Particles | None = self._turns[first]
            for later in range(first + 1, len(self._views)):
                turn = self._views[later]
                assert isinstance(turn, PerceptView)
                lanes = self._advance(lanes, turn) if lanes is not None and len(lanes) else None
            if lanes is not None and len(lanes):
                return lanes
            if first == 0:
                break
        return self._particles_of_view(view)

    def _advance(self, before: Particles, view: PerceptView) -> Particles | None:
        """The states that fit after one more turn."""
        found: list[Particles] = []
        total = 0
        for _ in range(ROUNDS):
            fitting = self._sample_successors(before, view)
            if fitting is None:
                return None
            found.append(fitting)
            total += len(fitting)
            if 2 * total >= SIZE:
                break
        return Particles(
            np.concatenate([lanes.states for lanes in found]), np.concatenate([lanes.keys for lanes in found])
        )

    def _sample_successors(self, before: Particles, view: PerceptView) -> Particles | None:
        """Sampled successors that fit; None if none ever can."""
        batch, role = self._batch, self._role
        numbers = self._game.move_numbers[role]
        if (view.move is not None and view.move not in numbers) or any(
            percept not in self._percepts for percept in view.percepts
        ):
            return None
        parents = before.take(np.resize(self._drawing.permutation(len(before)), SIZE))
        batch.set_states(parents.states)
        fits = ~batch.terminal
        moves = batch.random_moves()
        if view.move is not None:
            number = numbers[view.move]
            fits &= batch.legal(self._game.roles[role])[:, number]
            moves[fits, role] = number
        batch.advance(moves)
        perceived = np.array([percept in view.percepts for percept in self._percepts], np.bool_)
        fits &= (batch.fluent_flags(list(self._percepts.values())) == perceived).all(axis=1)
        if view.received_moves is not None:
            legal = np.zeros(len(numbers), np.bool_)
            legal[[numbers[move] for move in view.received_moves if move in numbers]] = True
            fits &= (batch.legal(self._game.roles[role]) == legal).all(axis=1)
        keys = self._knowledge.after(parents.keys, batch.packed_fluents, moves)
        return Particles(batch.packed_states[fits], keys[fits])

    # From states

    def _particles_of_view(self, view: PerceptView) -> Particles:
        """Particles by the weights of the view's own belief."""
        belief = view.belief(self._rng)
        lanes = self._particles_of_states([state for state in belief if isinstance(state, CircuitState)])
        if len(lanes) == 1:
            return lanes
        return lanes.take(np.array(self._rng.choices(range(len(lanes)), list(belief.values()), k=SIZE)))

    def _particles_of_states(self, states: Sequence[CircuitState]) -> Particles:
        packed = self._game.pack(states)
        one = Batch(self._game, 1)
        return Particles(packed, np.concatenate([self._keys_of(state, one) for state in states]))

    def _keys_of(self, state: CircuitState, one: Batch) -> Keys:
        """The roles' knowledge in a state, by how it was reached, computed with a batch of one lane."""
        if state.arrival is None:
            return self._knowledge.first(1)
        before, chosen = state.arrival.before, state.arrival.turn.chosen
        assert isinstance(before, CircuitState)
        keys = self._keys_of(before, one)
        one.set_states([state])
        roles = zip(self._game.roles, self._game.move_numbers, strict=False)
        moves = np.array([[numbers[chosen[role]] for role, numbers in roles]], np.int32)
        return self._knowledge.after(keys, one.packed_fluents, moves)

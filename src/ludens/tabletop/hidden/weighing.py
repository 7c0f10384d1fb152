"""Weighs sampled worlds by a model of how the other players choose: a raise makes strong hands more likely.

The rule has the model (`Rule.likelihood`). The weight of a world is the probability of all choices that others made
openly, each by what its player would have known in that world.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from ludens.core import Move, Role
from ludens.tabletop.actions.randomness import SEPARATOR
from ludens.tabletop.hidden.determinisation import Determinisation, Sampler
from ludens.tabletop.hidden.percepts import is_visible
from ludens.tabletop.hidden.rearranging import with_faces
from ludens.tabletop.table import ACTOR

CANDIDATES = 6
"""Worlds of which one is chosen by its weight."""
LEAST = 1e-3
"""The least probability of a choice: no model of a player is certain."""


@dataclass(frozen=True, slots=True)
class _Choice:
    turn: int
    role: Role
    move: Move
    moves: Sequence[Move]


class Weighing:
    """The choices of others that led to a state, and how likely they are in a world."""

    def __init__(self, sampler: Sampler) -> None:
        self._past = sampler.past
        self._game = sampler.state.game
        self._choices = list(self._find_choices(sampler)) if self._game.has_model else []

    def _find_choices(self, sampler: Sampler) -> list[_Choice]:
        found: list[_Choice] = []
        states = self._past.states
        for number in range(1, len(states)):
            turn, after = self._past.turn(number), states[number].table
            for role, action, text in turn.done:
                moves = tuple(states[number - 1].legal_moves(role))
                name = text.partition(SEPARATOR)[0] if action.has_chance else text
                is_open = role != sampler.role and is_visible(after, turn.before, sampler.seat, action)
                if is_open and len(moves) > 1 and name in moves:
                    found.append(_Choice(number, role, name, moves))
        return found

    def weight(self, sample: Determinisation) -> float:
        """How likely the choices are in a world, up to a factor."""
        images = self._past.images(sample.faces)
        weight = 1.0
        for choice in self._choices:
            table = with_faces(self._past.states[choice.turn - 1].table, images[choice.turn - 1])
            table.play_state[ACTOR] = choice.role
            weight *= max(LEAST, self._game.likelihood(table, choice.move, choice.moves))
        return weight

    def draw(self, sampler: Sampler, rng: Random) -> Determinisation:
        """One of several samples, chosen by its weight."""
        if not self._choices:
            return sampler.draw(rng)
        samples = [sampler.draw(rng) for _ in range(CANDIDATES)]
        return rng.choices(samples, [self.weight(sample) for sample in samples])[0]

"""Lanes of any backend into arrays, attribute by attribute. Backends with machine code have their own way."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ludens.core.array_plan import Array, ArrayPlan, ArrayWriter, Fault, Form
from ludens.core.batch_game import BatchGame, Flags, Lanes, Numbers
from ludens.core.game import BEST_GOAL


class PlainWriter(ArrayWriter):
    """Writes the lanes of any backend, attribute by attribute."""

    def __init__(self, lanes: Lanes, game: BatchGame, plan: ArrayPlan) -> None:
        self._lanes, self._roles, self._plan = lanes, range(len(game.roles)), plan

    def write(self) -> None:
        """Write what holds now."""
        memory, terminal = self._plan.memory, self._lanes.terminal
        memory.terminal[:] = terminal
        memory.rewards[:] = np.where(terminal[:, None], self._lanes.goals / np.float32(BEST_GOAL), 0)
        self._observe(memory.observations)
        self._mask()

    def _mask(self) -> None:
        terminal = self._lanes.terminal[:, None]
        for role, mask in zip(self._roles, self._plan.memory.masks.values(), strict=True):
            _fill(mask, self._lanes.legal(role) | terminal, self._plan.mask_form)

    def _observe(self, observations: Mapping[str, Array]) -> None:
        for name, target in observations.items():
            numbers = self._plan.fluents[name].reshape(-1)
            flags = self._lanes.fluent_flags(np.where(numbers < 0, 0, numbers).tolist()) & (numbers >= 0)
            _fill(target, flags, self._plan.observation_form)

    def step(self, moves: Numbers | None, restart: bool, at_once: bool, replace: bool) -> Fault | None:
        """Make a joint move in every lane and write everything."""
        lanes, memory = self._lanes, self._plan.memory
        if (stuck := lanes.stuck).any():
            return Fault(int(np.flatnonzero(stuck)[0]))
        made = lanes.random_moves()
        going, refused = ~lanes.terminal, np.zeros(made.shape, np.bool_)
        if moves is not None:
            for role in self._roles:
                legal, own = lanes.legal(role), moves[:, role]
                is_move = (own >= 0) & (own < legal.shape[1])
                is_legal = is_move & legal[np.arange(len(own)), np.where(is_move, own, 0)]
                refused[:, role] = going & ~is_legal & (own != -1)
                made[:, role] = np.where(is_legal, own, made[:, role])
        if refused.any() and not replace:
            lane, role = divmod(int(np.flatnonzero(refused)[0]), len(self._roles))
            return Fault(lane, role)
        lanes.advance(made, restart)
        memory.moves[:], memory.illegal[:] = np.where(going[:, None], made, -1), refused
        self._observe(memory.final_observations)
        self.write()
        if at_once and memory.terminal.any():
            lanes.restart(lanes.terminal)
            self._observe(memory.observations)
            self._mask()
        return None


def _fill(target: Array, flags: Flags, form: Form) -> None:
    if form == "packed":
        target[:] = np.packbits(flags, axis=1, bitorder="little")
    else:
        target[:] = flags.reshape(target.shape)

"""Batches that are stepped into arrays: observations, masks and rewards in memory that stays where it is.

`StepArrays` allocates the arrays once and hands them to the backend (`Lanes.writer`), which writes every step into
them. Libraries that speak DLPack (PyTorch, JAX) share their memory.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludens.core.array_plan import Array, ArrayPlan, ArrayWriter, Form, Memory
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame, Numbers
from ludens.core.errors import GameError, IllegalMoveError
from ludens.core.plain_writer import PlainWriter

STATE = "state"
"""The name of the observation of whole states."""
_TYPES: dict[str, type[np.generic]] = {"flags": np.bool_, "floats": np.float32, "packed": np.uint8}


class StepArrays:
    """The arrays that a batch is stepped into. They are allocated once; every step overwrites them.

    ``observation`` and ``masks`` are forms (``"flags"``, ``"floats"``, ``"packed"``). ``fluents`` are the fluents to
    observe: numbers in any shape, -1 for a place without one, or several such observations by their names. The
    default is one observation, ``state``, of all fluents; in a game with hidden information, one for each role, of its
    percepts. With ``restart_at_once``, a lane that ends gets its initial state in the same step: rewards and
    ``terminal`` are those of the end, observations and masks those of the new match; ``final`` keeps the observations
    of the end, too. With ``steps``, all arrays have a first axis of so many steps, and ``arrays[n]`` is stepped into.
    """

    def __init__(
        self,
        batch: Batch,
        *,
        observation: Form = "flags",
        fluents: ArrayLike | Mapping[str, ArrayLike] | None = None,
        masks: Form = "flags",
        restart_at_once: bool = False,
        final: bool = False,
        steps: int | None = None,
    ) -> None:
        for form in (observation, masks):
            if form not in _TYPES:
                raise GameError(f"{form!r} is no form of an array; there are {', '.join(_TYPES)}")
        self.batch = batch
        """The batch that is stepped."""
        self.restart_at_once = restart_at_once
        """Whether lanes restart in the step in which they end."""
        seen = _fluents(batch.game, fluents)
        lead = (batch.size,) if steps is None else (steps, batch.size)
        self._set(ArrayPlan(seen, observation, masks, _allocate(batch.game, seen, observation, masks, final, lead)))
        self._items: list[StepArrays] | None = None if steps is None else [self._at(n) for n in range(steps)]

    def _set(self, plan: ArrayPlan) -> None:
        self._plan, memory = plan, plan.memory
        self.observations = memory.observations
        """Each observation by its name (lanes, …)."""
        self.final_observations = memory.final_observations
        """The same before lanes restarted; empty without ``final``."""
        self.masks = memory.masks
        """For each role its legal moves (lanes, moves). Where a lane is over, all are marked; none has an effect."""
        self.rewards = memory.rewards
        """The goals from 0 to 1 of lanes that are over, else 0 (lanes, roles)."""
        self.terminal = memory.terminal
        """The lanes that are over (lanes,)."""
        self.moves = memory.moves
        """The moves that were made, -1 in lanes that were over (lanes, roles)."""
        self.illegal = memory.illegal
        """Where an illegal move was replaced (lanes, roles)."""
        self._writer: ArrayWriter | None = None

    def _at(self, number: int) -> StepArrays:
        part = object.__new__(StepArrays)
        part.batch, part.restart_at_once, part._items = self.batch, self.restart_at_once, None
        plan = self._plan
        memory = plan.memory.map(lambda array: array[number])
        part._set(ArrayPlan(plan.fluents, plan.observation_form, plan.mask_form, memory))
        return part

    def __len__(self) -> int:
        return self.batch.size if self._items is None else len(self._items)

    def __getitem__(self, step: int) -> StepArrays:
        """The arrays of one step, on the same memory."""
        if self._items is None:
            raise GameError("these are the arrays of one step; make them with steps=N for several")
        return self._items[step]

    def __repr__(self) -> str:
        shapes = {name: array.shape for name, array in self.observations.items()}
        return f"StepArrays({self.batch!r}, {', '.join(f'{name} {shape}' for name, shape in shapes.items())})"

    @property
    def observation(self) -> Array:
        """The only observation. Raises `GameError` if there are several."""
        if len(self.observations) != 1:
            raise GameError(f"there are several observations: {', '.join(self.observations)}")
        return next(iter(self.observations.values()))

    def write(self) -> None:
        """Write what holds now, before the first step or after the batch was changed otherwise."""
        self._bound().write()

    def step(self, moves: ArrayLike | None = None, *, replace_illegal: bool = False) -> None:
        """Make a joint move in every lane, and write what holds afterwards.

        ``moves`` are numbers (lanes, roles); a move of -1 is drawn from the legal ones, and without ``moves`` all are.
        In lanes that are over nothing is played: they stay, or restart if the batch or ``restart_at_once`` says so. An
        illegal move raises `IllegalMoveError`, and a lane that is stuck `GameError`; batch and arrays are then as they
        were, but for ``moves`` and ``illegal``. With ``replace_illegal``, illegal moves are replaced by drawn ones.
        """
        writer, batch = self._bound(), self.batch
        numbers = None if moves is None else self._numbers(moves)
        restart = batch.restarts or self.restart_at_once
        fault = writer.step(numbers, restart, self.restart_at_once, replace_illegal)
        if fault is not None:
            writer.write()
            if fault.role is None or numbers is None:
                batch.refuse_stuck(fault.lane)
            else:
                batch.refuse_move(fault.lane, fault.role, int(numbers[fault.lane, fault.role]))

    def _numbers(self, moves: ArrayLike) -> Numbers:
        given = np.asarray(moves)
        shape = self.batch.size, len(self.batch.game.roles)
        if given.shape != shape or given.dtype.kind not in "iu":
            raise IllegalMoveError(f"moves are integers of shape {shape}, not {given.dtype} of shape {given.shape}")
        if given.dtype != np.int32:
            given = np.clip(given, -2, 2**31 - 1)
        return np.ascontiguousarray(given, np.int32)

    def _bound(self) -> ArrayWriter:
        if self._items is not None:
            raise GameError("these are the arrays of several steps: step into arrays[n]")
        if self._writer is None:
            lanes, game = self.batch.lanes, self.batch.game
            self._writer = lanes.writer(game, self._plan) or PlainWriter(lanes, game, self._plan)
        return self._writer


def _fluents(game: BatchGame, fluents: ArrayLike | Mapping[str, ArrayLike] | None) -> Mapping[str, NDArray[np.int64]]:
    count = len(game.fluent_texts)
    if fluents is None and game.hidden:
        own = {role: game.percept_fluents(n) for n, role in enumerate(game.roles)}
        return {role: np.array(list(percepts.values()), np.int64) for role, percepts in own.items()}
    if fluents is None:
        return {STATE: np.arange(count)}
    named: Mapping[str, ArrayLike] = fluents if isinstance(fluents, Mapping) else {STATE: fluents}
    found = {name: np.asarray(numbers) for name, numbers in named.items()}
    for name, numbers in found.items():
        if not numbers.size or numbers.dtype.kind not in "iu" or not -1 <= numbers.min() <= numbers.max() < count:
            raise GameError(f"the observation {name!r} needs numbers of fluents, -1 to {count - 1}")
    return {name: numbers.astype(np.int64) for name, numbers in found.items()}


def _allocate(
    game: BatchGame,
    fluents: Mapping[str, NDArray[np.int64]],
    observation: Form,
    masks: Form,
    final: bool,
    lead: tuple[int, ...],
) -> Memory:
    def bits(form: Form, shape: tuple[int, ...]) -> Array:
        own = (-(-int(np.prod(shape)) // 8),) if form == "packed" else shape
        return np.zeros((*lead, *own), _TYPES[form])

    roles = len(game.roles)
    return Memory(
        {name: bits(observation, numbers.shape) for name, numbers in fluents.items()},
        {name: bits(observation, numbers.shape) for name, numbers in fluents.items()} if final else {},
        {role: bits(masks, (len(own),)) for role, own in zip(game.roles, game.move_texts, strict=False)},
        np.zeros((*lead, roles), np.float32),
        np.zeros(lead, np.bool_),
        np.full((*lead, roles), -1, np.int32),
        np.zeros((*lead, roles), np.bool_),
    )

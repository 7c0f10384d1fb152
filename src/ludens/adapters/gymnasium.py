"""Any game as a Gymnasium environment for one role: ``env`` for one match, ``vector_env`` for thousands at once.

Importing this module registers all games of the library: ``gymnasium.make("ludens/connect_four-v0")``.
"""

from __future__ import annotations

import os
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ludens import Batch, StepArrays
from ludens.adapters.encoding import Bits, encoding_of, game_of
from ludens.adapters.table import LONGEST, ConductedMatch
from ludens.core import Game, GameError, IllegalMoveError, Role
from ludens.core.batch_game import BatchGame
from ludens.core.step_arrays import STATE
from ludens.games.library import entries

RESET_MASK = "reset_mask"
"""The option of `GameVectorEnv.reset` that names the lanes to restart."""
_NO_MOVE = -2
"""A number that is no move. -1 would have one drawn, which is not an illegal action."""


def env(
    game: Game | str | os.PathLike[str],
    role: Role | None = None,
    *,
    render_mode: str | None = None,
    longest: int = LONGEST,
) -> GameEnv:
    """An environment for one role of a game, name or file (default: the first role); the others play at random.

    An illegal action is replaced by a random legal one, as in a match, and sets ``info["illegal"]``;
    ``info["action_mask"]`` contains which are legal. The reward is the goal from 0 to 1, at the end.
    """
    loaded = game_of(game)
    return GameEnv(loaded, _check_role(loaded, role), render_mode, longest)


def vector_env(
    game: Game | str | os.PathLike[str],
    lanes: int,
    role: Role | None = None,
    *,
    seed: int = 0,
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    copy: bool = True,
) -> GameVectorEnv:
    """A vector environment for a compiled game, on a `Batch`: all lanes are computed at once.

    ``autoreset_mode`` is when finished lanes are restarted, in Gymnasium's words: ``NextStep``, ``SameStep`` (with
    ``info["final_obs"]`` and ``info["final_info"]``) or ``Disabled`` (by ``reset`` with the option ``reset_mask``).
    Without ``copy``, arrays are valid until the next step, which overwrites them. With hidden information, the
    observation is what the role perceived of the last turn.
    """
    loaded = game_of(game)
    if not isinstance(loaded, BatchGame):
        raise GameError(f"{loaded.name} is not compiled, so it has no batches; use gymnasium.env, one match at a time")
    return GameVectorEnv(loaded, lanes, _check_role(loaded, role), seed, AutoresetMode(autoreset_mode), copy)


def _check_role(game: Game, role: Role | None) -> Role:
    if role is not None and role not in game.roles:
        raise GameError(f"{game.name} has no role {role!r}; it has {', '.join(game.roles)}")
    return role or game.roles[0]


class GameEnv(gymnasium.Env[Bits, int]):
    """One role of one match."""

    def __init__(self, game: Game, role: Role, render_mode: str | None, longest: int) -> None:
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1}
        self.render_mode = render_mode
        self._encoding = encoding_of(game)
        self._role = role
        self._longest = longest
        self.observation_space = spaces.MultiBinary(self._encoding.observation_size)
        self.action_space = spaces.Discrete(self._encoding.actions(role))  # type: ignore[assignment]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Bits, dict[str, Any]]:
        """Begin a new match, and play up to the first choice of the role."""
        super().reset(seed=seed)
        self._match = ConductedMatch(self._encoding, int(self.np_random.integers(2**31)), self._longest)
        self._skip_to_a_choice()
        return self._observe()

    def step(self, action: int) -> tuple[Bits, float, bool, bool, dict[str, Any]]:
        """Play until the role has its next choice, or the match is over."""
        try:
            self._encoding.move(self._match.state, self._role, int(action))
        except IllegalMoveError:
            illegal, action = True, self._match.random_action(self._role)
        else:
            illegal = False
        self._match.play({self._role: int(action)})
        self._skip_to_a_choice()
        observation, info = self._observe()
        reward = self._match.rewards()[self._role]
        return (
            observation,
            reward,
            self._match.state.is_terminal,
            self._match.is_cut_off,
            {**info, "illegal": illegal},
        )

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, under the name by which MaskablePPO of sb3-contrib asks."""
        return self._match.observe(self._role)["action_mask"].astype(np.bool_)

    def render(self) -> str | None:
        """The position as text, in the mode ``ansi``."""
        return str(self._match.state) if self.render_mode == "ansi" else None

    def _skip_to_a_choice(self) -> None:
        while not self._match.is_over and self._role not in self._match.deciders():
            self._match.play({})

    def _observe(self) -> tuple[Bits, dict[str, Any]]:
        seen = self._match.observe(self._role)
        return seen["observation"], {"action_mask": seen["action_mask"]}


class GameVectorEnv(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """One role of many matches in lockstep: every step is one turn, even if the role has only one legal move.

    In lanes that are over every action is allowed, since none has an effect; their mask is all ones.
    """

    def __init__(
        self, game: BatchGame, lanes: int, role: Role, seed: int, autoreset_mode: AutoresetMode, copy: bool
    ) -> None:
        self.metadata = {"autoreset_mode": autoreset_mode, "render_modes": []}
        self.num_envs = lanes
        self._mode = autoreset_mode
        self._game = game
        self._role = role
        self._column = game.roles.index(role)
        self._copy = copy
        self._begin(seed)
        seen, mask = self._arrays.observations[self._name], self._arrays.masks[role]
        self.single_observation_space = spaces.MultiBinary(seen.shape[1])
        self.single_action_space = spaces.Discrete(mask.shape[1])
        self.observation_space = batch_space(self.single_observation_space, lanes)
        self.action_space = batch_space(self.single_action_space, lanes)
        self._moves = np.full((lanes, len(game.roles)), -1, np.int32)
        self._never = np.zeros(lanes, np.bool_)

    def _begin(self, seed: int) -> None:
        """New matches in new arrays."""
        game, at_once = self._game, self._mode is AutoresetMode.SAME_STEP
        self._batch = Batch(game, self.num_envs, seed=seed, restart=self._mode is AutoresetMode.NEXT_STEP)
        self._name = self._role if game.hidden else STATE
        fluents = list(game.percept_fluents(self._column).values()) if game.hidden else range(len(game.fluent_texts))
        seen = {self._name: np.array([*fluents], np.int64)}
        self._arrays = StepArrays(self._batch, fluents=seen, restart_at_once=at_once, final=at_once)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Restart all matches, or those of the option ``reset_mask``; a seed belongs to all of them."""
        mask = (options or {}).get(RESET_MASK)
        if mask is not None:
            self._check_mask(mask, seed)
        elif seed is not None:
            self._begin(seed)
        self._batch.restart(mask)
        self._arrays.write()
        return self._take(self._observations), self._info(self._never)

    def _check_mask(self, mask: object, seed: int | None) -> None:
        if not (isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (self.num_envs,)):
            raise GameError(f"{RESET_MASK} is an array of {self.num_envs} booleans, not {mask!r:.80}")
        if seed is not None:
            raise GameError(f"a seed restarts all lanes; {RESET_MASK} goes without one")

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play one turn in every lane; random legal actions replace illegal ones, which set ``info["illegal"]``."""
        arrays, given = self._arrays, np.asarray(actions)
        if self._mode is AutoresetMode.DISABLED and arrays.terminal.any():
            raise GameError(f"{int(arrays.terminal.sum())} lanes are over; restart them by reset, option {RESET_MASK}")
        np.copyto(self._moves[:, self._column], np.where(given < 0, _NO_MOVE, given), casting="unsafe")
        arrays.step(self._moves, replace_illegal=True)
        illegal = self._take(arrays.illegal[:, self._column])
        rewards = arrays.rewards[:, self._column].astype(np.float64)
        over = self._take(arrays.terminal)
        final = self._final(over, illegal) if arrays.restart_at_once and over.any() else {}
        return self._take(self._observations), rewards, over, self._never.copy(), self._info(illegal) | final

    def _final(self, over: NDArray[np.bool_], illegal: NDArray[np.bool_]) -> dict[str, Any]:
        """How lanes ended, as Gymnasium's ``info`` has it. Only the lanes of ``over`` count."""
        everything = np.ones_like(self._arrays.masks[self._role])
        last = {"action_mask": everything, "illegal": illegal}
        seen = self._take(self._arrays.final_observations[self._name].view(np.int8))
        final = {"final_obs": seen, "final_info": last | {f"_{name}": over for name in last}}
        return final | {f"_{name}": over for name in final}

    @property
    def _observations(self) -> NDArray[Any]:
        return self._arrays.observations[self._name].view(np.int8)

    def _take(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def _info(self, illegal: NDArray[np.bool_]) -> dict[str, Any]:
        return {"action_mask": self._take(self._arrays.masks[self._role]), "illegal": illegal}


def _make_vector_env(num_envs: int, game: str, **settings: Any) -> GameVectorEnv:
    return vector_env(game, num_envs, **settings)


def _register() -> None:
    for name in entries():
        gymnasium.register(
            f"ludens/{name}-v0",
            entry_point=f"{__name__}:env",
            vector_entry_point=f"{__name__}:_make_vector_env",
            kwargs={"game": name},
        )


_register()

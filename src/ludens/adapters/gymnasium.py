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

from ludens import Batch
from ludens.adapters.encoding import Bits, encoding_of, game_of
from ludens.adapters.table import LONGEST, ConductedMatch
from ludens.core import BEST_GOAL, Game, GameError, IllegalMoveError, Role
from ludens.core.batch import BatchGame
from ludens.games.library import entries

RESET_MASK = "reset_mask"
"""The option of `GameVectorEnv.reset` that names the lanes to restart."""


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
) -> GameVectorEnv:
    """A vector environment for a compiled game, on a `Batch`: all lanes are computed at once.

    ``autoreset_mode`` is when finished lanes are restarted, in Gymnasium's words: ``NextStep``, ``SameStep`` (with
    ``info["final_obs"]`` and ``info["final_info"]``) or ``Disabled`` (by ``reset`` with the option ``reset_mask``).
    """
    loaded = game_of(game)
    if not isinstance(loaded, BatchGame):
        raise GameError(f"{loaded.name} is not compiled, so it has no batches; use gymnasium.env, one match at a time")
    if loaded.hidden:
        raise GameError(f"{loaded.name} has hidden information, which a batch does not hide; use gymnasium.env")
    return GameVectorEnv(loaded, lanes, _check_role(loaded, role), seed, AutoresetMode(autoreset_mode))


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

    def __init__(self, game: BatchGame, lanes: int, role: Role, seed: int, autoreset_mode: AutoresetMode) -> None:
        self.metadata = {"autoreset_mode": autoreset_mode, "render_modes": []}
        self.num_envs = lanes
        self._mode = autoreset_mode
        self._game = game
        self._role = role
        self._column = game.roles.index(role)
        self._batch = self._make_batch(seed)
        self.single_observation_space = spaces.MultiBinary(self._batch.observation.shape[1])
        self.single_action_space = spaces.Discrete(len(self._batch.moves[role]))
        self.observation_space = batch_space(self.single_observation_space, lanes)
        self.action_space = batch_space(self.single_action_space, lanes)

    def _make_batch(self, seed: int) -> Batch:
        return Batch(self._game, self.num_envs, seed=seed, restart=self._mode is AutoresetMode.NEXT_STEP)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Restart all matches, or those of the option ``reset_mask``; a seed belongs to all of them."""
        mask = (options or {}).get(RESET_MASK)
        if mask is not None:
            self._check_mask(mask, seed)
        elif seed is not None:
            self._batch = self._make_batch(seed)
        self._batch.restart(mask)
        return self._observation(), self._info(np.zeros(self.num_envs, np.bool_))

    def _check_mask(self, mask: object, seed: int | None) -> None:
        if not (isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (self.num_envs,)):
            raise GameError(f"{RESET_MASK} is an array of {self.num_envs} booleans, not {mask!r:.80}")
        if seed is not None:
            raise GameError(f"a seed restarts all lanes; {RESET_MASK} goes without one")

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play one turn in every lane; random legal actions replace illegal ones, which set ``info["illegal"]``."""
        batch = self._batch
        if self._mode is AutoresetMode.DISABLED and batch.terminal.any():
            raise GameError(f"{int(batch.terminal.sum())} lanes are over; restart them by reset, option {RESET_MASK}")
        legal = self._are_legal(np.asarray(actions))
        moves = batch.random_moves()
        moves[:, self._column] = np.where(legal, actions, moves[:, self._column])
        illegal = ~legal & ~batch.terminal
        batch.advance(moves)
        over = batch.terminal.copy()
        rewards = np.where(over, batch.goals[:, self._column] / BEST_GOAL, 0.0)
        final = self._restart(over, illegal) if self._mode is AutoresetMode.SAME_STEP and over.any() else {}
        return self._observation(), rewards, over, np.zeros(self.num_envs, np.bool_), self._info(illegal) | final

    def _are_legal(self, actions: NDArray[Any]) -> NDArray[np.bool_]:
        """Which lanes' actions are legal moves; numbers that are no moves are not."""
        mask = self._batch.legal(self._role)
        is_move = (actions >= 0) & (actions < mask.shape[1])
        legal: NDArray[np.bool_] = is_move & mask[np.arange(self.num_envs), np.where(is_move, actions, 0)]
        return legal

    def _restart(self, over: NDArray[np.bool_], illegal: NDArray[np.bool_]) -> dict[str, Any]:
        """Restart lanes; returns how they ended, as Gymnasium's ``info`` has it. Only the lanes of ``over`` count."""
        last = self._info(illegal)
        final = {"final_obs": self._observation(), "final_info": last | {f"_{name}": over for name in last}}
        self._batch.restart(over)
        return final | {f"_{name}": over for name in final}

    def _observation(self) -> NDArray[Any]:
        return self._batch.observation.view(np.int8)

    def _info(self, illegal: NDArray[np.bool_]) -> dict[str, Any]:
        mask = self._batch.legal(self._role)
        mask[self._batch.terminal] = True
        return {"action_mask": mask, "illegal": illegal}


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

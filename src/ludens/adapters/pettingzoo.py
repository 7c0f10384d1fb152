"""Any game as a PettingZoo environment: ``env`` asks one agent after the other, ``parallel_env`` all at once."""

from __future__ import annotations

import os
from typing import Any

from gymnasium import spaces
from pettingzoo.utils.env import AECEnv, ParallelEnv

from ludens.adapters.encoding import Bits, Encoding, encoding_of, game_of
from ludens.adapters.table import LONGEST, ConductedMatch
from ludens.core import Game, Role

Observation = dict[str, Bits]
Step = tuple[dict[Role, Observation], dict[Role, float], dict[Role, bool], dict[Role, bool], dict[Role, dict[str, Any]]]
"""Observations, rewards, terminations, truncations and infos."""


def env(
    game: Game | str | os.PathLike[str],
    *,
    render_mode: str | None = None,
    longest: int = LONGEST,
    actions: int | None = None,
) -> AecGame:
    """An environment for a game, name or file in which one agent acts at a time.

    Only agents that have a choice act; simultaneous choices are made one after another, without seeing each other's.
    Rewards are goals from 0 to 1, at the end. After ``longest`` turns a match is truncated.
    ``actions`` is the size of the action space where moves are listed by state (docs/adapters.md).
    """
    return AecGame(encoding_of(game_of(game), actions), render_mode, longest)


def parallel_env(
    game: Game | str | os.PathLike[str],
    *,
    render_mode: str | None = None,
    longest: int = LONGEST,
    actions: int | None = None,
) -> ParallelGame:
    """An environment for a game, name or file in which all agents act in every step.

    Actions of agents without a choice are ignored.
    """
    return ParallelGame(encoding_of(game_of(game), actions), render_mode, longest)


class _Spaces:
    """The base of both kinds of environment."""

    def __init__(self, encoding: Encoding, render_mode: str | None, longest: int) -> None:
        self.metadata = {"name": encoding.game.name, "render_modes": ["ansi"], "is_parallelizable": True}
        self.render_mode = render_mode
        self.possible_agents: list[Role] = list(encoding.game.roles)
        self.agents: list[Role] = []
        self._encoding = encoding
        self._longest = longest
        self._match = ConductedMatch(encoding, None, longest)
        self._action_spaces = {role: spaces.Discrete(encoding.actions(role)) for role in encoding.game.roles}
        size = encoding.observation_size
        self._observation_spaces = {
            role: spaces.Dict(
                {
                    "observation": spaces.MultiBinary(size),
                    "action_mask": spaces.MultiBinary(encoding.actions(role)),
                }
            )
            for role in encoding.game.roles
        }

    def observation_space(self, agent: Role) -> spaces.Space[Any]:
        """The observation space of an agent: bits, and a mask of legal actions."""
        return self._observation_spaces[agent]

    def action_space(self, agent: Role) -> spaces.Space[Any]:
        """The action space of an agent: the numbers of its moves."""
        return self._action_spaces[agent]

    def render(self) -> str | None:
        """The position as text, in the mode ``ansi``."""
        return str(self._match.state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: no resources are held."""


class AecGame(_Spaces, AECEnv[Role, Observation, int | None]):
    """An environment in which one agent acts at a time."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new match."""
        self._match = ConductedMatch(self._encoding, seed, self._longest)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Role, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._ask()

    def _ask(self) -> None:
        """Begin a turn."""
        self._chosen: dict[Role, int] = {}
        self._waiting = self._match.deciders()
        if self._waiting:
            self.agent_selection = self._waiting[0]

    def observe(self, agent: Role) -> Observation:
        """The observation of an agent; the mask is empty unless the agent can act."""
        seen = self._match.observe(agent)
        if agent not in self._waiting:
            seen["action_mask"][:] = 0
        return seen

    def step(self, action: int | None) -> None:
        """Perform the action of the current agent. Raises `IllegalMoveError` if it is illegal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = -1 if action is None else int(action)
        self._encoding.move(self._match.state, agent, number)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._chosen[agent] = number
        self._waiting = [role for role in self._waiting if role != agent]
        if self._waiting:
            self.agent_selection = self._waiting[0]
        else:
            self._match.play(self._chosen)
            self.rewards = self._match.rewards()
            self.terminations = dict.fromkeys(self.agents, self._match.state.is_terminal)
            self.truncations = dict.fromkeys(self.agents, self._match.is_cut_off)
            self._ask()
        self._accumulate_rewards()
        self._deads_step_first()


class ParallelGame(_Spaces, ParallelEnv[Role, Observation, int]):
    """An environment in which all agents act at once."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[Role, Observation], dict[Role, dict[str, Any]]]:
        """Begin a new match."""
        self._match = ConductedMatch(self._encoding, seed, self._longest)
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[Role, int]) -> Step:
        """Perform the actions of all agents. Raises `IllegalMoveError` if one that counts is illegal."""
        deciders = self._match.deciders()
        self._match.play({role: int(actions[role]) for role in deciders})
        agents = self.agents
        results: Step = (
            self._observations(),
            self._match.rewards(),
            dict.fromkeys(agents, self._match.state.is_terminal),
            dict.fromkeys(agents, self._match.is_cut_off),
            {agent: {} for agent in agents},
        )
        if self._match.is_over:
            self.agents = []
        return results

    def _observations(self) -> dict[Role, Observation]:
        return {agent: self._match.observe(agent) for agent in self.agents}

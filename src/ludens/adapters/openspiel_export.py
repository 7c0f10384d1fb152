"""Games of ludens as games of OpenSpiel, for its algorithms: ``pyspiel.load_game(register("connect_four"))``."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
import pyspiel

from ludens.adapters.encoding import Encoding, encoding_of, game_of
from ludens.core import (
    BEST_GOAL,
    Game,
    GameError,
    JointMove,
    Outcome,
    Role,
    State,
    TooManyOutcomesError,
    random_joint_move,
)

_Type = pyspiel.GameType
LONGEST = 10_000
"""The maximum game length reported to OpenSpiel; real matches are shorter."""
MOST_OUTCOMES = 1_000
"""The most outcomes of chance of one position."""
_TRIALS, _LONGEST_TRIAL = 5, 200
_REGISTERED: dict[str, str] = {}
"""The games registered in this process: the hash of the rules by the name in OpenSpiel."""


def register(game: Game | str | os.PathLike[str]) -> str:
    """Register a game with OpenSpiel, and return its name there: ``ludens_connect_four``.

    The game has simultaneous moves unless it is proved that two roles never choose at once. Chance becomes chance
    nodes, and actions have the numbers of `ludens.adapters.encoding`. A race goes to the role with priority, then in
    the order of roles. Raises `GameError` if chance has too many outcomes to list, such as a shuffled deck, or if a
    game with other rules is registered under that name, since OpenSpiel cannot unregister games.
    """
    loaded = game_of(game)
    name = "ludens_" + re.sub(r"\W+", "_", loaded.name).strip("_")
    if name in _REGISTERED:
        if _REGISTERED[name] != loaded.rules_hash:
            raise GameError(
                f"another game is registered with OpenSpiel as {name} in this process; rename {loaded.name}"
            )
        return name
    kind = _kind(loaded, name)
    _check_chance(loaded)
    encoding = encoding_of(loaded)

    class Exported(ExportedGame):
        def __init__(self, params: Any = None) -> None:
            super().__init__(encoding, kind, params)

    pyspiel.register_game(kind, Exported)
    _REGISTERED[name] = loaded.rules_hash
    return name


def _kind(game: Game, name: str) -> Any:
    chance = _Type.ChanceMode.EXPLICIT_STOCHASTIC if game.chance else _Type.ChanceMode.DETERMINISTIC
    hidden = _Type.Information.IMPERFECT_INFORMATION if game.hidden else _Type.Information.PERFECT_INFORMATION
    return _Type(
        short_name=name,
        long_name=f"{game.name} of ludens",
        dynamics=_Type.Dynamics.SIMULTANEOUS if game.facts.simultaneous.possible else _Type.Dynamics.SEQUENTIAL,
        chance_mode=chance,
        information=hidden,
        utility=_Type.Utility.GENERAL_SUM,
        reward_model=_Type.RewardModel.TERMINAL,
        max_num_players=len(game.roles),
        min_num_players=len(game.roles),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )


def _check_chance(game: Game) -> None:
    rng = Random(0)
    for _ in range(_TRIALS if game.chance else 0):
        state = game.initial_state()
        for _ in range(_LONGEST_TRIAL):
            if state.is_terminal:
                break
            joint_move = random_joint_move(state, rng)
            try:
                state.chance_outcomes(joint_move, MOST_OUTCOMES)
            except TooManyOutcomesError as error:
                raise GameError(f"{game.name}: chance cannot be listed for OpenSpiel: {error}") from None
            state = state.sample(joint_move, rng)


class ExportedGame(pyspiel.Game):
    """A game of ludens behind OpenSpiel's interface."""

    def __init__(self, encoding: Encoding, kind: Any, params: Any = None) -> None:
        game = encoding.game
        info = pyspiel.GameInfo(
            num_distinct_actions=max(encoding.actions(role) for role in game.roles),
            max_chance_outcomes=MOST_OUTCOMES if game.chance else 0,
            num_players=len(game.roles),
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=None,
            max_game_length=LONGEST,
        )
        super().__init__(kind, info, params or {})
        self.encoding = encoding
        """The encoding of moves and observations."""

    def new_initial_state(self) -> ExportedState:
        """The initial state of a match."""
        return ExportedState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> ExportedObserver:
        """An observer of players' knowledge."""
        return ExportedObserver(self.encoding)


class ExportedState(pyspiel.State):
    """A position; at a chance node, also the joint move that chance resolves."""

    def __init__(self, game: ExportedGame) -> None:
        super().__init__(game)
        self._encoding = game.encoding
        self._state = game.encoding.game.initial_state()
        self._outcomes: Sequence[Outcome] = ()

    @property
    def position(self) -> State:
        """The position as a state of ludens."""
        return self._state

    def current_player(self) -> int:
        """The player to move, by OpenSpiel's number."""
        if self._outcomes:
            return int(pyspiel.PlayerId.CHANCE)
        if self._state.is_terminal:
            return int(pyspiel.PlayerId.TERMINAL)
        deciders = self._deciders()
        return deciders[0] if len(deciders) == 1 else int(pyspiel.PlayerId.SIMULTANEOUS)

    def _deciders(self) -> list[int]:
        """The roles that have a choice; the first that can move, if none has one."""
        counts = [len(self._state.legal_moves(role)) for role in self._encoding.game.roles]
        return [n for n, count in enumerate(counts) if count > 1] or [n for n, count in enumerate(counts) if count][:1]

    def _legal_actions(self, player: int) -> list[int]:
        mask = self._encoding.mask(self._state, self._encoding.game.roles[player])
        # OpenSpiel requires an action of every player where moves are simultaneous; an idle player's is ignored.
        return [int(number) for number in np.flatnonzero(mask)] or [0]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes by their numbers, with probabilities."""
        return [(number, outcome.probability) for number, outcome in enumerate(self._outcomes)]

    def _apply_action(self, action: int) -> None:
        if self._outcomes:
            self._state, self._outcomes = self._state.play(self._outcomes[action].joint_move), ()
        else:
            self._choose({self._deciders()[0]: action})

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self._choose(dict(enumerate(actions)))

    def _choose(self, actions: Mapping[int, int]) -> None:
        state, joint_move = self._state, {}
        for player, role in enumerate(self._encoding.game.roles):
            moves = state.legal_moves(role)
            if len(moves) > 1 and player in actions:
                joint_move[role] = self._encoding.move(state, role, actions[player])
            elif moves:
                joint_move[role] = moves[0]
        chosen: JointMove = joint_move
        if state.is_race:
            winner = state.race_winner(joint_move, ()) or next(iter(joint_move))
            chosen = {winner: joint_move[winner]}
        outcomes = state.chance_outcomes(chosen, MOST_OUTCOMES)
        if len(outcomes) > 1:
            self._outcomes = outcomes
        else:
            self._state = state.play(outcomes[0].joint_move)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return ", ".join(f"{role} {move}" for role, move in self._outcomes[action].joint_move.items())
        role: Role = self._encoding.game.roles[player]
        moves = self._state.legal_moves(role)
        return self._encoding.move(self._state, role, action) if moves else "waits"

    def is_terminal(self) -> bool:
        """True if the match is over."""
        return not self._outcomes and self._state.is_terminal

    def returns(self) -> list[float]:
        """The goals from 0 to 1 at the end, 0 before."""
        if not self.is_terminal():
            return [0.0] * len(self._encoding.game.roles)
        return [self._state.goals[role] / BEST_GOAL for role in self._encoding.game.roles]

    def __str__(self) -> str:
        return f"{self._state}\nchance decides: {len(self._outcomes)} outcomes" if self._outcomes else str(self._state)


class ExportedObserver:
    """Observations of a player, by OpenSpiel's observer interface."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self.tensor = np.zeros(encoding.observation_size, np.float32)
        """The bits that the player sees."""
        self.dict = {"observation": self.tensor}
        """The tensors by name."""

    def set_from(self, state: ExportedState, player: int) -> None:
        """Set the observation to a player's view of a state."""
        self.tensor[:] = self._encoding.observe(state.position, self._encoding.game.roles[player])

    def string_from(self, state: ExportedState, player: int) -> str:
        """The player's knowledge as text; the position in games with perfect information."""
        role = self._encoding.game.roles[player]
        if not self._encoding.game.hidden:
            return str(state.position)
        view = state.position.view(role)
        return f"{role}: {view.information if view.information is not None else view}"

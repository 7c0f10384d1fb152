"""Games of ludens as games of OpenSpiel, for its algorithms: ``pyspiel.load_game(register("connect_four"))``."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pyspiel

from ludens.adapters.choice_tree import LONGEST, MOST_OUTCOMES, ChoiceTree, Node, information_key
from ludens.adapters.encoding import Encoding, encoding_of, game_of
from ludens.core import (
    BEST_GOAL,
    Game,
    GameError,
    State,
    TooManyOutcomesError,
    play_randomly,
    random_joint_move,
)
from ludens.core.batch_game import BatchGame
from ludens.players.equilibrium.policy import Policy
from ludens.players.equilibrium.tree import END, TooLargeTreeError, build_tree

_Type = pyspiel.GameType
_TRIALS, _LONGEST_TRIAL = 5, 200
_MOST_HISTORIES = 100_000
"""The maximum number of histories enumerated, in compiled games, to check for constant-sum goals."""
_MOST_PLAYED = 2_000
"""The same in other games."""
_REGISTERED: dict[str, str] = {}
"""The games registered in this process: the hash of the rules by the name in OpenSpiel."""


def register(game: Game | str | os.PathLike[str]) -> str:
    """Register a game with OpenSpiel, and return its name there: ``ludens_connect_four``.

    The game has simultaneous moves unless it is proved that two roles never choose at once. Chance becomes chance
    nodes, and actions have the numbers of `ludens.adapters.encoding`. Turns in which nobody has a choice are played at
    once. Where goals always have the same sum, OpenSpiel's game is zero-sum: a return is the goal less an equal share
    of the sum. A race goes to the role with priority, then in the order of roles. Raises `GameError` if chance has too
    many outcomes to list, such as a shuffled deck, or if a game with other rules is registered under that name, since
    OpenSpiel cannot unregister games.
    """
    loaded = game_of(game)
    name = "ludens_" + re.sub(r"\W+", "_", loaded.name).strip("_")
    if name in _REGISTERED:
        if _REGISTERED[name] != loaded.rules_hash:
            raise GameError(
                f"another game is registered with OpenSpiel as {name} in this process; rename {loaded.name}"
            )
        return name
    _check_chance(loaded)
    total = goal_sum(loaded)
    kind = _kind(loaded, name, total)
    tree = ChoiceTree(encoding_of(loaded), 0.0 if total is None else total / len(loaded.roles))

    class Exported(ExportedGame):
        def __init__(self, params: Any = None) -> None:
            super().__init__(tree, kind, params)

    pyspiel.register_game(kind, Exported)
    _REGISTERED[name] = loaded.rules_hash
    return name


def goal_sum(game: Game) -> int | None:
    """The sum of all roles' goals, if it is known to be the same at every end; None otherwise, and for one role.

    Known from the game's facts, or computed by enumerating a small game.
    """
    if len(game.roles) == 1 or not (fact := game.facts.zero_sum).possible:
        return None
    if fact.certain:
        end = play_randomly(game.initial_state(), Random(0), LONGEST)
        return sum(end.goals.values()) if end.is_terminal else None
    try:
        tree = build_tree(game, _MOST_HISTORIES if isinstance(game, BatchGame) else _MOST_PLAYED)
    except (TooLargeTreeError, TooManyOutcomesError):
        return None
    sums = set(tree.goals[:, tree.nodes["set"] == END].sum(axis=0).tolist())
    return int(sums.pop()) if len(sums) == 1 else None


def policy_table(policy: Policy, game: Any) -> dict[str, list[tuple[int, float]]]:
    """A policy of ludens in OpenSpiel's form, for ``pyspiel.exploitability(game, table)``: the probability of each
    action in each information state of a game made by `register`, which must have turns."""
    encoding: Encoding = game.tree.encoding
    policy.check(encoding.game)
    table = {}
    for role, sets in policy.sets.items():
        for text, shares in sets.items():
            moves, total = list(shares), sum(shares.values())
            table[information_key(role, text)] = [
                (encoding.number(role, move, moves), share / total) for move, share in shares.items()
            ]
    return table


def _kind(game: Game, name: str, total: int | None) -> Any:
    chance = _Type.ChanceMode.EXPLICIT_STOCHASTIC if game.chance else _Type.ChanceMode.DETERMINISTIC
    hidden = _Type.Information.IMPERFECT_INFORMATION if game.hidden else _Type.Information.PERFECT_INFORMATION
    return _Type(
        short_name=name,
        long_name=f"{game.name} of ludens",
        dynamics=_Type.Dynamics.SIMULTANEOUS if game.facts.simultaneous.possible else _Type.Dynamics.SEQUENTIAL,
        chance_mode=chance,
        information=hidden,
        utility=_Type.Utility.GENERAL_SUM if total is None else _Type.Utility.ZERO_SUM,
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

    def __init__(self, tree: ChoiceTree, kind: Any, params: Any = None) -> None:
        encoding, game = tree.encoding, tree.encoding.game
        is_zero_sum = kind.utility == _Type.Utility.ZERO_SUM
        info = pyspiel.GameInfo(
            num_distinct_actions=max(encoding.actions(role) for role in game.roles),
            max_chance_outcomes=MOST_OUTCOMES if game.chance else 0,
            num_players=len(game.roles),
            min_utility=tree.value(0),
            max_utility=tree.value(BEST_GOAL),
            utility_sum=0.0 if is_zero_sum else None,
            max_game_length=LONGEST,
        )
        super().__init__(kind, info, params or {})
        self.tree = tree
        """The tree of choices."""

    def new_initial_state(self) -> ExportedState:
        """The initial state of a match."""
        return ExportedState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> ExportedObserver:
        """An observer of players' knowledge."""
        return ExportedObserver(self.tree)


class ExportedState(pyspiel.State):
    """A position; at a chance node, also the joint move that chance resolves."""

    def __init__(self, game: ExportedGame) -> None:
        super().__init__(game)
        self._tree = game.tree
        self.node = game.tree.root()
        """The node of the tree of choices."""

    @property
    def position(self) -> State:
        """The position as a state of ludens."""
        return self.node.state

    def current_player(self) -> int:
        """The player to move, by OpenSpiel's number."""
        player = self.node.player
        if player is None:
            player = self.node.player = _player(self.node)
        return player

    def _legal_actions(self, player: int) -> list[int]:
        return self._tree.actions(self.node, player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes by their numbers, with probabilities."""
        return [(number, outcome.probability) for number, outcome in enumerate(self.node.outcomes)]

    def _apply_action(self, action: int) -> None:
        self.node = self._tree.after(self.node, action)

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self.node = self._tree.after(self.node, tuple(actions))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return ", ".join(f"{role} {move}" for role, move in self.node.outcomes[action].joint_move.items())
        role = self._tree.roles[player]
        moves = self.position.legal_moves(role)
        return self._tree.encoding.move(self.position, role, action) if moves else "waits"

    def is_terminal(self) -> bool:
        """True if the match is over."""
        return self.node.is_terminal

    def returns(self) -> list[float]:
        """The goals divided by 100 at the end, less an equal share of the sum in zero-sum games; 0 before the end."""
        if not self.node.is_terminal:
            return [0.0] * len(self._tree.roles)
        goals = self.position.goals
        return [self._tree.value(goals[role]) for role in self._tree.roles]

    def __str__(self) -> str:
        drawn = len(self.node.outcomes)
        return f"{self.position}\nchance decides: {drawn} outcomes" if drawn else str(self.position)


def _player(node: Node) -> int:
    if node.outcomes:
        return int(pyspiel.PlayerId.CHANCE)
    if node.is_terminal:
        return int(pyspiel.PlayerId.TERMINAL)
    return node.deciders[0] if len(node.deciders) == 1 else int(pyspiel.PlayerId.SIMULTANEOUS)


class ExportedObserver:
    """Observations of a player, by OpenSpiel's observer interface."""

    def __init__(self, tree: ChoiceTree) -> None:
        self._tree = tree
        self.tensor = np.zeros(tree.encoding.observation_size, np.float32)
        """The bits that the player sees."""
        self.dict = {"observation": self.tensor}
        """The tensors by name."""

    def set_from(self, state: ExportedState, player: int) -> None:
        """Set the observation to a player's view of a state."""
        self.tensor[:] = self._tree.encoding.observe(state.position, self._tree.roles[player])

    def string_from(self, state: ExportedState, player: int) -> str:
        """The player and what it knows, in the words of policy files."""
        return self._tree.text(state.node, player)

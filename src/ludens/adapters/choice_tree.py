"""A game as a tree of choices and chance, as OpenSpiel traverses it: nodes are shared, and made once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from ludens.adapters.encoding import Encoding
from ludens.core import BEST_GOAL, JointMove, Outcome, Role, State
from ludens.players.equilibrium.policy import information_text

LONGEST = 10_000
"""The maximum game length; real matches are shorter."""
MOST_OUTCOMES = 1_000
"""The maximum number of chance outcomes of one position."""
_MOST_KEPT = 200_000
"""The number of nodes cached for the next traversal."""


class _Shared:
    """A value that copies share. OpenSpiel copies a state by copying its attributes."""

    __slots__ = ()

    def __deepcopy__(self, memo: object) -> Self:
        return self


class Node(_Shared):
    """A position, or a position and the chance outcomes of a joint move chosen there. Immutable."""

    __slots__ = ("actions", "children", "deciders", "has_choice", "is_terminal", "outcomes", "player", "state", "texts")

    def __init__(self, state: State, outcomes: Sequence[Outcome] = ()) -> None:
        self.state = state
        self.outcomes = outcomes
        self.is_terminal = not outcomes and state.is_terminal
        """True if the match is over."""
        self.deciders, self.has_choice = ((), False) if outcomes or self.is_terminal else _deciders(state)
        """The players that have a choice; the first that can move, if none has one. And whether one has."""
        self.player: int | None = None
        """The player to move by OpenSpiel's number, once somebody has asked."""
        self.children: dict[int | tuple[int, ...], Node] = {}
        self.actions: dict[int, list[int]] = {}
        self.texts: dict[int, str] = {}


class ChoiceTree(_Shared):
    """The choices of a game, skipping turns without one."""

    def __init__(self, encoding: Encoding, even: float) -> None:
        self.encoding = encoding
        """The encoding of moves and observations."""
        self.roles = encoding.game.roles
        self._even = even
        """The goal that corresponds to a return of 0."""
        self._root: Node | None = None
        self._nodes = 0

    def root(self) -> Node:
        """The root of the tree."""
        if self._root is None:
            self._root = _play_forced(Node(self.encoding.game.initial_state()))
        return self._root

    def value(self, goal: float) -> float:
        """The return for a goal."""
        return (goal - self._even) / BEST_GOAL

    def actions(self, node: Node, player: int) -> list[int]:
        """The legal actions of a player; not to be changed."""
        legal = node.actions.get(player)
        if legal is None:
            # OpenSpiel requires an action of every player where moves are simultaneous; an idle player's is ignored.
            legal = node.actions[player] = self.encoding.legal(node.state, self.roles[player]) or [0]
        return legal

    def text(self, node: Node, player: int) -> str:
        """The player and what it knows."""
        name = node.texts.get(player)
        if name is None:
            role = self.roles[player]
            view = node.state.view(role)
            known = str(view) if view.information is None else information_text(view.information)
            name = node.texts[player] = information_key(role, known)
        return name

    def after(self, node: Node, chosen: int | tuple[int, ...]) -> Node:
        """The node after a chance outcome, an action of the only decider, or an action of every player."""
        child = node.children.get(chosen)
        if child is None:
            child = node.children[chosen] = _play_forced(self._step(node, chosen))
            self._nodes += 1
            if self._nodes > _MOST_KEPT:  # start over; nodes without references are released
                self._root, self._nodes = None, 0
        return child

    def _step(self, node: Node, chosen: int | tuple[int, ...]) -> Node:
        if isinstance(chosen, tuple):
            return self._choose(node.state, dict(enumerate(chosen)))
        if node.outcomes:
            return Node(node.state.play(node.outcomes[chosen].joint_move))
        return self._choose(node.state, {node.deciders[0]: chosen})

    def _choose(self, state: State, actions: Mapping[int, int]) -> Node:
        joint_move = {}
        for player, role in enumerate(self.roles):
            moves = state.legal_moves(role)
            if len(moves) > 1 and player in actions:
                joint_move[role] = self.encoding.move(state, role, actions[player])
            elif moves:
                joint_move[role] = moves[0]
        return _after(state, joint_move)


def information_key(role: Role, text: str) -> str:
    """The name of an information state; with the role, since OpenSpiel keeps those of all players in one table."""
    return f"{role}: {text}"


def _deciders(state: State) -> tuple[tuple[int, ...], bool]:
    counts = [len(state.legal_moves(role)) for role in state.game.roles]
    chooses = tuple([n for n, count in enumerate(counts) if count > 1])
    return chooses or tuple(n for n, count in enumerate(counts) if count)[:1], bool(chooses)


def _after(state: State, joint_move: JointMove) -> Node:
    """The node after a joint move; in a race the role with priority gets its move."""
    if state.is_race:
        winner = state.race_winner(joint_move, ()) or next(iter(joint_move))
        joint_move = {winner: joint_move[winner]}
    if not state.game.chance:
        return Node(state.play(joint_move))
    outcomes = state.chance_outcomes(joint_move, MOST_OUTCOMES)
    if len(outcomes) > 1:
        return Node(state, outcomes)
    return Node(state.play(outcomes[0].joint_move))


def _play_forced(node: Node) -> Node:
    """The node after all turns in which nobody has a choice: a choice, chance or an end."""
    for _ in range(LONGEST):
        state = node.state
        if node.has_choice or node.outcomes or node.is_terminal:
            break
        legal = {role: moves for role in state.game.roles if (moves := state.legal_moves(role))}
        node = _after(state, {role: moves[0] for role, moves in legal.items()})
    return node

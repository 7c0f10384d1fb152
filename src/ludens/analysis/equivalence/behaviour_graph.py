"""What can happen in a game, up to some depth, as a graph in which roles, moves and states are nodes without names."""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass, field

from ludens.analysis.equivalence.isomorphism import Graph, Matcher
from ludens.analysis.equivalence.lockstep import Mapping2
from ludens.core import Game, OutOfTimeError, Role, State, joint_moves

_MOST_EDGES = 60_000


@dataclass
class Behaviour:
    """The states of a game within some turns."""

    game: Game
    graph: Graph = field(default_factory=Graph)
    roles: dict[Role, int] = field(default_factory=dict)
    moves: dict[tuple[Role, str], int] = field(default_factory=dict)
    states: dict[State, int] = field(default_factory=dict)
    complete: bool = False
    """True if there are no other states."""


def behaviour(game: Game, turns: int, most: int, due: float) -> Behaviour | None:
    """What can happen within some turns; None if these are too many states. Raises `OutOfTimeError`."""
    found = Behaviour(game)
    for role in game.roles:
        found.roles[role] = found.graph.add("role")
    layer = [game.initial_state()]
    found.states[layer[0]] = _add_state(found, layer[0], first=True)
    for _ in range(turns):
        layer = _next_layer(found, layer, due)
        if len(found.states) > most or len(found.graph.edges) > _MOST_EDGES:
            return None
        if not layer:
            found.complete = True
            break
    return found


def _next_layer(found: Behaviour, layer: list[State], due: float) -> list[State]:
    graph, after = found.graph, []
    for state in layer:
        if time.monotonic() > due:
            raise OutOfTimeError("the time is over")
        for joint_move in () if state.is_terminal else joint_moves(state):
            for outcome in state.chance_outcomes(joint_move):
                following = state.play(outcome.joint_move)
                if following not in found.states:
                    found.states[following] = _add_state(found, following)
                    after.append(following)
                turn = graph.add(f"turn {outcome.probability:.9f}")
                graph.connect(turn, "from", found.states[state])
                graph.connect(turn, "to", found.states[following])
                for role, move in joint_move.items():
                    if len(state.legal_moves(role)) == 1:
                        continue  # the same as no move: some games have one for waiting
                    graph.connect(turn, "by", _move(found, role, str(move)))
    return after


def _add_state(found: Behaviour, state: State, *, first: bool = False) -> int:
    counts = sorted(count for role in found.roles if (count := len(state.legal_moves(role))) > 1)
    colour: Hashable = f"state {first} {state.is_terminal} {counts}"
    node = found.graph.add(colour)
    if state.is_terminal:
        for role, number in found.roles.items():
            found.graph.connect(node, f"goal {state.goals[role]}", number)
    return node


def _move(found: Behaviour, role: Role, move: str) -> int:
    if (role, move) not in found.moves:
        number = found.moves[role, move] = found.graph.add("move")
        found.graph.connect(number, "of", found.roles[role])
    return found.moves[role, move]


def match_behaviour(one: Behaviour, other: Behaviour) -> Mapping2 | None:
    """A mapping of roles and moves under which the same can happen; None if there is none. Raises `OutOfTimeError`."""
    found = Matcher(one.graph, other.graph, most=400).match()
    if found is None:
        return None
    roles = {node: role for role, node in other.roles.items()}
    moves = {node: move for move, node in other.moves.items()}
    return Mapping2(
        {role: roles[found[node]] for role, node in one.roles.items()},
        {move: moves[found[node]][1] for (_, move), node in one.moves.items()},
        choices_only=True,
    )

"""Worlds of a page with a quick form: histories are found there (`quick_search`) and played again on tables.

A world is returned only if the player would have perceived, seen and been allowed the same in each of its turns, by the
rule itself. Turns are played once on a table, also if several worlds share them.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from random import Random

from ludens.core import Deadline, Role
from ludens.tabletop.hidden.observed import observed_in, play_turn
from ludens.tabletop.hidden.quick_search import RECENT, Layer, Node, Step, thin
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.quick_form import QuickForm, QuickTurn

WORLDS, WHOLE = 40, 60
"""Particles that become worlds, if there are more than so many."""
RESTARTS = 4
"""How often all turns are followed anew if no particle fits one of them, while no player waits: others may."""


def draw_quick_world(state: TableState, form: QuickForm, role: Role, rng: Random) -> TableState | None:
    """A state that a player considers possible; None if no history was found within the budget. Raises `OutOfTimeError`
    at the deadline of the thread; what was found until then is kept."""
    layer = _find(state, form, role, rng)
    while layer.nodes:
        node = rng.choices(layer.nodes, layer.weights)[0]
        world = node.state or _play_on_table(node, state, role, rng)
        if world is not None:
            return world
        at = layer.nodes.index(node)
        del layer.nodes[at], layer.weights[at]
    return None


def latest_worlds(state: TableState, role: Role) -> list[TableState]:
    """The worlds of the latest turn for which there are some."""
    for one in reversed(state.history):
        layer: Layer | None = one.kept.get(_key(role))
        if layer is not None:
            worlds = [node.state for node in layer.nodes if node.state is not None]
            if worlds:
                return worlds
    return [state.history[0]]


def _key(role: Role) -> Hashable:
    return "quick particles", role


def _find(state: TableState, form: QuickForm, role: Role, rng: Random) -> Layer:
    """The particles that become worlds in a state."""
    key: Hashable = "quick worlds", role
    found: Layer | None = state.kept.get(key)
    if found is None:
        layer = _particles(state, form, role, rng)
        nodes, weights = layer.nodes, layer.weights
        if len(nodes) > WHOLE:
            nodes, weights = rng.choices(nodes, weights, k=WORLDS), [1.0] * WORLDS
        found = state.kept[key] = Layer(list(nodes), list(weights))
    return found


def _particles(state: TableState, form: QuickForm, role: Role, rng: Random) -> Layer:
    """The particles of a player, computed turn by turn and kept with the states of the match."""
    history, key = state.history, _key(role)
    if key not in history[0].kept:
        first = Node(form.first(history[0].table), state=history[0])
        history[0].kept[key] = Layer([first], [1.0], is_whole=True, is_done=True)
    layers: list[Layer] = [one.kept.setdefault(key, Layer()) for one in history]
    turns = [_quick_turn(one, role) for one in history]
    number, restarts = 1, 0
    while number < len(history):
        if not layers[number].is_done:
            part = Deadline.share(1 / (1 + len(history) - number))
            Step(form, turns[: number + 1], layers[:number], layers[number], rng).follow(part)
            if not layers[number].nodes and restarts < RESTARTS and part.remaining() == math.inf:
                for at in range(1, number + 1):
                    layers[at] = history[at].kept[key] = Layer()
                number, restarts = 1, restarts + 1
                continue
            if number > RECENT:
                thin(layers[number - RECENT], rng)
        number += 1
    return layers[-1]


def _quick_turn(state: TableState, role: Role) -> QuickTurn:
    """What a player knows about the last turn; kept with the state."""
    key: Hashable = "quick turn", role
    found: QuickTurn | None = state.kept.get(key)
    if found is None:
        turn = state.turn
        mover, _, text = turn.done[0] if turn is not None else (role, None, "")
        own = text if mover == role else None
        found = state.kept[key] = QuickTurn(role, mover, own, tuple(state.percepts(role)), state.is_terminal)
    return found


def _play_on_table(node: Node, state: TableState, role: Role, rng: Random) -> TableState | None:
    """The state of a particle, whose turns are played on a table; None if it does not fit what the player observed."""
    waiting: list[Node] = []
    at = node
    while at.state is None and at.parent is not None:
        waiting.append(at)
        at = at.parent
    history = state.history
    for one, after in zip(reversed(waiting), history[len(history) - len(waiting) :], strict=True):
        Deadline.check_thread()
        assert one.parent is not None
        assert one.parent.state is not None
        joint_move = {_quick_turn(after, role).mover: one.move}
        one.state = play_turn(one.parent.state, joint_move, observed_in(after, role), rng)
        if one.state is None:
            return None
    return node.state

"""Whose turn it is, where that depends on the moves, as in Dots and Boxes, where a box gives another turn.

Such a turn keeps a game in one piece, although its parts may meet nowhere else: no part can be searched alone, since a
move in it decides who moves next in all of them. Reports name the turn and the parts that it joins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ludens.analysis.budget import Budget
from ludens.analysis.gates.supports import Bits, bits_of, members
from ludens.analysis.subgames.decompose import decompose
from ludens.analysis.subgames.parts import Component, Decomposition
from ludens.analysis.subgames.residual import circuit_without, find_residual
from ludens.compiler.circuit.gates import TRUE
from ludens.compiler.circuit.turns import specialise
from ludens.compiler.circuit_rules import CircuitRules
from ludens.gdl.terms import Term


def find_moving_turn(whole: Decomposition) -> tuple[int, ...]:
    """The fluents that say whose turn it is, by number, if that depends on the moves; none if it does not.

    They are the fluents, not more than there are roles, that moves change and on which most moves of some role depend,
    if one role alone has several moves as long as they stay as they are.
    """
    circuit = whole.circuit
    moving: Bits = bits_of(range(len(circuit.fluents))) & ~whole.clock.fluents
    found: Bits = 0
    for moves in circuit.moves[: circuit.players]:
        read = Counter(n for _, _, legal in moves for n in members(whole.supports.of(legal) & moving))
        found |= bits_of(n for n, count in read.items() if count > 1 and 2 * count > len(moves))
    turn = tuple(members(found))
    if not turn or len(turn) > circuit.players or circuit.players < 2:
        return ()
    left = circuit_without(circuit, turn)
    return turn if sum(len(moves) > 1 for moves in left.moves[: circuit.players]) == 1 else ()


def find_parts_besides(
    game: CircuitRules, turn: tuple[int, ...], settled: Mapping[Term, bool], budget: Budget
) -> list[Component]:
    """The parts with moves that a game would have if the turn stayed as it is; ``settled`` as for `decompose`."""
    circuit = game.circuit
    values = {circuit.fluents[n]: circuit.initial[n] for n in turn}
    left = circuit_without(circuit, turn)
    only = {own[0][1] >> 1: TRUE for own in left.moves if len(own) == 1 and own[0][1] > TRUE}
    staying = game.with_circuit(specialise(left, only), game.name)
    rest = find_residual(staying, staying.initial_state(), budget)  # without what only the other roles' moves change
    found = decompose(rest.game, budget, {**settled, **values, **rest.settled})
    return [part for part in found.games if part.moves]

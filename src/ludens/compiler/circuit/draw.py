"""Circuits that choose moves themselves: random legal ones of the roles, and by their weights those of chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.collector import collector_at_rest
from ludens.compiler.circuit.gates import FALSE, Gates
from ludens.compiler.circuit.selection import choose_by_weight, weight_bits
from ludens.compiler.circuit.translate import Translation

Possible = tuple[tuple[int, ...], ...]
"""For each role the numbers of the moves among which one is chosen."""


@dataclass(frozen=True, slots=True)
class Request:
    """A move that a caller may request for a role. If it is none, or not legal, the move is drawn."""

    moves: tuple[int, ...]
    """An input for each move of the role."""
    made: int
    """An input: whether the caller requests anything."""
    refused: int
    """A literal: whether the caller requests something that is not a legal move."""


@dataclass(frozen=True, eq=False)
class DrawnCircuit:
    """A circuit whose moves are chosen at random, by gates."""

    circuit: Circuit
    """The inputs of drawn moves are literals that are true if the move is made."""
    random: tuple[int, ...]
    """The inputs that must be random."""
    possible: Possible
    requests: tuple[Request, ...] = ()
    """For each role that plays, the inputs by which a caller requests moves; empty if all moves are drawn."""


@collector_at_rest()
def draw(
    circuit: Circuit,
    known: Mapping[int, int],
    possible: Possible | None = None,
    *,
    only_chance: bool = False,
    requested: bool = False,
) -> DrawnCircuit:
    """A copy of the circuit with a random legal move chosen for each role, or only for chance roles.

    ``known`` are literals for some nodes. Copies that are given the same possible moves choose the same ones for the
    same random bits. By default, a move is possible if the copy does not make it plain that it is never legal. With
    ``requested``, callers may request moves of the roles that play, and only the others are drawn.
    """
    copy = Translation(circuit, known)
    gates = copy.gates
    fluent_inputs = copy.literals(circuit.fluent_inputs)
    random: list[int] = []
    drawn = []
    chosen_from = []
    requests = []
    for role, moves in enumerate(circuit.moves):
        legal = copy.literals(literal for _, _, literal in moves)
        own = possible[role] if possible else tuple(n for n, literal in enumerate(legal) if literal != FALSE)
        chosen_from.append(own)
        terms = [term for term, _, _ in moves]
        if only_chance and role < circuit.players:
            drawn.append(tuple(zip(terms, copy.literals(does for _, does, _ in moves), legal, strict=True)))
            continue
        done = list(legal)
        if len(own) > 1:
            weights = _weights(circuit, role, own)
            bits = [gates.new_input() for _ in range(weight_bits(weights))]
            chosen = choose_by_weight(gates, [legal[n] for n in own], weights, bits)
            random += bits
            for n, literal in zip(own, chosen, strict=True):
                done[n] = literal
        if requested and role < circuit.players:
            request, done = _request(gates, copy.literals(does for _, does, _ in moves), legal, done)
            requests.append(request)
        for (_, does, _), literal in zip(moves, done, strict=True):
            copy.literal_of[does >> 1] = literal
        drawn.append(tuple(zip(terms, done, legal, strict=True)))
    result = replace(
        circuit,
        gates=gates,
        fluent_inputs=fluent_inputs,
        next=copy.literals(circuit.next),
        moves=tuple(drawn),
        terminal=copy.literal(circuit.terminal),
        goals=tuple(replace(goal, literal=copy.literal(goal.literal)) for goal in circuit.goals),
        chance=copy.chance(),
        loops=copy.loops(),
    )
    return DrawnCircuit(result, tuple(random), tuple(chosen_from), tuple(requests))


def _request(
    gates: Gates, moves: tuple[int, ...], legal: Sequence[int], drawn: Sequence[int]
) -> tuple[Request, list[int]]:
    """A request for one of the moves, and the move that is made: the requested one if it is legal, else the drawn."""
    accepted = [gates.both(move, own) for move, own in zip(moves, legal, strict=True)]
    taken, made = gates.any_of(accepted), gates.new_input()
    done = [gates.either(own, gates.both(other, taken ^ 1)) for own, other in zip(accepted, drawn, strict=True)]
    return Request(moves, made, gates.both(made, taken ^ 1)), done


def _weights(circuit: Circuit, role: int, moves: Sequence[int]) -> list[int]:
    """The weights of some moves of a role; equal unless it is a chance role."""
    if role < circuit.players:
        return [1] * len(moves)
    weights = circuit.chance[role - circuit.players].weights
    return [weights[n] for n in moves]

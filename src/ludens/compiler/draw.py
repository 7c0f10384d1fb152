"""Circuits that choose the moves themselves: each role does a random legal one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ludens.compiler.circuit import Circuit
from ludens.compiler.collector import collector_at_rest
from ludens.compiler.gates import FALSE
from ludens.compiler.select import RANDOM_BITS, choose_uniformly
from ludens.compiler.translate import Translation

Possible = tuple[tuple[int, ...], ...]
"""For each role the numbers of the moves among which one is chosen."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """A circuit whose moves are chosen at random, by gates."""

    circuit: Circuit
    """What was the input of a move is the literal that tells whether it is done."""
    random: tuple[int, ...]
    """The inputs that must be random."""
    possible: Possible


@collector_at_rest()
def draw(circuit: Circuit, known: Mapping[int, int], possible: Possible | None = None) -> Drawn:
    """A copy of the circuit with a random legal move chosen for each role; ``known`` are literals for some nodes.

    Copies that are given the same possible moves choose the same ones for the same random bits. By default, a move is
    possible if the copy does not make it plain that it is never legal.
    """
    copy = Translation(circuit, known)
    gates = copy.gates
    fluent_inputs = copy.literals(circuit.fluent_inputs)
    random: list[int] = []
    drawn = []
    chosen_from = []
    for role, moves in enumerate(circuit.moves):
        legal = copy.literals(literal for _, _, literal in moves)
        own = possible[role] if possible else tuple(n for n, literal in enumerate(legal) if literal != FALSE)
        chosen_from.append(own)
        done = list(legal)
        if len(own) > 1:
            bits = [gates.new_input() for _ in range(RANDOM_BITS)]
            chosen = choose_uniformly(gates, [legal[n] for n in own], bits)
            random += bits
            for n, literal in zip(own, chosen, strict=True):
                done[n] = literal
        copy.literal_of.update((does >> 1, literal) for (_, does, _), literal in zip(moves, done, strict=True))
        terms = [term for term, _, _ in moves]
        drawn.append(tuple(zip(terms, done, legal, strict=True)))
    result = replace(
        circuit,
        gates=gates,
        fluent_inputs=fluent_inputs,
        next=copy.literals(circuit.next),
        moves=tuple(drawn),
        terminal=copy.literal(circuit.terminal),
        goals=tuple(replace(goal, literal=copy.literal(goal.literal)) for goal in circuit.goals),
        loops=copy.loops(),
    )
    return Drawn(result, tuple(random), tuple(chosen_from))

"""The effects of a role's moves: for each fluent, which moves set it to what.

Exactly one of the moves is made, so a gate that depends on moves only is a set of moves. The next value of a fluent
depends on few such sets, and all moves in the same sets have the same effect on it. Where other roles choose as well,
their moves are inputs like the fluents: moves have the same effect if they make the next value the same function of
the state and of the others' moves.
"""

from __future__ import annotations

from collections.abc import Mapping

from ludens.analysis.budget import TooEntangledError
from ludens.analysis.gates.phases import Phase, gate_of
from ludens.analysis.gates.supports import Bits, bits_of, circuit_supports, members
from ludens.compiler.circuit.gates import INPUT, TRUE

MOST_STEPS = 400_000
"""The budget of gates for finding the effects of all moves in a phase."""

Effects = tuple[tuple[Bits, int], ...]
"""Moves, by index, and the next value that they give a fluent: a literal of the phase."""


class Choices:
    """The moves of a role that chooses in a phase, alone or with others."""

    def __init__(self, phase: Phase, role: int) -> None:
        self._phase = phase
        self._alone = phase.choosers == (role,)
        self._gates = phase.gates if self._alone else phase.circuit.gates.copy()
        self._moves = phase.possible[role]
        self._everything = (1 << len(self._moves)) - 1
        circuit = phase.circuit
        self._supports = circuit_supports(circuit)
        first = len(circuit.fluents) + sum(map(len, circuit.moves[:role]))
        self._given = ~(((1 << len(circuit.moves[role])) - 1) << first)
        own = {circuit.moves[role][number][1] >> 1: 1 << place for place, number in enumerate(self._moves)}
        self._nodes = tuple(own)
        self._sets = self._find_sets(own)
        self._steps = 0

    def _find_sets(self, own: Mapping[int, Bits]) -> dict[int, Bits]:
        """For nodes that depend only on moves, the moves that make them true."""
        gates, found = self._phase.circuit.gates, dict(own)
        for node in range(1, len(gates)):
            support = self._supports.of(2 * node)
            if gates.left[node] == INPUT or not support or support & self._given:
                continue
            reads = [self._set_of(found, literal) for literal in gates.reads(node)]
            if len(reads) == 2:
                found[node] = reads[0] ^ reads[1] if gates.is_xor[node] else reads[0] & reads[1]
            else:
                a, b, c = reads
                found[node] = a ^ b ^ c if gates.is_xor[node] else (a & b) | (a & c) | (b & c)
        return found

    def _set_of(self, found: Mapping[int, Bits], literal: int) -> Bits:
        mask = found.get(literal >> 1, 0)
        return mask ^ self._everything if literal & 1 else mask

    def effects(self, fluent: int) -> tuple[int, Effects]:
        """The next value of a fluent after moves that do not affect it, and the effects of the others."""
        literal = self._phase.circuit.next[fluent]
        if not self._supports.of(literal) & ~self._given:
            return self._translate(literal), ()
        values = self._values(literal)
        default = self._default(fluent, values)
        return default, tuple((mask, value) for value, mask in values.items() if value != default)

    def classes(self, fluent: int) -> tuple[Bits, ...]:
        """The moves that affect a fluent, grouped by their effect, whatever the other roles do."""
        literal = self._phase.circuit.next[fluent]
        if not self._supports.of(literal) & ~self._given:
            return ()
        read = bits_of(
            place for place, node in enumerate(self._nodes) if self._supports.of(2 * node) & self._supports.of(literal)
        )
        try:
            classes = self._values(literal).values()
        except TooEntangledError:
            return tuple(1 << place for place in members(read))
        # A move that the fluent does not depend on has no effect, nor has any that does the same.
        return tuple(mask for mask in classes if not mask & ~read)

    def _values(self, literal: int) -> dict[int, Bits]:
        """The next values, and the moves that lead to each."""
        mixed, sets = self._cone(literal >> 1)
        blocks = self._blocks(sets)
        values: dict[int, Bits] = {}
        for block in blocks:
            self._steps += len(mixed) + 1
            if self._steps > MOST_STEPS:
                raise TooEntangledError("moves have too many different effects")
            value = self._value(literal, mixed, sets, block)
            values[value] = values.get(value, 0) | block
        return values

    def _translate(self, literal: int) -> int:
        """A literal that does not depend on the role's moves, as a literal of the results."""
        return self._phase.translate(literal) if self._alone else literal

    def _cone(self, root: int) -> tuple[list[int], dict[int, Bits]]:
        """The nodes below one that depend on moves and fluents, lowest first, and the sets of moves they read."""
        gates = self._phase.circuit.gates
        mixed: set[int] = set()
        sets: dict[int, Bits] = {}
        stack = [root]
        while stack:
            node = stack.pop()
            if node in self._sets:
                sets[node] = self._sets[node]
            elif node not in mixed and self._supports.of(2 * node) & ~self._given:
                if gates.left[node] == INPUT:
                    raise TooEntangledError("moves are part of a recursion")
                mixed.add(node)
                stack += [literal >> 1 for literal in gates.reads(node)]
        return sorted(mixed), sets

    def _blocks(self, sets: Mapping[int, Bits]) -> list[Bits]:
        """The moves, grouped by the sets that they are in."""
        blocks = [self._everything]
        for mask in set(sets.values()):
            blocks = [part for block in blocks for part in (block & mask, block & ~mask) if part]
            if len(blocks) * len(sets) > MOST_STEPS:
                raise TooEntangledError("moves have too many different effects")
        return blocks

    def _value(self, literal: int, mixed: list[int], sets: Mapping[int, Bits], block: Bits) -> int:
        """The literal of the phase for the next value after a move of a block."""
        gates = self._phase.circuit.gates
        known = {node: TRUE if mask & block else 0 for node, mask in sets.items()}
        for node in mixed:
            reads = [
                known[read >> 1] ^ (read & 1) if read >> 1 in known else self._translate(read)
                for read in gates.reads(node)
            ]
            known[node] = gate_of(self._gates, reads, xor=gates.is_xor[node])
        return known[literal >> 1] ^ (literal & 1)

    def _default(self, fluent: int, values: Mapping[int, Bits]) -> int:
        """The value that counts as no effect: the old value, or the one without any of the moves."""
        stays = self._phase.inputs[fluent]
        return stays if stays in values else self._phase.default[fluent]

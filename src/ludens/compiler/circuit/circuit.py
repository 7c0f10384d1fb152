"""Stage 3: the ground rules as a Boolean circuit.

Inputs are the fluents and the moves, outputs what follows: next fluents, legal moves, the end, the goals. Exactly one
move of each role is done, so "any move but these" is the inversion of "one of these"; without that, frame axioms would
be disjunctions over almost all moves.
"""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludens.compiler.circuit.chance_roles import Chance, find_chance, without_wrapping
from ludens.compiler.circuit.gates import FALSE, TRUE, Gates
from ludens.compiler.ground.factor import MoveSet, factor
from ludens.compiler.ground.flat_rules import Atom, FlatRules
from ludens.compiler.ground.grounder import GroundProgram
from ludens.compiler.passes.library import ADDRESS, COUNT, Ints, allocating_function
from ludens.core import GameError
from ludens.gdl.terms import Term, sort_key

_define_atoms = allocating_function("define_atoms", None, ADDRESS, ADDRESS, ADDRESS, ADDRESS, COUNT)


@dataclass(frozen=True, slots=True)
class Loop:
    """Recursion inside a state: start with all inputs false, set them to the updates until nothing changes."""

    inputs: tuple[int, ...]
    updates: tuple[int, ...]
    """Literals, one for each input."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal value and the literal that is true if it holds."""

    role: int
    value: int
    literal: int


@dataclass(frozen=True)
class Circuit:
    """A game as gates. Fluents, moves and roles are numbered; all lists go by those numbers.

    Roles whose moves are drawn by chance come last.
    """

    gates: Gates
    roles: tuple[Term, ...]
    chance: tuple[Chance, ...]
    """What the last of the roles draw their moves by."""
    fluents: tuple[Term, ...]
    fluent_inputs: tuple[int, ...]
    initial: tuple[bool, ...]
    next: tuple[int, ...]
    moves: tuple[tuple[tuple[Term, int, int], ...], ...]
    """For each role its moves: the term, the input that does it, and the literal that makes it legal."""
    terminal: int
    goals: tuple[Goal, ...]
    loops: tuple[Loop, ...]
    """In the order in which they must be evaluated."""

    @property
    def players(self) -> int:
        """The number of roles without chance roles."""
        return len(self.roles) - len(self.chance)


class _Builder:
    def __init__(self, program: GroundProgram, roles: Sequence[Term]) -> None:
        self.program = program
        self.moves = factor(program, roles)
        self.gates = Gates()
        self.loops: list[Loop] = []
        self.choices = [_Choices(self.gates) for _ in roles]
        self.rules, self.literals = self._rules()

    def _rules(self) -> tuple[FlatRules, Ints]:
        """The rules with an atom in place of each set of moves; the literals of those and of all inputs, by atom."""
        literals = {atom: self.gates.new_input() for atom in self.program.fluents}
        for choices, atoms in zip(self.choices, self.moves.moves, strict=True):
            choices.moves = [self.gates.new_input() for _ in atoms]
            literals |= zip(atoms, choices.moves, strict=True)
        effects = self.moves.effects
        next_atom = 1 + max([0, self.moves.rules.atoms, *literals, *effects, *self.program.named.values()])
        wanted = {(effect.role, effect.moves) for found in effects.values() for effect in found}
        atom_of: dict[tuple[int, MoveSet], Atom] = {}
        for atom, (role, moves) in enumerate(sorted(wanted, key=lambda item: item[1].bit_count()), next_atom):
            atom_of[role, moves] = atom
            literals[atom] = self.choices[role].one_of(moves)
        rules = self.moves.rules.with_rules(
            {
                atom: [
                    *self.moves.bodies.get(atom, ()),
                    *((atom_of[role, moves], *rest) for role, moves, rest in found),
                ]
                for atom, found in effects.items()
            }
        )
        found = np.zeros(next_atom + len(atom_of), np.int32)
        found[list(literals)] = list(literals.values())
        return rules, found

    def build(self) -> None:
        order, _ = self.rules.order(np.array(self.moves.used, np.int32))
        start = done = 0
        for end, is_loop in zip(order.ends.tolist(), order.is_loop.tolist(), strict=True):
            if is_loop:
                self._define(order.atoms[done:start])
                self._define_loop(order.atoms[start:end])
                done = end
            start = end
        self._define(order.atoms[done:])

    def _define_loop(self, component: Ints) -> None:
        """Atoms that need each other: each becomes an input first, then its update is built from all."""
        members = set(component.tolist())
        for atom in members:
            if any(-needed in members for body in self.rules[atom] for needed in body):
                raise GameError("the ground rules depend on their own negation")
        inputs = [self.gates.new_input() for _ in members]
        self.literals[component] = inputs
        for n in range(len(component)):  # later ones read the newer value, which saves rounds
            self._define(component[n : n + 1])
        self.loops.append(Loop(tuple(inputs), tuple(self.literals[component].tolist())))

    def _define(self, atoms: Ints) -> None:
        """Define derived atoms, each after those it needs."""
        head = self.rules.head()
        self.gates.add(_define_atoms, ctypes.addressof(head), self.literals.ctypes.data, atoms.ctypes.data, len(atoms))


class _Choices:
    """Sets of one role's moves, of which exactly one is done."""

    def __init__(self, gates: Gates) -> None:
        self.gates = gates
        self.moves: list[int] = []
        self.known: dict[MoveSet, int] = {}
        self.by_lowest: dict[int, list[MoveSet]] = defaultdict(list)
        """Known sets by their lowest move, larger ones last."""

    def one_of(self, moves: MoveSet) -> int:
        """Whether one of the moves is done, put together from known sets; a large set is the inversion of a small."""
        literal = self.known.get(moves)
        if literal is not None:
            return literal
        others = (1 << len(self.moves)) - 1 & ~moves
        if others.bit_count() < moves.bit_count():
            return self.one_of(others) ^ 1
        parts, left = [], moves
        while left:
            lowest = (left & -left).bit_length() - 1
            part = next((known for known in reversed(self.by_lowest[lowest]) if not known & ~moves), 1 << lowest)
            parts.append(self.known.get(part, self.moves[lowest]))
            left &= ~part
        literal = self.known[moves] = self.gates.any_of(parts)
        if moves:
            self.by_lowest[(moves & -moves).bit_length() - 1].append(moves)
        return literal


def build_circuit(program: GroundProgram, roles: Sequence[Term]) -> Circuit:
    """The circuit of ground rules."""
    builder = _Builder(program, roles)
    builder.build()
    literals = builder.literals.tolist()

    def output(relation: str, argument: Term) -> int:
        atom = program.named.get((relation, argument))
        return FALSE if atom is None else TRUE if atom == 0 else literals[atom]

    fluents = sorted(program.fluents.items(), key=lambda item: sort_key(item[1]))
    initial = {argument for (relation, argument), _ in program.named.items() if relation == "init"}
    moves = []
    for role in roles:
        own = [(move, atom) for atom, (who, move) in program.moves.items() if who == role]
        own.sort(key=lambda item: sort_key(without_wrapping(item[0])))
        moves.append([(move, literals[atom], output("legal", (role, move))) for move, atom in own])
    chance = find_chance(builder.gates, roles, moves)
    goals = []
    for relation, argument in program.named:
        who, value = argument if relation == "goal" and isinstance(argument, tuple) else ("", "")
        if who in roles and isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
            goals.append(Goal(roles.index(who), int(value), output("goal", argument)))
    return Circuit(
        gates=builder.gates,
        roles=tuple(roles),
        chance=chance,
        fluents=tuple(fluent for _, fluent in fluents),
        fluent_inputs=tuple(literals[atom] for atom, _ in fluents),
        initial=tuple(fluent in initial for _, fluent in fluents),
        next=tuple(output("next", fluent) for _, fluent in fluents),
        moves=tuple(tuple((without_wrapping(move), does, legal) for move, does, legal in own) for own in moves),
        terminal=output("terminal", ()),
        goals=tuple(sorted(goals, key=lambda goal: (goal.role, goal.value))),
        loops=tuple(builder.loops),
    )

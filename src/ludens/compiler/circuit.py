"""Stage 3: the ground rules as a Boolean circuit.

Inputs are the fluents and the moves, outputs what follows: next fluents, legal moves, the end, the goals. Exactly one
move of each role is done, so "any move but these" is the inversion of "one of these"; without that, frame axioms would
be disjunctions over almost all moves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ludens.compiler.gates import FALSE, TRUE, Gates
from ludens.compiler.ground import Atom, Body, GroundProgram
from ludens.core import GameError
from ludens.gdl.strata import components
from ludens.gdl.terms import Term, sort_key


@dataclass(frozen=True, slots=True)
class Loop:
    """Recursion inside a state: start with all inputs false, set them to the updates until nothing changes."""

    inputs: tuple[int, ...]
    updates: tuple[int, ...]
    """Literals, one for each input."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal value and the literal that tells whether it holds."""

    role: int
    value: int
    literal: int


@dataclass(frozen=True)
class Circuit:
    """A game as gates. Fluents, moves and roles are numbered; all lists go by those numbers."""

    gates: Gates
    roles: tuple[Term, ...]
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


class _Builder:
    def __init__(self, program: GroundProgram, roles: Sequence[Term]) -> None:
        self.program = program
        self.gates = Gates()
        self.literals: dict[Atom, int] = {}
        self.loops: list[Loop] = []
        self.role_of: dict[Atom, Term] = {atom: role for atom, (role, _) in program.moves.items() if role in roles}
        """Who can do each move; moves that the rules give to somebody who is no role are never done."""
        self.moves_of: dict[Term, set[Atom]] = defaultdict(set)
        for atom, role in self.role_of.items():
            self.moves_of[role].add(atom)

    def build(self) -> None:
        for atom in (*self.program.fluents, *self.role_of):
            self.literals[atom] = self.gates.new_input()
        self.literals.update((atom, TRUE) for atom in self.program.assumed if atom)
        rules = self.program.rules
        derived = {atom: bodies for atom, bodies in rules.items() if atom not in self.literals}
        needs = {
            atom: [abs(a) for body in bodies for a in body if abs(a) in derived] for atom, bodies in derived.items()
        }
        for component in components(derived, lambda atom: needs[atom]):
            if len(component) == 1 and component[0] not in needs[component[0]]:
                self.literals[component[0]] = self.define(component[0])
            else:
                self.define_loop(component)

    def define_loop(self, component: Sequence[Atom]) -> None:
        """Atoms that need each other: each becomes an input first, then its update is built from all."""
        members = set(component)
        for atom in component:
            for body in self.program.rules[atom]:
                if any(-a in members for a in body):
                    raise GameError("the ground rules depend on their own negation")
        inputs = [self.gates.new_input() for _ in component]
        self.literals.update(zip(component, inputs, strict=True))
        updates = []
        for atom in component:
            updates.append(self.define(atom))
            self.literals[atom] = updates[-1]  # later ones read the newer value, which saves rounds
        self.loops.append(Loop(tuple(inputs), tuple(updates)))

    def literal(self, signed: int) -> int:
        literal = self.literals.get(abs(signed), FALSE)
        return literal if signed > 0 else literal ^ 1

    def define(self, atom: Atom) -> int:
        """The literal of a derived atom: the disjunction of its bodies."""
        bodies = self.program.rules[atom]
        if any(not body for body in bodies):
            return TRUE
        plain: list[int] = []
        by_rest: dict[Body, dict[Term, set[Atom]]] = defaultdict(lambda: defaultdict(set))
        for body in bodies:
            done = [a for a in body if a in self.role_of]
            if len(done) == 1:
                rest = tuple(sorted(a for a in body if a != done[0]))
                by_rest[rest][self.role_of[done[0]]].add(done[0])
            else:
                plain.append(self.conjunction(body))
        by_moves: dict[int, list[Body]] = defaultdict(list)
        for rest, sets in by_rest.items():
            for role, moves in sets.items():
                by_moves[self.one_of(role, moves)].append(rest)
        for moved, rests in by_moves.items():
            plain.append(self.gates.both(moved, self.gates.any_of(map(self.conjunction, rests))))
        return self.gates.any_of(plain)

    def conjunction(self, body: Iterable[int]) -> int:
        return self.gates.all_of(map(self.literal, body))

    def one_of(self, role: Term, moves: set[Atom]) -> int:
        """Whether the role does one of the moves."""
        others = self.moves_of[role] - moves
        if len(others) < len(moves):
            return self.gates.any_of(self.literals[atom] for atom in others) ^ 1
        return self.gates.any_of(self.literals[atom] for atom in moves)


def build_circuit(program: GroundProgram, roles: Sequence[Term]) -> Circuit:
    """The circuit of ground rules."""
    builder = _Builder(program, roles)
    builder.build()

    def output(relation: str, argument: Term) -> int:
        atom = program.named.get((relation, argument))
        return FALSE if atom is None else TRUE if atom == 0 else builder.literal(atom)

    fluents = sorted(program.fluents.items(), key=lambda item: sort_key(item[1]))
    initial = {argument for (relation, argument), _ in program.named.items() if relation == "init"}
    moves = []
    for role in roles:
        own = [(move, atom) for atom, (who, move) in program.moves.items() if who == role]
        own.sort(key=lambda item: sort_key(item[0]))
        moves.append(tuple((move, builder.literals[atom], output("legal", (role, move))) for move, atom in own))
    goals = []
    for relation, argument in program.named:
        who, value = argument if relation == "goal" and isinstance(argument, tuple) else ("", "")
        if who in roles and isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
            goals.append(Goal(roles.index(who), int(value), output("goal", argument)))
    return Circuit(
        gates=builder.gates,
        roles=tuple(roles),
        fluents=tuple(fluent for _, fluent in fluents),
        fluent_inputs=tuple(builder.literals[atom] for atom, _ in fluents),
        initial=tuple(fluent in initial for _, fluent in fluents),
        next=tuple(output("next", fluent) for _, fluent in fluents),
        moves=tuple(moves),
        terminal=output("terminal", ()),
        goals=tuple(sorted(goals, key=lambda goal: (goal.role, goal.value))),
        loops=tuple(builder.loops),
    )

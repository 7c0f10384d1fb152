"""Stage 3: the ground rules as a Boolean circuit.

Inputs are the fluents and the moves, outputs what follows: next fluents, legal moves, the end, the goals. Exactly one
move of each role is done, so "any move but these" is the inversion of "one of these"; without that, frame axioms would
be disjunctions over almost all moves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from ludens.compiler.circuit.chance_roles import Chance, find_chance, without_wrapping
from ludens.compiler.circuit.gates import FALSE, TRUE, Gates
from ludens.compiler.ground.factor import MoveSet, factor
from ludens.compiler.ground.grounder import GroundProgram
from ludens.compiler.ground.tidy import Atom
from ludens.core import GameError
from ludens.gdl.logic.strata import components
from ludens.gdl.terms import Term, sort_key


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


class _Literals(dict[int, int]):
    """The literals of atoms and of their negations, which are the negative numbers; what nothing derives is false."""

    def __missing__(self, signed: int) -> int:
        return FALSE if signed > 0 else TRUE

    def define(self, atom: Atom, literal: int) -> None:
        self[atom], self[-atom] = literal, literal ^ 1

    def define_all(self, atoms: Iterable[Atom], literals: Iterable[int]) -> None:
        for atom, literal in zip(atoms, literals, strict=True):
            self.define(atom, literal)


class _Builder:
    def __init__(self, program: GroundProgram, roles: Sequence[Term]) -> None:
        self.program = program
        self.rules = factor(program, roles)
        self.gates = Gates()
        self.literals = _Literals()
        self.loops: list[Loop] = []
        self.choices = [_Choices(self.gates) for _ in roles]

    def build(self) -> None:
        for atom in self.program.fluents:
            self.literals.define(atom, self.gates.new_input())
        for choices, atoms in zip(self.choices, self.rules.moves, strict=True):
            choices.moves = [self.gates.new_input() for _ in atoms]
            self.literals.define_all(atoms, choices.moves)
        bodies, effects = self.rules.bodies, self.rules.effects
        wanted = {(effect.role, effect.moves) for found in effects.values() for effect in found}
        for role, moves in sorted(wanted, key=lambda item: item[1].bit_count()):
            self.choices[role].one_of(moves)
        derived = [atom for atom in bodies if atom not in self.literals]
        is_derived = set(derived)
        needs = self.rules.needs
        for component in components(derived, lambda atom: filter(is_derived.__contains__, needs[atom])):
            if len(component) == 1 and component[0] not in needs[component[0]]:
                self.literals.define(component[0], self.define(component[0]))
            else:
                self.define_loop(component)

    def define_loop(self, component: Sequence[Atom]) -> None:
        """Atoms that need each other: each becomes an input first, then its update is built from all."""
        members = set(component)
        for atom in component:
            for body in self.rules.bodies[atom]:
                if any(-a in members for a in body):
                    raise GameError("the ground rules depend on their own negation")
        inputs = [self.gates.new_input() for _ in component]
        self.literals.define_all(component, inputs)
        updates = []
        for atom in component:
            updates.append(self.define(atom))
            self.literals.define(atom, updates[-1])  # later ones read the newer value, which saves rounds
        self.loops.append(Loop(tuple(inputs), tuple(updates)))

    def define(self, atom: Atom) -> int:
        """The literal of a derived atom: the disjunction of its bodies and effects."""
        bodies = self.rules.bodies[atom]
        if any(not body for body in bodies):
            return TRUE
        literal = self.literals.__getitem__
        products = [frozenset(map(literal, body)) for body in bodies]
        for role, moves, rest in self.rules.effects.get(atom, ()):
            products.append(frozenset((self.choices[role].one_of(moves), *map(literal, rest))))
        return sum_of_products(self.gates, products)


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


def sum_of_products(gates: Gates, products: Iterable[Iterable[int]]) -> int:
    """The disjunction of conjunctions of literals; what most of them have in common is factored out."""
    sets = map(frozenset, products)
    different = dict.fromkeys(product - {TRUE} if TRUE in product else product for product in sets)
    return _factor(gates, [product for product in different if FALSE not in product])


def _factor(gates: Gates, left: list[frozenset[int]]) -> int:
    found = []
    while len(left) > 1:
        counts = Counter(chain.from_iterable(left))
        count = max(counts.values(), default=0)
        if count < 2:
            break
        common = min(literal for literal, times in counts.items() if times == count)
        quotient = [product - {common} for product in left if common in product]
        found.append(gates.both(common, _factor(gates, quotient)))
        left = [product for product in left if common not in product]
    return gates.any_of([*found, *map(gates.all_of, left)])


def build_circuit(program: GroundProgram, roles: Sequence[Term]) -> Circuit:
    """The circuit of ground rules."""
    builder = _Builder(program, roles)
    builder.build()

    def output(relation: str, argument: Term) -> int:
        atom = program.named.get((relation, argument))
        return FALSE if atom is None else TRUE if atom == 0 else builder.literals[atom]

    fluents = sorted(program.fluents.items(), key=lambda item: sort_key(item[1]))
    initial = {argument for (relation, argument), _ in program.named.items() if relation == "init"}
    moves = []
    for role in roles:
        own = [(move, atom) for atom, (who, move) in program.moves.items() if who == role]
        own.sort(key=lambda item: sort_key(without_wrapping(item[0])))
        moves.append([(move, builder.literals[atom], output("legal", (role, move))) for move, atom in own])
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
        fluent_inputs=tuple(builder.literals[atom] for atom, _ in fluents),
        initial=tuple(fluent in initial for _, fluent in fluents),
        next=tuple(output("next", fluent) for _, fluent in fluents),
        moves=tuple(tuple((without_wrapping(move), does, legal) for move, does, legal in own) for own in moves),
        terminal=output("terminal", ()),
        goals=tuple(sorted(goals, key=lambda goal: (goal.role, goal.value))),
        loops=tuple(builder.loops),
    )

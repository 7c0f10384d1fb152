"""Symmetries of the ground rules: permutations of fluents and moves that leave the rules unchanged.

Colours of atoms are refined until atoms of one colour occur in the same way in rules; that is cheap, but proves nothing
yet. Then one atom is mapped to another, colours are refined again, and when every atom has its own colour the mapping
is checked rule by rule. Only mappings that pass are used, so the result is sound; symmetries beyond the budget may be
missed. Roles and goals stay fixed.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b

from ludens.analysis.budget import Budget
from ludens.analysis.subgames.parts import Component
from ludens.compiler.circuit_rules import CircuitRules
from ludens.compiler.ground.grounder import GroundBudget, GroundProgram, TooLargeError, ground
from ludens.core import OutOfTimeError
from ludens.gdl.chance.core_form import PERCEPT_FLUENT, core_form
from ludens.gdl.logic.clauses import clauses
from ludens.gdl.terms import Term, arguments, functor
from ludens.gdl.write import kif

MOST_WORK = 1_000_000
"""The budget of visited literals of rules."""
MOST_TRIES = 40
"""The most attempts to complete one mapping."""
_PLAIN = GroundBudget(seconds=5.0, rules=100_000)
"""The budget for grounding the rules as written."""
_PRIME = (1 << 61) - 1
_IN, _TO, _FROM, _MARK = range(1, 5)

Atom = int
Colours = dict[Atom, int]


class _TooMuchWorkError(Exception):
    """The budget is spent."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One symmetry, as permutations of fluents and moves."""

    fluents: dict[Term, Term]
    moves: dict[tuple[Term, Term], tuple[Term, Term]]
    """For each role's moves; roles stay fixed."""


@dataclass(frozen=True)
class Symmetries:
    """Orbits of fluents and moves."""

    fluents: dict[Term, int]
    """For each fluent the number of its orbit: fluents with the same number can be mapped to each other."""
    moves: dict[tuple[Term, Term], int]
    """The orbits of each role's moves."""
    exchanges: tuple[Exchange, ...]
    """The symmetries found; they generate all others that are known."""

    def groups(self, part: Component) -> tuple[tuple[str, ...], ...]:
        """Groups of several moves of a component, without the roles, that can be mapped to each other.

        A move without an orbit can be mapped to no other.
        """
        orbits: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for (role, move), orbit in self.moves.items():
            orbits[kif(move)].append((kif(role), orbit))
        found: dict[tuple[tuple[str, int], ...], list[str]] = defaultdict(list)
        for move in dict.fromkeys(move for _, move in part.moves):
            if move in orbits:
                found[tuple(sorted(orbits[move]))].append(move)
        return tuple(tuple(moves) for moves in found.values() if len(moves) > 1)

    def equivalents(self, components: Sequence[Component]) -> list[int | None]:
        """For each component the number of the first that it can be mapped to; None if there is none."""
        kinds = [
            # A fluent without an orbit is like no other.
            frozenset(Counter(self.fluents.get(fluent, fluent) for fluent in part.fluents).items())
            for part in components
        ]
        return [
            kinds.index(kind) if kinds.count(kind) > 1 and part.fluents else None
            for kind, part in zip(kinds, components, strict=True)
        ]


class _Rules:
    """The ground rules as a graph."""

    def __init__(self, program: GroundProgram, roles: Sequence[Term] = (), *, from_start: bool = True) -> None:
        """If ``roles`` are given, they may change places. Without ``from_start``, how the match begins does not
        matter."""
        self._left = MOST_WORK
        self.bodies: dict[Atom, Counter[tuple[int, ...]]] = {
            head: Counter(tuple(sorted(body)) for body in bodies) for head, bodies in program.rules.items()
        }
        self._flat = [(head, body) for head, bodies in program.rules.items() for body in bodies]
        self._work = sum(len(body) + 1 for _, body in self._flat)
        self.tags: dict[Atom, list[str]] = defaultdict(list)
        self.links: list[tuple[Atom, Atom, str]] = []
        fluents = {term: atom for atom, term in program.fluents.items()}
        moves = {term: atom for atom, term in program.moves.items()}
        used = {abs(atom) for _, body in self._flat for atom in body} if roles else set()
        used.update(program.fluents, program.moves, program.rules, program.named.values())
        self.roles = {role: max(used) + 1 + n for n, role in enumerate(roles)}
        """Atoms that stand for roles which may change places."""
        for atom in self.roles.values():
            self.tags[atom].append("role")
        for fluent, atom in fluents.items():
            self.tags[atom].append("fluent")
            if self.roles and functor(fluent) == PERCEPT_FLUENT:
                self._link(arguments(fluent)[0], atom, PERCEPT_FLUENT)
        for (role, _), atom in moves.items():
            self._link(role, atom, "move")
        for (relation, argument), atom in program.named.items():
            if relation == "init" and not from_start:
                continue
            if self.roles and relation == "goal":
                assert isinstance(argument, tuple)
                self._link(argument[0], atom, f"goal {argument[1]!r}")
                continue
            own = fluents.get(argument) if relation in {"next", "init"} else None
            if relation == "legal":
                assert isinstance(argument, tuple)
                own = moves.get((argument[0], argument[1]))
            if own is not None and atom:
                self.links.append((own, atom, relation))
            elif own is not None:
                self.tags[own].append(relation)
            elif atom:
                self.tags[atom].append(f"{relation} {argument!r}" if relation == "goal" else relation)
        atoms = {abs(atom) for _, body in self._flat for atom in body} | set(self.bodies) | set(self.tags)
        atoms |= {atom for own, other, _ in self.links for atom in (own, other)}
        self.first: Colours = {atom: _mix(tuple(map(_code, sorted(self.tags.get(atom, ()))))) for atom in atoms}

    def _link(self, role: Term, atom: Atom, relation: str) -> None:
        """Take note of what belongs to a role; atom 0 is what always holds."""
        if role not in self.roles:
            self.tags[atom].append(f"{relation} {role!r}")
        elif atom:
            self.links.append((self.roles[role], atom, relation))
            self.tags[atom].append(relation)
        else:
            self.tags[self.roles[role]].append(relation)

    def refine(self, colours: Colours) -> Colours:
        """Refine colours until they distinguish atoms that occur differently in rules."""
        count = len(set(colours.values()))
        while True:
            self._left -= self._work
            if self._left < 0:
                raise _TooMuchWorkError
            sums = dict.fromkeys(colours, 0)
            for head, body in self._flat:
                signs = [_mix((colours[abs(atom)], atom > 0)) for atom in body]
                whole = _mix((colours[head], sum(signs), len(signs)))
                sums[head] += whole
                for atom, sign in zip(body, signs, strict=True):
                    sums[abs(atom)] += _mix((whole, sign, _IN))
            for own, other, relation in self.links:
                sums[own] += _mix((colours[other], _code(relation), _TO))
                sums[other] += _mix((colours[own], _code(relation), _FROM))
            new = {atom: _mix((colour, sums[atom] % _PRIME)) for atom, colour in colours.items()}
            found = len(set(new.values()))
            if found == count:
                return new
            colours, count = new, found

    def find_mapping(self, left: Colours, right: Colours, tries: list[int]) -> dict[Atom, Atom] | None:
        """A symmetry that maps each atom to one whose right colour equals its left colour; None if none was found."""
        if Counter(left.values()) != Counter(right.values()):
            return None
        classes: dict[int, list[Atom]] = defaultdict(list)
        for atom, colour in right.items():
            classes[colour].append(atom)
        several = [colour for colour, atoms in classes.items() if len(atoms) > 1]
        if not several:
            found = {atom: classes[colour][0] for atom, colour in left.items()}
            return found if self._is_symmetry(found) else None
        chosen = min(several, key=lambda colour: (len(classes[colour]), colour))
        source = next(atom for atom, colour in left.items() if colour == chosen)
        marked = self.refine(_mark(left, source))
        # Fixed points are tried first: most of the game is not affected by one symmetry.
        for target in sorted(classes[chosen], key=lambda atom: atom != source):
            if tries[0] <= 0:
                return None
            tries[0] -= 1
            whole = self.find_mapping(marked, self.refine(_mark(right, target)), tries)
            if whole is not None:
                return whole
        return None

    def _is_symmetry(self, mapping: dict[Atom, Atom]) -> bool:
        for head, bodies in self.bodies.items():
            moved = Counter(
                {
                    tuple(sorted(mapping[atom] if atom > 0 else -mapping[-atom] for atom in body)): count
                    for body, count in bodies.items()
                }
            )
            if moved != self.bodies.get(mapping[head]):
                return False
        links = {(mapping[own], mapping[other], relation) for own, other, relation in self.links}
        return links == set(self.links) and all(
            sorted(tags) == sorted(self.tags.get(mapping[atom], ())) for atom, tags in self.tags.items()
        )


def _mix(parts: tuple[int, ...]) -> int:
    return hash(parts) % _PRIME


def _code(text: str) -> int:
    """A hash of a text, the same in every process, so that the search is reproducible."""
    return int.from_bytes(blake2b(text.encode(), digest_size=7).digest())


def _mark(colours: Colours, atom: Atom) -> Colours:
    return {**colours, atom: _mix((colours[atom], _MARK))}


def find_symmetries(program: GroundProgram, pulse: Callable[[], None] = lambda: None) -> Symmetries:
    """The fluents and moves of a game that are proved to be symmetric, as far as the budget goes."""
    rules = _Rules(program)
    exchanges: list[Exchange] = []
    orbit = {atom: atom for atom in (*program.fluents, *program.moves)}

    def find(atom: Atom) -> Atom:
        while orbit[atom] != atom:
            orbit[atom] = orbit[orbit[atom]]
            atom = orbit[atom]
        return atom

    try:
        colours = rules.refine(rules.first)
        for source, target in _pairs(colours, orbit, find):
            pulse()
            left, right = (rules.refine(_mark(colours, atom)) for atom in (source, target))
            mapping = rules.find_mapping(left, right, [MOST_TRIES])
            if mapping is None:
                continue
            exchanges.append(_exchange(program, mapping))
            for one, other in mapping.items():
                if one in orbit:
                    orbit[find(one)] = find(other)
    except _TooMuchWorkError:
        pass  # the symmetries found so far are valid
    return Symmetries(
        {term: find(atom) for atom, term in program.fluents.items()},
        {move: find(atom) for atom, move in program.moves.items()},
        tuple(exchanges),
    )


def are_roles_alike(game: CircuitRules, *, from_start: bool = False) -> bool:
    """Whether any role is proved to be able to take the place of any other; the initial state is left aside unless
    ``from_start`` says that it has to stay the same."""
    program = game.compilation.program
    with suppress(TooLargeError):
        program = ground(list(clauses(core_form(game.sheet).rules, game.sheet.source)), _PLAIN)
    roles = [game.role_terms[role] for role in game.roles]
    rules = _Rules(program, roles, from_start=from_start)
    alike = {roles[0]}
    try:
        colours = rules.refine(rules.first)
        while True:
            other = next((role for role in roles if role not in alike), None)
            if other is None:
                return True
            left, right = (rules.refine(_mark(colours, rules.roles[role])) for role in (roles[0], other))
            mapping = rules.find_mapping(left, right, [MOST_TRIES])
            if mapping is None:
                return False
            for role in list(alike):  # as often as it takes to come back
                place = mapping[rules.roles[role]]
                while place != rules.roles[role]:
                    alike.add(next(role for role, atom in rules.roles.items() if atom == place))
                    place = mapping[place]
    except _TooMuchWorkError:
        return False


def find_exchanges(game: CircuitRules, seconds: float = math.inf) -> tuple[Exchange, ...]:
    """Symmetries of a compiled game, found in its rules as written; none if that takes longer than ``seconds``.

    The compiler splits rules asymmetrically, such as a line of four into its left end and the rest; so the original
    rules are grounded again if they are few, and the compiler's ground rules are used otherwise.
    """
    budget = Budget(seconds)
    program = game.compilation.program
    with suppress(TooLargeError):
        limits = _PLAIN
        if seconds < _PLAIN.stretch * _PLAIN.seconds:  # no more time may pass, however busy the machine is
            limits = replace(_PLAIN, seconds=min(_PLAIN.seconds, seconds), stretch=1.0)
        program = ground(list(clauses(core_form(game.sheet).rules, game.sheet.source)), limits)
    try:
        found = find_symmetries(program, budget)
    except OutOfTimeError:
        return ()
    circuit = game.circuit
    fluents = set(circuit.fluents)
    moves = {(role, move) for role, own in zip(circuit.roles, circuit.moves, strict=True) for move, _, _ in own}
    return tuple(
        exchange for exchange in found.exchanges if fluents <= set(exchange.fluents) and moves <= set(exchange.moves)
    )


def _exchange(program: GroundProgram, mapping: dict[Atom, Atom]) -> Exchange:
    return Exchange(
        {term: program.fluents[mapping[atom]] for atom, term in program.fluents.items()},
        {move: program.moves[mapping[atom]] for atom, move in program.moves.items()},
    )


def _pairs(colours: Colours, orbit: Iterable[Atom], find: Callable[[Atom], Atom]) -> Iterator[tuple[Atom, Atom]]:
    """Yield pairs of atoms of one colour that are not known to be symmetric by then."""
    classes: dict[int, list[Atom]] = defaultdict(list)
    for atom in list(orbit):
        classes[colours[atom]].append(atom)
    for atoms in classes.values():
        for atom in atoms[1:]:
            if find(atom) != find(atoms[0]):
                yield atoms[0], atom

"""Stage 2b: factors the rules about moves, using that each role makes exactly one move.

An atom that depends on moves becomes a list of *effects*: one of these moves of this role is done, and this holds in
the state. Sets of moves are computed here, where the rules build them from each other, so that a set that leaves out
few moves is known as such. Then atoms share conditions. ``next(location x y piece)`` holds if some move to x y starts
where the piece stands: one condition for each pair of squares and each piece. But only one move is done, so "the move
goes to x y" and "this is the piece that moves" are separate, and the second is the same for all squares.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ludens.compiler.ground.flat_rules import Atom, Body, FlatRules
from ludens.compiler.ground.grounder import GroundProgram
from ludens.gdl.terms import Term

_INLINED = 4
"""Atoms with no more effects than this are replaced by their effects where they are used."""

_MOST_TRIED = 8
"""So many classes are tried for an atom; one that fits is among the first if there is one."""

MoveSet = int
"""Moves of one role, a bit for each."""


class Effect(NamedTuple):
    """One of these moves is done by this role, and the rest holds."""

    role: int
    moves: MoveSet
    rest: Body


@dataclass(frozen=True)
class MoveRules:
    """The rules that depend on moves."""

    moves: tuple[tuple[Atom, ...], ...]
    """For each role its moves, in the order of the bits of a `MoveSet`."""
    effects: dict[Atom, list[Effect]]
    """For atoms that depend on moves the ways in which one move makes them true."""
    bodies: dict[Atom, list[Body]]
    """For the same atoms the bodies that are no effects."""
    rules: FlatRules
    """The rules of all atoms, as they were."""
    used: list[Atom]
    """The atoms that the wanted ones need, in the order of the rules."""


def factor(program: GroundProgram, roles: Sequence[Term]) -> MoveRules:
    """The ground rules with effects of moves separated and factored."""
    factoring = _Factoring(program, roles)
    factoring.find_effects()
    factoring.drop_unused(program.named.values())
    factoring.share_conditions()
    return MoveRules(factoring.moves, factoring.effects, factoring.bodies, factoring.rules, factoring.used)


_Form = dict[tuple[int, Body], MoveSet]
"""Effects by role and rest."""
_Parts = list[tuple[tuple[int, Body], MoveSet]]
"""Effects as items of a form."""

_Condition = int
"""The number of alternatives, each a conjunction about the state: what must hold for a move to have an effect."""


@dataclass
class _Class:
    """Atoms that hold if one of their own moves is done and its condition, the same for all of them, holds."""

    role: int
    conditions: dict[int, _Condition] = field(default_factory=dict)
    """The condition of each move."""
    different: set[_Condition] = field(default_factory=set)
    """All conditions, each once."""
    members: list[Atom] = field(default_factory=list)
    saving: int = 0
    """About how many effects fewer there are with the class."""

    def admits(self, conditions: Mapping[int, _Condition]) -> bool:
        known = self.conditions
        return all(known.get(move, condition) == condition for move, condition in conditions.items())

    def add(self, atom: Atom, conditions: Mapping[int, _Condition], different: set[_Condition]) -> None:
        self.members.append(atom)
        self.conditions |= conditions
        self.saving += len(different) - 1 - len(different - self.different)
        self.different |= different


class _Factoring:
    def __init__(self, program: GroundProgram, roles: Sequence[Term]) -> None:
        by_role: list[list[Atom]] = [[] for _ in roles]
        number = {role: n for n, role in enumerate(roles)}
        for atom, (role, _) in program.moves.items():
            if role in number:
                by_role[number[role]].append(atom)
        self.moves = tuple(tuple(atoms) for atoms in by_role)
        self.everything = [(1 << len(atoms)) - 1 for atoms in by_role]
        self.effects: dict[Atom, list[Effect]] = {}
        self.bodies: dict[Atom, list[Body]] = {}
        self.rules = FlatRules.of(program.rules)
        self.used: list[Atom] = []
        self.next_atom = 1 + max([self.rules.atoms, *program.moves, *program.fluents, *program.named.values()])
        self.forms: dict[Atom, _Form] = {
            atom: {(role, ()): 1 << n} for role, atoms in enumerate(self.moves) for n, atom in enumerate(atoms)
        }
        """Atoms that are nothing but effects of moves, and negations of such."""
        self.depends: set[Atom] = set(program.moves)
        """Atoms that depend on moves."""
        self.members: dict[MoveSet, tuple[int, ...]] = {}
        """Sets of moves as lists."""
        self.rests: dict[Body, int] = {}
        """The numbers of what effects need of the state."""
        self.conditions: dict[tuple[int, ...], _Condition] = {}
        """The numbers of conditions, by the numbers of their alternatives."""

    def find_effects(self) -> None:
        """Sort the bodies of every atom that depends on moves into effects and others."""
        order, depending = self.rules.order(self.rules.heads, self.depends)
        self.depends |= depending
        for component, is_loop in order.components():
            if not is_loop and component[0] in depending:
                self._sort_bodies(component[0])

    def _sort_bodies(self, atom: Atom) -> None:
        form: _Form = defaultdict(int)
        others = []
        for body in self.rules[atom]:
            found = self._effects_of(body)
            if found is None:
                others.append(body)
            else:
                for of, moves in found:
                    form[of] |= moves
        self.bodies[atom] = others
        self.effects[atom] = [Effect(role, moves, rest) for (role, rest), moves in form.items()]
        if not others and (len(form) <= _INLINED or all(not rest for _, rest in form)):
            self.forms[atom] = dict(form)

    def _effects_of(self, body: Body) -> _Parts | None:
        """A body as effects of single moves; None if it is none, such as one about two roles' moves."""
        rest = []
        found: _Parts | None = None
        for signed in body:
            if abs(signed) not in self.depends:
                rest.append(signed)
                continue
            form = self.forms.get(signed)
            if form is None:
                form = self._negate(signed)
            if form is None:
                return None
            found = list(form.items()) if found is None else self._combine(found, form)
            if found is None:
                return None
        if found is None:
            return None
        state = tuple(sorted(rest))
        return [((role, tuple(sorted({*rest, *more})) if more else state), moves) for (role, more), moves in found]

    def _negate(self, signed: int) -> _Form | None:
        """The effects of the negation of an atom that holds if one of some moves is done; None if it is no such."""
        form = self.forms.get(-signed, {}) if signed < 0 else {}
        if len(form) != 1:
            return None
        (((role, rest), moves),) = form.items()
        if rest:
            return None
        found = self.forms[signed] = {(role, ()): self.everything[role] & ~moves}
        return found

    @staticmethod
    def _combine(found: _Parts, form: _Form) -> _Parts | None:
        """The conjunction of effects, of which there must be few and of one role."""
        if len({role for (role, _), _ in found} | {role for role, _ in form}) > 1 or len(found) * len(form) > _INLINED:
            return None
        both = [
            ((role, (*rest, *more)), moves & others)
            for (role, rest), moves in found
            for (_, more), others in form.items()
        ]
        return [part for part in both if part[1]]

    def drop_unused(self, wanted: Iterable[Atom]) -> None:
        """Drop unused atoms."""
        needs = {
            atom: [*bodies, *(effect.rest for effect in self.effects[atom])] for atom, bodies in self.bodies.items()
        }
        order, _ = self.rules.with_rules(needs).order(np.array(list(wanted), np.int32))
        used = set(order.atoms.tolist())
        self.used = [atom for atom in self.rules if atom in used]
        self.bodies = {atom: bodies for atom, bodies in self.bodies.items() if atom in used}
        self.effects = {atom: effects for atom, effects in self.effects.items() if atom in used}

    def share_conditions(self) -> None:
        """Find classes of atoms with the same conditions, and define their members by these."""
        classes: list[_Class] = []
        by_condition: dict[tuple[int, _Condition], list[_Class]] = defaultdict(list)
        for atom in self.effects:
            for role, conditions in enumerate(self._conditions(atom)):
                different = set(conditions.values())
                if len(different) > 1:
                    each = _class_for(role, conditions, by_condition)
                    if each is None:
                        each = _Class(role)
                        classes.append(each)
                    for condition in different - each.different:
                        by_condition[role, condition].append(each)
                    each.add(atom, conditions, different)
        rests = list(self.rests)
        alternatives = [sorted(map(rests.__getitem__, numbers)) for numbers in self.conditions]
        for each in classes:
            if len(each.members) > 1 and each.saving > 0:
                self._define(each, alternatives)

    def _conditions(self, atom: Atom) -> list[dict[int, _Condition]]:
        """For each role the condition of each move that can make an atom true, without those almost every move has."""
        found: list[dict[int, list[int]]] = [defaultdict(list) for _ in self.moves]
        for effect in self.effects[atom]:
            if self._is_special(effect):
                alternatives = found[effect.role]
                number = self.rests.setdefault(effect.rest, len(self.rests))
                for move in self._members(effect.moves):
                    alternatives[move].append(number)
        known = self.conditions
        return [
            {move: known.setdefault(tuple(sorted(numbers)), len(known)) for move, numbers in of_role.items()}
            for of_role in found
        ]

    def _members(self, moves: MoveSet) -> tuple[int, ...]:
        """The moves of a set, cached, since few sets are used often."""
        found = self.members.get(moves)
        if found is None:
            digits = bin(moves)[:1:-1]
            found = self.members[moves] = tuple(match.start() for match in re.finditer("1", digits))
        return found

    def _is_special(self, effect: Effect) -> bool:
        """Whether an effect has a condition and few moves."""
        return bool(effect.rest) and 4 * effect.moves.bit_count() < len(self.moves[effect.role])

    def _define(self, each: _Class, alternatives: Sequence[Sequence[Body]]) -> None:
        """Define an atom for a class's conditions, by their alternatives, and the members by it."""
        sets: dict[_Condition, MoveSet] = defaultdict(int)
        for move, condition in each.conditions.items():
            sets[condition] |= 1 << move
        common = self.next_atom
        self.next_atom += 1
        self.bodies[common] = []
        self.used.append(common)
        self.effects[common] = [
            Effect(each.role, moves, rest) for condition, moves in sets.items() for rest in alternatives[condition]
        ]
        for atom in each.members:
            moves, left = 0, []
            for effect in self.effects[atom]:
                if effect.role == each.role and self._is_special(effect):
                    moves |= effect.moves
                else:
                    left.append(effect)
            self.effects[atom] = [*left, Effect(each.role, moves, (common,))]


def _class_for(
    role: int, conditions: Mapping[int, _Condition], by_condition: Mapping[tuple[int, _Condition], Iterable[_Class]]
) -> _Class | None:
    """A class that has some of the conditions and contradicts none."""
    tried: set[int] = set()
    for condition in dict.fromkeys(conditions.values()):
        for each in by_condition[role, condition]:
            if id(each) not in tried:
                tried.add(id(each))
                if each.admits(conditions):
                    return each
                if len(tried) == _MOST_TRIED:
                    return None
    return None

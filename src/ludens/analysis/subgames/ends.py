"""The ground rules of goals and the end, with the rule sheet's own names.

The circuit no longer contains the author's relations, but they decide what may span several subgames: only the rules of
``goal`` and ``terminal`` themselves. A helper such as ``line`` that joins fluents makes them one subgame.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from ludens.analysis.budget import Budget, Pulse, no_pulse, watch
from ludens.analysis.gates.supports import Bits, bits_of
from ludens.compiler.ground.clingo_tape import Limits, heads, run_grounder
from ludens.compiler.ground.grounder import UNGUARDED, Names, translate
from ludens.compiler.ground.limits import run_guarded
from ludens.compiler.rules.domains import Domains
from ludens.gdl.logic.clauses import Clause
from ludens.gdl.logic.strata import Signature, components
from ludens.gdl.terms import Term, signature

LIMITS = Limits(seconds=10.0, rules=400_000, memory=2 << 30)

Atom = int
"""The number of a ground atom; negative in a body if it must not hold."""


class Reading(StrEnum):
    """Which literals are local concepts, since the paper's definition fits all that depend on one component."""

    FIRST = "first"
    """The first on each path down, such as ``terminal1``."""
    INSIDE = "inside"
    """Those inside a helper that is a disjunction, such as ``(line1 x)``, ``(line1 o)`` and ``(not open1)``."""


@dataclass
class EndRules:
    """The ground rules of goals and the end."""

    rules: dict[Atom, list[tuple[int, ...]]] = field(default_factory=lambda: defaultdict(list))
    """The bodies that derive each atom."""
    names: dict[Atom, Term] = field(default_factory=dict)
    """Atoms as the rule sheet writes them."""
    fluents: dict[Atom, int] = field(default_factory=dict)
    """The number of the fluent that an atom ``true`` stands for."""
    goals: dict[tuple[Term, Term], Atom] = field(default_factory=dict)
    """By role and value; 0 where the goal always holds."""
    terminal: Atom | None = None
    """0 if it always holds, None if never."""
    pulse: Pulse = no_pulse
    """Called often during computation; may raise to stop."""

    @property
    def ends(self) -> set[Atom]:
        """The atoms of goals and the end: their own rules may span subgames."""
        return {atom for atom in (*self.goals.values(), self.terminal) if atom}

    @cached_property
    def supports(self) -> dict[Atom, Bits]:
        """The fluents that each atom depends on."""
        found: dict[Atom, Bits] = {atom: 1 << number for atom, number in self.fluents.items()}
        changed = True
        while changed:
            changed = False
            for head, bodies in watch(self.rules.items(), self.pulse):
                before = found.get(head, 0)
                after = before
                for body in bodies:
                    for atom in body:
                        after |= found.get(abs(atom), 0)
                if after != before:
                    found[head], changed = after, True
        return found

    def find_joined(self, ignored: Bits) -> Iterator[Bits]:
        """Yield sets of fluents that a helper's rule joins into one subgame.

        A helper that is only a disjunction joins nothing: it names a part of the top level.
        """
        supports = self.supports
        ends = self.ends
        for head, bodies in watch(self.rules.items(), self.pulse):
            if head in ends:
                continue
            for body in bodies:
                parts = [bits for atom in body if (bits := supports.get(abs(atom), 0) & ~ignored)]
                if len(parts) > 1:
                    yield _union(parts)

    def concepts(
        self, starts: Iterable[Atom], masks: Sequence[Bits], reading: Reading = Reading.FIRST
    ) -> dict[int, set[int]]:
        """The local concepts below atoms of goals or the end, for components given by their fluents.

        As in the paper: ground literals that depend on one component only; ``reading`` says which of those on a path
        down. An atom counts as negative after an odd number of negations.
        """
        supports = self.supports
        ends = self.ends
        found: dict[int, set[int]] = defaultdict(set)
        seen: set[int] = set()
        stack = [(atom, True) for atom in starts]
        while stack:
            atom, positive = stack.pop()
            signed = atom if positive else -atom
            if signed in seen:
                continue
            seen.add(signed)
            bits = supports.get(atom, 0)
            place = next((n for n, mask in enumerate(masks) if bits and not bits & ~mask), None)
            opened = reading is Reading.INSIDE and positive and self._is_disjunction(atom)
            if place is not None and atom not in ends and not opened:
                found[place].add(signed)
                continue
            for body in self.rules.get(atom, ()):
                stack += [(abs(other), positive == (other > 0)) for other in body]
        return found

    def _is_disjunction(self, atom: Atom) -> bool:
        """Whether an atom is derived by several rules of one condition each."""
        bodies = self.rules.get(atom, ())
        return len(bodies) > 1 and all(len(body) == 1 for body in bodies)

    def holding_states(self, fluents: Mapping[int, Bits], everything: Bits) -> dict[Atom, Bits]:
        """For each atom the states, as bits, in which it holds, given those in which fluents hold.

        Fluents that are not given count as false.
        """
        found = {atom: fluents.get(number, 0) for atom, number in self.fluents.items()}
        needs = {atom: [abs(other) for body in bodies for other in body] for atom, bodies in self.rules.items()}
        for group in components(self.rules, lambda atom: [other for other in needs[atom] if other in self.rules]):
            while True:
                before = [found.get(atom, 0) for atom in group]
                for atom in group:
                    found[atom] = self._derive(self.rules[atom], found, everything)
                if before == [found[atom] for atom in group]:
                    break
        return found

    @staticmethod
    def _derive(bodies: Sequence[tuple[int, ...]], known: Mapping[Atom, Bits], everything: Bits) -> Bits:
        derived = 0
        for body in bodies:
            states = everything
            for atom in body:
                states &= known.get(atom, 0) if atom > 0 else everything ^ known.get(-atom, 0)
            derived |= states
        return derived

    def assume(self, values: Mapping[int, bool]) -> EndRules:
        """The rules that are left if some fluents, by number, have known values."""
        known = {atom: values[number] for atom, number in self.fluents.items() if number in values}
        rules = dict(self.rules)
        while True:
            before = len(known)
            for head, bodies in watch(list(rules.items()), self.pulse):
                left = [
                    tuple(atom for atom in body if abs(atom) not in known)
                    for body in bodies
                    if all(known.get(abs(atom), atom > 0) == (atom > 0) for atom in body)
                ]
                if not left or not all(left):
                    known[head] = bool(left)
                    del rules[head]
                else:
                    rules[head] = left
            if len(known) == before:
                break
        return EndRules(
            defaultdict(list, rules),
            {atom: name for atom, name in self.names.items() if atom not in known},
            {atom: number for atom, number in self.fluents.items() if atom not in known},
            {key: 0 if atom in known else atom for key, atom in self.goals.items() if known.get(atom, True)},
            None if known.get(self.terminal or 0) is False else 0 if self.terminal in known else self.terminal,
            self.pulse,
        )

    def meeting_groups(self, groups: Sequence[Bits]) -> set[Bits]:
        """The sets of groups, by index, that meet in one rule of a goal or the end."""
        supports = self.supports
        found = set()
        for head in self.ends:
            for body in self.rules.get(head, ()):
                bits = _union(supports.get(abs(atom), 0) for atom in body)
                meeting = bits_of(place for place, group in enumerate(groups) if group & bits)
                if meeting.bit_count() > 1:
                    found.add(meeting)
        return found


def _union(parts: Iterable[Bits]) -> Bits:
    found = 0
    for bits in parts:
        found |= bits
    return found


def ground_ends(clauses: Sequence[Clause], fluents: Sequence[Term], budget: Budget) -> EndRules | None:
    """The ground rules of goals and the end over all values of the fluents; None if there are too many, or if grounding
    takes more than half of the time that is left."""
    needed = list(_relevant_clauses(clauses))
    names = Names()
    given = [Clause(("init", fluent), (), (), (), clauses[0].span) for fluent in fluents]
    text = "\n".join(translate([*needed, *given], names, watched={}))
    kinds = {names.relation(clause.head): signature(clause.head) for clause in needed}
    asked = [("true", 1), *kinds]
    run = run_grounder if Domains([*needed, *given]).join_bound(needed) <= UNGUARDED else run_guarded
    limits = LIMITS
    if budget.left / 2 < LIMITS.stretch * LIMITS.seconds:  # no more time may pass, however busy the machine is
        limits = replace(LIMITS, seconds=min(LIMITS.seconds, max(0.01, budget.left / 2)), stretch=1.0)
    found = run(text, asked, limits, blame=False)
    if found.outcome != "done":
        return None
    result = EndRules(pulse=budget)
    words = found.words.tolist()
    start = 0
    for head in watch(heads(words), budget):
        end = start + 2 + words[start + 1]
        if head > 0:
            result.rules[head].append(tuple(words[start + 2 : end]))
        start = end
    number_of = {fluent: n for n, fluent in enumerate(fluents)}
    for name, arity in asked:
        for atom_text, atom, is_fact in watch(found.atoms[name], budget):
            parts = tuple(names.read(atom_text))
            if len(parts) == arity:
                _add_atom(result, kinds.get((name, arity), ("true", 1)), parts, 0 if is_fact else atom, number_of)
    return result


def _add_atom(
    result: EndRules, sign: Signature, parts: tuple[Term, ...], atom: Atom, number_of: dict[Term, int]
) -> None:
    if sign == ("true", 1):
        result.fluents[atom] = number_of[parts[0]]
    elif sign == ("goal", 2):
        result.goals[parts[0], parts[1]] = atom
    elif sign == ("terminal", 0):
        result.terminal = atom
    if atom:
        result.names[atom] = (sign[0], *parts) if parts else sign[0]


def _relevant_clauses(clauses: Sequence[Clause]) -> Iterator[Clause]:
    """The clauses from which goals and the end are derived."""
    by_relation: dict[Signature, list[Clause]] = defaultdict(list)
    for clause in clauses:
        by_relation[signature(clause.head)].append(clause)
    waiting: list[Signature] = [("goal", 2), ("terminal", 0)]
    seen = set(waiting)
    while waiting:
        for clause in by_relation[waiting.pop()]:
            yield clause
            for atom in (*clause.positive, *clause.negative):
                if signature(atom) not in seen and signature(atom) not in {("true", 1), ("does", 2)}:
                    seen.add(signature(atom))
                    waiting.append(signature(atom))

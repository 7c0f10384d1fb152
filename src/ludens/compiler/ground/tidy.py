"""Stage 2a: ground rules without demands, and one atom in place of those that are defined alike.

Rules over many arguments have instances that differ in nothing that matters. Atoms whose rules are the same are the
same, and so are those that are built from them; an atom that is defined as another is that other one. It is cheaper to
find out here, one atom after the other, than in the circuit, gate by gate.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

Atom = int
"""The number of a ground atom."""
Body = tuple[int, ...]
"""A conjunction: atoms that must hold, and negative numbers of those that must not."""

FACT: Atom = 0
"""Represents all atoms that are always true."""
_NEVER = 1 << 62
"""Represents the negations of all atoms that are always true."""


class Tidier:
    """Takes rules, and remembers which atoms are equal to which."""

    def __init__(self, fixed: Set[Atom], true: Iterable[Atom]) -> None:
        self._fixed = fixed
        """Atoms that the rules do not define alone: fluents and moves."""
        self._same: dict[int, int] = {}
        """What atoms are equal to, and, so that bodies are looked up as they are, what their negations are."""
        for atom in true:
            self._equate(atom, FACT)

    def _equate(self, atom: Atom, other: Atom) -> None:
        self._same[atom] = other
        self._same[-atom] = _NEVER if other == FACT else -other

    def of(self, atom: Atom) -> Atom:
        """The atom that an atom is equal to."""
        while (other := self._same.get(atom)) is not None:
            atom = other
        return atom

    def tidy(self, rules: dict[Atom, list[Body]]) -> dict[Atom, list[Body]]:
        """The rules of those atoms that are equal to no other."""
        kept: dict[Atom, list[Body]] = {}
        known: dict[frozenset[Body], Atom] = {}
        for head, bodies in rules.items():
            if head in self._fixed:
                kept[head] = bodies
            elif head not in self._same:
                short = self._bodies(head, bodies)
                form = frozenset(short)
                equal = self.of(_only_atom(form) or known.setdefault(form, head))
                if () in form:
                    self._equate(head, FACT)
                elif equal != head:
                    self._equate(head, equal)
                else:
                    kept[head] = short
        # Rules can come before those of the atoms they mention.
        return {head: self._simplify(head, bodies) for head, bodies in kept.items()}

    def _simplify(self, head: Atom, bodies: list[Body]) -> list[Body]:
        """The bodies that matter in terms of the atoms that are left."""
        while not all(map(self._same.keys().isdisjoint, bodies)):
            bodies = self._bodies(head, bodies)
        return bodies

    def _bodies(self, head: Atom, bodies: list[Body]) -> list[Body]:
        """The bodies that matter, one step nearer to the atoms that are left."""
        get = self._same.get
        short: dict[Body, None] = {}
        for body in bodies:
            found = set(map(get, body, body))
            if _NEVER not in found and head not in found:
                found.discard(FACT)
                short[tuple(sorted(found))] = None
        return list(short)


def _only_atom(form: frozenset[Body]) -> Atom | None:
    """The atom that an atom with these bodies is equal to, if they are just that atom."""
    if len(form) != 1:
        return None
    (body,) = form
    return body[0] if len(body) == 1 and body[0] > 0 else None

"""Stage 2a: ground rules without demands, and one atom in place of those that are defined alike.

Rules over many arguments have instances that differ in nothing that matters. Atoms whose rules are the same are the
same, and so are those that are built from them; an atom that is defined as another is that other one. It is cheaper to
find out here, one atom after the other, than in the circuit, gate by gate.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ludens.compiler.ground.flat_rules import Atom, FlatRules
from ludens.compiler.passes.library import ADDRESS, COUNT, Ints, allocating_function

FACT: Atom = 0
"""Represents all atoms that are always true."""
_ITSELF = -1

_tidy = allocating_function("tidy", COUNT, ADDRESS, COUNT, COUNT, *[ADDRESS] * 6)


class TidyRules:
    """The rules on a tape, without those of atoms that are equal to others."""

    def __init__(self, tape: Ints, true: Iterable[Atom] = ()) -> None:
        """Of atoms whose rules leave something to choose, others are left alone. The tape is used up."""
        true = [*true]
        atoms = 1 + max(int(np.abs(tape).max(initial=0)), *true, 0)
        self._same = np.full(atoms, _ITSELF, np.int32)
        """What atoms are equal to."""
        self._same[true] = FACT
        is_choice = np.zeros(atoms, np.bool_)
        heads, words = np.empty(atoms, np.int32), np.empty(len(tape), np.int32)
        ends, bodies = np.empty(atoms, np.int64), np.zeros(len(tape) // 2 + 1, np.int64)
        places = (part.ctypes.data for part in (self._same, is_choice, heads, ends, bodies[1:], words))
        count = _tidy(tape.ctypes.data, len(tape), atoms, *places)
        self.choices = set(np.flatnonzero(is_choice).tolist())
        """The fluents and moves."""
        ends = ends[:count].copy()
        bodies = bodies[: 1 + (int(ends[-1]) if count else 0)].copy()
        self.rules = FlatRules(heads[:count].copy(), ends, bodies, words[: bodies[-1]].copy())

    def equal(self, atom: Atom) -> Atom:
        """The atom that an atom is equal to."""
        while atom and (other := int(self._same[atom])) != _ITSELF:
            atom = other
        return atom

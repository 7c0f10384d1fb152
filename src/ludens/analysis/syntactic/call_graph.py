"""Call graphs: all atoms that a formula leads to, as the paper defines them.

The least set of atoms that contains those of the formula and those of every rule whose head matches an atom in it;
every ``does`` counts as ``legal``, since only legal moves are made. Some variables are tracked: where they are passed
on unchanged, the atoms below show the same variable.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from ludens.analysis.budget import Pulse, no_pulse
from ludens.core import GameError
from ludens.gdl.logic.clauses import Clause
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import Term, Variable, arguments, rename, signature, substitute, unify, variables

MOST_ATOMS = 3_000


class CallGraphs:
    """Computes call graphs over the rules of a rule sheet."""

    def __init__(self, clauses: Sequence[Clause], pulse: Pulse = no_pulse) -> None:
        self._pulse = pulse
        self._clauses: dict[Signature, list[Clause]] = defaultdict(list)
        for clause in clauses:
            # No name contains a blank, so a rule's variables differ from those of the calling atom.
            self._clauses[signature(clause.head)].append(
                Clause(
                    rename(clause.head, " "),
                    tuple(rename(atom, " ") for atom in clause.positive),
                    tuple(rename(atom, " ") for atom in clause.negative),
                    (),
                    clause.span,
                )
            )

    def of(self, atoms: Iterable[Term], tracked: Iterable[Variable] = ()) -> set[Term]:
        """The call graph of some atoms. Raises `GameError` if it grows too large."""
        return set(self.walk(atoms, tracked))

    def walk(self, atoms: Iterable[Term], tracked: Iterable[Variable] = ()) -> Iterator[Term]:
        """Yield the atoms of a call graph, each once. Raises `GameError` if it grows too large."""
        kept = set(tracked)
        found: set[Term] = set()
        waiting = [_general(_legal(atom), kept) for atom in atoms]
        while waiting:
            atom = waiting.pop()
            if atom in found:
                continue
            self._pulse()
            found.add(atom)
            yield atom
            if len(found) > MOST_ATOMS:
                raise GameError("the rules lead to too many atoms")
            for clause in self._clauses.get(signature(atom), ()):
                match = unify(clause.head, atom)
                if match is not None:
                    for other in (*clause.positive, *clause.negative):
                        waiting.append(_general(_legal(substitute(other, match)), kept))


def _legal(atom: Term) -> Term:
    return ("legal", *arguments(atom)) if signature(atom) == ("does", 2) else atom


def _general(atom: Term, kept: set[Variable]) -> Term:
    """The atom with all untracked variables renamed by their order, so that there are few different atoms."""
    names: dict[Variable, Term] = {}
    for variable in variables(atom):
        if variable not in kept:
            names.setdefault(variable, Variable(f"*{len(names)}"))

    def term(old: Term) -> Term:
        if isinstance(old, Variable):
            return names.get(old, old)
        return (old[0], *map(term, old[1:])) if isinstance(old, tuple) else old

    return term(atom)

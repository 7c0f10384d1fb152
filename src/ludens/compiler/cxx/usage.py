"""A profile of a game from sampled states: sizes of relations and frequencies of queries.

A profile is a JSON text, so that it can be reused or inspected.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ludens.compiler.cxx.flatten import Predicate, column
from ludens.compiler.cxx.prepare import Prepared
from ludens.core import GameError, random_joint_move
from ludens.gdl.logic.relation_graph import MOVE, STATIC
from ludens.gdl.logic.strata import Signature
from ludens.gdl.reasoner.program import BudgetError
from ludens.gdl.reference import ReferenceState
from ludens.gdl.terms import Term, Variable, arguments, unify

PATIENCE = 2.0
"""Extra seconds of sampling to finish a state."""
FORMAT = 1
"""The version of the file format."""


@dataclass(frozen=True, slots=True)
class RelationProfile:
    """How large a flat relation is in a state, on average."""

    rows: float
    distinct: tuple[float, ...]
    """Different terms in each column."""


@dataclass(frozen=True, slots=True)
class QueryProfile:
    """How a query was used while states were played out."""

    calls: int
    misses: int
    """Calls with arguments that had not been asked before in the same state."""
    answers: int
    """Answers found for the misses."""
    work: int
    """Queries and scans started for the misses, those below them included."""


@dataclass
class Profile:
    """Measurements by relation (``name/arity``) and by query (``name/arity pattern``)."""

    states: int = 0
    relations: dict[str, RelationProfile] = field(default_factory=dict)
    queries: dict[str, QueryProfile] = field(default_factory=dict)

    def as_json(self) -> str:
        """The text of the profile's file."""
        value = {
            "format": FORMAT,
            "states": self.states,
            "relations": {
                name: {"rows": round(relation.rows, 3), "distinct": [round(count, 3) for count in relation.distinct]}
                for name, relation in sorted(self.relations.items())
            },
            "queries": {
                name: {"calls": q.calls, "misses": q.misses, "answers": q.answers, "work": q.work}
                for name, q in sorted(self.queries.items())
            },
        }
        return json.dumps(value, indent=1, ensure_ascii=True) + "\n"


def relation_key(sign: Signature) -> str:
    """The name of a flat relation in a profile."""
    return f"{sign[0]}/{sign[1]}"


def read_profile(path: Path) -> Profile:
    """The profile in a file. Raises `GameError` if it is not one."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        if value["format"] != FORMAT:
            raise GameError(f"{path} is a profile of another version; delete it to measure a new one")
        return Profile(
            int(value["states"]),
            {str(name): _relation(relation) for name, relation in value["relations"].items()},
            {
                str(name): QueryProfile(*(int(relation[key]) for key in ("calls", "misses", "answers", "work")))
                for name, relation in value["queries"].items()
            },
        )
    except OSError as error:
        raise GameError(f"cannot read the profile {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise GameError(f"{path} is not a profile; delete it to measure a new one") from None


def _relation(value: dict[str, Any]) -> RelationProfile:
    return RelationProfile(float(value["rows"]), tuple(float(count) for count in value["distinct"]))


def sample_relations(prepared: Prepared, seconds: float = 1.0, states: int = 60, seed: int = 0) -> Profile:
    """Measure relations in states of random playouts, with the reference reasoner, for about a number of seconds."""
    rng = Random(seed)
    due = time.monotonic() + seconds
    totals: dict[Signature, list[float]] = defaultdict(list)
    forms = {s: p for s, p in prepared.predicates.items() if STATIC < prepared.phases[s] < MOVE}
    count = 0
    try:
        state = prepared.reference.initial_state()
        while count < states and (count == 0 or time.monotonic() < due):
            _measure(state, forms, totals, due)
            count += 1
            joint_move = random_joint_move(state, rng)
            if state.is_terminal or len(joint_move) < len(prepared.reference.roles):
                state = prepared.reference.initial_state()
            else:
                following = state.sample(joint_move, rng)
                assert isinstance(following, ReferenceState)
                state = following
    except BudgetError:
        pass  # the measurements so far must suffice
    measured = {
        relation_key(sign): RelationProfile(sums[0] / sums[-1], tuple(total / sums[-1] for total in sums[1:-1]))
        for sign, sums in totals.items()
    }
    return Profile(count, measured)


def _measure(
    state: ReferenceState, forms: dict[Signature, Predicate], totals: dict[Signature, list[float]], due: float
) -> None:
    """Add the sizes of all relations of a state: rows, distinct terms in each column, and a one to divide by. Stops
    at the deadline, since very large rule sheets have thousands of relations."""
    by_relation: dict[tuple[str, int], list[Signature]] = defaultdict(list)
    for sign, predicate in forms.items():
        by_relation[predicate.relation, len(predicate.template)].append(sign)
    for relation, signs in by_relation.items():
        facts = state.relation(relation) if time.monotonic() < due + PATIENCE else None
        if facts is None:
            continue
        columns = {sign: [set[Term]() for _ in range(sign[1])] for sign in signs}
        rows = dict.fromkeys(signs, 0)
        for fact in facts:
            flat = flat_row(fact, signs, forms)
            if flat is not None:
                sign, row = flat
                rows[sign] += 1
                for values, term in zip(columns[sign], row, strict=True):
                    values.add(term)
        for sign in signs:
            sums = totals.setdefault(sign, [0.0] * (sign[1] + 2))
            for position, value in enumerate((rows[sign], *map(len, columns[sign]), 1)):
                sums[position] += value


def flat_row(
    fact: Term, signs: list[Signature], forms: dict[Signature, Predicate]
) -> tuple[Signature, tuple[Term, ...]] | None:
    """The flat relation and the columns of a fact: the most specific form that fits."""
    best: tuple[int, Signature, tuple[Term, ...]] | None = None
    for sign in signs:
        values = _match(forms[sign].template, arguments(fact))
        if values is not None:
            row = tuple(values[column(number)] for number in range(sign[1]))
            depth = len(forms[sign].suffix) + len(sign[0])
            atoms = sum(isinstance(term, str) for term in row)
            if best is None or (atoms - sign[1], depth) > (best[0], len(best[1][0]) + len(forms[best[1]].suffix)):
                best = (atoms - sign[1], sign, row)
    return None if best is None else best[1:]


def _match(template: tuple[Term, ...], terms: tuple[Term, ...]) -> dict[Variable, Term] | None:
    return unify(("", *template), ("", *terms))

"""The fields of a position: groups of facts of which at most one is true, such as the contents of a square.

The rules do not declare them. They are what holds in all positions of some random matches.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from random import Random
from time import thread_time

from ludens.core import GameError, random_joint_move
from ludens.gdl.game import GdlGame
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import Term, arguments, functor, signature, sort_key
from ludens.gdl.write import kif

_SAMPLE_STATES = 400
_SAMPLE_SECONDS = 3.0
"""Of CPU time: what can be played must not depend on how busy the machine is."""

Facts = frozenset[Term]
_Key = Callable[[Term], Hashable]


@dataclass(frozen=True, slots=True)
class Field:
    """Facts of one fluent of which at most one is true."""

    name: str
    """The fluent and the arguments that its facts have in common: ``cell 1 1``."""
    facts: tuple[Term, ...]
    values: tuple[str, ...]
    """The other arguments of each fact: ``white pawn``."""
    is_needed: bool
    """True if one of the facts was true in every position."""
    spot: str = ""
    """The place on the drawing; empty for facts that lie on no place."""

    @property
    def options(self) -> list[tuple[Term, str]]:
        """The facts with their values."""
        return list(zip(self.facts, self.values, strict=True))

    @property
    def fluent(self) -> str:
        """The name of the fluent."""
        return functor(self.facts[0])


def sample_positions(game: GdlGame) -> list[Facts]:
    """The facts of positions of some random matches, the initial position first."""
    rng, until = Random(0), thread_time() + _SAMPLE_SECONDS
    state = game.initial_state()
    found = [state.facts]
    try:
        while len(found) < _SAMPLE_STATES and thread_time() < until:
            joint_move = {} if state.is_terminal else random_joint_move(state, rng)
            if not joint_move and len(found) == 1:
                break
            state = state.sample(joint_move, rng) if joint_move else game.initial_state()
            found.append(state.facts)
    except GameError:  # the rules have errors; what was found is enough to look at them
        pass
    return found


def find_fields(facts: Iterable[Term], spots: Mapping[Term, str], positions: Sequence[Facts]) -> list[Field]:
    """The fields of some facts; ``spots`` are the places of those that lie on one."""
    groups: dict[tuple[Signature, bool], list[Term]] = defaultdict(list)
    for fact in sorted(facts, key=sort_key):
        groups[signature(fact), fact in spots].append(fact)
    return [
        field
        for (sign, is_placed), group in groups.items()
        for field in _fields_of(group, [spots.__getitem__] if is_placed else list(_keys(sign)), spots, positions)
    ]


def _keys(sign: Signature) -> Iterator[_Key]:
    """Ways to divide the facts of a fluent: by none of its arguments, by one, by two …"""
    for size in range(sign[1]):
        for chosen in combinations(range(sign[1]), size):
            yield partial(_arguments_of, chosen)


def _arguments_of(chosen: Sequence[int], fact: Term) -> tuple[Term, ...]:
    return tuple(arguments(fact)[n] for n in chosen)


def _fields_of(
    group: Sequence[Term], keys: Iterable[_Key], spots: Mapping[Term, str], positions: Sequence[Facts]
) -> list[Field]:
    """The fields of one fluent, by the first key that leaves at most one fact true; otherwise one for each fact."""
    known = frozenset(group)
    present = [position & known for position in positions]
    key = next((key for key in keys if all(_is_single(key, facts) for facts in present)), lambda fact: fact)
    found: dict[Hashable, list[Term]] = defaultdict(list)
    for fact in group:
        found[key(fact)].append(fact)
    counts = Counter(key(fact) for facts in present for fact in facts)
    always = {key for key, facts in found.items() if len(facts) > 1 and counts[key] == len(positions)}
    if group[0] in spots and len(always) < sum(len(facts) > 1 for facts in found.values()):
        always = set()  # a place that was never empty can be so if others of its kind can
    place = spots.__getitem__ if group[0] in spots else key
    common = [n for n in range(len(arguments(group[0]))) if _is_decided(place, group, n)]
    return [_field(facts, common, key in always, spots.get(facts[0], "")) for key, facts in found.items()]


def _is_single(key: _Key, facts: Collection[Term]) -> bool:
    return len({key(fact) for fact in facts}) == len(facts)


def _is_decided(key: _Key, facts: Collection[Term], n: int) -> bool:
    """True if facts with the same key have the same argument ``n``."""
    return len({(key(fact), arguments(fact)[n]) for fact in facts}) == len({key(fact) for fact in facts})


def _field(facts: Sequence[Term], common: Sequence[int], is_needed: bool, spot: str) -> Field:
    rows = [arguments(fact) for fact in facts]
    name = " ".join([functor(facts[0]), *(kif(rows[0][n]) for n in common)])
    values = tuple(" ".join(kif(word) for n, word in enumerate(row) if n not in common) for row in rows)
    return Field(name, tuple(facts), values, is_needed, spot)

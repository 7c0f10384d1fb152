"""What turns reveal about single elements if the rule looked at a whole board, of which most did not matter.

To list moves, a rule may look at every square. The elements that matter are most likely those at places which the moves
name: they are exchanged for others, one by one (`narrowing`). If random arrangements of the rest make no difference,
the turn is a constraint on these elements and need not be played again in each sample.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from ludens.tabletop.hidden.evidence import Evidence
from ludens.tabletop.hidden.narrowing import Narrowing, Test
from ludens.tabletop.hidden.observed import named_places
from ludens.tabletop.hidden.replay import Past
from ludens.tabletop.material.equipment import Element

BROAD = 12
"""A rule that looks at more places than this looks at a board."""
TRIALS, REPLAYED_TRIALS = 4, 2
"""Random arrangements that test whether constraints on single elements are complete: asking for moves only, and playing
the turn again."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What a turn reveals about single elements."""

    unknown: int
    """The elements that were unknown, as bits, when this was found out."""
    excluded: Mapping[Element, frozenset[str]]
    """The names that cannot have lain in the place of an element."""
    is_complete: bool
    """True if it reveals nothing else, as far as random arrangements show."""


def narrow_turn(
    past: Past, number: int, evidence: Sequence[Evidence], unknown: Sequence[Element], masks: Mapping[Element, int]
) -> Narrowed:
    """What a turn since the last loss reveals: others could make their moves (``evidence``), and the turn looked as it
    did. Kept with the state."""
    state = past.states[number]
    key: Hashable = "narrowed", past.role
    mask = sum(element.bit for element in unknown)
    known: Narrowed | None = state.kept.get(key)
    if known is not None and not mask & ~known.unknown:
        return known

    def is_legal(faces: Mapping[Element, Element]) -> bool:
        return all(one.fits(faces) for one in evidence)

    def looks_same(faces: Mapping[Element, Element]) -> bool:
        return not past.contradicts(number, [faces] * len(past.states), {})

    tests: list[tuple[Test, int]] = [(looks_same, REPLAYED_TRIALS)]
    if evidence:
        tests.insert(0, (is_legal, TRIALS))
    narrowing = Narrowing(unknown, masks, is_legal, Random(f"{past.role}/{number}"))
    is_complete = True
    for test, trials in tests:
        narrowing.fits = test
        is_complete = (
            is_complete and narrowing.probe(_named_slots(past, number, mask)) and narrowing.is_complete(trials)
        )
    excluded = {slot: frozenset(names) for slot, names in narrowing.excluded.items()}
    found = state.kept[key] = Narrowed(mask, excluded, is_complete)
    return found


def _named_slots(past: Past, number: int, unknown: int) -> list[Element]:
    """The unknown elements that lay at places which the moves of a turn name."""
    turn = past.turn(number)
    inventory, before = turn.before.inventory, turn.before
    found: set[Element] = set()
    for _, action, text in turn.done:
        places = [*action.touched_places(), *map(before.position, named_places(inventory, text))]
        found.update(element for place in places for element in before.contents[place.index] if element.bit & unknown)
    return sorted(found, key=lambda element: element.index)

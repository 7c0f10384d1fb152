"""Largest sets of pairs, against a search through all of them."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from ludens.arena.formats.matching import has_perfect_matching, maximum_matching
from tests.thorough import examples

GRAPHS = st.integers(0, 9).flatmap(
    lambda size: st.sets(st.tuples(st.integers(0, max(0, size - 1)), st.integers(0, max(0, size - 1)))).map(
        lambda edges: [
            sorted({b for a, b in edges | {(b, a) for a, b in edges} if a == vertex and a != b})
            for vertex in range(size)
        ]
    )
)


@examples(500)
@given(GRAPHS)
def test_the_matching_is_one_and_as_large_as_possible(neighbours: list[list[int]]) -> None:
    partner = maximum_matching(neighbours)

    for vertex, other in enumerate(partner):
        assert other == -1 or (other in neighbours[vertex] and partner[other] == vertex)
    pairs = sum(other != -1 for other in partner) // 2
    assert pairs == largest(neighbours)
    assert has_perfect_matching(neighbours) == (2 * pairs == len(neighbours))


def largest(neighbours: list[list[int]]) -> int:
    @cache
    def best(free: frozenset[int]) -> int:
        if not free:
            return 0
        vertex = min(free)
        rest = free - {vertex}
        paired = (1 + best(rest - {other}) for other in neighbours[vertex] if other in rest)
        return max(best(rest), *paired, 0)

    return best(frozenset(range(len(neighbours))))

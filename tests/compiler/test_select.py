from __future__ import annotations

import pytest

from ludens.compiler.circuit.gates import FALSE, TRUE, Gates
from ludens.compiler.circuit.selection import RANDOM_BITS, choose_by_weight
from tests.compiler.lanes import counting_pattern, evaluate

LANES = 2**RANDOM_BITS
EVERYWHERE = (1 << LANES) - 1
PATTERNS = [counting_pattern(bit, LANES) for bit in range(RANDOM_BITS)]


def chosen_in_every_draw(legal: list[bool], *, constant: bool) -> list[int]:
    """For each move, the draws that choose it, over every value that the random bits can have."""
    gates = Gates()
    random = [gates.new_input() for _ in range(RANDOM_BITS)]
    inputs = {literal >> 1: pattern for literal, pattern in zip(random, PATTERNS, strict=True)}
    literals = [TRUE if holds else FALSE for holds in legal]
    if not constant:
        literals = [gates.new_input() for _ in legal]
        inputs |= {lit >> 1: EVERYWHERE if holds else 0 for lit, holds in zip(literals, legal, strict=True)}
    return evaluate(gates, inputs, choose_by_weight(gates, literals, [1] * len(literals), random), LANES)


CASES = [
    [True],
    [True, False],
    [False, True],
    [True, True],
    [True, True, True],
    [False, True, True, False, True],
    [True] * 9,
    [n % 3 != 0 for n in range(31)],
    [n in (0, 57, 99) for n in range(100)],
    [True] * 218,
]


@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("legal", CASES, ids=lambda legal: f"{sum(legal)}of{len(legal)}")
def test_every_legal_move_has_the_same_share_of_all_draws(legal: list[bool], constant: bool) -> None:
    chosen = chosen_in_every_draw(legal, constant=constant)

    union = 0
    for value in chosen:
        assert union & value == 0
        union |= value
    assert union == EVERYWHERE
    shares = [value.bit_count() for value in chosen]
    assert all(share == 0 for share, holds in zip(shares, legal, strict=True) if not holds)
    legal_shares = [share for share, holds in zip(shares, legal, strict=True) if holds]
    assert max(legal_shares) - min(legal_shares) <= 1

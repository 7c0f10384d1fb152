from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from ludens.analysis.budget import TooEntangledError
from ludens.analysis.game_values import ZERO, GameValues, Value


@pytest.fixture
def values() -> GameValues:
    return GameValues()


def integer(values: GameValues, n: int) -> Value:
    if n < 0:
        return values.negative(integer(values, -n))
    return ZERO if n == 0 else values.value([integer(values, n - 1)], [])


def test_values_have_their_usual_names(values: GameValues) -> None:
    one = integer(values, 1)
    star = values.value([ZERO], [ZERO])
    named = {
        "0": values.value([integer(values, -5)], [integer(values, 3)]),
        "2": integer(values, 2),
        "1/2": values.value([ZERO], [one]),
        "-3/4": values.negative(values.value([values.value([ZERO], [one])], [one])),
        "*": star,
        "*2": values.value([ZERO, star], [ZERO, star]),
        "1*": values.value([one], [one]),
        "up": values.value([ZERO], [star]),
        "down": values.value([star], [ZERO]),
        "±1": values.value([one], [integer(values, -1)]),
        "{2|-1}": values.value([integer(values, 2)], [integer(values, -1)]),
    }

    assert {name: values.name(value) for name, value in named.items()} == {name: name for name in named}


def test_dominated_and_reversible_options_are_removed(values: GameValues) -> None:
    star = values.value([ZERO], [ZERO])
    up = values.value([ZERO], [star])

    assert values.value([integer(values, 1), ZERO], []) == integer(values, 2)
    assert values.value([up], [ZERO]) == star  # Right answers up by star, which is no better for Left than the whole


def test_numbers_are_the_simplest_between_their_options(values: GameValues) -> None:
    half = values.value([ZERO], [integer(values, 1)])

    assert values.number(half) == Fraction(1, 2)
    assert values.number(values.value([half], [integer(values, 4)])) == 1
    assert values.number(values.value([integer(values, 1)], [integer(values, -1)])) is None


def test_equal_values_are_those_that_no_sum_tells_apart() -> None:
    """Compares canonical forms with the definition: G = H if the second to move wins G - H."""
    values = GameValues()
    rng = Random(1)
    trees: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), ())]
    for _ in range(40):
        left, right = (tuple(rng.sample(range(len(trees)), min(len(trees), rng.randint(0, 2)))) for _ in range(2))
        trees.append((left, right))
    found: list[Value] = []
    for left, right in trees:
        found.append(values.value([found[n] for n in left], [found[n] for n in right]))

    @cache
    def mover_wins(one: int, other: int, mover: int) -> bool:
        """Whether a role that moves in the difference of two trees wins; who cannot move loses."""
        return any(not mover_wins(n, other, 1 - mover) for n in trees[one][mover]) or any(
            not mover_wins(one, n, 1 - mover) for n in trees[other][1 - mover]
        )

    for one in range(len(trees)):
        for other in range(len(trees)):
            equal = not mover_wins(one, other, 0) and not mover_wins(one, other, 1)
            assert (found[one] == found[other]) == equal
            assert values.is_at_most(found[one], found[other]) == (not mover_wins(one, other, 0))


def test_too_many_forms_are_refused(values: GameValues, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.analysis.game_values.MOST_FORMS", 5)

    with pytest.raises(TooEntangledError, match="more than 5 different values"):
        integer(values, 9)

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludens.players.genetic.trees import OPERATIONS, Token, is_tree, value_of

relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
FEATURES = {"a": np.array([1.0, -2.0]), "b": np.array([0.5, 3.0])}


def expressions() -> st.SearchStrategy[list[Token]]:
    leaves: st.SearchStrategy[list[Token]] = st.one_of(
        st.sampled_from([["a"], ["b"]]), st.floats(-10, 10).map(lambda number: [number])
    )

    def larger(parts: st.SearchStrategy[list[Token]]) -> st.SearchStrategy[list[Token]]:
        return st.sampled_from(sorted(OPERATIONS)).flatmap(
            lambda name: st.tuples(*[parts] * OPERATIONS[name][0]).map(
                lambda arguments: [name, *(token for part in arguments for token in part)]
            )
        )

    return st.recursive(leaves, larger, max_leaves=20)


@relaxed
@given(expressions())
def test_every_expression_has_a_number_in_each_position(tokens: list[Token]) -> None:
    assert is_tree(tokens, FEATURES)
    value = value_of(tokens, FEATURES.__getitem__, 2)
    assert value.shape == (2,)
    assert np.isfinite(value).all()


@relaxed
@given(expressions())
def test_an_expression_that_lacks_a_word_or_has_one_more_is_none(tokens: list[Token]) -> None:
    assert not is_tree([*tokens, "a"], FEATURES)
    assert not is_tree(tokens[:-1], FEATURES)


@relaxed
@given(st.lists(st.one_of(st.text(max_size=5), st.floats(), st.integers(), st.none(), st.booleans()), max_size=6))
def test_whatever_stands_in_a_file_is_judged_and_not_run(tokens: list[object]) -> None:
    if is_tree(tokens, FEATURES):
        assert value_of(tokens, FEATURES.__getitem__, 2).shape == (2,)  # type: ignore[arg-type]


def test_operations_do_what_their_names_say() -> None:
    def value(*tokens: Token) -> list[float]:
        return value_of(tokens, FEATURES.__getitem__, 2).tolist()  # type: ignore[no-any-return]

    assert value("subtract", "a", "b") == [0.5, -5.0]
    assert value("choose", "a", "b", 7.0) == [0.5, 7.0]
    assert value("larger", "negative", "a", 0.0) == [0.0, 2.0]

from __future__ import annotations

import string
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.gdl.terms import (
    Term,
    Variable,
    arguments,
    depth,
    exceeds,
    functor,
    is_ground,
    rename,
    signature,
    sort_key,
    substitute,
    unify,
    variables,
)
from tests.thorough import examples

X, Y, Z = Variable("x"), Variable("y"), Variable("z")


def compound(children: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    names = st.sampled_from(["f", "g", "h"])
    return st.builds(lambda name, parts: (name, *parts), names, st.lists(children, max_size=3))


CONSTANTS: st.SearchStrategy[Term] = st.sampled_from(["a", "b", "1", "10"])
TERMS = st.recursive(CONSTANTS | st.sampled_from([X, Y, Z]), compound, max_leaves=8)
GROUND_TERMS = st.recursive(
    st.text(alphabet=string.ascii_letters + string.digits + "-_", min_size=1, max_size=3), compound, max_leaves=6
)
checked = examples(300, derandomize=True)


def test_constant_is_a_name_without_arguments() -> None:
    assert functor("noop") == "noop"
    assert arguments("noop") == ()
    assert signature("noop") == ("noop", 0)


def test_compound_term_has_name_and_arguments() -> None:
    term = ("cell", "1", ("f", X), "b")
    assert functor(term) == "cell"
    assert arguments(term) == ("1", ("f", X), "b")
    assert signature(term) == ("cell", 3)


def test_term_with_empty_parentheses_is_another_term_of_the_same_signature() -> None:
    assert signature(("open",)) == signature("open")
    assert unify(("open",), "open") is None


def test_variables_come_from_left_to_right_as_often_as_they_occur() -> None:
    assert list(variables(("f", X, ("g", Y, X), "a", Z))) == [X, Y, X, Z]
    assert list(variables("a")) == []
    assert list(variables(X)) == [X]


def test_ground_terms_have_no_variable() -> None:
    assert is_ground(("f", "a", ("g",)))
    assert not is_ground(("f", "a", ("g", X)))
    assert not is_ground(X)


def test_depth_counts_levels_of_nesting() -> None:
    assert [depth("a"), depth(X), depth(("f",)), depth(("f", "a")), depth(("f", "a", ("g", ("h", "b"))))] == [
        0,
        0,
        0,
        1,
        3,
    ]


def test_depth_of_a_very_deep_term_needs_no_stack() -> None:
    term: Term = "a"
    for _ in range(100_000):
        term = ("f", term)
    assert depth(term) == 100_000


def test_substitution_goes_all_the_way_down() -> None:
    assert substitute(("f", X, ("g", Y), Z), {X: ("h", Y), Y: "a"}) == ("f", ("h", "a"), ("g", "a"), Z)


def test_substitution_leaves_the_functor_alone() -> None:
    assert substitute(("x", X), {X: "a"}) == ("x", "a")


def test_rename_changes_every_variable_and_nothing_else() -> None:
    assert rename(("x", X, ("f", X, Y), "x"), "_2") == (
        "x",
        Variable("x_2"),
        ("f", Variable("x_2"), Variable("y_2")),
        "x",
    )


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("a", "b"),
        ("a", ("a",)),
        (("f", "a"), ("f", "a", "a")),
        (("f", "a"), ("g", "a")),
        (("f", X, X), ("f", "a", "b")),
        (X, ("f", X)),
        (("f", X, Y), ("f", ("g", Y), ("g", X))),
        (("f", X, X), ("f", Y, ("g", Y))),
    ],
)
def test_terms_that_can_never_be_equal_do_not_unify(left: Term, right: Term) -> None:
    assert unify(left, right) is None
    assert unify(right, left) is None


def test_a_term_may_be_as_deep_and_as_large_as_allowed_and_no_more() -> None:
    term = ("f", ("g", "a"), "b")

    assert not exceeds(term, 2, 4)
    assert exceeds(term, 1, 4)
    assert exceeds(term, 2, 3)


def test_equal_parts_do_not_hide_parts_that_differ() -> None:
    assert unify(("f", "a", "b"), ("f", "c", "b")) is None
    assert unify(("f", "a", "b"), ("f", "a", "c")) is None


def test_unify_binds_both_ways() -> None:
    found = unify(("f", X, "b"), ("f", "a", Y))
    assert found == {X: "a", Y: "b"}


def test_unify_respects_what_is_bound_before() -> None:
    assert unify(X, "b", {X: "a"}) is None
    assert unify(X, Y, {X: "a"}) == {X: "a", Y: "a"}


def test_unify_does_not_change_the_substitution_it_is_given() -> None:
    before: dict[Variable, Term] = {X: "a"}
    assert unify(Y, "b", before) == {X: "a", Y: "b"}
    assert before == {X: "a"}


@checked
@given(TERMS, TERMS)
def test_unifier_makes_both_terms_equal(left: Term, right: Term) -> None:
    found = unify(left, right)
    assert (found is None) == (unify(right, left) is None)
    if found is not None:
        assert substitute(left, found) == substitute(right, found)


@checked
@given(TERMS, st.fixed_dictionaries({X: CONSTANTS, Y: CONSTANTS, Z: CONSTANTS}))
def test_term_unifies_with_each_of_its_instances(term: Term, values: dict[Variable, Term]) -> None:
    instance = substitute(term, values)
    assert is_ground(instance)
    found = unify(term, instance)
    assert found is not None
    assert substitute(term, found) == instance


@checked
@given(st.lists(GROUND_TERMS, max_size=8))
def test_ground_terms_have_one_total_order(terms: list[Term]) -> None:
    ordered = sorted(terms, key=sort_key)
    backwards = list(reversed(terms))
    assert sorted(backwards, key=sort_key) == ordered
    assert all(sort_key(low) < sort_key(high) or low == high for low, high in pairwise(ordered))


def test_numbers_sort_by_value_before_names_before_compound_terms() -> None:
    terms: list[Term] = [("f", "10"), "b", "10", ("f", "9"), "9", "a", ("g", "1", "1"), ("f",), "-1"]
    assert sorted(terms, key=sort_key) == ["9", "10", "-1", "a", "b", ("f",), ("f", "9"), ("f", "10"), ("g", "1", "1")]


def test_numbers_of_any_length_can_be_sorted() -> None:
    longer, shorter = "1" + "0" * 6000, "9" * 6000
    assert sorted([longer, shorter, "7"], key=sort_key) == ["7", shorter, longer]

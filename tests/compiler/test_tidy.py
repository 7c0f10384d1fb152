from __future__ import annotations

import numpy as np

from ludens.compiler.ground.tidy import FACT, TidyRules

Rules = dict[int, list[tuple[int, ...]]]


def tidied(rules: Rules, true: tuple[int, ...] = ()) -> tuple[Rules, TidyRules]:
    """The rules without those of equal atoms; 1, 2 and 3 are choices."""
    tape = [-1, 0, -2, 0, -3, 0]
    for head, bodies in rules.items():
        for body in bodies:
            tape += [head, len(body), *body]
    tidy = TidyRules(np.array(tape, np.int32), true)
    return dict(tidy.rules), tidy


def test_atoms_with_the_same_rules_are_one() -> None:
    rules, tidy = tidied({10: [(1, 2), (3,)], 11: [(3,), (2, 1)], 12: [(10, -11)], 13: [(11, 2)], 14: [(10, 2)]})

    assert tidy.equal(11) == 10
    assert tidy.equal(14) == 13
    assert 11 not in rules
    assert 14 not in rules


def test_an_atom_that_is_defined_as_another_is_that_one() -> None:
    rules, tidy = tidied({10: [(1,)], 11: [(10,), (1,)], 12: [(11, 2)], 13: [(-1,)]})

    assert tidy.equal(11) == 1
    assert rules == {12: [(1, 2)], 13: [(-1,)]}


def test_what_is_true_is_left_out_and_its_negation_never_holds() -> None:
    rules, tidy = tidied({10: [(1, 9)], 11: [(9,)], 12: [(11, 2), (3, -9)], 13: [(2, -11)]}, true=(9,))

    assert (tidy.equal(9), tidy.equal(10), tidy.equal(11), tidy.equal(12)) == (FACT, 1, FACT, 2)
    assert rules == {13: []}


def test_fluents_and_moves_stay() -> None:
    rules, tidy = tidied({1: [(2,)], 10: [(1,)]})

    assert tidy.choices == {1, 2, 3}
    assert rules == {}
    assert (tidy.equal(1), tidy.equal(10)) == (1, 1)


def test_rules_may_come_before_those_of_the_atoms_they_mention() -> None:
    rules, tidy = tidied({10: [(12, 2)], 11: [(13,)], 12: [(1,)], 13: [(11,), (3,)], 14: [(11,)]})

    assert rules == {10: [(1, 2)]}
    assert (tidy.equal(11), tidy.equal(14)) == (3, 3)


def test_atoms_that_only_support_each_other_never_hold() -> None:
    rules, tidy = tidied({10: [(11,)], 11: [(12,)], 12: [(10,)], 13: [(-10, 1)]})

    assert rules[tidy.equal(10)] == []
    assert rules[13] == [(-tidy.equal(10), 1)]

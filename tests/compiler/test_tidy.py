from __future__ import annotations

from ludens.compiler.ground.tidy import FACT, Tidier

Rules = dict[int, list[tuple[int, ...]]]


def tidied(rules: Rules, true: tuple[int, ...] = ()) -> tuple[Rules, Tidier]:
    tidier = Tidier({1, 2, 3}, true)
    return tidier.tidy(rules), tidier


def test_atoms_with_the_same_rules_are_one() -> None:
    rules, tidier = tidied({10: [(1, 2), (3,)], 11: [(3,), (2, 1)], 12: [(10, -11)], 13: [(11, 2)], 14: [(10, 2)]})

    assert tidier.of(11) == 10
    assert tidier.of(14) == 13
    assert 11 not in rules
    assert 14 not in rules


def test_an_atom_that_is_defined_as_another_is_that_one() -> None:
    rules, tidier = tidied({10: [(1,)], 11: [(10,), (1,)], 12: [(11, 2)], 13: [(-1,)]})

    assert tidier.of(11) == 1
    assert rules == {12: [(1, 2)], 13: [(-1,)]}


def test_what_is_true_is_left_out_and_its_negation_never_holds() -> None:
    rules, tidier = tidied({10: [(1, 9)], 11: [(9,)], 12: [(11, 2), (3, -9)], 13: [(2, -11)]}, true=(9,))

    assert (tidier.of(9), tidier.of(10), tidier.of(11), tidier.of(12)) == (FACT, 1, FACT, 2)
    assert rules == {13: []}


def test_fluents_and_moves_stay() -> None:
    rules, tidier = tidied({1: [(2,)], 10: [(1,)]})

    assert rules == {1: [(2,)]}
    assert tidier.of(10) == 1


def test_rules_may_come_before_those_of_the_atoms_they_mention() -> None:
    rules, tidier = tidied({10: [(12, 2)], 11: [(13,)], 12: [(1,)], 13: [(11,), (3,)], 14: [(11,)]})

    assert rules == {10: [(1, 2)]}
    assert (tidier.of(11), tidier.of(14)) == (3, 3)


def test_atoms_that_only_support_each_other_never_hold() -> None:
    rules, tidier = tidied({10: [(11,)], 11: [(12,)], 12: [(10,)], 13: [(-10, 1)]})

    assert rules[tidier.of(10)] == []
    assert rules[13] == [(-tidier.of(10), 1)]

"""Ground rules in arrays are the same rules, and are put into the order in which they need each other."""

from __future__ import annotations

import numpy as np

from ludens.compiler.ground.flat_rules import FlatRules

RULES: dict[int, list[tuple[int, ...]]] = {
    10: [(1, -2), ()],
    11: [(10, 12)],
    12: [(11,), (-3,)],
    13: [],
    14: [(13, 12), (-14, 1)],
}


def test_rules_are_read_as_they_were_written() -> None:
    flat = FlatRules.of(RULES)

    assert dict(flat) == RULES
    assert flat.size == 7
    assert 1 not in flat
    assert 99 not in flat


def test_some_rules_are_replaced_and_added() -> None:
    changed = FlatRules.of(RULES).with_rules({11: [(2, 30), (3,)], 20: [(11,)]})

    assert dict(changed) == RULES | {11: [(2, 30), (3,)], 20: [(11,)]}
    assert changed.atoms > 30


def test_atoms_come_after_those_they_need() -> None:
    flat = FlatRules.of(RULES)

    order, depending = flat.order(np.array([14, 10, 2], np.int32), marked=[3])

    assert [(sorted(atoms), is_loop) for atoms, is_loop in order.components()] == [
        ([13], False),
        ([10], False),
        ([11, 12], True),
        ([14], True),
    ]
    assert depending == {11, 12, 14}


def test_what_the_roots_do_not_need_is_left_out() -> None:
    order, depending = FlatRules.of(RULES).order(np.array([10, 40], np.int32), marked=[2, 40])

    assert order.atoms.tolist() == [10]
    assert depending == {10}

from __future__ import annotations

from ludens.analysis.decompose import decompose
from ludens.analysis.effects import move_effects, roles_affecting
from ludens.gdl.terms import functor
from tests.analysis.games import TWO_SWITCHES, compiled, shelf


def test_effects_and_preconditions_of_a_move() -> None:
    found = {effects.move: effects for effects in move_effects(decompose(compiled(TWO_SWITCHES)))}

    press = found[("press", "a")]
    assert press.positive == {("on", "a")}
    assert press.negative == {("off", "a")}
    assert press.preconditions == {("off", "a")}
    assert found["wait"].is_noop


def test_whose_turn_it_is_is_nobodys_precondition() -> None:
    for effects in move_effects(decompose(shelf("nim:2,3"))):
        assert not any(functor(fluent) == "control" for fluent in effects.preconditions)


def test_reducing_a_heap_affects_that_heap_alone() -> None:
    whole = decompose(shelf("nim:2,3"))
    reduce = next(effects for effects in move_effects(whole) if effects.move == ("reduce", "b", "1"))

    assert reduce.positive == {("heap", "b", "1")}
    assert reduce.negative == {("heap", "b", "0"), ("heap", "b", "2"), ("heap", "b", "3")}
    assert roles_affecting(whole)[("heap", "b", "1")] == {"first", "second"}

from __future__ import annotations

from ludens.core import Answer, Fact, Facts
from ludens.core.facts import NAMES, no, unknown, yes
from tests.core.test_game import Table


def test_what_is_unknown_counts_as_possible_and_not_as_certain() -> None:
    assert [(fact.possible, fact.certain) for fact in (yes(""), no(""), unknown(""))] == [
        (True, True),
        (False, False),
        (True, False),
    ]


def test_a_game_that_says_nothing_is_the_general_case() -> None:
    facts = Table({"a": ("x", "y"), "b": ("x", "y")}).facts

    assert [name for name, fact in facts if fact.answer is Answer.UNKNOWN] == [
        "simultaneous",
        "alternating",
        "zero_sum",
        "role_symmetry",
    ]
    assert facts.may_be_simultaneous
    assert not facts.chance.possible


def test_one_role_never_chooses_at_the_same_time_as_another() -> None:
    assert Table({"a": ("x", "y")}).facts.simultaneous == Fact(Answer.NO, "there is one role")


def test_facts_are_given_to_programs_with_reasons() -> None:
    found = Facts(Table({"a": ("x",)})).knowing(zero_sum=yes("because")).as_json()

    assert tuple(found) == NAMES
    assert found["zero_sum"] == {"answer": "yes", "reason": "because"}

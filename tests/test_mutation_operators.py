"""The changes of a mutation pass."""

from __future__ import annotations

import pytest
from benchmarks.mutation_operators import list_mutations, mark_statements

TYPES = """
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    LIMIT = 1
class A:
    \"\"\"A docstring of 1.\"\"\"
    __slots__ = ("x", 1)
    x: Literal[1]
"""


def mutants(source: str) -> set[str]:
    return {
        mutation.apply(source.encode()).decode() for mutation in list_mutations("ludens/core/a.py", source.encode())
    }


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a < b", {"x = (a <= b)"}),
        ("x = a == b", {"x = (a != b)"}),
        ("x = a and b", {"x = (a or b)"}),
        ("x = not a", {"x = (a)"}),
        ("x = a + b", {"x = (a - b)"}),
        ("x -= a", {"x += a"}),
        ("x = 7", {"x = 8"}),
        ("x = True", {"x = False"}),
        ("x.y = z", {"pass"}),
        ("f(x)", {"pass"}),
        ("if a: pass", {"if (not (a)): pass"}),
        ("if a is b: pass", {"if (a is not b): pass"}),
        ("for x in y: break", {"for x in y: continue"}),
        ("def f(): return x", {"def f(): return None"}),
        ("x = 'é', a < b", {"x = 'é', (a <= b)"}),
    ],
)
def test_each_operator_changes_one_thing(source: str, expected: set[str]) -> None:
    assert mutants(source) == expected


@pytest.mark.parametrize(
    "source", [TYPES, "x = f'{1}'", "assert a < b", "x: Literal[1] = y", "@d(frozen=True)\nclass A: y"]
)
def test_texts_types_and_assertions_stay(source: str) -> None:
    assert mutants(source) == set()


def test_a_change_knows_the_statement_that_must_run_for_it() -> None:
    source = b"LIMIT = 1\nclass A:\n    def f(self, x=2):\n        if x:\n            self.x = 3\n"

    places = {(mutation.line, mutation.place) for mutation in list_mutations("ludens/core/a.py", source)}

    assert places == {(1, ""), (3, "A.f#0"), (4, "A.f#0"), (5, "A.f#1")}


def test_marked_sources_note_the_statements_that_run() -> None:
    source = b"def f(x):\n    if x:\n        return 1\n    return 2\n"
    marked = mark_statements("a.py", source).replace("from mutants_marks import MARKS as __mutants_marks__", "")

    class Marks(dict[str, bool]):
        def __missing__(self, key: str) -> None:
            self[key] = True

    names: dict[str, object] = {"__mutants_marks__": Marks()}
    exec(marked + "\nresult = f(False)", names)

    assert names["result"] == 2
    assert names["__mutants_marks__"] == {"a.py:f#0": True, "a.py:f#2": True}

"""Where the rule sheets and traces of others are. They are read from there and never copied into the project."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.peers import RULES

REFUSED = {
    "test_case_3e": "unsafe: the role in a legal rule has no value (GDL210)",
    "test_case_3f": "unsafe: the role in a legal rule has no value (GDL210)",
}
"""Rule sheets that break the specification on purpose, and that ludens refuses with an error."""

NOT_GROUNDED = {"laikLee_hex", "sudoku", "test_case_3b"}
"""What the circuit backend does not take: too many ground rules, or, the last, a variable without a value."""


@dataclass(frozen=True, slots=True)
class Case:
    """A rule sheet and its trace."""

    name: str
    rules: Path
    trace: Path
    edge: bool


def cases(folder: Path = RULES) -> list[Case]:
    """All rule sheets of a corpus, then the edge cases; none if there is no corpus."""
    found = [
        Case(rules.stem, rules, folder / "traces" / f"{rules.stem}.jsonl.gz", edge=False)
        for rules in sorted((folder / "rules").glob("*.kif"))
    ]
    found += [
        Case(rules.stem, rules, rules.with_suffix(".jsonl.gz"), edge=True)
        for rules in sorted((folder / "edge").glob("*.kif"))
    ]
    return found

"""The runner of GNU Go's regression files, on a file of our own."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.gtp_regression import is_right, questions, run_file

FILE = """
# a comment
boardsize 9
loadsgf games/one.sgf 2
1 reg_genmove black
#? [!PASS]
loadsgf games/one.sgf
2 final_status_list dead
#? [E5|]
3 owl_attack E5
#? [1 D4]*
4 cputime

#? [no such answer]
"""


def test_questions_are_asked_and_counted(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "one.sgf").write_text("(;SZ[5];B[cc];W[bb])")
    (tmp_path / "one.tst").write_text(FILE)

    tally = run_file(tmp_path / "one.tst", "random", 0.05)

    assert (tally.unknown, tally.right + tally.wrong) == (1, 3)
    assert tally.wrong >= 1
    assert Path.cwd() != tmp_path


def test_commands_and_patterns_are_read() -> None:
    assert [pattern for _, pattern in questions(FILE)] == [
        *(None, None, "!PASS", None, "E5|", "1 D4", "no such answer"),
    ]


@pytest.mark.parametrize(
    ("answer", "pattern", "right"),
    [
        ("=12 D4", "d4|e5", True),
        ("=12 D4", "!D4", False),
        ("=12 C3", "!D4", True),
        ("=1 1 T2", "1 (T2|T3)", True),
        ("=1 D44", "D4", False),
        ("?1 illegal", "!D4", False),
        ("=", "", True),
    ],
)
def test_answers_fit_patterns(answer: str, pattern: str, right: bool) -> None:
    assert is_right(answer, pattern) == right

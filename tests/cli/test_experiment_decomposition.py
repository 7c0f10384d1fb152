from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

from tests.cli.conftest import Run


def test_the_experiment_writes_a_page_and_a_plot(run: Run, tmp_path: Path) -> None:
    code, out, _ = run(
        "experiment", "decomposition", "--budget", "0.5", "--depth", "2", "--heaps", "10",
        "--game", "nim", "-o", str(tmp_path),
    )  # fmt: skip

    page = (tmp_path / "decomposition-experiment.md").read_text(encoding="utf-8")
    assert code == 0
    assert "| 11,12,15,25 |" in page
    assert "6607" in page
    assert "Nim, CPU seconds" in out
    ElementTree.fromstring((tmp_path / "decomposition-experiment.svg").read_text(encoding="utf-8"))


def test_the_experiment_tells_programs_what_was_measured(run: Run, tmp_path: Path) -> None:
    arguments = ("--budget", "0.2", "--heaps", "10", "--game", "nim", "-o", str(tmp_path), "--json")

    found = json.loads(run("experiment", "decomposition", *arguments)[1])

    assert [row["positions"] for row in found["nim"]] == [16, 28, 67, 68]
    assert [row["positions"] for row in found["growth"]] == [17]


def test_a_game_that_the_experiment_does_not_have_is_refused(run: Run) -> None:
    code, _, err = run("experiment", "decomposition", "--game", "chess")

    assert code == 2
    assert "no game chess" in err

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

PLAN = """candidate: "flat:playouts=100"
opponents: [random]
games: [tic_tac_toe]
matches: 2
clock: 10
start_clock: 10
time: cpu
"""


@pytest.fixture
def plan(tmp_path: Path) -> str:
    (tmp_path / "plan.yaml").write_text(PLAN)
    return str(tmp_path / "plan.yaml")


def test_a_gauntlet_is_played_once_and_compared(run: Run, plan: str, tmp_path: Path) -> None:
    code, out, _ = run("gauntlet", plan, "--parallel", "1")
    assert code == 0
    assert "against random" in out
    results = tmp_path / "plan.results.json"
    first = results.read_text()

    code, out, _ = run("gauntlet", plan, "--compare", str(results), "--json")

    found = json.loads(out)["opponents"]["random"]
    assert code == 0
    assert results.read_text() == first
    assert found["matches"] == 2
    assert found["change"] == "unclear"
    assert found["games"]["tic_tac_toe"]["verdict"] == "unclear"


def test_a_wrong_plan_is_explained(run: Run, plan: str) -> None:
    Path(plan).write_text(PLAN.replace("matches: 2", "matches: 3"))

    code, _, err = run("gauntlet", plan)

    assert code == 2
    assert "even number" in err

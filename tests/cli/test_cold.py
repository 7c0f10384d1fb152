from __future__ import annotations

import json

from tests.cli.conftest import Run

STEPS = [
    "process started",
    "rules read",
    "first legal moves",
    "first playout interpreted",
    "first playout compiled",
    "native search running",
]


def test_a_cold_start_is_told_step_by_step(run: Run) -> None:
    _, output, _ = run("bench", "tic_tac_toe", "--cold", "--json")
    found = json.loads(output)

    assert [step["name"] for step in found["steps"]][: len(STEPS)] == STEPS
    seconds = [step["seconds"] for step in found["steps"]]
    assert seconds == sorted(seconds)
    assert all(step["cpu_seconds"] > 0 for step in found["steps"])


def test_a_cold_start_of_a_game_that_is_not_there_fails(run: Run) -> None:
    status, _, complaint = run("bench", "no_such_game", "--cold")

    assert status == 2
    assert "no_such_game" in complaint

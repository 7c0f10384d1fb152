from __future__ import annotations

import json
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest

from ludens.games.library import find
from ludens.players.minimax import solve
from ludens.players.minimax.solve import Solution, Solver
from tests.cli.conftest import Run


def test_solve_tells_programs_values_by_role(run: Run) -> None:
    code, out, _ = run("solve", "nim:1,2", "--json")

    found = json.loads(out)
    assert code == 0
    assert found["values"] == {"first": 100, "second": 0}
    assert found["exact"] is True
    assert found["nodes"] > 0
    assert found["best"] == {"first": ["(reduce b 1)"]}


def test_solve_reports_the_seconds_since_the_search_began(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    readings = [7.0]

    def tick() -> float:
        readings.append(readings[-1] + 0.125)
        return readings[-1]

    monkeypatch.setattr(solve, "time", SimpleNamespace(monotonic=tick))

    found = json.loads(run("solve", "nim:1,2", "--no-decompose", "--json")[1])

    assert found["seconds"] == readings[-1] - readings[1] > 0


def test_solve_begins_after_the_moves_given(run: Run) -> None:
    found = json.loads(run("solve", "nim:1,2", "--moves", "(reduce b 1)", "--json")[1])

    assert found["values"] == {"first": 100, "second": 0}
    assert list(found["best"]) == ["second"]


def test_solve_says_what_is_known_when_the_budget_is_over(run: Run) -> None:
    code, out, _ = run("solve", "chess", "--budget", "0.01", "--backend", "reference")

    assert code == 0
    assert "white  0 to 100" in out
    assert "not exact" in out


def test_solve_takes_games_apart_unless_told_not_to(run: Run) -> None:
    by_parts = json.loads(run("solve", "nim:2,3,4", "--json")[1])
    as_a_whole = json.loads(run("solve", "nim:2,3,4", "--no-decompose", "--json")[1])

    assert "3 subgames" in by_parts["note"]
    assert "subgames" not in as_a_whole["note"]
    assert by_parts["values"] == as_a_whole["values"]
    assert by_parts["best"] == as_a_whole["best"]
    assert by_parts["positions"] < as_a_whole["positions"]


def test_solve_tells_where_rules_that_fall_apart_cannot_be_played(run: Run, tmp_path: Path) -> None:
    text = find("nim:2,3").rule_sheet().source.text
    sheet = tmp_path / "forgotten.kif"
    sheet.write_text(text.replace("(<= terminal", "(<= terminal (true (control first))"), encoding="utf-8")

    code, out, _ = run("solve", str(sheet))

    assert code == 0
    assert "The rules cannot be played to an end: second cannot move after (reduce" in " ".join(out.split())
    assert "not exact" in out


def test_solve_writes_a_table_that_a_player_plays_by(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "kept.table"

    code, out, _ = run("solve", "nim:1,2", "--table", str(path), "--json")

    found = json.loads(out)
    assert code == 0
    assert found["values"] == {"first": 100, "second": 0}
    assert found["best"] == {"first": ["(reduce b 1)"]}
    assert found["exact"] is True
    assert found["table"]["distance"] == 3
    assert found["table"]["bytes"] == path.stat().st_size
    assert sum(value["positions"] for value in found["table"]["values"]) == found["positions"]
    code, out, _ = run("match", "nim:1,2", "--player", f"first=table:{path}", "--player", "second=random", "--quiet")
    assert code == 0
    assert "100" in out


def test_solve_says_how_many_positions_have_which_value(run: Run, tmp_path: Path) -> None:
    code, out, err = run("solve", "tic_tac_toe", "--table", str(tmp_path / "kept.table"))

    assert code == 0
    assert "xplayer 0, oplayer 100  1,474 positions, at most 5 moves to the end" in out
    assert "kept.table" in "".join(err.split())


def test_a_table_that_would_be_too_large_is_an_error_that_names_the_limit(run: Run, tmp_path: Path) -> None:
    code, _, err = run("solve", "connect_four", "--table", str(tmp_path / "kept.table"), "--memory", "10")

    assert code == 2
    assert "within 10 MB" in " ".join(err.split())
    assert not list(tmp_path.iterdir())


def test_solve_keeps_a_proof_and_goes_on_with_it(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept.proof"
    monkeypatch.setattr(solve, "ENUMERATION_SHARE", 0.0)
    arguments = ("solve", "connect_four:4,4", "--no-decompose", "--memory", "10", "--resume", str(path), "--json")

    code, out, err = run(*arguments)
    again = json.loads(run(*arguments)[1])

    found = json.loads(out)
    assert code == 0
    assert "red 50 to 100" in err or "red 0 to 50" in err
    assert found["values"] == again["values"] == {"red": 50, "black": 50}
    assert found["nodes"] == again["nodes"]


def test_solve_prints_what_is_known_after_ctrl_c(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    advance = Solver.solve

    def interrupt(solver: Solver) -> Solution:
        signal.raise_signal(signal.SIGINT)
        return advance(solver)

    monkeypatch.setattr(Solver, "solve", interrupt)

    code, out, _ = run("solve", "connect_four", "--no-decompose")

    assert code == 130
    assert "red  0 to 100" in out
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

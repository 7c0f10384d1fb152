"""Chance on the command line: probabilities, conversion to GDL-II, records of matches that left things to chance."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ludens
from tests.analysis.test_probability import FIGURE_6
from tests.cli.conftest import Run


def test_figure_6_of_the_paper_on_the_command_line(run: Run, tmp_path: Path) -> None:
    sheet = tmp_path / "figure6.kif"
    sheet.write_text(FIGURE_6)
    for query in ("goal(system,100)", "conclusion"):
        code, out, _ = run("probability", str(sheet), "--query", query, "--json")
        found = json.loads(out)
        assert (code, found["exact"], found["probability"]) == (0, True, pytest.approx(0.775))


def test_the_position_may_be_one_in_which_chance_has_spoken(run: Run, tmp_path: Path) -> None:
    sheet = tmp_path / "figure6.kif"
    sheet.write_text(FIGURE_6)
    out = run("probability", str(sheet), "--query", "conclusion", "--moves", "(conclude fails holds)", "--json")[1]
    assert json.loads(out)["probability"] == 1.0


def test_what_cannot_be_enumerated_is_estimated_and_best_moves_are_refused(run: Run) -> None:
    out = run("probability", "pig", "--query", "goal(first,100)", "--budget", "0.2", "--seed", "1", "--json")[1]
    found = json.loads(out)
    assert not found["exact"]
    assert 0.4 < found["low"] < found["probability"] < found["high"] < 0.65
    code, _, err = run("probability", "pig", "--query", "goal(first,100)", "--budget", "0.2", "--policy", "best")
    assert code == 2
    assert "--policy random" in err


def test_converted_rules_can_be_played(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "converted.kif"
    assert run("convert", "pig:8", "--to", "gdl-ii", "-o", str(target))[0] == 0
    game = ludens.load(target, backend="reference")
    assert (game.roles, game.chance, game.hidden) == (("first", "second"), True, True)
    code, _, err = run("convert", "tic_tac_toe", "--to", "gdl-ii")
    assert code == 2
    assert "no random variables" in err


@pytest.mark.parametrize("extra", [(), ("--grounded",)])
def test_games_with_weights_become_cpp(run: Run, tmp_path: Path, extra: tuple[str, ...]) -> None:
    assert run("compile", "pig:8", "--emit", "c++", "-o", str(tmp_path), *extra)[0] == 0
    header = (tmp_path / "pig.hpp").read_text(encoding="utf-8")
    assert "role_count = 2;" in header
    assert "has_chance = true;" in header


@pytest.mark.parametrize("game", ["pig:20", "kuhn_poker"])
def test_records_of_matches_with_chance_verify(run: Run, tmp_path: Path, game: str) -> None:
    seats = ("--player", "first=random", "--player", "second=random")
    code, out, _ = run("match", game, *seats, "--seed", "4", "--records", str(tmp_path), "--json")
    assert code == 0
    record = next(tmp_path.rglob("*.jsonl"))
    assert run("replay", str(record), "--verify")[0] == 0
    assert json.loads(out)

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.peers import peer
from tests.processes import LUDENS, running


@peer("torch")
def test_train_tells_machines_what_it_did_and_goes_on_later(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "t.pt"
    small = ["--steps=1", "--matches=4", "--simulations=2", "--hidden=8", "--seed=1", "--json"]

    code, printed, _ = run("train", "tic_tac_toe", "--out", str(out), *small)
    again = run("train", "tic_tac_toe", "--out", str(out), *small, "--resume")

    assert code == again[0] == 0
    assert json.loads(printed)["steps"][0]["matches"] == 4
    assert json.loads(again[1])["steps"][0]["step"] == 2
    quiet = ["--player", "oplayer=random", "--quiet", "--records", str(tmp_path)]
    assert run("match", "tic_tac_toe", "--player", f"xplayer=neural:{out},policy_only=on", *quiet)[0] == 0
    code, _, err = run("match", "connect_four", "--player", f"red=neural:{out}", "--quiet")
    assert code == 2
    assert "cannot play connect_four" in err


@peer("torch")
def test_train_refuses_a_game_with_chance_in_one_sentence(run: Run) -> None:
    code, _, err = run("train", "three_dice")

    assert code == 2
    assert "has chance" in err


@pytest.mark.parametrize("trees", [[], ["--trees"]])
def test_evolve_tells_machines_what_it_did(run: Run, tmp_path: Path, trees: list[str]) -> None:
    out = tmp_path / "e.json"
    small = ["--steps=1", "--population=4", "--openings=1", "--gate-depth=1", "--seed=1", "--json", *trees]

    code, printed, _ = run("evolve", "tic_tac_toe", "--out", str(out), *small)

    assert code == 0
    assert json.loads(printed)["steps"][0]["matches"] == 16
    quiet = ["--player", "oplayer=random", "--quiet", "--records", str(tmp_path)]
    assert run("match", "tic_tac_toe", "--player", f"xplayer=genetic:{out},depth=2", *quiet)[0] == 0


@pytest.mark.slow
@peer("torch")
def test_ctrl_c_ends_a_training_that_can_be_resumed(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "t.pt"
    small = ["--matches=4", "--simulations=2", "--hidden=8", "--out", str(out)]
    command = [*LUDENS, "train", "tic_tac_toe", *small]
    with running(*command, seconds=600, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as training:
        assert training.stderr is not None
        next(line for line in training.stderr if line.startswith("step 3:"))
        training.send_signal(signal.SIGINT)
        rest = training.stderr.read()
        assert training.wait(60) == 130

    assert "continue with --resume" in rest
    code, printed, _ = run("train", "tic_tac_toe", *small, "--steps=1", "--json", "--resume")
    assert code == 0
    assert json.loads(printed)["steps"][0]["step"] >= 4


def test_files_are_named_after_game_and_kind(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    small = ["--steps=1", "--population=4", "--openings=1", "--gate-depth=1", "--seed=1", "--json"]

    code, printed, _ = run("evolve", "nim:1,2", *small)

    assert code == 0
    assert json.loads(printed)["file"] == "nim-1-2.genetic.json"
    endings = {"json", "csv", "svg", "json.evolution"}
    assert {path.name for path in tmp_path.glob("nim*")} == {f"nim-1-2.genetic.{ending}" for ending in endings}


@pytest.mark.parametrize("ending", ["csv", "svg"])
def test_what_another_training_left_beside_is_not_replaced(run: Run, tmp_path: Path, ending: str) -> None:
    (tmp_path / f"best.{ending}").write_text("hours of work", encoding="utf-8")

    code, _, err = run("evolve", "nim:1,2", "--out", str(tmp_path / "best.json"), "--steps=1")

    assert code == 2
    assert f"best.{ending} already exists" in err
    assert (tmp_path / f"best.{ending}").read_text(encoding="utf-8") == "hours of work"

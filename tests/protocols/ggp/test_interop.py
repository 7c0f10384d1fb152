"""``make interop``, with programs of ours in the place of another system's."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.protocols.ggp.test_chance_and_percepts import COIN
from tests.protocols.ggp.test_controller import our_player

RACE = """
(role a) (role b) (init (step 0)) (succ 0 1) (succ 1 2)
(<= (legal ?r go) (role ?r))
(<= (legal ?r wait) (role ?r))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 2)))
(<= (goal ?r 50) (role ?r))
"""
OURS = [sys.executable, "-c", "from ludens.cli.main import run; run()", "controller"]
PLAY_A_MATCH = """
import os, re, subprocess, sys
rules, start, play, *addresses = sys.argv[1:]
roles = [role for role in re.findall(r"\\(role (\\w+)\\)", open(rules).read()) if role != "random"]
seats = [word for role, address in zip(roles, addresses) for word in ("--player", f"{role}={address}")]
command = [sys.executable, "-c", "from ludens.cli.main import run; run()", "controller", rules, *seats, "--quiet"]
records = os.path.dirname(__file__)
sys.exit(subprocess.run([*command, "--start-clock", start, "--clock", play, "--records", records]).returncode)
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "race.kif").write_text(RACE)
    (folder / "coin.kif").write_text(COIN.strip())
    (folder / "wrong.kif").write_text("(role a")
    return folder


def run_interop(rules: Path, *arguments: str) -> dict[tuple[str, str], str]:
    """The verdict on each sheet and side."""
    command = [sys.executable, "-m", "benchmarks.interop", str(rules), "--json", "--player", "random", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode in (0, 1), ended.stderr
    return {(found["sheet"], found["side"]): found["verdict"] for found in json.loads(ended.stdout)}


def test_our_controller_plays_all_sheets_with_the_players_that_run(rules: Path) -> None:
    with our_player("legal") as one, our_player("random") as other:
        found = run_interop(rules, "--players", f"{one},{other}")

    assert found.pop(("wrong", "-")).startswith("refused: ")
    assert found == {("coin", "controller"): "ok", ("race", "controller"): "ok"}


def test_faults_of_players_are_verdicts(rules: Path) -> None:
    with our_player("legal") as one:
        gone = "http://127.0.0.1:9"
        found = run_interop(rules, "--players", f"{one},{gone}")

    assert found[("race", "controller")] == "b erred 3 times"


def test_our_players_play_for_a_server_that_a_command_starts(rules: Path, tmp_path: Path) -> None:
    server = tmp_path / "server.py"
    server.write_text(PLAY_A_MATCH)
    command = f"{shlex.join([sys.executable, str(server)])} {{rules}} {{start}} {{play}} {{addresses}}"

    found = run_interop(rules, "--server", command)

    assert found.pop(("wrong", "-")).startswith("refused: ")
    assert found == {("coin", "player"): "ok", ("race", "player"): "ok"}
    assert "began no match" in run_interop(rules, "--server", "true")[("race", "player")]

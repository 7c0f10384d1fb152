"""The commands that speak GTP and UCI, as programs on pipes."""

from __future__ import annotations

import io
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ludens.cli.main import main
from tests.cli.conftest import Run
from tests.cli.test_ggtp import run_process
from tests.players.test_own_players import ONE, SECOND, written
from tests.processes import LUDENS, running


def test_gtp_answers_on_a_pipe(run: Run) -> None:
    lines = "1 boardsize 7\ngenmove b\nquit\nname\n"
    code, out, _ = run("gtp", "go:5", "--player", "random", "--seed", "1", text=lines)

    assert code == 0
    first, second, last, rest = out.split("\n\n")
    assert (first, last, rest) == ("=1", "=", "")
    assert second.startswith("= ")


@pytest.mark.parametrize("command", [("gtp", "go:5", "--player", "random"), ("ggtp",)])
def test_bytes_that_are_no_text_are_an_unknown_command(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\nquit\n"), encoding="utf-8"))

    assert main(command) == 0

    first, *_, last = capsys.readouterr().out.strip().splitlines()
    assert first.startswith("? ")
    assert last.startswith("=")


def test_gtp_is_refused_for_other_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gtp", "tic_tac_toe", "--backend", "reference"]) == 2
    assert "GTP is for Go and Hex" in capsys.readouterr().err


def test_uci_answers_on_a_pipe(run: Run) -> None:
    commands = "uci\nisready\nposition startpos moves e2e4\ngo depth 1\nucinewgame\n"
    code, out, _ = run(
        "uci", "--player", "alphabeta:evaluation=goal", "--backend", "reference", "--start-clock", "1", text=commands
    )

    assert code == 0
    lines = out.splitlines()
    assert "uciok" in lines
    assert any(line.startswith("bestmove ") for line in lines)


def test_a_program_is_an_engine_on_a_pipe() -> None:
    program = shlex.join([*LUDENS, "gtp", "go:5", "--player", "legal", "--seed", "1"])
    told = "set_rule go:5\nset_player Black\nstart\nhave_to_play\n"

    lines = f"connect_engine\n{told}get_option command\n"
    done = run_process("engine", "gtp", "--option", f"command={program}", text=lines)

    assert done.stdout.splitlines()[:4] == ["acknowledge"] * 4
    assert sys.executable in done.stdout


def test_an_engine_without_such_an_option_is_refused(run: Run) -> None:
    code, _, err = run("engine", "gtp", "--option", "nonsense=1")
    assert code == 2
    assert "no option 'nonsense'" in err

    code, _, err = run("engine", "gtp", "--option", "command")
    assert code == 2
    assert "is not NAME=VALUE" in err


def test_an_engine_takes_the_file_and_the_options_of_its_player_with_its_name(run: Run) -> None:
    lines = "connect_engine\nget_option file\nget_option depth\n"
    done = run_process("engine", "genetic:best.json,depth=3", text=lines)

    assert done.returncode == 0
    assert "best.json" in done.stdout
    assert "3" in done.stdout
    code, _, err = run("engine", "mcts:nonsense=1")
    assert code == 2
    assert "no option 'nonsense'" in err


def test_a_player_of_the_user_is_an_engine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, ONE + SECOND)
    command = [*LUDENS, "engine", f"{path}:Last:from_end=1", "--backend", "reference"]

    with running(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        print("set_rule TicTacToe\nset_player Cross\nstart\nhave_to_play", file=engine.stdin, flush=True)
        said = [engine.stdout.readline() for _ in range(4)]
        engine.stdin.close()

    assert said[-1] == "select_move B3\n"
    assert main(["engine", path]) == 2
    assert "several players" in capsys.readouterr().err


@pytest.mark.parametrize("command", [("gtp", "go:5"), ("uci", "--backend", "reference")])
def test_a_player_of_the_user_is_a_program(run: Run, command: tuple[str, ...], tmp_path: Path) -> None:
    asked = {"gtp": "genmove b\nquit\n", "uci": "isready\nposition startpos\ngo depth 1\nucinewgame\n"}[command[0]]

    code, out, err = run(*command, "--player", written(tmp_path, ONE), text=asked)

    assert code == 0, err
    assert "bestmove" in out or out.startswith("= ")

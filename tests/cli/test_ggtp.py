"""``ludens ggtp`` and ``ludens engine`` as commands: engines are processes, and pipes carry plain text."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from pathlib import Path

from tests.cli.conftest import Run
from tests.processes import LUDENS, read_all, running


def run_process(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([*LUDENS, *arguments], input=text, capture_output=True, text=True, timeout=120, check=False)


def test_a_file_is_an_experiment_that_engines_in_processes_finish_at_the_end_of_the_input(tmp_path: Path) -> None:
    path = tmp_path / "experiment.ggtp"
    path.write_text(
        "set_option genmove on\nset_option show_results on\nset_rule TicTacToe\n"
        "set_engine Cross legal\nset_engine Circle Minimax\nset_engine_option Circle Depth 4\nstart\n"
    )

    done = run_process("ggtp", str(path), "--backend", "reference")

    assert done.stderr == ""
    assert done.stdout.startswith("-> Cross=")
    assert done.returncode == 0


def test_a_file_that_cannot_be_read_fails_the_command(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "wrong.ggtp"
    path.write_text("get_version\ndance\n")

    code, out, _ = run("ggtp", str(path), text="known_command play\n")

    assert out.endswith(f"? {path}, line 2: Unknown command dance. Use list_commands to see commands.\n= true\n")
    assert code == 1


def test_a_pipe_gets_plain_answers_and_quit_ends_it(run: Run) -> None:
    lines = "set_rule TicTacToe\nstart\nplay Cross A1\nlist_played_moves\nquit\nget_version\n"
    code, out, _ = run("ggtp", text=lines)

    assert out.split("\n") == ["= Done"] * 3 + ["= Cross A1", "= Done", ""]
    assert code == 0


def test_an_engine_speaks_on_standard_input_and_output() -> None:
    lines = ["connect_engine", "set_rule TicTacToe", "set_player Cross", "start", "made_move Cross A1"]
    done = run_process("engine", "legal", text="\n".join([*lines, "list_possible_moves 1", "disconnect_engine"]))

    assert done.stdout.split("\n")[-3:] == ["reply Circle=B1, C1, A2, B2, C2, A3, B3, C3", "acknowledge", ""]
    assert done.returncode == 0


def test_a_terminal_gets_a_prompt_and_colours_and_lines_typed_early_are_not_lost() -> None:
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color"}
    with running(*LUDENS, "ggtp", stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        os.write(ours, b"get_option genmove\nset_rule TicTacToe\nknown_command play\nnonsense\nquit\n")
        shown = read_all(ours)
        assert process.wait(60) == 0
    os.close(ours)

    assert "ggtp> " in shown
    answers = re.findall(r"\x1b\[3([12])m([=?][^.\x1b]*)", shown)
    assert answers == [
        ("2", "= off"), ("2", "= Done"), ("2", "= true"), ("1", "? Unknown command nonsense"), ("2", "= Done")
    ]  # fmt: skip


def test_engines_supervisors_and_observers_connect_from_other_processes(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text("supervisor supervisors-token-1\nplayer players-token-1234\nobserver observers-token-1\n")
    files = {kind: tmp_path / kind for kind in ("supervisor", "player", "observer")}
    for line in tokens.read_text().splitlines():
        kind, token = line.split()
        files[kind].write_text(token)
    rules = [*LUDENS, "ggtp", "--listen", "0", "--tokens", str(tokens), "--backend", "reference"]
    with running(*rules, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as listening:
        assert listening.stdout is not None
        address = listening.stdout.readline().removeprefix("-> listening on ").strip()

        def joining(*arguments: str, kind: str, name: str) -> list[str]:
            return [*LUDENS, *arguments, "--connect", address, "--name", name, "--token-file", str(files[kind])]

        engine = joining("engine", "legal", "--backend", "reference", kind="player", name="Deep")
        watching = joining("ggtp", "--as", "observer", kind="observer", name="Otto")
        supervising = joining("ggtp", kind="supervisor", name="Chief")
        play = "wait_for Deep\nwait_for Otto\nset_rule TicTacToe\nset_engine Cross Deep\nset_engine Circle legal\n"
        play += "set_option genmove on\nset_option show_results on\nstart\nwait\nget_result\nshut_down\n"
        with (
            running(*engine, stdin=subprocess.DEVNULL) as playing,
            running(*watching, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as observing,
        ):
            done = subprocess.run(supervising, input=play, capture_output=True, text=True, timeout=120, check=False)
            seen, _ = observing.communicate(timeout=120)
            assert playing.wait(120) == 0
        assert listening.wait(120) == 0

    assert "= Cross=winner 100, Circle=loser 0" in done.stdout.splitlines()
    assert "-> Cross=winner 100, Circle=loser 0" in seen.splitlines()
    assert done.stderr == ""


def test_a_wrong_token_and_a_wrong_address_are_told(run: Run) -> None:
    without, _, reason = run("ggtp", "--connect", "127.0.0.1:1")
    nowhere, _, other = run("engine", "legal", "--connect", "nowhere")

    assert without == nowhere == 2
    assert "a token is needed: give --token-file FILE, or set LUDENS_TOKEN" in reason
    assert "a token is needed" in other

"""Standard output is for answers only: what rules and players in Python print goes to standard error."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run
from tests.cli.test_ggtp import run_process
from tests.players.test_own_players import ONE

NOISY = ONE + 'print("a player is loaded")\n'


def noisy_player(folder: Path) -> str:
    path = folder / "noisy.py"
    path.write_text(NOISY, encoding="utf-8")
    return str(path)


def test_json_of_a_match_is_all_that_is_printed(run: Run, tmp_path: Path) -> None:
    noisy = noisy_player(tmp_path)

    code, out, err = run(
        *["match", "nim:1,2", "--player", f"first={noisy}", "--player", "second=legal", "--json"],
        *["--records", str(tmp_path)],
    )

    assert code == 0
    assert len(json.loads(out)["matches"]) == 1
    assert "a player is loaded" in err


def test_processes_of_a_tournament_print_to_standard_error(tmp_path: Path) -> None:
    specification = tmp_path / "noisy.yaml"
    players = f"[legal, {{name: noisy, player: {noisy_player(tmp_path)}}}]"
    specification.write_text(f"games: ['nim:1,2']\nplayers: {players}\nclock: 1\n", encoding="utf-8")
    store = ["--store", str(tmp_path / "t.db"), "--parallel", "2"]

    done = run_process("tournament", str(specification), *store, "--json")

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
    assert done.stderr.count("a player is loaded") > 1  # once in this process, once in those that play


def test_what_a_player_prints_is_no_answer_of_a_gtp_program(tmp_path: Path) -> None:
    done = run_process("gtp", "go:5", "--player", noisy_player(tmp_path), text="genmove b\nquit\n")

    first, second, rest = done.stdout.split("\n\n")
    assert first.startswith("= ")
    assert (second, rest) == ("=", "")


def test_what_rules_print_is_no_answer_by_ggtp(run: Run, tmp_path: Path) -> None:
    run("new-game", "noisy", "-o", str(tmp_path))
    path = tmp_path / "noisy.py"
    path.write_text(path.read_text(encoding="utf-8") + '\nprint("rules are loaded")\n', encoding="utf-8")

    done = run_process("ggtp", text=f"set_rule {path}\nquit\n")

    assert done.stdout.splitlines() == ["= Done", "= Done"]
    assert "rules are loaded" in done.stderr

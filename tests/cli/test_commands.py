from __future__ import annotations

import errno
import gzip
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import ludens
from ludens.compiler import benchmark
from ludens.compiler.batch.playout import PlayoutStatistics
from ludens.games.library import user_folder
from ludens.gdl.game import GdlGame
from ludens.gdl.read import read_rules
from ludens.gdl.traces import record_trace
from tests.cli.conftest import Run
from tests.games.shelf import SHELF
from tests.games.test_library import MINIMAL


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "countdown.kif"
    path.write_text(MINIMAL)
    return path


@pytest.mark.smoke
def test_games_can_be_filtered_by_tag_and_players(run: Run) -> None:
    names = {game["name"] for game in json.loads(run("games", "--tag", "puzzle", "--players", "1", "--json")[1])}

    assert {"eight_puzzle", "peg_solitaire", "lights_out"} <= names
    assert "chess" not in names
    assert "connect_four_3p" in run("games", "--players", "3")[1]


@pytest.mark.smoke
def test_show_draws_the_first_position(run: Run) -> None:
    code, out, _ = run("show", "connect_four")

    assert code == 0
    assert "1 | . . . . . . ." in out
    assert "Roles: red, black" in out


def test_show_tells_programs_the_same(run: Run) -> None:
    shown = json.loads(run("show", "nim:1,2", "--json")[1])

    assert shown["name"] == "nim:1,2"
    assert shown["roles"] == ["first", "second"]
    assert shown["forms"] == ["gdl"]
    assert shown["parameters"]
    assert shown["facts"]["simultaneous"]["answer"] == "no"
    assert shown["facts"]["zero_sum"]["answer"] == "unknown"


def test_show_proves_facts_if_asked(run: Run) -> None:
    code, out, _ = run("show", "nim:1,2", "--facts")

    assert code == 0
    assert "Zero sum: yes" in out
    assert "Role symmetry: yes" in out
    assert json.loads(run("show", "nim:1,2", "--facts", "--json")[1])["facts"]["alternating"]["answer"] == "yes"


def test_check_is_clean_on_good_rules(run: Run, sheet: Path) -> None:
    code, out, _ = run("check", str(sheet), "--simulate", "3", "--json")

    assert code == 0
    assert all(problem["level"] == "warning" for problem in json.loads(out))


def test_check_reports_several_errors_with_positions(run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.kif"
    bad.write_text(MINIMAL + "(<= (legal solo (a ?x)) (true b))\n(<= (legal solo (b ?y)) (true b))\n")

    code, out, _ = run("check", str(bad), "--json")

    problems = json.loads(out)
    assert code == 1
    assert [(p["code"], p["line"], p["column"]) for p in problems if p["level"] == "error"] == [
        ("GDL210", 8, 20),
        ("GDL210", 9, 20),
    ]
    assert all({"code", "level", "line", "column", "message"} <= p.keys() for p in problems)


def test_check_reports_syntax_errors_as_problems_too(run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.kif"
    bad.write_text("(role a))\n(init (b)")

    code, out, _ = run("check", str(bad), "--json")

    assert code == 1
    assert {"GDL001", "GDL002"} <= {problem["code"] for problem in json.loads(out)}


def test_check_cannot_read_what_is_not_there(run: Run) -> None:
    code, out, err = run("check", "nowhere.kif", "--json")

    assert (code, out) == (2, "")
    assert "cannot read nowhere.kif" in err


def test_convert_goes_there_and_back(run: Run, tmp_path: Path) -> None:
    infix = tmp_path / "game.gdl"

    assert run("convert", "checkers", "--to", "infix", "-o", str(infix))[0] == 0
    back = run("convert", str(infix))[1]

    assert read_rules(back) == read_rules((SHELF / "checkers.kif").read_text())


def test_conform_agrees_and_finds_the_first_difference(run: Run, sheet: Path, tmp_path: Path) -> None:
    game = ludens.load(sheet)
    assert isinstance(game, GdlGame)
    lines = list(record_trace(game, playouts=2, max_steps=10))
    good, bad = tmp_path / "good.jsonl.gz", tmp_path / "bad.jsonl"
    good.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    lines[2]["legal"] = [["(tick twice)"]]
    bad.write_text("\n".join(map(json.dumps, lines)))

    code, out, _ = run("conform", str(good), str(sheet), "--json")
    assert (code, json.loads(out)["ok"], json.loads(out)["states"]) == (0, True, 6)
    code, out, _ = run("conform", str(bad), str(sheet), "--json")
    difference = json.loads(out)["first_difference"]
    assert code == 1
    assert (difference["what"], difference["missing"], difference["extra"]) == ("legal", ["(tick twice)"], ["tick"])


def test_perft_counts_every_depth(run: Run) -> None:
    result = json.loads(run("perft", "connect_four", "4", "--json")[1])

    assert result["counts"] == [7, 49, 343, 2401]
    assert result["nodes"] == 2401


def test_perft_starts_from_moves_or_a_state(run: Run, tmp_path: Path) -> None:
    game = ludens.load("tic_tac_toe")
    state = game.initial_state().play({"xplayer": "(mark 1 1)", "oplayer": "noop"})
    position = tmp_path / "position.kif"
    position.write_text(str(state))

    from_moves = json.loads(run("perft", "tic_tac_toe", "2", "--moves", "(mark 1 1)", "--json")[1])
    from_state = json.loads(run("perft", "tic_tac_toe", "2", "--state", str(position), "--json")[1])

    assert from_moves["counts"] == from_state["counts"] == [8, 56]


@pytest.mark.parametrize("moves", ["(mark 1 1) noop noop (mark 2 2)", "(mark 1 1) (mark 2 2)", "mark(1,1). mark(2,2)"])
def test_moves_may_be_joint_or_alternate(run: Run, moves: str) -> None:
    assert json.loads(run("perft", "tic_tac_toe", "1", "--moves", moves, "--json")[1])["counts"] == [7]


def test_perft_takes_a_multi_jump_as_one_ply(run: Run) -> None:
    assert json.loads(run("perft", "checkers", "4", "--json")[1])["counts"] == [7, 49, 302, 1469]


@pytest.mark.smoke
def test_options_are_listed_with_their_types_and_bounds(run: Run) -> None:
    listed = {player["name"]: player for player in json.loads(run("players", "--json")[1])}

    assert listed["flat"]["options"][0] == {
        "name": "playouts",
        "type": "int",
        "default": 0,
        "minimum": 0,
        "maximum": 1_000_000,
        "choices": [],
        "description": "playouts per move; 0: as many as the clock allows",
    }
    assert "(between 1 and 100000)" in run("players")[1]


def test_players_are_listed_with_their_options(run: Run) -> None:
    listed = {player["name"]: player for player in json.loads(run("players", "--json")[1])}

    assert {option["name"] for option in listed["flat"]["options"]} == {"playouts", "depth", "twin"}


def test_import_reports_what_was_left_out(run: Run, tmp_path: Path) -> None:
    (tmp_path / "good.kif").write_text(MINIMAL)
    (tmp_path / "bad.kif").write_text("(")

    result = json.loads(run("import", str(tmp_path), "--json")[1])

    assert result["imported"] == ["good"]
    assert "GDL002" in result["left_out"]["bad"]
    assert '"good"' in run("games", "--json")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "atlantis"], "there is no game 'atlantis'"),
        (["match", "chess", "--player", "green=flat"], "with a role of chess"),
        (["match", "chess", "--player", "white=oracle"], "there is no player 'oracle'"),
        (["perft", "tic_tac_toe", "1", "--moves", "(mark 7 7)"], "is not a legal move"),
        (["perft", "tic_tac_toe", "1", "--state", "nowhere"], "cannot read the state"),
        (["perft", "tic_tac_toe", "1", "--state", "/dev/null"], "is not a state"),
        (["match", "tic_tac_toe", "--clock", "inf"], "--clock 'inf' is not S or ROLE=S"),
        (["match", "tic_tac_toe", "--clock", "green=1"], "--clock 'green=1' names no role of tic_tac_toe (xplayer,"),
        (["match", "nim", "--player", "first=random", "--player", "first=legal"], "first has two players, random and"),
        (["games", "--measure", "nim"], "--measure is for the pages that --write DIR writes"),
        (["games", "--tag", "board", "--tag", "unheard-of"], "no game has the tag unheard-of (tags: "),
        (["experiment", "decomposition", "-o", "/dev/null/x"], "cannot write into the folder /dev/null/x"),
        (["experiment", "gdlcc", "-o", "/dev/null/x"], "cannot write into the folder /dev/null/x"),
        (["evolve", "tic_tac_toe", "--out", "/dev/null/x.json"], "cannot write into the folder /dev/null: "),
        (["show", "tic_tac_toe", "--svg", "/dev/null/x"], "/dev/null/x: Not a directory"),
        (["replay", "nowhere.jsonl"], "cannot read the record"),
        (["conform", "nowhere.jsonl", "x.kif"], "cannot read the trace"),
        (["import", "nowhere"], "there is no folder"),
        (["play", "chess", "--as", "green"], "has no role 'green'"),
        (["unheard-of"], "No such command"),
        (["gamse"], "No such command 'gamse'. Did you mean 'games', 'new-game'?"),
        (["chesss"], "No such command 'chesss'. Did you mean the game 'chess'?"),
        (["matches"], "Did you mean 'match'"),
        (["nimm:3,4"], "Did you mean the game 'nim'?"),
        (["./nowhere.kif"], "there is no file nowhere.kif"),
        (["perft", "chess", "minus"], "Invalid value"),
    ],
)
def test_errors_are_one_message_and_exit_code_2(run: Run, arguments: list[str], message: str) -> None:
    code, out, err = run(*arguments)

    assert code == 2
    assert message in err
    assert "Traceback" not in out + err


def test_a_state_that_is_a_rule_sheet_is_told_with_its_file(run: Run, sheet: Path) -> None:
    code, _, err = run("perft", "tic_tac_toe", "1", "--state", str(sheet))

    assert code == 2
    assert f"{sheet} is not a state: it must list fluents, such as (control white)" in err


@pytest.mark.smoke
def test_debug_shows_the_traceback(run: Run) -> None:
    code, _, err = run("show", "atlantis", "--debug")

    assert code == 2
    assert "Traceback" in err


@pytest.mark.smoke
def test_the_installed_command_works_and_completes_names() -> None:
    command = Path(sys.executable).with_name("ludens")
    version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    words = {"COMP_WORDS": "ludens show conn", "COMP_CWORD": "2"}
    environment = {"_LUDENS_COMPLETE": "complete_bash", **words}
    completed = subprocess.run([command], capture_output=True, text=True, check=False, env=environment)

    assert version.stdout == f"ludens {ludens.__version__}\n"
    assert {"connect_four", "connect_four_3p"} <= set(completed.stdout.split())


@pytest.mark.smoke
def test_bench_tells_programs_rates_and_times(run: Run) -> None:
    result = json.loads(run("bench", "tic_tac_toe", "--seconds", "0.05", "--json")[1])

    assert result.keys() == {
        "game", "backend", "gates", "threads", "setup_seconds", "full_speed_seconds", "states_per_second",
        "states_per_cpu_second", "playouts_per_second", "mean_length", "mean_goals",
    }  # fmt: skip
    assert (result["backend"], result["threads"]) == ("circuit", 1)
    assert result["mean_goals"].keys() == {"xplayer", "oplayer"}


def test_bench_measures_the_reference_too(run: Run) -> None:
    assert "on reference" in run("bench", "nim", "--backend", "reference", "--seconds", "0.05")[1]


@pytest.mark.smoke
def test_compile_explains_every_stage(run: Run) -> None:
    stages = [stage["stage"] for stage in json.loads(run("compile", "nim", "--json")[1])]

    assert stages == ["read", "condense", "ground", "circuit", "select", "cover", "schedule", "code"]
    told = run("compile", "nim", "--explain")[1]
    assert all(word in told for word in ("operations", "depth", "slots", "bytes", "mutex groups"))


def test_conform_takes_the_compiled_backend(run: Run, sheet: Path, tmp_path: Path) -> None:
    game = ludens.load(sheet)
    assert isinstance(game, GdlGame)
    trace = tmp_path / "trace.jsonl"
    trace.write_text("\n".join(map(json.dumps, record_trace(game, playouts=1, max_steps=10))))

    code, out, _ = run("conform", str(trace), str(sheet), "--backend", "circuit", "--json")

    assert (code, json.loads(out)["backend"]) == (0, "circuit")


@pytest.mark.parametrize(
    "card", ["title = 5", 'title = "x"\ntags = [1, 2]', "not toml", 'title = "x"\nplayers = "two"']
)
def test_one_bad_card_does_not_hide_the_other_games(run: Run, card: str) -> None:
    user_folder().mkdir(parents=True)
    (user_folder() / "odd.kif").write_text(MINIMAL)
    (user_folder() / "odd.toml").write_text(card)

    code, out, err = run("games")

    assert code == 0
    assert "tic_tac_toe" in out
    assert "odd.toml" in err


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("1 / 0", "the rule in broken.py:1"),
        ("x = 1", "defines no rule"),
        ("def rules(): return 5", "the generator"),
        ("def rules(:", "the generator"),
    ],
)
def test_a_broken_game_in_python_is_its_own_fault(run: Run, code: str, what: str) -> None:
    user_folder().mkdir(parents=True)
    (user_folder() / "broken.py").write_text(code)

    exit_code, _, err = run("show", "broken")

    assert exit_code == 2
    assert what in err
    assert "fault in ludens" not in err


def test_control_characters_of_a_rule_sheet_do_not_reach_the_terminal(run: Run, tmp_path: Path) -> None:
    sheet = tmp_path / "evil.kif"
    sheet.write_text(MINIMAL.replace("tick", "ti\x1b[31mck"))

    out = run("show", str(sheet))[1] + run("match", str(sheet))[1]

    assert "\x1b[31m" not in out
    assert "ti\\x1b" in out


def test_a_new_game_can_be_shown_and_played_at_once(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("new-game", "Four Corners", "-o", str(tmp_path))
    rule = tmp_path / "four_corners.py"

    assert (code, rule.is_file()) == (0, True)
    assert "ludens match" in out
    shown = json.loads(run("show", str(rule), "--json")[1])
    assert shown["form"] == "tabletop"
    assert [option["name"] for option in shown["options"]] == ["size", "starting_player"]
    match = run("match", f"{rule}:size=3", "--player", "Red=random", "--player", "Blue=random", "--json", "--seed", "1")
    assert json.loads(match[1])["matches"][0]["finished"]
    assert "Option size" in run("show", str(rule))[1]


@pytest.mark.parametrize(("name", "message"), [("Four Corners", "is there already"), ("7 up", "begin with a letter")])
def test_new_game_says_why_it_writes_nothing(run: Run, tmp_path: Path, name: str, message: str) -> None:
    run("new-game", "Four Corners", "-o", str(tmp_path))

    code, _, err = run("new-game", name, "-o", str(tmp_path))

    assert code == 2
    assert message in err


def test_check_plays_rules_in_python(run: Run, tmp_path: Path) -> None:
    rules = tmp_path / "mine.py"
    run("new-game", "mine", "-o", str(tmp_path))

    code, out, _ = run("check", str(rules), "--simulate", "2")
    assert code == 0
    assert "2 random matches" in out
    assert run("check", str(rules), "--json", "--simulate", "1")[1].strip() == "[]"

    broken = tmp_path / "broken.py"
    broken.write_text(rules.read_text() + "\n1 // 0\n")
    code, out, _ = run("check", str(broken))
    assert code == 1
    assert "ZeroDivisionError" in out


def test_check_reports_a_card_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    run("new-game", "mine", "-o", str(tmp_path))
    rules = tmp_path / "mine.py"
    rules.with_suffix(".toml").write_text('[drawing]\nlook = "wood"\n')
    assert run("check", str(rules), "--simulate", "1")[0] == 0

    rules.with_suffix(".toml").write_text('[drawing]\nlooks = "wood"\n')
    code, out, _ = run("check", str(rules), "--simulate", "1")
    assert code == 1
    assert "mine.toml" in out


def test_rules_that_leave_python_are_told(run: Run, tmp_path: Path) -> None:
    rules = tmp_path / "leaving.py"
    rules.write_text("raise SystemExit(3)\n")

    code, _, err = run("show", str(rules))

    assert code == 2
    assert "leaving.py:1 cannot be loaded: SystemExit: 3" in err


@pytest.mark.parametrize("command", ["bench", "compile"])
def test_rules_with_errors_are_refused_before_they_are_compiled(run: Run, tmp_path: Path, command: str) -> None:
    rules = tmp_path / "unsafe.kif"
    rules.write_text(MINIMAL + "(<= (legal solo (jump ?x)) (not (true (counter ?x))))")

    code, _, err = run(command, str(rules))

    assert code == 2
    assert "unsafe.kif:8" in err
    assert "GDL210" in err


def test_errors_are_printable_whatever_was_named(run: Run) -> None:
    code, _, err = run("show", "\udcff\x1b[31m.kif")

    assert code == 2
    assert "there is no file \\udcff\\x1b[31m.kif" in err


def test_rules_of_openspiel_are_not_to_be_had(run: Run) -> None:
    code, _, err = run("bench", "openspiel:hex")

    assert code == 2
    assert "openspiel:hex is a game of OpenSpiel" in err


def test_what_the_machine_refuses_is_no_fault_in_ludens(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "cache/code")

    monkeypatch.setattr(ludens, "load", refuse)

    code, _, err = run("query", "nim", "heap(a,X)")

    assert code == 2
    assert err == "error: cache/code: No space left on device\n"


def test_bench_ends_soon_after_ctrl_c() -> None:
    pressed = threading.Event()

    class Machine:
        def run(self, seconds: float) -> PlayoutStatistics:
            if not pressed.is_set():
                pressed.set()
                os.kill(os.getpid(), signal.SIGINT)
            return PlayoutStatistics(1, 1, (0.0,))

    with pytest.raises(KeyboardInterrupt):
        benchmark._run_beside_each_other([Machine()], 3_600)  # type: ignore[list-item]

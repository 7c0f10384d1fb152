from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def record(run: Run) -> Path:
    arguments = ("--player", "xplayer=random", "--player", "oplayer=random", "--seed", "4", "--json")
    [match] = json.loads(run("match", "tic_tac_toe", *arguments)[1])["matches"]
    return Path(match["record"])


def test_replay_shows_every_turn_and_the_result(run: Run, record: Path) -> None:
    code, out, _ = run("replay", str(record))

    assert code == 0
    assert "xplayer: random, oplayer: random  seed 4" in out
    assert "  1. xplayer " in out
    assert "(terminal): xplayer" in out


def test_replay_shows_one_turn(run: Run, record: Path) -> None:
    code, out, _ = run("replay", str(record), "--turn", "2")

    assert code == 0
    assert "  2. oplayer " in out
    assert "  1. " not in out
    assert run("replay", str(record), "--turn", "77")[0] == 2


def test_replay_tells_programs_everything(run: Run, record: Path) -> None:
    found = json.loads(run("replay", str(record), "--json", "--verify")[1])

    assert (found["ok"], found["problems"], found["differences"]) == (True, [], [])
    assert found["start"]["game"] == "tic_tac_toe"
    assert [turn["id"] for turn in found["turns"]] == list(range(1, found["end"]["turns"] + 1))


def test_verify_finds_what_was_changed(run: Run, record: Path) -> None:
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    lines[-1]["goals"] = {"xplayer": 7, "oplayer": 7}
    record.write_text("".join(json.dumps(line) + "\n" for line in lines))

    code, out, _ = run("replay", str(record), "--verify")

    assert code == 1
    assert f"line {len(lines)}, turn {len(lines) - 2}: goals" in out


def test_a_cut_off_record_is_shown_as_far_as_it_goes(run: Run, record: Path) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(lines[:3]) + lines[3][:20])

    code, out, err = run("replay", str(record))

    assert code == 0
    assert "  2. oplayer" in out
    assert "line 4: the line is not JSON (the line is cut off)" in err
    assert "no end" in err


def test_the_rules_of_a_match_by_path_are_named(run: Run, record: Path, tmp_path: Path) -> None:
    record.write_text(record.read_text().replace('"game": "tic_tac_toe"', '"game": "unheard_of"'))

    assert "--rules" in run("replay", str(record))[2]
    assert run("replay", str(record), "--rules", "tic_tac_toe", "--verify")[0] == 0
    assert "rules: recorded" in run("replay", str(record), "--rules", "connect_four", "--verify")[1]


@pytest.mark.smoke
def test_a_replay_is_written_as_drawings_and_as_a_film(run: Run, record: Path, tmp_path: Path) -> None:
    folder, film = tmp_path / "turns", tmp_path / "match.gif"

    code, out, _ = run("replay", str(record), "--svg", str(folder), "--gif", str(film))

    turns = len(record.read_text().splitlines()) - 2
    assert (code, len(list(folder.glob("*.svg")))) == (0, turns + 1)
    assert f"{turns + 1} drawings" in out
    assert film.read_bytes().startswith(b"GIF89a")


def test_a_film_that_cannot_be_written_is_told(run: Run, record: Path, tmp_path: Path) -> None:
    code, _, err = run("replay", str(record), "--gif", str(tmp_path / "no" / "match.gif"))

    assert code == 2
    assert "match.gif: No such file" in err


def test_a_record_cannot_name_a_file_to_be_run(run: Run, record: Path, tmp_path: Path) -> None:
    rules, trace = tmp_path / "rules.py", tmp_path / "was_run"
    rules.write_text(f"open({str(trace)!r}, 'w').close()\n")
    record.write_text(record.read_text().replace('"game": "tic_tac_toe"', f'"game": "{rules}"'))

    code, _, err = run("replay", str(record))

    assert (code, trace.exists()) == (2, False)
    assert "--rules" in err


PAGE = """
from ludens.tabletop import Area, Assortment, Element, FinishPlay, Move, Option, Rule, alternate

class Own(Rule):
    name = "Own"
    players = ("Left", "Right")
    options = (Option("size", 3, "cells", 2, 9),)

    def equipment(self, table):
        table.add(Area.grid("board", columns=self.settings["size"], rows=1))
        table.add(Assortment("stones", [Element("L", player="Left"), Element("R", player="Right")], endless=True))

    def turns(self):
        return alternate(self.players, self.place)

    def place(self, table):
        stone = table.element(player=table.current_player)
        return [Move(stone, to=cell) for cell in table.positions(empty=True)]

    def result(self, table):
        return None if table.positions(empty=True) else FinishPlay(draw=True)
"""


def test_a_record_finds_the_page_that_it_was_played_from(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "tic_tac_toe.py"  # the name of a game of the library
    page.write_text(PAGE)
    players = ("--player", "Left=random", "--player", "Right=random", "--json")
    [played] = json.loads(run("match", f"{page}:4", *players)[1])["matches"]
    record, folder = played["record"], tmp_path / "drawn"

    assert run("replay", record, "--verify")[:2] == (0, "4 turns recomputed: everything agrees\n")
    assert run("replay", record, "--svg", str(folder))[0] == 0
    assert len(list(folder.glob("*.svg"))) == 5

    page.write_text(PAGE + "# changed\n")
    assert f"has changed since the match; --rules {page}:4 uses it" in run("replay", record)[2]


def played_with_parameters(run: Run, page: Path) -> str:
    page.write_text(PAGE)
    players = ("--player", "Left=random", "--player", "Right=random", "--json")
    [played] = json.loads(run("match", f"{page}:size=5", *players)[1])["matches"]
    return str(played["record"])


def test_a_page_that_is_named_takes_the_parameters_of_the_record(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "cells.py"
    record = played_with_parameters(run, page)

    assert run("replay", record, "--rules", str(page), "--verify")[:2] == (0, "5 turns recomputed: everything agrees\n")
    code, out, err = run("replay", record, "--rules", f"{page}:4", "--verify")
    assert (code, "is not a legal move" in out or "terminal" in out) == (1, True)
    assert not err


def test_a_page_that_has_changed_is_used_with_a_warning(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "cells.py"
    record = played_with_parameters(run, page)
    page.write_text(PAGE.replace('name = "Own"', 'name = "Own cells"'))

    code, out, err = run("replay", record, "--rules", str(page))

    assert code == 0
    assert "Result after 5 turns" in out
    assert f"the rules of {page} are not those that {record} was played by, so turns may differ" in err


def test_a_page_that_is_gone_is_named(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "cells.py"
    record = played_with_parameters(run, page)
    page.rename(tmp_path / "moved.py")

    assert f"{page}, from which the match was played, is not there any more" in run("replay", record)[2]
    assert run("replay", record, "--rules", str(tmp_path / "moved.py"), "--verify")[0] == 0


def test_rules_of_another_game_take_no_parameters_of_the_record(run: Run, tmp_path: Path) -> None:
    record = played_with_parameters(run, tmp_path / "cells.py")

    assert "rules: recorded" in run("replay", record, "--rules", "connect_four", "--verify")[1]


def test_drawings_of_turns_that_cannot_be_computed_are_an_error(run: Run, record: Path, tmp_path: Path) -> None:
    folder = tmp_path / "drawn"

    code, _, err = run("replay", str(record), "--rules", "connect_four", "--svg", str(folder))

    assert (code, folder.exists()) == (2, False)
    assert "nothing was drawn: the rules are not those of the record" in err


def test_rules_in_python_are_checked_with_parameters(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "own.py"
    page.write_text(PAGE)

    assert run("check", f"{page}:4", "--simulate", "1")[0] == 0
    assert run("check", f"{page}:size=12")[0] == 1


def test_a_record_with_a_line_that_cannot_be_read_does_not_agree(run: Run, record: Path) -> None:
    record.write_text(record.read_text() + "and so on\n")

    code, out, err = run("replay", str(record), "--verify")

    assert code == 1
    assert "everything agrees" not in out
    assert "not JSON" in err


@pytest.mark.parametrize("how", [[], ["--verify"], ["--json"]])
def test_a_role_that_nobody_plays_is_an_error_that_names_the_turn(run: Run, record: Path, how: list[str]) -> None:
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    lines[2]["moves"]["zplayer"] = "noop"
    record.write_text("".join(json.dumps(line) + "\n" for line in lines))

    code, out, err = run("replay", str(record), *how)

    assert code == 1
    assert "the moves of turn 2: 'zplayer' is not a role of the match (roles: xplayer, oplayer)" in out + err


def test_a_move_that_is_missing_ends_a_replay_with_an_error(run: Run, record: Path) -> None:
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    del lines[2]["moves"]["oplayer"]
    record.write_text("".join(json.dumps(line) + "\n" for line in lines))

    code, out, _ = run("replay", str(record))

    assert code == 1
    assert "this position cannot be computed" in out


def test_regret_shows_what_every_move_lost(run: Run, record: Path) -> None:
    code, out, _ = run("regret", str(record), "--seconds", "0.05")
    assert code == 0
    assert "points lost a move" in out
    found = json.loads(run("regret", str(record), "--seconds", "0.05", "--json")[1])
    assert found["game"] == "tic_tac_toe"
    assert found["roles"]["xplayer"]["moves"] >= 3
    assert all(move["loss"] >= 0 for move in found["moves"])

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from ludens.referee.reading import read_record
from tests.cli.conftest import Run
from tests.games.test_library import MINIMAL


def play_by_hand(run: Run, monkeypatch: pytest.MonkeyPatch, typed: str, *arguments: str) -> str:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    code, out, _ = run("play", *arguments, "--against", "legal", "--clock", "0.05")
    assert code == 0
    return out


@pytest.mark.smoke
def test_a_person_can_win_by_typing_moves(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play_by_hand(run, monkeypatch, "2 2\n(mark 3 1)\nmark(1,3)\n", "tic_tac_toe")

    assert "You won: xplayer has three in a row\nxplayer 100 (you)" in out


def test_a_person_can_search_take_back_and_ask(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play_by_hand(run, monkeypatch, "/2 3\nnonsense\nhint\nundo\n1\nundo\nhelp\nquit\n", "tic_tac_toe")

    assert "   6  b3\nxplayer>" in out
    assert "'nonsense' is not a move here" in out
    assert "Perhaps " in out
    assert "nothing to take back" in out
    assert out.count("   1  a1") == 2
    assert out.endswith("Bye.\n")


def test_a_person_can_play_another_role(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play_by_hand(run, monkeypatch, "quit\n", "tic_tac_toe", "--as", "OPLAYER")

    assert "xplayer plays a1" in out


def record_in(out: str) -> Path:
    found = re.search(r"Record: (\S+)", out)
    assert found is not None
    return Path(found[1])


def test_a_played_match_is_recorded_with_the_person_as_a_player(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play_by_hand(run, monkeypatch, "2 2\n(mark 3 1)\nmark(1,3)\n", "tic_tac_toe")

    record = read_record(record_in(out))
    assert record.start.players == {"xplayer": "human", "oplayer": "legal"}
    assert record.start.data["clocks"]["xplayer"] == {"play": None, "start": None}
    assert record.end is not None
    assert record.end["goals"] == {"xplayer": 100, "oplayer": 0}


def test_moves_taken_back_are_branches_of_the_record(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play_by_hand(run, monkeypatch, "1\nundo\n5\nquit\n", "tic_tac_toe")

    record = read_record(record_in(out))
    assert [(turn.id, turn.parent) for turn in record.turns.values()] == [(1, 0), (2, 1), (3, 0), (4, 3)]
    assert record.end is not None
    assert (record.end["reason"], record.end["finished"]) == ("stopped", False)
    assert "Taken back" not in run("replay", str(record.path), "--verify")[1]
    assert "takes back, to turn 0" in run("replay", str(record.path))[1]


def test_two_people_can_play_at_one_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("1 1\n3 1\n1 2\n3 2\nundo\n1 2\n3 3\n1 3\n"))

    code, out, _ = run("match", "tic_tac_toe", "--player", "xplayer=human", "--player", "oplayer=human")

    assert code == 0
    assert "oplayer>" in out
    assert "xplayer (human) 100, oplayer (human) 0" in out


def test_forced_moves_are_told_in_play(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sheet = tmp_path / "forced.kif"
    sheet.write_text(MINIMAL.replace("tick", "(count up)"))

    assert "You can only play count up" in play_by_hand(run, monkeypatch, "", str(sheet))


def test_a_person_is_shown_only_what_its_role_may_see(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play_by_hand(run, monkeypatch, "call\nquit\n", "leduc_poker@tabletop", "--seed", "1")

    assert "hand Second: 1 face down" in out
    assert "First: deal\n" in out
    assert re.search(r"^hand First: [JQK][HS]$", out, re.MULTILINE)
    assert not re.search(r"hand Second: [JQK]", out)


def test_a_person_is_told_what_was_rolled(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play_by_hand(run, monkeypatch, "1\nstop\nquit\n", "cant_stop@tabletop", "--seed", "1")

    assert re.search(r"You can only play roll = \d \d \d \d", out)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("arguments", [("tic-tac-toe",), ("nim:3,4,5",), ("./mine.kif", "--seed", "1")])
def test_the_name_of_a_game_alone_plays_it_at_a_terminal(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "mine.kif").write_text(MINIMAL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", Terminal("quit\n"))

    code, out, _ = run(*arguments, "--against", "legal", "--clock", "0.05")

    assert code == 0
    assert "You are " in out
    assert "Record: " in out


@pytest.mark.parametrize("name", ["chess", "nim:3,4,5"])
def test_without_a_terminal_the_name_of_a_game_says_what_to_type(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))

    code, out, err = run(name)

    assert (code, out) == (2, "")
    assert all(f"'ludens {command} {name}'" in err for command in ("play", "match", "show"))


def test_a_file_that_has_no_rules_is_no_game(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("buy milk")
    monkeypatch.chdir(tmp_path)

    code, _, err = run("notes.txt")

    assert code == 2
    assert "No such command 'notes.txt'." in err

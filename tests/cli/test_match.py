from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ludens.referee import Event, Match
from tests.cli.conftest import Run

PLAYERS = ("--player", "xplayer=random", "--player", "oplayer=legal")


def series(run: Run, *arguments: str) -> dict[str, Any]:
    code, out, _ = run("match", "tic_tac_toe", *PLAYERS, "--seed", "1", "--json", *arguments)
    assert code == 0
    found: dict[str, Any] = json.loads(out)
    return found


def test_match_tells_programs_the_result_and_the_record(run: Run) -> None:
    [result] = series(run)["matches"]

    assert {"game", "roles", "players", "goals", "turns", "errors", "record"} <= result.keys()
    assert result["ending"].startswith(("xplayer won: ", "oplayer won: ", "A draw: "))
    assert result["players"] == {"xplayer": "random", "oplayer": "legal"}
    assert len(Path(result["record"]).read_text().splitlines()) == result["turns"] + 2


@pytest.mark.smoke
def test_match_shows_boards_moves_and_thinking(run: Run) -> None:
    players = ("--player", "xplayer=flat", "--player", "oplayer=random")
    code, out, _ = run("match", "tic_tac_toe", "--clock", "0.05", *players, "--seed", "1")

    assert code == 0
    assert "  1. xplayer " in out
    assert "playouts" in out
    assert "Result after" in out
    assert "Record: " in out


def test_a_series_is_summed_up_for_each_player(run: Run) -> None:
    found = series(run, "--games", "6")

    summary = found["summary"]
    random, legal = summary["players"]
    assert (summary["games"], summary["planned"], summary["interrupted"]) == (6, 6, False)
    assert random["wins"] + random["draws"] + random["losses"] == 6
    assert (random["wins"], random["draws"]) == (legal["losses"], legal["draws"])
    assert random["score"]["low"] <= random["score"]["mean"] <= random["score"]["high"]
    assert random["goal"]["mean"] == pytest.approx(sum(m["goals"]["xplayer"] for m in found["matches"]) / 6, abs=0.01)
    assert len({match["seed"] for match in found["matches"]}) == 6


def test_with_swap_players_change_roles_and_keep_their_results(run: Run) -> None:
    found = series(run, "--games", "4", "--swap")

    assert [match["players"]["xplayer"] for match in found["matches"]] == ["random", "legal"] * 2
    for player in found["summary"]["players"]:
        assert {role: part["games"] for role, part in player["by_role"].items()} == {"xplayer": 2, "oplayer": 2}


def test_the_same_seed_gives_the_same_series(run: Run) -> None:
    first, second = series(run, "--games", "3"), series(run, "--games", "3")

    assert first["summary"] == second["summary"]


@pytest.mark.smoke
def test_people_see_a_table_with_intervals(run: Run) -> None:
    code, out, _ = run("match", "tic_tac_toe", *PLAYERS, "--games", "3", "--seed", "1")

    assert code == 0
    assert "3 of 3 matches" in out
    assert "score %" in out
    assert "[" in out.splitlines()[2]


def test_an_interrupted_series_is_summed_up_as_far_as_it_went(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Match] = []
    play = Match.events

    def interrupt_the_third(match: Match) -> Iterator[Event]:
        started.append(match)
        if len(started) == 3:
            raise KeyboardInterrupt
        return play(match)

    monkeypatch.setattr(Match, "events", interrupt_the_third)
    code, out, _ = run("match", "tic_tac_toe", *PLAYERS, "--games", "5", "--json")

    summary = json.loads(out)["summary"]
    assert code == 130
    assert (summary["games"], summary["planned"], summary["interrupted"]) == (2, 5, True)


def test_equal_players_are_told_apart(run: Run) -> None:
    arguments = ("--player", "xplayer=legal", "--player", "oplayer=legal", "--games", "2", "--json")

    summary = json.loads(run("match", "tic_tac_toe", *arguments)[1])["summary"]

    assert [player["player"] for player in summary["players"]] == ["legal #1", "legal #2"]


def test_each_role_can_have_a_clock_of_its_own(run: Run) -> None:
    arguments = ("--clock", "2", "--clock", "OPLAYER=0.5", "--start-clock", "none")

    [result] = series(run, *arguments)["matches"]

    start = json.loads(Path(result["record"]).read_text().splitlines()[0])
    assert start["clocks"] == {"xplayer": {"play": 2.0, "start": None}, "oplayer": {"play": 0.5, "start": None}}


def test_what_went_wrong_is_told_once_where_matches_are_not_shown(run: Run, tmp_path: Path) -> None:
    player = tmp_path / "wild.py"
    player.write_text(
        "from ludens.core import Player\nclass Wild(Player):\n    name = description = 'wild'\n"
        "    def choose(self, view, deadline):\n        return 1 // 0\n"
    )
    seats = ("--player", f"xplayer={player}", "--player", "oplayer=random")

    code, _, err = run("match", "tic_tac_toe", *seats, "--games", "2")

    assert code == 0
    assert err.count("erred (crash): answered at random: ZeroDivisionError") == 1
    assert "(wild.py:5)" in err

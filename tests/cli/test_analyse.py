from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

NEARLY_WON = "(mark 1 1) (mark 3 3) (mark 1 2) (mark 3 2)"


@pytest.mark.parametrize("player", ["alphabeta", "flat:playouts=20", "mcts:native=off,iterations=200"])
def test_analyse_tells_programs_what_each_move_is_worth(run: Run, player: str) -> None:
    code, out, _ = run("analyse", "tic_tac_toe", "--moves", NEARLY_WON, "--player", player, "--seconds", "30", "--json")

    found = json.loads(out)
    assert code == 0
    assert found["role"] == "xplayer"
    assert found["move"] == "(mark 1 3)"
    assert found["value"] == 100
    assert len(found["moves"]) == 5


def test_analyse_with_alphabeta_proves_every_move(run: Run) -> None:
    out = run("analyse", "nim:1,2", "--player", "alphabeta", "--seconds", "30", "--json")[1]

    moves = {move["move"]: (move["value"], move["proven"]) for move in json.loads(out)["moves"]}
    assert moves == {"(reduce b 1)": (100, True), "(reduce a 0)": (0, True), "(reduce b 0)": (0, True)}


def test_analyse_shows_a_table(run: Run) -> None:
    code, out, _ = run("analyse", "nim:1,2", "--player", "alphabeta", "--seconds", "30")

    assert code == 0
    assert "proven" in out
    assert "first plays (reduce b 1)" in out


def test_analyse_explains_the_evaluation_or_why_there_is_none(run: Run) -> None:
    for game, key in (("breakthrough:4,4", "log_loss"), ("pig", "why")):
        code, out, _ = run("analyse", game, "--player", "legal", "--explain", "--json")

        assert code == 0
        assert key in json.loads(out)["explanation"]


def test_analyse_thinks_for_the_role_named(run: Run) -> None:
    out = run("analyse", "rock_paper_scissors", "--role", "right", "--player", "alphabeta", "--json")[1]

    assert json.loads(out)["role"] == "right"


def test_analyse_refuses_positions_that_are_over(run: Run) -> None:
    code, _, err = run("analyse", "nim:1", "--moves", "(reduce a 0) noop")

    assert code == 2
    assert "the match is over" in err


def test_moves_of_games_in_python_are_named_one_by_one(run: Run) -> None:
    moves = [word for move in ("B2", "A1", "A2", "C2") for word in ("--moves", move)]

    code, out, _ = run("analyse", "tic_tac_toe@tabletop", *moves, "--player", "alphabeta", "--seconds", "2", "--json")

    assert code == 0
    assert json.loads(out)["role"] == "Cross"


def test_a_move_of_a_game_in_python_that_is_not_legal_is_told(run: Run) -> None:
    code, _, err = run("analyse", "tic_tac_toe@tabletop", "--moves", "Z9", "--seconds", "1")

    assert code == 2
    assert "'Z9' is not a legal move of Cross" in err


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ("1 // 0", "player 'wild' failed: ZeroDivisionError"),
        ("view.legal_moves[0]", "choose must return a Decision, not GdlMove"),
        ("Decision('(mark 9 9)')", "chose '(mark 9 9)', which is not a legal move of xplayer here"),
    ],
)
def test_a_player_that_fails_is_told_as_its_own_fault(run: Run, tmp_path: Path, returned: str, message: str) -> None:
    player = tmp_path / "wild.py"
    player.write_text(
        "from ludens.core import Decision, Player\nclass Wild(Player):\n    name = description = 'wild'\n"
        f"    def choose(self, view, deadline):\n        return {returned}\n"
    )

    code, _, err = run("analyse", "tic_tac_toe", "--player", str(player), "--seconds", "0.1")

    assert code == 2
    assert message in err
    assert "fault in ludens" not in err


def test_what_a_player_prints_stays_out_of_the_json(run: Run, tmp_path: Path) -> None:
    player = tmp_path / "loud.py"
    player.write_text(
        "from ludens.core import Decision, Player\nclass Loud(Player):\n    name = description = 'loud'\n"
        "    def choose(self, view, deadline):\n        print('hm')\n        return Decision(view.legal_moves[0])\n"
    )

    _, out, _ = run("analyse", "tic_tac_toe", "--player", str(player), "--seconds", "0.1", "--json")

    assert json.loads(out)["move"] == "(mark 1 1)"

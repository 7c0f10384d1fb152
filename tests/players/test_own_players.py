"""Players in files of the user: how they are named, and what is told if they cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludens.cli.main import main
from ludens.core import PlayerError
from ludens.players import make_player
from ludens.players.registry import without_options

ONE = """
from ludens.core import Decision, Option, Player


class Last(Player):
    name = "last"
    description = "takes the last legal move"
    options = (Option("from_end", 0, "how many moves to leave out", minimum=0, maximum=3),)

    def choose(self, view, deadline):
        return Decision(view.legal_moves[-1 - self.settings["from_end"]])
"""
SECOND = """

class First(Last):
    name = "opening"

    def choose(self, view, deadline):
        return Decision(view.legal_moves[0])
"""


def written(folder: Path, text: str) -> str:
    path = folder / "mine.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_file_with_one_player_is_enough_to_name_it(tmp_path: Path) -> None:
    path = written(tmp_path, ONE)

    assert make_player(path, files=True).name == "last"
    assert make_player(f"{path}:from_end=2", files=True).settings == {"from_end": 2}


def test_one_of_several_is_named_by_its_class_or_its_name(tmp_path: Path) -> None:
    path = written(tmp_path, ONE + SECOND)

    assert make_player(f"{path}:First", files=True).name == "opening"
    assert make_player(f"{path}:opening:from_end=1", files=True).settings == {"from_end": 1}


@pytest.mark.parametrize(
    ("text", "rest", "message"),
    [
        (ONE + SECOND, "", r"mine.py has several players; name one of mine.py:Last, mine.py:First"),
        (ONE, ":Best", r"mine.py has no player 'Best'; name one of mine.py:Last"),
        (ONE, ":speed=3", r"player 'last' has no option 'speed' \(options: from_end\)"),
        ("x = 1\n", "", r"defines no player: a subclass of ludens.core.Player"),
        ("x = \n", "", r"the player in mine.py:1 cannot be loaded: SyntaxError"),
        ("x = 1\ny = 1 / 0\n", "", r"the player in mine.py:2 cannot be loaded: ZeroDivisionError"),
        (ONE.replace('    name = "last"\n', ""), "", r"the player Last in mine.py needs a string as its name"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(tmp_path: Path, text: str, rest: str, message: str) -> None:
    path = written(tmp_path, text)

    with pytest.raises(PlayerError, match=message):
        make_player(path + rest, files=True)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match=r"there is no file .*mine\.py to load a player from"):
        make_player(str(tmp_path / "mine.py"), files=True)


def test_texts_that_may_come_from_elsewhere_name_no_files(tmp_path: Path) -> None:
    path = written(tmp_path, "raise SystemExit")

    with pytest.raises(PlayerError, match="only players that come with ludens are allowed here"):
        make_player(path)


def test_an_own_player_plays_a_match_and_is_in_its_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, ONE)
    monkeypatch.chdir(tmp_path)

    assert main(["match", "tic_tac_toe", "--player", "xplayer=mine.py", "--player", "oplayer=legal", "--json"]) == 0

    (played,) = json.loads(capsys.readouterr().out)["matches"]
    start, *turns = map(json.loads, Path(played["record"]).read_text(encoding="utf-8").splitlines())
    assert start["players"]["xplayer"] == {"name": "last", "options": {"from_end": 0}}
    assert turns[0]["moves"]["xplayer"] == "(mark 3 3)"


@pytest.mark.slow
def test_an_own_player_takes_part_in_a_tournament(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, ONE)
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        f"games: [tic_tac_toe]\nplayers: [legal, {{name: mine, player: '{path}:from_end=1'}}]\nrepetitions: 2\n",
        encoding="utf-8",
    )

    assert main(["tournament", str(plan), "--store", str(tmp_path / "arena.db"), "--json"]) == 0

    assert "mine" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("mcts", "mcts"),
        ("mcts:memory=64,ponder=false", "mcts"),
        ("neural:best.pt", "neural"),
        ("mine.py", "mine.py"),
        ("mine.py:from_end=1", "mine.py"),
        ("a/mine.py:Last", "a/mine.py:Last"),
        ("a/mine.py:Last:from_end=1", "a/mine.py:Last"),
    ],
)
def test_a_description_without_its_options_still_says_who_it_is(text: str, name: str) -> None:
    assert without_options(text) == name

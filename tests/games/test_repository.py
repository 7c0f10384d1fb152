from __future__ import annotations

import json
from pathlib import Path

import pytest

import ludens
from ludens.games.library import entries, user_folder
from ludens.games.repository import Imported, import_rule_sheets
from tests.games.test_library import MINIMAL


def imported(folder: Path) -> dict[str, Imported]:
    return {result.name: result for result in import_rule_sheets(folder, user_folder())}


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def metadata(**values: object) -> str:
    return json.dumps({"gameName": "Count Up", "rulesheet": "countUp.kif", "description": "countUp.txt", **values})


def test_a_repository_is_imported_with_titles_and_descriptions(tmp_path: Path) -> None:
    game = "games/countUp/"
    put(tmp_path, {game + "METADATA": metadata(), game + "countUp.kif": MINIMAL, game + "countUp.txt": "Count.\nUp."})

    assert imported(tmp_path)["countUp"].path == user_folder() / "countUp.kif"
    card = entries()["countUp"].card
    assert (card.title, card.rules, card.players) == ("Count Up", "Count. Up.", 1)
    assert ludens.load("countup").roles == ("solo",)


def test_the_newest_version_of_each_file_wins(tmp_path: Path) -> None:
    newer = MINIMAL.replace("solo", "someone")
    files = {
        "countUp/METADATA": metadata(),
        "countUp/countUp.kif": MINIMAL,
        "countUp/countUp.txt": "first",
        "countUp/v1/countUp.txt": "second",
        "countUp/v10/countUp.kif": newer,
        "countUp/v9/countUp.kif": MINIMAL,
    }
    put(tmp_path, files)

    imported(tmp_path)

    assert ludens.load("countUp").roles == ("someone",)
    assert entries()["countUp"].card.rules == "second"


def test_metadata_may_be_named_after_the_game(tmp_path: Path) -> None:
    put(tmp_path, {"countUp/countUp.json": metadata(gameName="Old One"), "countUp/countUp.kif": MINIMAL})

    imported(tmp_path)

    assert entries()["countUp"].card.title == "Old One"


def test_a_single_game_and_a_plain_folder_are_understood(tmp_path: Path) -> None:
    put(tmp_path, {"one/METADATA": metadata(), "one/countUp.kif": MINIMAL, "plain/a.kif": MINIMAL})

    assert imported(tmp_path / "one").keys() == {"one"}
    assert imported(tmp_path / "plain").keys() == {"a"}


def test_unreadable_rule_sheets_are_left_out_with_the_reason(tmp_path: Path) -> None:
    put(tmp_path, {"bad.kif": "(role x", "nobody.kif": MINIMAL.replace("(role solo)", ""), "good.kif": MINIMAL})

    results = imported(tmp_path)

    assert results["good"].path is not None
    assert results["bad"].path is None
    assert "never closed" in results["bad"].reason
    assert "no role is named" in results["nobody"].reason


@pytest.mark.parametrize("name", ["../secret.kif", "/etc/passwd", ""])
def test_metadata_cannot_point_outside_its_folder(tmp_path: Path, name: str) -> None:
    put(tmp_path, {"secret.kif": MINIMAL, "games/evil/METADATA": metadata(rulesheet=name)})

    results = imported(tmp_path / "games")

    assert results["evil"].path is None
    assert "no rule sheet" in results["evil"].reason


def test_games_that_are_there_already_are_not_overwritten(tmp_path: Path) -> None:
    put(tmp_path, {"mine.kif": MINIMAL, "taken.kif": MINIMAL})
    imported(tmp_path)
    put(tmp_path, {"mine.kif": MINIMAL.replace("solo", "other")})

    again = {result.name: result for result in import_rule_sheets(tmp_path, user_folder(), {"taken"})}
    assert {name: result.path for name, result in again.items()} == {"mine": None, "taken": None}
    assert ludens.load("mine").roles == ("solo",)

    list(import_rule_sheets(tmp_path, user_folder(), replace=True))
    assert ludens.load("mine").roles == ("other",)


def test_folders_of_rule_sheets_are_looked_into(tmp_path: Path) -> None:
    put(tmp_path, {"set/a.kif": MINIMAL, "set/b.kif": MINIMAL, "other/notes.txt": "nothing"})

    assert imported(tmp_path).keys() == {"a", "b"}


def test_names_that_could_not_be_typed_are_left_out(tmp_path: Path) -> None:
    put(tmp_path, {"we ird@1.kif": MINIMAL})

    assert "letters" in imported(tmp_path)["we ird@1"].reason


def test_broken_metadata_does_not_stop_the_import(tmp_path: Path) -> None:
    put(tmp_path, {"games/odd/METADATA": "{not json", "games/odd/odd.kif": MINIMAL})

    assert imported(tmp_path)["odd"].path is not None
    assert entries()["odd"].card.title == "odd"


def test_a_card_beside_the_rule_sheet_comes_along(tmp_path: Path) -> None:
    put(tmp_path, {"countUp.kif": MINIMAL, "countUp.toml": 'title = "Up and Up"\n'})
    put(tmp_path, {"other.kif": MINIMAL, "other.toml": "colour = 7\n"})

    imported(tmp_path)

    assert entries()["countUp"].card.title == "Up and Up"
    assert entries()["other"].card.title == "other"

from __future__ import annotations

from pathlib import Path

import pytest

import ludens
from ludens.core import GameError
from ludens.core.folders import data_folder
from ludens.games.library import SHELF, entries, find, user_folder
from ludens.gdl.check import check_rules
from ludens.gdl.game import GdlGame
from ludens.tabletop.template import new_game

MINIMAL = """
(role solo) (init (counter 1)) (succ 1 2) (succ 2 3)
(<= (legal solo tick) (true (counter ?n)))
(<= (next (counter ?m)) (true (counter ?n)) (succ ?n ?m))
(<= terminal (true (counter 3)))
(<= (goal solo 100) (true (counter 3)))
(<= (goal solo 0) (not (true (counter 3))))
"""
NAMES = sorted({path.stem for path in SHELF.iterdir() if path.suffix in (".kif", ".py") and path.stem != "__init__"})


def test_everything_the_first_shelf_promises_is_there() -> None:
    promised = {
        "tic_tac_toe", "connect_four", "nim", "double_tic_tac_toe", "criss_cross", "double_criss_cross",
        "breakthrough", "checkers", "chess", "othello", "hex", "gomoku", "rock_paper_scissors", "prisoners_dilemma",
        "eight_puzzle", "peg_solitaire", "lights_out", "connect_four_3p",
    }  # fmt: skip
    assert promised <= set(entries())


@pytest.mark.parametrize("name", NAMES)
def test_every_game_has_a_complete_card(name: str) -> None:
    card = entries()[name].card

    assert card.title != name
    assert all((card.players, card.rules, card.source, card.tags, card.checked))
    assert card.kind in ("board", "card", "dice", "puzzle", "matrix", "heap")


@pytest.mark.parametrize("name", NAMES)
def test_every_game_loads_with_the_number_of_players_on_its_card(name: str) -> None:
    game = ludens.load(name, backend="reference")  # which need not compile; other tests do

    assert len(game.roles) == entries()[name].card.players
    assert game.name == name


@pytest.mark.parametrize("name", NAMES)
def test_no_rule_sheet_on_the_shelf_has_errors_or_warnings(name: str) -> None:
    assert check_rules(find(name).rule_sheet()) == []


@pytest.mark.parametrize("name", [name for name in NAMES if entries()[name].card.choices])
def test_every_choice_on_a_card_can_be_played_and_the_first_is_what_the_bare_name_means(name: str) -> None:
    choices = [find(f"{name}:{choice}").rule_sheet() for choice in entries()[name].card.choices]

    assert choices[0].rules == find(name).rule_sheet().rules
    assert [problem for sheet in choices for problem in check_rules(sheet)] == []


def test_an_at_sign_inside_parameters_is_theirs() -> None:
    choice = find("sokoban:#####,#@$.#,#####@gdl")

    assert (choice.parameters, choice.form) == (("#####", "#@$.#", "#####"), "gdl")


def test_a_file_dropped_into_the_users_folder_is_found_without_a_card() -> None:
    user_folder().mkdir(parents=True)
    (user_folder() / "countdown.kif").write_text(MINIMAL)

    assert "countdown" in entries()
    assert ludens.load("Countdown").roles == ("solo",)


def test_the_users_own_game_wins_over_the_shelf() -> None:
    user_folder().mkdir(parents=True)
    (user_folder() / "tic_tac_toe.kif").write_text(MINIMAL)

    assert ludens.load("tic_tac_toe").roles == ("solo",)


def test_a_path_names_a_game(tmp_path: Path) -> None:
    sheet = tmp_path / "mine.kif"
    sheet.write_text(MINIMAL)

    game = ludens.load(sheet)

    assert (game.name, game.roles) == ("mine", ("solo",))


@pytest.mark.parametrize("text", ["Tic-Tac-Toe", "tic_tac_toe@gdl", "TIC_TAC_TOE"])
def test_names_forgive_case_and_hyphens(text: str) -> None:
    assert find(text).entry.name == "tic_tac_toe"


def test_parameters_reach_the_generator() -> None:
    game = ludens.load("nim:2,7")

    assert isinstance(game, GdlGame)
    assert {("heap", "a", "2"), ("heap", "b", "7")} <= game.initial_state().facts


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("conect_for", "did you mean connect_four"),
        ("zzzzqqq", "'ludens games' lists all"),
        ("nim@tabletop", "has no form 'tabletop'"),
        ("checkers:9", "takes no parameters"),
        ("no/such/file.kif", "there is no file"),
        ("mine.py", "there is no file mine.py"),
        ("mine.kif:3", "takes no parameters"),
        ("nim:three", "three"),
    ],
)
def test_what_cannot_be_found_is_told_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        ludens.load(text)


def test_a_file_without_an_ending_is_named_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mygame").write_text(MINIMAL)

    with pytest.raises(GameError, match=r"write \./mygame"):
        ludens.load("mygame")
    with pytest.raises(GameError, match="is a folder"):
        ludens.load("./")
    assert ludens.load("./mygame").roles == ("solo",)


def test_a_generator_is_named_by_its_path_with_its_parameters(tmp_path: Path) -> None:
    generator = tmp_path / "counting.py"
    generator.write_text(
        f"def rules(last='3'):\n    return {MINIMAL!r}.replace('(counter 3)', f'(counter {{last}})')\n"
    )

    game = ludens.load(f"{generator}:2", backend="reference")

    assert game.initial_state().play({"solo": "tick"}).is_terminal
    assert not ludens.load(generator, backend="reference").initial_state().play({"solo": "tick"}).is_terminal


def test_rule_sheets_from_outside_are_checked_before_they_are_played(tmp_path: Path) -> None:
    sheet = tmp_path / "unsafe.kif"
    sheet.write_text(MINIMAL + "(<= (legal solo (jump ?x)) (not (true (counter ?x))))")

    with pytest.raises(GameError, match="GDL210") as caught:
        ludens.load(sheet)

    assert "unsafe.kif:8" in str(caught.value)


def test_the_dialect_is_found_in_the_rules(tmp_path: Path) -> None:
    sheet = tmp_path / "dice.kif"
    sheet.write_text(MINIMAL + "(role random) (legal random roll) (sees solo nothing)")

    game = ludens.load(sheet)

    assert (game.roles, game.chance, game.hidden) == (("solo",), True, True)


def test_a_card_with_an_unknown_key_is_refused() -> None:
    user_folder().mkdir(parents=True)
    (user_folder() / "odd.kif").write_text(MINIMAL)
    (user_folder() / "odd.toml").write_text('title = "Odd"\ncolour = "red"\n')

    with pytest.raises(GameError, match="no key 'colour'"):
        _ = entries()["odd"].card


def test_data_folder_follows_the_users_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LUDENS_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    assert data_folder() == tmp_path / "ludens"


def test_a_rule_in_python_by_path_plays_with_its_options(tmp_path: Path) -> None:
    rule = new_game("Three in a row", tmp_path)

    game = ludens.load(f"{rule}:size=3")

    assert (game.name, game.roles) == ("three_in_a_row:size=3", ("Red", "Blue"))
    assert len(game.initial_state().legal_moves("Red")) == 9
    assert game.rules_text == rule.read_text()


def test_a_rule_in_the_users_folder_is_found() -> None:
    user_folder().mkdir(parents=True)
    new_game("My game", user_folder())

    assert entries()["my_game"].forms.keys() == {"tabletop"}
    assert ludens.load("my_game").roles == ("Red", "Blue")


def test_a_game_with_both_forms_has_one_card_and_means_its_default_form() -> None:
    assert set(entries()["tic_tac_toe"].forms) == {"gdl", "tabletop"}
    assert isinstance(ludens.load("tic_tac_toe"), GdlGame)
    assert ludens.load("tic_tac_toe@tabletop").name == "tic_tac_toe@tabletop"
    assert find("tic_tac_toe@tabletop").entry.card.title == "Tic-Tac-Toe"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("x = 1", "defines no rule"),
        ("def f(:", r"bad\.py:1 cannot be loaded: SyntaxError"),
        ("x = 1\ny = x / 0", r"bad\.py:2 cannot be loaded: ZeroDivisionError"),
        ("from ludens.tabletop import Rule\nclass R(Rule):\n  name = 'R'", "names no players"),
        (
            "from ludens.tabletop import Rule\nclass R(Rule):\n  players = ('A',)\n  def equipment(self, t): t.fly()",
            r"R\.equipment\(\) failed at bad\.py:4: AttributeError",
        ),
    ],
)
def test_python_files_that_are_no_rules_are_told_apart(tmp_path: Path, code: str, message: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(code)

    with pytest.raises(GameError, match=message):
        ludens.load(path)


def test_games_in_python_have_no_rule_sheet_and_no_backends() -> None:
    with pytest.raises(GameError, match="is a game in Python"):
        find("tic_tac_toe@tabletop").rule_sheet()
    with pytest.raises(GameError, match="no backend 'circuit'"):
        ludens.load("tic_tac_toe@tabletop", backend="circuit")


def test_finding_a_game_opens_no_file_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    read_text = Path.read_text

    def read(path: Path, encoding: str | None = None, errors: str | None = None) -> str:
        opened.append(path.stem)
        return read_text(path, encoding, errors)

    monkeypatch.setattr(Path, "read_text", read)

    for name in ("chess", "nim:3,4,5", "go", "tic_tac_toe@tabletop"):
        assert find(name).card.title
    assert set(opened) == {"chess", "nim", "go", "tic_tac_toe"}


def test_parameters_may_be_longer_than_a_file_name() -> None:
    rows = ["#" * 30, "#@$.".ljust(29, "-") + "#", *["#" + "-" * 28 + "#"] * 7, "#" * 30]

    assert find(f"sokoban:{','.join(rows)},5").form == "gdl"

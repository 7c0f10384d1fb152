"""The pages about games in docs are what their cards and the games say."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from ludens.cli.library.shelf_facts import Facts, facts_of
from ludens.cli.library.shelf_pages import MATRIX, PAGES, Row, choices, games_to_measure, trust, write_pages
from ludens.cli.main import main
from ludens.core import Answer
from ludens.games.cards import Card, read_card
from ludens.games.library import SHELF, TABLETOP_SHELF, find

DOCS = Path(__file__).parents[2] / "docs"
ADVICE = "run 'ludens games --write docs' after changing cards"


def row_of(name: str) -> list[str]:
    """The cells of a game in the matrix."""
    lines = (DOCS / MATRIX).read_text(encoding="utf-8").splitlines()
    (row,) = (line.strip("| ").split(" | ") for line in lines if line.startswith(f"| [{name}]"))
    return row


def test_the_pages_in_docs_are_what_the_cards_say(tmp_path: Path) -> None:
    shutil.copy(DOCS / MATRIX, tmp_path / MATRIX)
    written = write_pages(tmp_path, {})

    for path in written:
        there = DOCS / path.relative_to(tmp_path)
        assert there.is_file(), f"{there.name} is missing: {ADVICE}"
        assert there.read_text(encoding="utf-8") == path.read_text(encoding="utf-8"), ADVICE
    assert {path.name for path in (DOCS / PAGES).iterdir()} == {path.name for path in written[1:]}, ADVICE


def as_cells(facts: Facts, tmp_path: Path) -> list[str]:
    """The measured cells of tic-tac-toe's row, had these facts been found."""
    write_pages(tmp_path, {"tic_tac_toe": facts})
    lines = (tmp_path / MATRIX).read_text(encoding="utf-8").splitlines()
    (row,) = (line.strip("| ").split(" | ") for line in lines if line.startswith("| [tic_tac_toe]"))
    return row[3:-1]


def without_rates(cells: list[str]) -> list[str]:
    """What must be the same at each measurement; whether a player is in time may differ."""
    return cells[:8]


@pytest.mark.parametrize("name", ["tic_tac_toe", "goofspiel", "kuhn_poker"])
def test_the_matrix_says_what_the_games_are(name: str, tmp_path: Path) -> None:
    facts = facts_of(name, 0.01, players=())
    assert without_rates(as_cells(facts, tmp_path)) == without_rates(row_of(name)[3:-1])


@pytest.mark.slow
@pytest.mark.parametrize("name", [choice.text for choice in choices() if choice.text not in games_to_measure(DOCS)])
def test_the_whole_matrix_says_what_the_games_are(name: str, tmp_path: Path) -> None:
    facts = facts_of(name, 0.01, players=())
    assert without_rates(as_cells(facts, tmp_path)) == without_rates(row_of(name)[3:-1])


def test_facts_of_a_small_game_are_right() -> None:
    facts = facts_of("tic_tac_toe", 0.01, players=("human", "legal", "mcts", "single"))
    assert (facts.fluents, facts.moves, facts.without) == (29, 20, ("single",))
    assert not facts.chance | facts.hidden
    assert facts.simultaneous is Answer.NO
    assert 5 <= facts.turns <= 9
    assert facts.playouts > 1000


def test_games_that_were_not_measured_are_marked(tmp_path: Path) -> None:
    write_pages(tmp_path, {})
    assert "| [nim](games/nim.md) | 2 | gdl:… | ? |" in (tmp_path / MATRIX).read_text(encoding="utf-8")


def test_a_row_keeps_what_was_measured_before(tmp_path: Path) -> None:
    facts = Facts("circuit", True, False, Answer.YES, 12, 3456, 7.25, 2.5, 1_234_567.0, ("single",))
    cells = as_cells(facts, tmp_path)
    assert cells == ["circuit", "yes", "-", "yes", "12", "3,456", "7.2", "2.5", "1,200,000", "single"]
    kept = (tmp_path / MATRIX).read_text(encoding="utf-8")
    write_pages(tmp_path, {})
    assert (tmp_path / MATRIX).read_text(encoding="utf-8") == kept
    assert "tic_tac_toe" not in games_to_measure(tmp_path)
    assert as_cells(replace(facts, playouts=0.123), tmp_path)[8] == "0.12"


@pytest.mark.slow
def test_the_command_measures_what_it_is_told_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--write", str(tmp_path), "--measure", "three_dice"]) == 0
    assert "measuring three_dice" in capsys.readouterr().err
    assert "three_dice" not in games_to_measure(tmp_path)
    assert "nim" in games_to_measure(tmp_path)


def test_all_cards_tell_moves_end_and_scoring() -> None:
    cards = {path: read_card(path) for shelf in (SHELF, TABLETOP_SHELF) for path in shelf.glob("*.toml")}

    assert len(cards) > 80
    assert [path.name for path, card in cards.items() if not (card.moves and card.end and card.scoring)] == []


def test_trust_is_told_in_short() -> None:
    assert (
        trust(Card(title="A", checked="random games beside OpenSpiel; published perft"))
        == "OpenSpiel, published numbers"
    )
    assert trust(Card(title="A", checked="what is known; a search written for the test")) == "a program in the tests"
    assert trust(Card(title="A", checked="two positions")) == "positions by hand"
    assert Row(find("hex"), ("?",)).cells[:3] == ("[hex](games/hex.md)", "2", "gdl:…")


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["games", "--write", str(tmp_path / "file")]) != 0
    assert "cannot write pages" in capsys.readouterr().err

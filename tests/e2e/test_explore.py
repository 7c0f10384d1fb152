"""Learning from a match: a position is analysed, other moves are tried, a turn is shared; other programs' files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.conftest import PATIENCE, PHONE, Visit, fits_its_window, keep_picture
from tests.e2e.matches import record_a_match, record_moves
from tests.e2e.playing import spot
from tests.peers import peer

pytestmark = [pytest.mark.slow, peer("chromium")]

GAME = '[White "Ann"]\n[Black "Bob"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return tmp_path / "data" / "records"


@pytest.mark.parametrize("size", [None, PHONE], ids=["desktop", "phone"])
def test_other_moves_are_tried_and_analysed(visit: Visit, records: Path, size: dict[str, int] | None) -> None:
    path = record_a_match(records, "tic_tac_toe")
    page = visit(f"/replay/record/{path.name}#turn=2", size=size)
    page.wait_for_selector("#verdict.good")
    page.wait_for_function("document.getElementById('number').textContent.startsWith('2 /')")
    played = page.inner_text("#moves")
    page.click("#try")
    page.wait_for_selector("#board .is-legal")
    page.locator("#board .is-legal").last.click()
    page.wait_for_selector("text=Not played in the match")
    assert page.is_visible(".branch-tree .tried")
    page.click("#analyse")
    page.wait_for_selector("#pondering .proof")  # small enough to be proved
    assert page.locator("#pondering .bars-list li").count() > 1
    assert fits_its_window(page)
    keep_picture(page, f"explore-{'phone' if size else 'desktop'}")
    page.click("#share")
    address = page.url
    assert "#turn=2&try=" in address
    page.click("#return")
    page.wait_for_function("document.getElementById('number').textContent.startsWith('2 /')")
    assert page.inner_text("#moves") == played
    other = visit(address)
    other.wait_for_selector("text=Not played in the match")


@pytest.mark.parametrize("size", [None, PHONE], ids=["desktop", "phone"])
def test_a_review_finds_the_blunder(visit: Visit, records: Path, size: dict[str, int] | None) -> None:
    moves = {"first": ["(reduce a 0)"], "second": ["(reduce b 0)"]}  # of 1 and 2, only 1 and 1 is good for the first
    path = record_moves(records, "nim:1,2", moves)
    page = visit(f"/replay/record/{path.name}", size=size)
    page.wait_for_selector("#verdict.good")
    page.click("#start-review")
    page.wait_for_selector("#review-status:has-text('1 blunder')")
    assert page.inner_text("#review-status") == "first: 0 mistakes, 1 blunder; second: 0 mistakes, 0 blunders"
    assert page.locator("#graph .knot").count() == 2
    page.click("#graph .knot.blunder")
    remark = page.wait_for_selector(".remark.blunder")
    assert remark is not None
    assert page.inner_text("#number").startswith("1 /")
    text = remark.inner_text()
    assert "A blunder (first): it loses 100.0 points. Better: reduce b 1" in text
    assert "proved" in text
    assert fits_its_window(page)
    keep_picture(page, f"review-{'phone' if size else 'desktop'}")


def test_a_pgn_file_is_opened_tried_and_saved(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "mate.pgn").write_text(GAME)
    page = visit("/replay")
    page.set_input_files("#record", tmp_path / "mate.pgn")
    page.click("text=Replay it")
    page.wait_for_selector("#verdict.good", timeout=PATIENCE)
    page.keyboard.press("End")
    assert "black plays Qh4#" in page.inner_text("#moves").replace("\n", " ")
    page.keyboard.press("ArrowLeft")
    page.click("#try")
    page.wait_for_selector("#board .is-legal")
    spot(page, "cell:d:8").click()
    spot(page, "cell:f:6").click()
    page.wait_for_selector("text=Not played in the match")
    assert "Qf6" in page.inner_text("#moves")
    with page.expect_download() as saved:
        page.click("#save-match")
    assert "1. f3 e5 2. g4 Qh4# 0-1" in Path(saved.value.path()).read_text()

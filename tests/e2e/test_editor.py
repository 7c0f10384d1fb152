"""The position editor: a position is set up by clicks, found wrong, corrected, shared and played from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import PHONE, Visit, fits_its_window, keep_picture
from tests.e2e.playing import YOURS, spot
from tests.peers import peer

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.slow, peer("chromium")]

GOOD, BAD = "#verdict.good", "#verdict.bad"


def put(page: Page, thing: str, place: str) -> None:
    """Choose something of the palette and click on a place; waits until it is there."""
    page.click(f'[data-tool="{thing}"]')
    page.click(f'#board [data-spot="{place}"]')
    page.wait_for_selector(f'#board [data-spot="{place}"][aria-label*="{thing.split(" ", 1)[1]}"]')


def test_a_position_is_set_up_by_clicks_and_played_from(visit: Visit) -> None:
    page = visit("/library/tic_tac_toe/editor")
    page.wait_for_selector(GOOD)
    for place in ("cell:1:1", "cell:1:2", "cell:1:3"):
        put(page, "cell x", place)
    page.wait_for_selector(BAD)
    assert "the match is over in this position" in page.inner_text("#verdict")
    assert page.is_disabled("#play-position")
    page.click('[data-tool="eraser"]')
    page.click('#board [data-spot="cell:1:3"]')
    page.wait_for_selector(GOOD)
    put(page, "cell o", "cell:2:2")
    put(page, "cell o", "cell:3:3")
    page.select_option("#groups select", label="oplayer")
    page.wait_for_selector("#board >> text=oplayer to move")
    page.click("#play-position")
    page.wait_for_selector(YOURS)
    assert "set-up position" in page.inner_text("h1")
    assert "x on a1" in (spot(page, "cell:1:1").get_attribute("aria-label") or "")
    page.click('#board [data-spot="cell:1:3"]')  # o must stop the line of x
    page.wait_for_selector("#history li >> nth=1")


def test_moves_are_played_undone_and_shared(visit: Visit) -> None:
    page = visit("/library/connect_four/editor")
    page.wait_for_selector(".board .is-legal")
    page.click('#board [data-spot="cell:column:4"]')
    page.wait_for_selector("#board >> text=yellow to move")
    page.click('#board [data-spot="cell:column:4"]')
    page.wait_for_selector("#board >> text=red to move")
    page.click("#undo")
    page.wait_for_selector("#board >> text=yellow to move")
    again = visit(page.url)
    again.wait_for_selector("#board >> text=yellow to move")
    again.click('[data-tool="cell red"]')
    assert "red" in (spot(again, "cell:4:1").get_attribute("aria-label") or "")
    again.click("#analyse")
    again.wait_for_selector("#pondering .search")


def test_a_study_of_chess_is_set_up_on_an_empty_board(visit: Visit) -> None:
    page = visit("/library/chess/editor")
    page.wait_for_selector(GOOD)
    page.click("#empty")
    page.wait_for_selector(BAD)
    for thing, place in (("white king", "e:1"), ("black king", "e:8"), ("white rook", "a:7"), ("black pawn", "h:3")):
        put(page, f"cell {thing}", f"cell:{place}")
    for box in page.locator("#groups input[type=checkbox]").all():
        box.uncheck()
    page.wait_for_selector(GOOD)
    keep_picture(page, "editor-chess")


def test_a_damaged_link_leads_to_the_initial_position(visit: Visit) -> None:
    page = visit("/library/tic_tac_toe/editor#position=%5B%22(cell%209%209%20x)%22%5D")
    page.wait_for_selector(GOOD)
    assert "cannot be true in this game" in page.inner_text("#explore-status")


def test_own_rules_are_set_up_on_a_phone(visit: Visit) -> None:
    page = visit("/lab?game=tic_tac_toe", size=PHONE)
    page.click("#set-up:not([disabled])")
    page.wait_for_selector(GOOD)
    put(page, "cell o", "cell:2:2")
    assert fits_its_window(page)
    page.click("#play-position")
    page.wait_for_selector(YOURS)

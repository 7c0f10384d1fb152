"""A card table on the page: raises by a slider, and the showdown."""

from __future__ import annotations

from tests.e2e.conftest import PHONE, Visit, fits_its_window, keep_picture
from tests.e2e.playing import OVER, YOURS, begin, wait_for_turns
from tests.peers import peer

pytestmark = peer("chromium")


def test_raises_are_chosen_by_a_slider_and_the_showdown_is_shown(visit: Visit) -> None:
    page = visit("/play?game=holdem", size=PHONE)
    begin(page, {0: "human", 1: "legal"})
    page.wait_for_selector(YOURS)
    assert page.locator("#moves button").count() == 3  # fold, call and one button for all raises
    page.fill("#moves input[type=number]", "20")
    page.keyboard.press("Tab")
    assert page.locator("#moves .slider button").inner_text() == "raise to 20"
    page.locator("#moves input[type=range]").press("ArrowRight")
    assert page.locator("#moves .slider button").inner_text() == "raise to 21"
    page.locator("[data-move=call]").click()
    while page.wait_for_selector(f"{YOURS}, {OVER}") and page.query_selector(OVER) is None:
        turns = page.locator("#history li").count()
        page.locator("[data-move=check]").click()
        wait_for_turns(page, turns, at_all=False)
    shown = page.locator("#board").text_content() or ""
    assert "wins 4" in shown  # and the pot is paid
    assert shown.count("shows ") == 2
    assert fits_its_window(page)
    keep_picture(page, "play-holdem-phone")

"""A card table on the page: raises by a slider, and the showdown; and a page with dice and a score sheet."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ludens.core.folders import data_folder
from tests.e2e.conftest import DESKTOP, PHONE, Visit, fits_its_window, keep_picture
from tests.e2e.playing import OVER, YOURS, begin, spot, wait_for_turns
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


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_lines_of_a_score_sheet_are_clicked(visit: Visit, size: dict[str, int]) -> None:
    games = data_folder() / "games"
    games.mkdir(parents=True)
    shutil.copy(Path(__file__).parents[1] / "drawing" / "parade.py", games / "parade.py")
    page = visit("/play?game=parade", size=size)
    begin(page)
    for turn, row in enumerate(("full house", "ones")):
        wait_for_turns(page, 2 * turn + 1)  # the first throw of a turn is the only move, so it is played at once
        page.wait_for_selector(f'.is-legal[data-spot="score:{row}:player1"]')
        spot(page, f"score:{row}:player1").click()
        wait_for_turns(page, 2 * turn + 3)
        assert page.locator("#history li").nth(-2).inner_text().endswith(f"write {row}")
    assert fits_its_window(page)

"""The library in a browser: all games at a glance, found as one types, on a screen of any size."""

from __future__ import annotations

import pytest

from ludens.games.library import entries
from tests.e2e.conftest import PHONE, Visit, fits_its_window, keep_picture
from tests.peers import peer

pytestmark = [pytest.mark.slow, peer("chromium")]


def test_typing_finds_games_and_the_address_tells_it(visit: Visit) -> None:
    page = visit("/library")
    assert page.locator("#shelf > li:visible").count() == len(entries())
    page.fill("#q", "chess")
    page.select_option("#players", "2")
    page.wait_for_url("**q=chess**")
    titles = page.locator("#shelf > li:visible h2").all_inner_texts()
    assert "Chess" in titles
    assert len(titles) < 10
    page.reload()
    assert page.locator("#shelf > li:visible h2").all_inner_texts() == titles
    page.fill("#q", "xyzzy")
    page.wait_for_selector("#nothing:visible")


@pytest.mark.parametrize("size", [None, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_library_fits_any_screen(visit: Visit, dark: bool, size: dict[str, int] | None) -> None:
    page = visit("/library", size=size, dark=dark)
    page.wait_for_load_state("networkidle")
    drawn = page.evaluate("[...document.images].filter((image) => image.complete && image.naturalWidth > 0).length")
    assert drawn > 5
    assert fits_its_window(page)
    keep_picture(page, f"library-{'phone' if size else 'desktop'}{'-dark' if dark else ''}")


@pytest.mark.parametrize("size", [None, PHONE], ids=["desktop", "phone"])
def test_a_game_tells_what_it_is(visit: Visit, size: dict[str, int] | None) -> None:
    page = visit("/library", size=size)
    page.click("h2 a[href='/library/nim']")
    page.wait_for_selector("[data-part=decomposition] svg")
    assert page.locator("[data-part=circuit] dd").count() >= 5
    assert page.locator(".source .gdl-keyword").count() > 10
    assert fits_its_window(page)
    keep_picture(page, f"game-{'phone' if size else 'desktop'}")
    page.click(".actions .primary")
    page.wait_for_selector(".status.yours")

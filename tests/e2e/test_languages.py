"""The page in German: chosen by the browser, on every page, and left by the switch."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import DESKTOP, PHONE, Visit, fits_its_window, keep_picture
from tests.e2e.playing import OVER, YOURS, begin
from tests.peers import peer

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = peer("chromium")


def german(visit: Visit, path: str, size: dict[str, int]) -> Page:
    return visit(path, size=size, language="de-AT")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_a_match_in_german(visit: Visit, size: dict[str, int]) -> None:
    page = german(visit, "/play?game=tic_tac_toe", size)
    assert page.inner_text("#start") == "Partie beginnen"
    begin(page, {1: "random"})
    page.wait_for_selector(YOURS)
    assert page.inner_text("#status") == "Am Zug"
    assert page.inner_text("#resign") == "Aufgeben"
    assert "xplayer am Zug" in (page.locator(".board svg").text_content() or "")
    assert fits_its_window(page)
    if size is PHONE:
        keep_picture(page, "german-phone")
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#resign")
    page.wait_for_selector(OVER)
    assert "Verloren." in page.inner_text("#status")
    assert "xplayer hat aufgegeben." in page.inner_text("#status")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_help_in_both_languages(visit: Visit, size: dict[str, int]) -> None:
    page = german(visit, "/help", size)
    assert "Was die Balken bedeuten" in page.inner_text("main")
    assert fits_its_window(page)
    page.click(".languages a")
    page.wait_for_selector("text=What the bars mean")
    assert page.url.endswith("/help")
    if size is DESKTOP:
        keep_picture(page, "help-desktop")


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/library", "/play", "/watch", "/lab?fresh", "/tournaments", "/replay", "/help"])
def test_no_english_is_left_on_a_page(visit: Visit, path: str) -> None:
    page = german(visit, path, PHONE)
    if path.startswith("/lab"):
        page.wait_for_selector("#play:not([disabled])")
    assert fits_its_window(page)
    shown = page.evaluate("""() => {
        const copy = document.body.cloneNode(true);
        const others = "[lang=en], .languages, .play span, h3, h2 a, option, pre, textarea, code, svg";
        copy.querySelectorAll(others).forEach((one) => one.remove());
        return copy.textContent;
    }""")
    assert not re.search(r"\b(the|and|your|with|match|moves|rules)\b", shown, re.IGNORECASE), shown

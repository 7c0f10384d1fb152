"""Moves that are chosen ahead: premoves while the opponent thinks, and ready set-ups. And sounds, if wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import DESKTOP, PHONE, Visit, keep_picture
from tests.e2e.playing import YOURS, begin, spot, wait_for_turns
from tests.peers import peer

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = peer("chromium")

COUNT_SOUNDS = """() => {
    window.sounds = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function () { window.sounds += 1; return start.call(this); };
}"""


def two_people(visit: Visit, game: str, size: dict[str, int] | None = None) -> tuple[Page, Page]:
    """A match with clocks between two browsers."""
    first = visit(f"/play?game={game}", size=size)
    first.wait_for_selector("#start:not([disabled])")
    first.select_option("#player-1", "human")
    for seat in (0, 1):
        first.fill(f"#clock-{seat}", "3600")
    begin(first)
    path = first.locator(".seat-link").first.get_attribute("href")
    assert path
    second = visit(path, size=size)
    first.wait_for_selector(YOURS)
    return first, second


def move(page: Page, *names: str) -> None:
    for name in names:
        spot(page, name).click()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_a_premove_is_played_when_the_turn_comes(visit: Visit, size: dict[str, int]) -> None:
    first, second = two_people(visit, "chess", size)
    move(first, "cell:e:2", "cell:e:4")
    second.wait_for_selector(YOURS)
    move(first, "cell:d:2", "cell:d:4")
    assert first.locator(".premove").count() == 2
    assert "d2" in first.inner_text("#note")
    if size is DESKTOP:
        keep_picture(first, "premove-desktop")
    move(second, "cell:e:7", "cell:e:5")
    wait_for_turns(second, 3)
    assert "pawn" in (spot(second, "cell:d:4").get_attribute("aria-label") or "")
    assert first.locator(".premove").count() == 0


def test_a_premove_that_is_not_legal_is_forgotten(visit: Visit) -> None:
    first, second = two_people(visit, "chess")
    move(first, "cell:e:2", "cell:e:4")
    second.wait_for_selector(YOURS)
    move(first, "cell:e:4", "cell:e:5")
    first.keyboard.press("Escape")
    assert first.locator(".premove").count() == 0
    move(first, "cell:e:4", "cell:e:5")
    move(second, "cell:e:7", "cell:e:5")
    first.wait_for_selector(YOURS)
    assert first.locator("#history li").count() == 2
    assert first.locator(".premove").count() == 0


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_a_ready_setup_is_one_click(visit: Visit, size: dict[str, int]) -> None:
    page = visit("/play?game=stratego:small", size=size)
    begin(page, {1: "random"})
    page.wait_for_selector(YOURS)
    if size is PHONE:
        keep_picture(page, "setups-phone")
    page.click("#setups button")
    wait_for_turns(page, 12)
    assert page.locator("#setups button").count() == 0
    page.wait_for_selector(YOURS)


def test_sounds_are_off_until_they_are_wanted(visit: Visit) -> None:
    page = visit("/play?game=nim")
    begin(page, {1: "random"})
    page.wait_for_selector(YOURS)
    page.evaluate(COUNT_SOUNDS)
    page.locator("#moves button").first.click()
    wait_for_turns(page, 0, at_all=False)
    page.wait_for_selector(YOURS)
    assert page.evaluate("window.sounds") == 0
    page.check("#sound")
    page.locator("#moves button").first.click()
    page.wait_for_function("() => window.sounds > 0")

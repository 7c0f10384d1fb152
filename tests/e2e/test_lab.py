"""A session in the Lab: rules are written, found wrong, corrected, looked into and played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import PHONE, Visit, fits_its_window, keep_picture
from tests.e2e.playing import YOURS, begin
from tests.peers import peer

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.slow, peer("chromium")]


def _words(page: Page, kind: str) -> list[str]:
    found: list[str] = page.locator(f"#layer .{kind}").all_inner_texts()
    return found


def test_an_error_is_underlined_as_one_types_and_gone_when_corrected(visit: Visit) -> None:
    page = visit("/lab?fresh")
    page.wait_for_selector("#play:not([disabled])")
    assert "0 errors" in page.inner_text("#status")
    right = page.input_value("#text")
    page.fill(
        "#text", right.replace("(true (sticks ?now))\n    (leaves ?now ?number ?rest))\n(<= (legal", "(<= (legal", 1)
    )
    page.wait_for_selector("#problems li.error")
    assert page.locator("#layer .wrong").count() > 0
    assert page.is_disabled("#play")
    page.click("#problems li.error button >> nth=0")
    selected = page.evaluate("getSelection().toString() || document.querySelector('#text').selectionStart")
    assert selected
    keep_picture(page, "lab-error")
    page.fill("#text", right)
    page.wait_for_selector("#play:not([disabled])")
    assert page.locator("#problems li").count() == 0
    assert page.locator("#layer .wrong").count() == 0


def test_words_are_told_apart_in_both_syntaxes(visit: Visit) -> None:
    page = visit("/lab?fresh")
    page.wait_for_selector("#play:not([disabled])")
    assert {"role", "legal", "true"} <= set(_words(page, "gdl-keyword"))
    assert "?player" in _words(page, "gdl-variable")
    page.fill("#text", "role(solo). % alone\nlegal(solo,X) :- true(at(X)), not terminal.\n")
    page.wait_for_selector("#layer .gdl-comment >> text=alone")
    assert _words(page, "gdl-variable") == ["X", "X"]
    assert {":-", "not"} <= set(_words(page, "gdl-logic"))


def test_rules_are_looked_into_and_played(visit: Visit) -> None:
    page = visit("/lab?fresh")
    page.wait_for_selector("#play:not([disabled])")
    page.click("#text", position={"x": 120, "y": 260})
    page.wait_for_selector("#tree svg")
    keep_picture(page, "lab")
    page.keyboard.press("Escape")
    page.focus("#tab-tree")
    for tab in ("relations", "playouts", "circuit", "decomposition", "checks"):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"#view-{tab}:not([hidden]) [data-part]:not([aria-busy])")
        assert page.locator(f"#view-{tab} .message").count() == 0
        if tab in ("relations", "playouts", "decomposition"):
            keep_picture(page, f"lab-{tab}")
    page.click("#play")
    begin(page, {1: "random"})
    page.wait_for_selector(YOURS)


def test_a_draft_survives_leaving_the_page(visit: Visit) -> None:
    page = visit("/lab?fresh")
    page.fill("#text", "(role me)\n")
    page.wait_for_selector("#problems li")
    page.goto(page.url.replace("/lab?fresh", "/library"))
    page.go_back()
    page.goto(page.url.replace("?fresh", ""))
    assert page.input_value("#text") == "(role me)\n"


def test_the_lab_works_on_a_phone(visit: Visit) -> None:
    page = visit("/lab?game=nim", size=PHONE)
    page.wait_for_selector("#play:not([disabled])")
    page.click("#tab-decomposition")
    page.wait_for_selector("#view-decomposition svg")
    assert fits_its_window(page)
    keep_picture(page, "lab-phone")


def test_rules_that_are_too_long_are_told_and_stay_whole(visit: Visit) -> None:
    page = visit("/lab?fresh")
    page.wait_for_selector("#play:not([disabled])")
    # Typing so much takes Chromium minutes, pasting does not.
    put = "(area, text) => { area.value = text; area.dispatchEvent(new Event('input')); }"
    page.eval_on_selector("#text", put, "(role me)\n" * 20_001)
    page.wait_for_selector("#status:has-text('200,010 characters')")
    assert page.is_disabled("#play")
    assert len(page.input_value("#text")) == 200_010


def test_the_board_is_live_and_gives_reasons(visit: Visit) -> None:
    page = visit("/lab?game=tic_tac_toe")
    page.wait_for_selector("#board .is-legal")
    page.click('[data-spot="cell:2:2"]')
    page.wait_for_selector("#live-status:has-text('Turn 3')")  # the opponent has answered
    assert "x on b2" in (page.locator('[data-spot="cell:2:2"]').get_attribute("aria-label") or "")
    page.fill("#fact", "(legal xplayer (mark 2 2))")
    page.click("#why button")
    page.wait_for_selector("#reason .fails:has-text('(true (cell 2 2 b))')")
    page.fill("#fact", "(cell 2 2 x)")
    page.click("#why button")
    page.wait_for_selector("#reason .holds:has-text('in this position')")
    keep_picture(page, "lab-live")
    page.fill("#text", page.input_value("#text").replace("(coordinate 3)", "(coordinate 3) (coordinate 4)"))
    page.wait_for_selector('[data-spot="cell:4:4"]')  # the board has grown, and the match goes on
    assert "x on b2" in (page.locator('[data-spot="cell:2:2"]').get_attribute("aria-label") or "")
    page.click("#live-back")
    page.wait_for_selector("#live-status:has-text('Turn 1')")
    page.click('[data-spot="cell:4:4"]')
    page.wait_for_selector("#live-status:has-text('Turn 3')")
    page.click("#live-over")
    page.wait_for_selector("#live-status:has-text('Turn 1')")
    assert fits_its_window(page)

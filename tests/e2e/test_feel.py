"""The board feels like one: pieces are dragged, slide and fade; the board can be turned round; one click plays."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

import pytest

from ludens.web.library.pictures import Pictures
from tests.e2e.conftest import PATIENCE, Visit
from tests.e2e.playing import OVER, YOURS, begin, click_a_move, spot, wait_for_turns
from tests.peers import peer

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = peer("chromium")

PEOPLE = {0: "human", 1: "human"}


def drag(page: Page, start: str, end: str) -> None:
    for name, press in ((start, page.mouse.down), (end, page.mouse.up)):
        box = spot(page, name).bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
        press()


def label(page: Page, name: str) -> str:
    return spot(page, name).get_attribute("aria-label") or ""


def test_pieces_are_dragged(visit: Visit) -> None:
    page = visit("/play?game=chess")
    begin(page)
    page.wait_for_selector(YOURS)
    drag(page, "cell:e:2", "cell:d:6")  # nothing goes there
    assert "pawn" in label(page, "cell:e:2")
    assert page.locator(".is-chosen").count() == 0
    drag(page, "cell:e:2", "cell:e:4")
    wait_for_turns(page, 0, at_all=False)
    assert "pawn" in label(page, "cell:e:4")


def test_pieces_slide_and_the_board_can_be_turned_round(visit: Visit) -> None:
    page = visit("/play?game=breakthrough")
    begin(page)
    page.wait_for_selector(YOURS)
    page.evaluate("""() => {
        window.slid = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, how) {
            if (frames[0].translate) window.slid += 1;
            return animate.call(this, frames, how);
        };
    }""")
    before = spot(page, "cell:1:1").bounding_box()
    page.click("#flip")
    after = spot(page, "cell:1:1").bounding_box()
    assert before is not None
    assert after is not None
    assert before["y"] > after["y"] + 50
    legal = page.locator(".is-legal").first.get_attribute("data-spot")
    assert legal is not None
    page.locator(".is-legal").first.click()
    target = page.locator(".target").first.get_attribute("data-spot")
    assert target is not None
    page.keyboard.press("Escape")
    drag(page, legal, target)
    page.wait_for_function("() => window.slid > 0")


COUNT_MOTIONS = """() => {
    window.motions = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, how) {
        const [x, y] = (frames[0].translate ?? "0 0").split(" ").map(parseFloat);
        window.motions.push({ x, y });
        return animate.call(this, frames, how);
    };
}"""


def drop_a_disc(page: Page) -> None:
    page.wait_for_selector(YOURS)
    page.evaluate(COUNT_MOTIONS)
    page.locator(".board .is-legal").nth(3).click()
    wait_for_turns(page, 2)


def test_discs_drop_from_above_the_board(visit: Visit) -> None:
    page = visit("/play?game=connect_four")
    begin(page, {1: "random"})
    top = page.locator(".board svg").bounding_box()
    drop_a_disc(page)
    motions = page.evaluate("window.motions")
    discs = page.locator(".board .d-column [data-spot], .board .d-piece").count()
    assert top is not None
    assert discs > 0
    assert len(motions) == 2  # one disc for each turn
    for motion in motions:
        assert motion["x"] == 0
        assert motion["y"] < -50  # both lie on the ground, so they fall through the whole board


def test_captured_pieces_fade(visit: Visit) -> None:
    page = visit("/play?game=clobber")
    begin(page, {1: "random"})
    page.wait_for_selector(YOURS)
    pieces = page.locator(".board .d-piece").count()
    page.evaluate(COUNT_GHOSTS)
    click_a_move(page, Random(1))
    wait_for_turns(page, 2)
    assert page.evaluate("window.ghosts") == 2  # both moves capture
    page.wait_for_function("() => document.querySelector('.board .ghost') === null")
    assert page.locator(".board .d-piece").count() == pieces - 2


COUNT_GHOSTS = """() => {
    window.ghosts = 0;
    const append = Element.prototype.append;
    Element.prototype.append = function (...parts) {
        window.ghosts += parts.filter((part) => part.classList?.contains("ghost")).length;
        return append.apply(this, parts);
    };
}"""


def test_cards_fly_from_the_hand(visit: Visit) -> None:
    page = visit("/play?game=uno:2")
    begin(page, {1: "random"})
    page.evaluate(COUNT_MOTIONS)
    for _ in range(12):  # a card that fits may have to be drawn first
        page.wait_for_selector(YOURS)
        turns = page.locator("#history li").count()
        page.locator("#moves button").first.click()
        wait_for_turns(page, turns, at_all=False)
        if page.evaluate("() => window.motions.some(({ x, y }) => Math.hypot(x, y) > 50)"):
            return
    pytest.fail("no card flew")


def test_nothing_moves_for_those_who_want_no_motion(visit: Visit) -> None:
    page = visit("/play?game=connect_four")
    page.emulate_media(reduced_motion="reduce")
    begin(page, {1: "random"})
    drop_a_disc(page)
    assert page.evaluate("window.motions") == []
    assert page.locator(".board .d-piece").count() == 2


def test_a_click_plays_while_pictures_are_being_drawn(visit: Visit, site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(_self: Pictures, _choice: object) -> tuple[str, bytes]:
        await asyncio.sleep(PATIENCE)
        raise AssertionError

    monkeypatch.setattr(Pictures, "of", never)
    page = visit("/help")
    page.goto(f"{site}/library", wait_until="commit")
    page.wait_for_function("document.querySelectorAll('[data-play]').length > 12")
    page.click('[data-play="nim"]')
    page.wait_for_selector(YOURS)


def test_dice_roll(visit: Visit) -> None:
    page = visit("/play?game=backgammon")
    begin(page, {0: "random", 1: "human"})
    page.wait_for_selector(YOURS)
    page.evaluate("""() => {
        window.rolled = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, how) {
            if (frames[0].transform?.includes("rotate")) window.rolled += 1;
            return animate.call(this, frames, how);
        };
    }""")
    for _ in range(4):  # two dice, or four if they are equal; then the opponent throws
        if page.query_selector(YOURS) and not page.evaluate("window.rolled"):
            turns = page.locator("#history li").count()
            page.locator("#moves button").first.click()
            wait_for_turns(page, turns, at_all=False)
            page.wait_for_selector(YOURS)
    page.wait_for_function("() => window.rolled > 0")


def test_letters_stay_upright_on_a_board_that_is_turned_round(visit: Visit) -> None:
    page = visit("/play?game=shogi")
    begin(page, PEOPLE)
    page.wait_for_selector(YOURS)
    rotation = """() => [...document.querySelectorAll('.board text')].map((text) => {
        const { a, b } = text.getScreenCTM();
        return Math.round(Math.atan2(b, a) * 180 / Math.PI);
    })"""
    before = page.evaluate(rotation)
    page.click("#flip")
    assert len(before) > 20
    assert set(page.evaluate(rotation)) == set(before)


def test_the_own_pieces_are_near(visit: Visit) -> None:
    page = visit("/play?game=chess")
    begin(page, {0: "random", 1: "human"})
    page.wait_for_selector(YOURS)
    near, far = spot(page, "cell:e:8").bounding_box(), spot(page, "cell:e:1").bounding_box()
    assert near is not None
    assert far is not None
    assert near["y"] > far["y"]


def test_one_click_plays_and_another_one_plays_once_more(visit: Visit) -> None:
    page = visit("/library/nim")
    page.click("[data-play]")
    page.wait_for_selector(YOURS)
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#resign")
    page.wait_for_selector(OVER)
    first = page.url
    page.click("#rematch")
    page.wait_for_function("(old) => location.href !== old", arg=first)
    page.wait_for_selector("#match")
    assert "second" in page.inner_text("#who") or "2" in page.inner_text("#who")


def test_matches_are_ended_from_the_list(visit: Visit) -> None:
    page = visit("/play?game=nim")
    begin(page, PEOPLE)
    page.wait_for_selector(YOURS)
    page.goto(page.url.split("/play")[0] + "/play")
    page.click("#my-matches button")
    page.wait_for_selector("#my-matches :text('ended')")

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ludens.web.settings import Settings
from tests.e2e.conftest import PHONE, Visit, fits_its_window, keep_picture, serving
from tests.e2e.playing import OVER, YOURS, begin, play_by_clicking, spot, wait_for_turn, wait_for_turns
from tests.peers import peer
from tests.web.sheets import WIDE

pytestmark = peer("chromium")


def test_tic_tac_toe_is_played_by_clicking(visit: Visit) -> None:
    page = visit("/play?game=tic_tac_toe")
    begin(page, {1: "random"})
    for name in (
        "cell:2:2",
        "cell:1:1",
        "cell:3:3",
        "cell:1:3",
        "cell:3:1",
        "cell:1:2",
        "cell:3:2",
        "cell:2:1",
        "cell:2:3",
    ):
        if not wait_for_turn(page):
            break
        if "is-legal" in (spot(page, name).get_attribute("class") or ""):
            spot(page, name).click()
            page.wait_for_selector(f"{YOURS}, {OVER}")
    page.wait_for_selector(OVER)
    assert re.search(r"won|lost|draw", page.inner_text("#status"))


@pytest.mark.slow
def test_tic_tac_toe_by_keyboard_alone_with_hint_and_undo(visit: Visit) -> None:
    page = visit("/play?game=tic_tac_toe")
    begin(page, {1: "random"})
    page.wait_for_selector(YOURS)
    page.locator(".board .is-legal").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector("#undo:not([disabled])")
    page.click("#hint")
    page.wait_for_selector(".board .hinted")
    assert "Perhaps" in page.inner_text("#note")
    page.click("#undo")
    wait_for_turns(page, 0)
    page.wait_for_selector(YOURS)
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#resign")
    page.wait_for_selector(OVER)
    assert "lost" in page.inner_text("#status")


@pytest.mark.slow
def test_a_whole_game_of_checkers_by_clicking(visit: Visit) -> None:
    page = visit("/play?game=checkers")
    page.wait_for_selector("#start:not([disabled])")
    keep_picture(page, "play-form")
    begin(page, {1: "random"})
    page.wait_for_selector(YOURS)
    keep_picture(page, "play-checkers")
    assert play_by_clicking(page, 1) > 5
    assert page.locator("#replay-link").count() == 1


@pytest.mark.slow
def test_backgammon_with_dice_on_a_phone(visit: Visit) -> None:
    page = visit("/play?game=backgammon", size=PHONE)
    begin(page, {1: "random"})
    page.wait_for_selector(YOURS)
    assert (
        "dice" in page.inner_text(".board").lower() or page.locator(".board .d-die, .board [aria-label*='di']").count()
    )
    assert fits_its_window(page)
    keep_picture(page, "play-backgammon-phone")
    assert play_by_clicking(page, 2, most=12) > 0


@pytest.mark.slow
def test_two_browsers_see_different_cards(visit: Visit) -> None:
    first = visit("/play?game=leduc_poker@tabletop")
    begin(first, {0: "human", 1: "human"})
    path = first.locator(".seat-link").first.get_attribute("href")
    assert path
    second = visit(path)
    spectator = visit("/watch/" + first.url.split("/")[-2])
    first.wait_for_selector(YOURS)
    words = [page.locator("#words").text_content() or "" for page in (first, second, spectator)]
    keep_picture(first, "play-cards-first")
    keep_picture(second, "play-cards-second")
    assert words[0] != words[1]
    assert words[2] not in words[:2]
    assert play_by_clicking(first, 3, most=1) == 1
    second.wait_for_selector(YOURS)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tic_tac_toe", "chess", "uno", "hex:5", "rock_paper_scissors", "nim", "sudoku"])
def test_pages_fit_a_phone_and_show_what_can_be_done(visit: Visit, game: str) -> None:
    page = visit(f"/play?game={game}", size=PHONE)
    assert fits_its_window(page)
    begin(page, {1: "random"} if game != "sudoku" else {})
    page.wait_for_selector(YOURS)
    assert fits_its_window(page)
    assert page.locator("#moves button").count() > 1
    if game in {"chess", "uno"}:
        keep_picture(page, f"play-{game}-phone")


@pytest.mark.slow
def test_a_game_that_does_not_exist_is_told(visit: Visit) -> None:
    page = visit("/play?game=xyzzy")
    page.wait_for_selector("#problem:has-text('xyzzy')")
    page.wait_for_selector("#start:not([disabled])")
    assert "xyzzy" in page.inner_text("#problem")


def test_rules_that_no_compiler_finishes_are_played_interpreted(visit: Visit, tmp_path: Path) -> None:
    with serving(Settings(data=tmp_path / "others", workers=1)) as address:
        page = visit(f"{address}/help")
        rules = json.dumps({"name": "wide", "text": WIDE})
        page.evaluate("rules => sessionStorage.setItem('ludens:rules', rules)", rules)
        page.goto(f"{address}/play?game=own")
        begin(page, {1: "auto"})
        for turn in (2, 4):
            page.wait_for_selector(YOURS)
            page.locator("#moves button").first.click()
            wait_for_turns(page, turn)
        page.wait_for_selector(YOURS)
        assert not page.is_visible("#note")
        page.close()

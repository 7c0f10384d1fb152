from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ludens.web.settings import Settings
from tests.e2e.conftest import PATIENCE, Visit, fits_its_window, keep_picture, serving
from tests.e2e.playing import OVER, YOURS, begin, wait_for_turns
from tests.peers import peer

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.slow, peer("chromium")]


def test_a_spectator_sees_what_searches_think(visit: Visit) -> None:
    page = visit("/play?game=connect_four")
    begin(page, {0: "mcts", 1: "mcts"}, clock="4")
    page.wait_for_selector(".bars-list li")
    page.wait_for_selector("g.bars .bar", state="attached")
    assert "playouts/s" in page.inner_text("#thinking")
    keep_picture(page, "watch-connect-four")
    dark = visit(page.url, dark=True)
    dark.wait_for_selector(".bars-list li")
    keep_picture(dark, "watch-connect-four-dark")
    page.click("#owner-actions button")
    page.wait_for_selector(OVER)
    visitor = visit("/watch")
    assert "Connect" in visitor.inner_text("main")
    assert fits_its_window(visitor)


def test_a_page_finds_back_to_its_match_when_the_server_was_restarted(browser: Browser, tmp_path: Path) -> None:
    settings = replace(Settings(data=tmp_path / "data"), workers=1)
    first = serving(settings)
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    with first as address:
        page.goto(f"{address}/play?game=tic_tac_toe")
        begin(page, {1: "random"})
        page.wait_for_selector(YOURS)
        page.locator(".board .is-legal").first.click()
        wait_for_turns(page, 2)
    page.wait_for_selector("#connection:has-text('lost')")
    with serving(settings, first.port):
        page.wait_for_selector("#connection:not(:has-text('lost'))", state="attached")
        page.wait_for_selector(YOURS)
        assert page.locator("#history li").count() == 2
        page.locator(".board .is-legal").first.click()
        wait_for_turns(page, 2, at_all=False)
    page.close()

"""A tournament in a browser while `ludens tournament` plays it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.e2e.conftest import PHONE, Visit, fits_its_window, keep_picture
from tests.peers import peer
from tests.processes import LUDENS, running

PLAN = """\
name: spring
games: [tic_tac_toe, "nim:3,4,5", connect_four]
players: [random, legal, flat]
clock: 0.05
start_clock: 1
repetitions: 2
"""


@peer("chromium")
@pytest.mark.slow
def test_a_tournament_is_followed_live(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(exist_ok=True)
    plan = tmp_path / "spring.yaml"
    plan.write_text(PLAN)
    page = visit("/tournaments")
    assert "There are no tournaments yet" in page.inner_text("main")
    store = tmp_path / "data" / "arena.db"
    command = [*LUDENS, "tournament", str(plan), "--store", str(store), "--parallel", "1", "--quiet"]
    with running(*command, stdout=subprocess.DEVNULL):
        while page.locator(".event").count() == 0:
            page.wait_for_timeout(300)
            page.reload()
        page.click(".event")
        page.wait_for_selector(".standings")
        page.evaluate("document.body.dataset.sameDocument = 'yes'")
        page.wait_for_selector(".progress-line:has-text('18 of 18')")
        assert page.evaluate("document.body.dataset.sameDocument") == "yes"
    assert page.locator(".cross td").count() > 6
    assert fits_its_window(page)
    keep_picture(page, "tournament")
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert fits_its_window(page)
    keep_picture(page, "tournament-phone")
    page.click("text=Replay >> nth=-1")
    page.wait_for_selector("#verdict.good")

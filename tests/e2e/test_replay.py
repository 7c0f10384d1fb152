"""A replay in a browser: slider, keys, thinking, branches, and records that people send."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.conftest import PHONE, Visit, fits_its_window, keep_picture
from tests.e2e.matches import record_a_match
from tests.peers import peer

pytestmark = [pytest.mark.slow, peer("chromium")]


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return tmp_path / "data" / "records"


def test_a_match_is_replayed_by_keys_and_buttons(visit: Visit, records: Path) -> None:
    path = record_a_match(records, "tic_tac_toe")
    turns = sum(json.loads(line)["event"] == "turn" for line in path.read_text().splitlines())
    page = visit("/replay")
    page.click("text=Replay >> nth=-1")
    page.wait_for_selector("#verdict.good")
    assert page.inner_text("#number") == f"0 / {turns}"
    first = page.inner_html("#board")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#number") == f"1 / {turns}"
    assert page.inner_html("#board") != first
    assert "plays" in page.inner_text("#moves")
    page.keyboard.press("End")
    assert "The end" in page.inner_text("#moves")
    assert page.is_disabled("#forth")
    page.keyboard.press("Home")
    page.select_option("#speed", "100")
    page.click("#play")
    page.wait_for_selector(f"#number:text-is('{turns} / {turns}')")
    page.wait_for_selector("#play:text-is('Play')")


@pytest.mark.parametrize("size", [None, PHONE], ids=["desktop", "phone"])
def test_thinking_and_branches_are_shown(visit: Visit, records: Path, size: dict[str, int] | None) -> None:
    path = record_a_match(records, "connect_four", "mcts:iterations=3000", branches=True)
    page = visit(f"/replay/record/{path.name}", size=size)
    page.wait_for_selector("#verdict.good")
    page.wait_for_selector(".branch-tree .knot")
    page.locator('.branch-tree [data-turn="4"]').click()
    assert page.inner_text("#number").startswith("4 /")
    assert page.locator(".bars li").count() > 3
    assert page.locator("#board g.bars .bar").count() > 3
    assert page.locator("#board [role=button]").count() == 0
    page.locator('.branch-tree [data-turn="5"]').press("Enter")
    assert page.inner_text("#number").startswith("4 /")
    assert fits_its_window(page)
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    keep_picture(page, f"replay-{'phone' if size else 'desktop'}")


def test_a_record_of_ones_own_is_replayed_and_saved(visit: Visit, tmp_path: Path) -> None:
    path = record_a_match(tmp_path, "nim:3,4")
    page = visit("/replay")
    page.set_input_files("#record", path)
    page.click("text=Replay it")
    page.wait_for_selector("#verdict.good")
    with page.expect_download() as saved:
        page.click("#save-svg")
    assert "<svg" in Path(saved.value.path()).read_text()
    with page.expect_download() as saved:
        page.click("text=Save the record")
    assert Path(saved.value.path()).read_bytes() == path.read_bytes()

"""Nothing on the main pages keeps anybody out: axe-core finds no serious violation, in light and dark.

`make peers` puts axe-core (an npm package) into ``.cache``; without it these tests are skipped.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ludens.arena.execution.executors import Inline
from ludens.arena.plan import parse_plan
from ludens.arena.store import Store
from ludens.arena.tournament import Tournament
from tests.e2e.conftest import PHONE, Visit
from tests.e2e.matches import record_a_match
from tests.e2e.playing import begin
from tests.peers import AXE, peer

if TYPE_CHECKING:
    from playwright.sync_api import Page

SERIOUS = {"serious", "critical"}

pytestmark = [pytest.mark.slow, peer("axe")]


def violations(page: Page) -> list[str]:
    """What axe-core finds that is serious or worse, each with the first element it concerns."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate("axe.run().then((result) => result.violations)")
    return [
        f"{one['id']}: {one['help']}: {one['nodes'][0]['html']}: {one['nodes'][0].get('failureSummary', '')}"
        for one in found
        if one["impact"] in SERIOUS
    ]


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return tmp_path / "data" / "records"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("path", "ready"),
    [
        ("/", "h1"),
        ("/library", "#shelf img"),
        ("/library/nim", "[data-part=decomposition] svg"),
        ("/library/go", "[data-part=playouts] svg"),
        ("/library/tic_tac_toe/editor", "#verdict.good"),
        ("/play", "#start:not([disabled])"),
        ("/watch", "h1"),
        ("/lab", "#tree svg"),
        ("/replay", "h1"),
        ("/tournaments", "h1"),
        ("/help", "h1"),
    ],
)
def test_a_page_keeps_nobody_out(visit: Visit, path: str, ready: str, dark: bool) -> None:
    page = visit("/library", dark=dark)
    page.goto(page.url.replace("/library", path)) if path != "/library" else None
    page.wait_for_selector(ready)
    assert violations(page) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_match_keeps_nobody_out(visit: Visit, dark: bool) -> None:
    page = visit("/play?game=tic_tac_toe", dark=dark)
    begin(page, {1: "random"})
    page.wait_for_selector(".board .is-legal")
    assert violations(page) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_lab_session_keeps_nobody_out(visit: Visit, dark: bool) -> None:
    page = visit("/lab?fresh", dark=dark)
    page.wait_for_selector("#play:not([disabled])")
    for tab in ("relations", "playouts", "circuit", "decomposition", "checks"):
        page.click(f"#tab-{tab}")
        page.wait_for_selector(f"#view-{tab} [data-part]:not([aria-busy])")
        assert violations(page) == []
    page.fill("#text", "(role")
    page.wait_for_selector("#problems li")
    assert violations(page) == []


@pytest.mark.parametrize(("dark", "size"), [(False, None), (True, PHONE)], ids=["light-desktop", "dark-phone"])
def test_a_replay_keeps_nobody_out(visit: Visit, records: Path, dark: bool, size: dict[str, int] | None) -> None:
    path = record_a_match(records, "tic_tac_toe", "mcts:iterations=1000", branches=True)
    page = visit(f"/replay/record/{path.name}", dark=dark, size=size)
    page.wait_for_selector("#verdict.good")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".bars li")
    for summary in page.locator("summary").all():
        summary.click()
    assert violations(page) == []


@pytest.mark.parametrize(("dark", "size"), [(False, PHONE), (True, None)], ids=["light-phone", "dark-desktop"])
def test_a_tournament_keeps_nobody_out(visit: Visit, tmp_path: Path, dark: bool, size: dict[str, int] | None) -> None:
    store = Store(tmp_path / "data" / "arena.db")
    plan = parse_plan("games: ['nim:1,2', tic_tac_toe]\nplayers: [random, legal, flat]\nclock: 0.05\n", "spring")
    for _ in Tournament(plan, store, Inline()).run():
        pass
    page = visit("/tournaments/1", dark=dark, size=size)
    page.wait_for_selector("svg.ratings")
    assert violations(page) == []

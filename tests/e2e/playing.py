"""What people do on the page of a match."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tests.e2e.conftest import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

YOURS, OVER = ".status.yours", ".status.over"


def begin(page: Page, players: dict[int, str] | None = None, clock: str = "0.2", seed: str = "3") -> None:
    """Fill in the form of Play and start: who sits on which seat, by number."""
    page.wait_for_selector("#start:not([disabled])")
    for seat, player in (players or {}).items():
        page.select_option(f"#player-{seat}", player)
        if player != "human":
            page.fill(f"#clock-{seat}", clock)
    page.click(".more summary")
    page.fill("#seed", seed)
    page.click("#start")
    page.wait_for_selector("#match")


def wait_for_turn(page: Page) -> bool:
    """Wait until it is the person's turn; False if the match is over instead."""
    page.wait_for_selector(f"{YOURS}, {OVER}")
    return page.query_selector(OVER) is None


def click_a_move(page: Page, rng: Random) -> None:
    """Make some move by clicking on the board only: what can be clicked, until the move is made."""
    while page.query_selector(f"{YOURS} ~ .board .is-legal"):
        page.locator(".board .is-legal").nth(rng.randrange(page.locator(".board .is-legal").count())).click()
        choice = page.locator("#choice:not([hidden]) button")
        if choice.count():
            choice.first.click()
            return


def spot(page: Page, name: str) -> Locator:
    return page.locator(f'[data-spot="{name}"]')


def play_by_clicking(page: Page, seed: int, most: int = 400) -> int:
    """Play a match to its end by clicking; how many moves that took."""
    rng = Random(seed)
    for number in range(most):
        if not wait_for_turn(page):
            return number
        turn = page.locator("#history li").count()
        if page.locator(".board .is-legal").count():
            click_a_move(page, rng)
        else:
            page.locator("#moves button").first.click()
        wait_for_turns(page, turn, at_all=False)
    return most


def wait_for_turns(page: Page, number: int, *, at_all: bool = True) -> None:
    """Wait until the page lists so many turns; with ``at_all`` false, until it lists another number."""
    from playwright.sync_api import expect  # noqa: PLC0415 - an extra

    found = expect(page.locator("#history li"))
    (found.to_have_count if at_all else found.not_to_have_count)(number, timeout=PATIENCE)

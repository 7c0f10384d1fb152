"""How long the library page takes to load with 100 games, in Chromium: nothing known, pictures known, all known.

``python -m benchmarks.library_page`` prints a table. Pictures load as they come into sight; the time is that of the
browser's ``load`` event, and of the moment when all pictures in sight are drawn.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

GAMES = 100
_IN_SIGHT = """() => [...document.images].every((image) => {
  const box = image.getBoundingClientRect();
  return box.top > innerHeight || (image.complete && image.naturalWidth > 0);
})"""


def fill_the_shelf(home: Path) -> int:
    """Copies of the library's games in the user's own, until there are so many; how many there are."""
    from ludens.games.library import SHELF, entries  # noqa: PLC0415 - after the folder is set

    (home / "games").mkdir(parents=True)
    for number, path in enumerate(sorted(SHELF.glob("*.kif")) * 3):
        if len(entries()) >= GAMES:
            break
        name = f"{path.stem}_{number}"
        shutil.copyfile(path, home / "games" / f"{name}.kif")
        if path.with_suffix(".toml").is_file():
            shutil.copyfile(path.with_suffix(".toml"), home / "games" / f"{name}.toml")
    return len(entries())


def load(context: BrowserContext, address: str) -> tuple[float, float]:
    """Milliseconds until the page is loaded, and until all pictures in sight are."""
    page = context.new_page()
    began = time.perf_counter()
    page.goto(address)
    loaded: dict[str, Any] = page.evaluate("performance.getEntriesByType('navigation')[0].toJSON()")
    while not page.evaluate(_IN_SIGHT):
        page.wait_for_timeout(10)
    drawn = 1000 * (time.perf_counter() - began)
    page.close()
    return float(loaded["loadEventEnd"]), drawn


def main() -> None:
    """Measure and print."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - an extra

    with tempfile.TemporaryDirectory() as folder:
        os.environ["LUDENS_HOME"] = folder
        from tests.e2e.conftest import serving  # noqa: PLC0415

        from ludens.web.settings import Settings  # noqa: PLC0415 - after the folder is set

        count = fill_the_shelf(Path(folder))
        with serving(Settings(data=Path(folder), workers=0)) as site, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            print(f"{count} games | load, ms | pictures in sight, ms")
            for title in ("first visit ever", "pictures known to the server", "another browser"):
                context = browser.new_context(viewport={"width": 1200, "height": 860})
                print("{} | {:.0f} | {:.0f}".format(title, *load(context, f"{site}/library")))
                if title == "another browser":
                    print("the same browser again | {:.0f} | {:.0f}".format(*load(context, f"{site}/library")))
                context.close()
            browser.close()


if __name__ == "__main__":
    main()

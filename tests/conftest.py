"""What all tests share."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from ludens.players.packed import self_play
from tests.peers import skip_without_peers
from tests.ray_nodes import two_nodes

SLOW_TEST_SECONDS = 3_600
"""Time limit of a slow test; that of the others is in pyproject.toml."""

# Without bytecode on disk every process that a test starts compiles its modules anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# On a busy machine time says nothing about the code, so there are no deadlines. `make test` tries the same examples
# each time, so that it does not fail by chance; `make test-all` tries new ones.
settings.register_profile("ludens", deadline=None, max_examples=40, derandomize=True)
settings.register_profile("thorough", deadline=None)  # make test-all
settings.load_profile("ludens")


def pytest_configure() -> None:
    """Take Ctrl-C: a shell that starts the tests in the background has them, and all they start, ignore it."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a peer that is missing, and let slow tests run longer."""
    for item in items:
        skip_without_peers(item)
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOW_TEST_SECONDS))


def pytest_collection_finish() -> None:
    """Exclude all that is imported for tests from garbage collections, and let it stay so.

    Otherwise each match would thaw, collect and freeze all of it when it begins (`set_aside`), in hundreds of tests.
    """
    gc.collect()
    gc.freeze()
    for name in ("freeze", "unfreeze"):
        setattr(gc, name, lambda: None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List what was skipped by name, grouped by the reason."""
    names: dict[str, list[str]] = {}
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        names.setdefault(reason.removeprefix("Skipped: "), []).append(report.nodeid)
    if not names:
        return
    terminalreporter.section("skipped")
    for reason, skipped in sorted(names.items()):
        terminalreporter.write_line(f"{reason} ({len(skipped)})")
        for name in sorted(skipped):
            terminalreporter.write_line(f"  {name}")


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Iterator[Path]]:
    """Makes folders for the data of tests, which share what they compile: entries of the cache are found by content.

    The workers of pytest share it as well, and so do all processes that tests start.
    """
    base = tmp_path_factory.getbasetemp()
    compiled = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "compiled-code"
    compiled.mkdir(mode=0o700, exist_ok=True)

    def make() -> Iterator[Path]:
        for number in itertools.count():
            home = base / "homes" / str(number)
            home.mkdir(parents=True)
            (home / "cache").symlink_to(compiled)
            yield home

    homes = make()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDENS_HOME", str(next(homes)))  # for fixtures of modules
        yield homes


@pytest.fixture(autouse=True)
def _own_data_folder(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep tests out of the user's library and records, and of those of other tests."""
    home = next(_homes)
    monkeypatch.setenv("LUDENS_HOME", str(home))
    return home


@pytest.fixture(scope="session", autouse=True)
def _short_self_play() -> Iterator[None]:
    """Learn evaluations from fewer matches: in full length, each game costs some CPU seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(self_play, "FIRST_CHILDREN", 20_000)
        patch.setattr(self_play, "MOST_CHILDREN", 100_000)
        yield


@pytest.fixture
def empty_cache(_own_data_folder: Path) -> Path:
    """A cache folder of the test's own, for tests of what is compiled or kept, and when."""
    folder = _own_data_folder / "cache"
    folder.unlink()
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A Ray cluster of two nodes."""
    with two_nodes(monkeypatch) as cluster:
        yield cluster

"""What all tests share."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.peers import skip_without_peers
from tests.ray_nodes import two_nodes

SLOW_TEST_SECONDS = 3_600
"""Time limit of a slow test; that of the others is in pyproject.toml."""

# On a busy machine time says nothing about the code, so there are no deadlines.
settings.register_profile("ludens", deadline=None, max_examples=40)
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


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep tests out of the user's library and records."""
    monkeypatch.setenv("LUDENS_HOME", str(tmp_path / "ludens-home"))


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A Ray cluster of two nodes."""
    with two_nodes(monkeypatch) as cluster:
        yield cluster

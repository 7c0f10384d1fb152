"""A server as browsers see it, with a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ludens.web.agents import tables
from ludens.web.app import create_app
from ludens.web.bench import workbench
from ludens.web.settings import Settings
from tests.processes import PATIENCE

ADDRESS = "http://127.0.0.1:8123"
ADMIN = "the-admin-token"


@pytest.fixture(autouse=True)
def _patient_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give processes that answer pages and agents more time than users would wait, as the machine may be busy."""
    patient = partial(workbench.Limits, check_seconds=PATIENCE, examine_seconds=PATIENCE)
    monkeypatch.setattr(workbench, "Limits", patient)  # of a workbench without limits of its own
    monkeypatch.setattr(tables, "_ANSWER", PATIENCE)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", admin_token=ADMIN, workers=0)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings), base_url=ADDRESS, headers={"accept": "application/json"}) as found:
        yield found

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


@pytest.fixture(scope="package", autouse=True)
def _patient_servers() -> Iterator[None]:
    """Give processes that answer pages and agents more time than users would wait, as the machine may be busy."""
    patient = partial(workbench.Limits, check_seconds=PATIENCE, examine_seconds=PATIENCE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workbench, "Limits", patient)  # of a workbench without limits of its own
        patch.setattr(tables, "_ANSWER", PATIENCE)
        yield


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", admin_token=ADMIN, workers=0)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings), base_url=ADDRESS, headers={"accept": "application/json"}) as found:
        yield found


@pytest.fixture(scope="module")
def shared_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server for all tests of a module: one that has worked on rules has started processes, which take a second."""
    settings = Settings(data=tmp_path_factory.mktemp("data"), admin_token=ADMIN, workers=0)
    with TestClient(create_app(settings), base_url=ADDRESS, headers={"accept": "application/json"}) as found:
        yield found

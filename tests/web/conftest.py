"""A server as browsers see it, with a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ludens.web.app import create_app
from ludens.web.settings import Settings

ADDRESS = "http://127.0.0.1:8123"
ADMIN = "the-admin-token"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", admin_token=ADMIN, workers=0)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings), base_url=ADDRESS, headers={"accept": "application/json"}) as found:
        yield found

"""How thoroughly the contract of games in Python is checked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ludens import testing
from tests.thorough import is_thorough


@pytest.fixture(scope="package", autouse=True)
def _fewer_worlds() -> Iterator[None]:
    """Draw one world for each player in each state, not three, and replay fewer: `make test-all` draws all."""
    with pytest.MonkeyPatch.context() as patch:
        if not is_thorough():
            patch.setattr(testing, "_WORLDS", 1)
            patch.setattr(testing, "_REPLAYED", 4)
        yield

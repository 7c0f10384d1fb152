"""How thoroughly the contract of games in Python is checked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from ludens import testing


@pytest.fixture(scope="package", autouse=True)
def _fewer_worlds() -> Iterator[None]:
    """Draw one world for each player in each state, not three: that is most of the work. `make test-all` draws all."""
    with pytest.MonkeyPatch.context() as patch:
        if settings().max_examples < settings.get_profile("thorough").max_examples:
            patch.setattr(testing, "_WORLDS", 1)
        yield

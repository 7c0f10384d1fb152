from __future__ import annotations

from collections.abc import Iterator

import pytest

from ludens.gdl.reference import ReferenceGame
from tests.gdl.reasoner import REASONERS, on_reasoner


@pytest.fixture(scope="module", params=REASONERS, ids=[kind.backend for kind in REASONERS])
def each_reasoner(request: pytest.FixtureRequest) -> Iterator[type[ReferenceGame]]:
    """Runs the tests of a module on each reasoner."""
    with on_reasoner(request.param):
        yield request.param

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def test_the_examples_in_the_docs_do_what_they_say() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; 'make peers' installs it")

    results = doctest.testfile(str(DOCS / "adapters.md"), module_relative=False)

    assert results.attempted > 10
    assert results.failed == 0

"""What tests of generated C++ share: compiled libraries."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludens.compiler.cxx import build
from ludens.compiler.native.code_cache import ArtefactCache

KEPT = Path(__file__).parents[3] / ".pytest_cache" / "cxx"


@pytest.fixture(autouse=True)
def _compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile what is generated once for a checkout, and not once for each test: a library is kept under its code, the
    compiler and its flags, so whatever changes any of them is compiled again."""
    monkeypatch.setattr(build, "artefact_cache", lambda: ArtefactCache(KEPT))

"""Generated C++ beside recorded playouts: of the library's games, and of rule sheets that others wrote."""

from __future__ import annotations

import pytest

from ludens.compiler.cxx.state import CxxGame
from ludens.games.library import find
from ludens.gdl.read import read_file
from ludens.gdl.traces import read_trace, replay
from tests.conformance.corpus import REFUSED, Case, cases
from tests.conformance.test_corpus import REPRESENTATIVE
from tests.games.record_traces import NAMES, TRACES
from tests.peers import peer

AGREEING = [case for case in cases() if case.name not in REFUSED and (case.edge or case.name in REPRESENTATIVE)]

pytestmark = [pytest.mark.slow, peer("c++")]


@pytest.mark.parametrize("name", NAMES)
def test_cxx_plays_the_shelf_as_recorded(name: str) -> None:
    game = CxxGame(find(name).rule_sheet(), name)

    assert replay(game, read_trace(TRACES / f"{name}.jsonl.gz")).first_difference is None


@peer("rules")
@pytest.mark.parametrize("case", AGREEING, ids=lambda case: case.name)
def test_cxx_agrees_with_the_independent_reasoner(case: Case) -> None:
    game = CxxGame(read_file(case.rules), case.name)

    assert replay(game, read_trace(case.trace)).first_difference is None

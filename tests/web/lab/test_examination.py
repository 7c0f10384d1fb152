"""Examinations: every part there is, with the numbers of games that are known."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

import ludens
from ludens.games.library import find
from ludens.gdl.read import read_rules
from ludens.web.lab import examination
from ludens.web.lab.examination import examine
from ludens.web.lab.playout_statistics import histogram, statistics_of
from tests.processes import PATIENCE
from tests.web.sheets import COUNTDOWN


def test_all_parts_of_nim(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "PLAYED_SECONDS", PATIENCE)
    found = dict(examine(find("nim:3,4,5").rule_sheet(), "nim:3,4,5"))
    assert list(found) == ["relations", "circuit", "playouts", "decomposition", "checks"]
    assert found["decomposition"]["subgames"] == 3
    assert found["circuit"]["gates"] > 0
    assert found["playouts"]["matches"] == 2_048
    assert sum(count for _, count in found["playouts"]["lengths"]) == 2_048
    assert found["checks"]["finished"] == found["checks"]["playouts"]
    for part in ("relations", "decomposition"):
        ET.fromstring(found[part]["svg"])


def test_a_match_of_known_length() -> None:
    found = statistics_of(ludens.load("tic_tac_toe", wait=True), 5.0)
    assert min(found.lengths) == 5
    assert max(found.lengths) == 9
    assert found.choices[:2] == [9.0, 8.0]
    assert set(found.goals["xplayer"]) == {0, 50, 100}


def test_rules_in_python_are_played_one_by_one() -> None:
    found = statistics_of(ludens.load("kuhn_poker", wait=True), 0.2)
    assert found.matches > 0
    assert sum(found.lengths.values()) + found.endless == found.matches


def test_a_role_without_a_move_is_told() -> None:
    stuck = COUNTDOWN.replace("(<= (legal solo tick) (true (counter ?n)))", "(<= (legal solo tick) (true (counter 1)))")
    found = dict(examine(read_rules(stuck)))
    assert "could not continue" in found["playouts"]["note"]
    assert any(problem["level"] == "error" for problem in found["checks"]["problems"])


def test_histograms_have_few_bars_and_lose_nothing() -> None:
    bars = histogram(dict.fromkeys(range(3, 1_003), 1))
    assert len(bars) <= 24
    assert sum(count for _, count in bars) == 1_000
    assert bars[0][0].startswith("3\u2013")

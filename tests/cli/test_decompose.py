from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ludens.analysis import bounded_report
from tests.cli.conftest import Run

LONG = ("--budget", "600")
"""Enough on a busy machine, where the budget is for another process."""


def test_decompose_tells_programs_the_components(run: Run) -> None:
    code, out, _ = run("decompose", "nim:1,2", "--json", *LONG)

    found = json.loads(out)
    parts = found.pop("components")
    assert code == 0
    assert found == {
        "game": "nim:1,2",
        "subgames": 2,
        "composition": "choice",
        "convention": "normal",
        "method": "ground",
        "joints": [
            {"of": "terminal", "structure": "all", "text": "all of 2 subgames"},
            {"of": "goal first ≥ 100", "structure": "all", "text": "all of 2 subgames"},
            {"of": "goal second ≥ 100", "structure": "all", "text": "all of 2 subgames"},
        ],
        "notes": [
            "a sum of impartial games in normal play: Sprague-Grundy theory applies",
            "the subgames decide together when the game is over",
        ],
    }
    assert [part["kind"] for part in parts] == ["game", "game", "control", "noop"]
    assert parts[1]["fluents"] == ["(heap b 0)", "(heap b 1)", "(heap b 2)"]
    assert parts[1]["moves"] == ["(reduce b 0)", "(reduce b 1)"]
    assert parts[1]["impartial"] is True
    assert parts[3]["moves"] == ["noop"]


def test_decompose_names_local_concepts_with_their_signs(run: Run) -> None:
    found = json.loads(run("decompose", "double_tic_tac_toe", "--json", *LONG)[1])

    assert {"(line1 x)", "(not (line1 o))", "terminal1"} <= set(found["components"][0]["concepts"])


def test_decompose_draws_the_dependency_graph(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "nim.svg"
    code, out, _ = run("decompose", "nim:1,2", "--svg", str(picture), *LONG)

    assert code == 0
    assert "2 subgames" in out
    text = "".join(ElementTree.fromstring(picture.read_text(encoding="utf-8")).itertext())
    assert "(heap a 0)" in text
    assert "(reduce b 1)" in text


def test_decompose_without_grounding_says_so(run: Run) -> None:
    _, out, _ = run("decompose", "nim:1,2", "--backend", "reference")

    assert "2 subgames" in out
    assert "do not ground" in out


def test_decompose_refuses_a_folder_for_the_picture(run: Run, tmp_path: Path) -> None:
    code, _, err = run("decompose", "nim:1,2", "--svg", str(tmp_path))

    assert code == 2
    assert f"{tmp_path}: Is a directory" in err


@pytest.mark.parametrize("name", ["rock_paper_scissors", "eight_puzzle"])
def test_decompose_says_why_games_stay_whole(run: Run, name: str) -> None:
    out = run("decompose", name, *LONG)[1]

    assert "1 subgame" in out
    assert "the game stays whole: " in out


LARGE_JOIN = """
(role a) (role b) (init (control a))
(d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7)
(<= (legal ?r (pick ?x ?y)) (true (control ?r)) (d ?x) (d ?y) (not (true (used ?x ?y))))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (used ?x ?y)) (does ?r (pick ?x ?y))) (<= (next (used ?x ?y)) (true (used ?x ?y)))
(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
(<= (path ?a ?b ?c ?e ?f ?g) (true (used ?a ?b)) (true (used ?b ?c)) (true (used ?c ?e)) (true (used ?e ?f))
    (true (used ?f ?g)))
(<= long (path ?a ?b ?c ?e ?f ?g))
(<= terminal long) (<= (goal ?r 100) (role ?r) long) (<= (goal ?r 0) (role ?r) (not long))
"""
"""A helper with a quarter of a million instances."""


def test_decompose_says_what_it_has_when_the_budget_is_over(run: Run, tmp_path: Path) -> None:
    sheet = tmp_path / "large_join.kif"
    sheet.write_text(LARGE_JOIN, encoding="utf-8")

    code, out, _ = run("decompose", str(sheet), "--budget", "0.01", "--json")

    found = json.loads(out)
    assert code == 0
    assert found["subgames"] == 1
    assert any(note.startswith("the game stays whole: ") for note in found["notes"])


SIMULTANEOUS = """
(role l) (role r) (init (at 0)) (follows 0 1) (follows 1 2) (follows 2 0)
(<= (legal ?r (go ?d)) (role ?r) (way ?d)) (way up) (way down)
(<= (next (at ?n)) (true (at ?m)) (follows ?m ?n) (does l (go ?d)) (does r (go ?d)))
(<= (next (at ?m)) (true (at ?m)) (does l (go ?d)) (does r (go ?e)) (distinct ?d ?e))
(<= terminal (true (at 2))) (<= (goal ?r 50) (role ?r))
"""


def test_only_alternating_games_are_impartial(run: Run, tmp_path: Path) -> None:
    sheet = tmp_path / "simultaneous.kif"
    sheet.write_text(SIMULTANEOUS, encoding="utf-8")

    found = json.loads(run("decompose", str(sheet), "--json", *LONG)[1])

    assert [part["impartial"] for part in found["components"] if part["kind"] == "game"] == [False]


def test_counters_that_count_once_are_one_component(run: Run, tmp_path: Path) -> None:
    sheet = tmp_path / "fuses.kif"
    fuses = " ".join(f"(init (fuse {n}))" for n in range(40))
    sheet.write_text(
        f"(role r) {fuses} (init (lit no)) (legal r wait) (legal r light)"
        "(<= (next (lit yes)) (does r light)) (<= (next (lit ?x)) (true (lit ?x)) (does r wait))"
        "(<= (next over) (not (true (fuse 3)))) (<= terminal (true over))"
        "(<= (goal r 100) (true (lit yes)) (true (fuse 5))) (<= (goal r 50) (true (fuse 6)) (not (true (lit yes))))",
        encoding="utf-8",
    )

    parts = json.loads(run("decompose", str(sheet), "--json", *LONG)[1])["components"]

    counters = [part["fluents"] for part in parts if part["kind"] == "counter"]
    assert sorted(map(len, counters)) == [2, 39]  # (fuse 3) and over change one after the other


def test_rules_that_need_too_much_memory_are_decomposed_with_variables(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_report, "MEMORY", 30 << 20)

    code, out, _ = run("decompose", "nim:1,2", "--json", *LONG)

    found = json.loads(out)
    assert code == 0
    assert found["method"] == "lifted"
    assert "MB" in found["notes"][0]

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run


def test_decompose_tells_programs_the_components(run: Run) -> None:
    code, out, _ = run("decompose", "nim:1,2", "--json")

    found = json.loads(out)
    assert code == 0
    assert [part["kind"] for part in found] == ["game", "game", "control", "noop"]
    assert found[1]["fluents"] == ["(heap b 0)", "(heap b 1)", "(heap b 2)"]
    assert found[1]["moves"] == ["(reduce b 0)", "(reduce b 1)"]
    assert found[1]["impartial"] is True
    assert found[3]["moves"] == ["noop"]


def test_decompose_names_local_concepts_with_their_signs(run: Run) -> None:
    found = json.loads(run("decompose", "double_tic_tac_toe", "--json")[1])

    assert {"(line1 x)", "(not (line1 o))", "terminal1"} <= set(found[0]["concepts"])


def test_decompose_draws_the_dependency_graph(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "nim.svg"
    code, out, _ = run("decompose", "nim:1,2", "--svg", str(picture))

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
def test_decompose_shows_games_in_one_piece(run: Run, name: str) -> None:
    assert "1 subgame" in run("decompose", name)[1]

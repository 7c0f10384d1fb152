"""The experiment of gdlcc: its player on every engine, its tables, and what happens when an engine fails."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from itertools import product
from pathlib import Path
from random import Random

import pytest

from ludens.cli.main import main
from ludens.core import GameError
from ludens.experiments.gdlcc.chart import bar_chart
from ludens.experiments.gdlcc.engines import RHYTHMS, EngineName, Simulations, make_engine
from ludens.experiments.gdlcc.matches import Cells, Turn, cells_of, play_match
from ludens.experiments.gdlcc.page import markdown, notes, ratio
from ludens.experiments.gdlcc.paper import GAMES
from ludens.experiments.gdlcc.run import Measured, Setup, run_experiment
from ludens.games.library import find
from tests.peers import peer

ENGINES = [
    pytest.param(EngineName.PROLOG, marks=peer("swipl")),
    pytest.param(EngineName.CXX, marks=peer("c++")),
    pytest.param(EngineName.CXX_TT, marks=peer("c++")),
    EngineName.CIRCUIT,
]


@pytest.mark.slow
@pytest.mark.parametrize("rhythm", RHYTHMS)
@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_sees_the_winning_move(name: EngineName, rhythm: int) -> None:
    engine = make_engine(name, find("tic_tac_toe").rule_sheet(), "tic_tac_toe", "off", rhythm)
    state = engine.initial()
    for first, second in (
        ("(mark 1 1)", "noop"),
        ("noop", "(mark 2 1)"),
        ("(mark 1 2)", "noop"),
        ("noop", "(mark 2 2)"),
    ):
        state = engine.play(state, [first, second])

    found = engine.simulate(state, 0.3)
    legal = engine.legal(state)

    assert found.best(engine.roles[0], legal[0], Random(1)) == "(mark 1 3)"
    assert list(legal[1]) == ["noop"]
    assert found.count > 100
    assert found.states >= found.count // rhythm  # many draws are followed by no other move
    for role in engine.roles:
        assert sum(found.counts[role].values()) == found.count
    assert not engine.legal(engine.play(state, ["(mark 1 3)", "noop"]))


@pytest.mark.slow
def test_a_match_is_played_to_its_end() -> None:
    engine = make_engine(EngineName.CIRCUIT, find("tic_tac_toe").rule_sheet(), "tic_tac_toe", "off")

    turns = list(play_match(engine, 0.01, Random(1)))

    assert 5 <= len(turns) <= 9
    assert all(turn.simulations > 0 for turn in turns)


def test_a_move_that_was_never_simulated_is_not_taken_for_the_best() -> None:
    found = Simulations()
    found.add("r", "bad", 0.0, 4)
    found.add("r", "good", 150.0, 2)

    assert found.best("r", ["untried", "bad", "good"], Random(1)) == "good"
    assert found.best("other", ["a"], Random(1)) == "a"


def test_turns_are_classed_by_thirds_of_their_own_match() -> None:
    long = [Turn(states=10, simulations=1)] * 2 + [Turn(20, 2)] * 2 + [Turn(30, 3)] * 2
    short = [Turn(100, 10)]

    assert cells_of([long]).states == (10, 20, 30)
    assert cells_of([long, short]).states == (40, 20, 30)
    assert cells_of([short]) == Cells((100, None, None), (10, None, None))


def results() -> list[Measured]:
    found = []
    for game in GAMES:
        for rhythm, engine in product(RHYTHMS, EngineName):
            if engine is EngineName.PROLOG:
                cells = Cells((10.0, 20.0, 30.0), (1.0, 2.0, None))
                found.append(Measured(game, engine, rhythm, game.shelf, cells, 9))
            elif engine is EngineName.CXX:
                found.append(
                    Measured(game, engine, rhythm, game.shelf, Cells((100.0, 200.0, 300.0), (4.0, 5.0, 6.0)), 9)
                )
            else:
                found.append(Measured(game, engine, rhythm, game.shelf, None, 0, "there is none"))
    return found


def test_the_page_has_our_figures_scaled_to_the_papers_clock_beside_its_own() -> None:
    page = markdown(results(), Setup(clock=0.5, games=2), "a machine")

    assert "| prolog | 100 | 200 | 300 | YAP | 50,935 | 54,197 | 52,663 |" in page
    assert "| cxx | 40 | 50 | 60 | gdlcc | 134,932 | 194,602\\* | 194,602\\* |" in page
    assert "| prolog | 10 | 20 | - | YAP | 22 | 31 | 62 |" in page
    assert "| prolog | 100 | 200 | 300 | - | - | - | - |" in page
    assert "`ludens experiment gdlcc --clock 0.5 --games 2`" in page
    assert "| Chess | 10 | - | - |" in page
    assert ratio(results(), "Chess", EngineName.CXX) == 10
    assert ratio(results(), "Chess", EngineName.CIRCUIT) is None


def test_a_reason_that_several_games_share_is_told_once() -> None:
    assert notes(results())[2:] == [
        "cxx+tt: there is none (Tic-Tac-Toe, Chess, Checkers, Connect4)",
        "circuit: there is none (Tic-Tac-Toe, Chess, Checkers, Connect4)",
    ]


def test_the_chart_has_a_bar_for_every_figure_and_higher_ones_for_higher_rates() -> None:
    picture = ET.fromstring(bar_chart(results(), clock=0.5))
    space = "{http://www.w3.org/2000/svg}"
    heights = {
        bar.findtext(f"{space}title"): float(bar.get("height", 0))
        for bar in picture.iter(f"{space}rect")
        if bar.find(f"{space}title") is not None
    }

    assert heights["cxx: 400 states/s"] > heights["prolog: 40 states/s"] > 0
    assert "gdlcc tt: 263,224 states/s" in heights
    assert bar_chart([], clock=1.0).startswith("<svg")


@pytest.mark.slow
def test_an_engine_that_fails_leaves_only_its_cells_empty(tmp_path: Path) -> None:
    rules = find("tic_tac_toe").path.read_text(encoding="utf-8")
    (tmp_path / "ticTacToe.kif").write_text(rules + "\n(<= (goal xplayer", encoding="utf-8")
    told: list[str] = []

    found = run_experiment(Setup(clock=0.01, games=1, rules=tmp_path, only=("tic_tac_toe",)), told.append)

    assert [(result.rhythm, result.engine) for result in found] == list(product(RHYTHMS, EngineName))
    assert all(result.cells is None and result.reason for result in found)
    assert told[0] == "Tic-Tac-Toe, prolog, rhythm 1: preparing"


@pytest.mark.slow
def test_the_command_prints_both_tables_and_writes_page_and_chart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["experiment", "gdlcc", "--clock", "0.01", "--games", "1", "--game", "tic_tac_toe", "-o", str(tmp_path)]
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)

    assert [(row["rhythm"], row["engine"]) for row in found["results"]] == list(product(RHYTHMS, EngineName))
    circuit = found["results"][-1]
    assert circuit["states"]["early"] > circuit["simulations"]["early"] > 0
    assert "Table 2" in (tmp_path / "experiment.md").read_text(encoding="utf-8")
    assert (tmp_path / "experiment.svg").read_text(encoding="utf-8").startswith("<svg")


def test_games_and_rule_sheets_that_are_not_there_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"no game go \(games: tic_tac_toe, chess"):
        run_experiment(Setup(only=("go",)), lambda _: None)
    with pytest.raises(GameError, match=r"there is no ticTacToe\.kif or .* --rules names a folder"):
        run_experiment(Setup(rules=tmp_path), lambda _: None)

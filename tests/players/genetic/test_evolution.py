from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.core import Clock, Deadline, GameError, PlayerError
from ludens.gdl.terms import functor
from ludens.players import make_player
from ludens.players.evaluation.evaluators import Learned, Mobility
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.genetic import evolution
from ludens.players.genetic.evolution import Evolution, EvolutionOptions, Generation
from ludens.players.genetic.file import read_judgement
from ludens.players.genetic.judgement import Evolved, Judgement, feature_names, parts_of
from ludens.players.genetic.matches import duel, openings
from ludens.players.space.compiled import CompiledSpace
from ludens.referee import Match, MatchEnded
from tests.players.neural.test_network_search import compiled

GAME = "breakthrough:4"
TINY = EvolutionOptions(population=4, openings=2, opening_turns=3, gate_openings=2, gate_depth=1)
NO_HURRY = Clock(play=60, start=60)


def bred(folder: Path, steps: int, *, trees: bool = False, resume: bool = False) -> list[Generation]:
    options = EvolutionOptions(**{**_as_dict(TINY), "trees": trees})
    return list(Evolution(compiled(GAME), folder / "best.json", options, seed=1, resume=resume).run(3_600, steps))


def _as_dict(options: EvolutionOptions) -> dict[str, Any]:
    return {name: getattr(options, name) for name in options.__dataclass_fields__}


@pytest.fixture(scope="module", params=[False, True], ids=["weights", "trees"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a judgement that was bred a little."""
    made = tmp_path_factory.mktemp("genetic")
    bred(made, 2, trees=request.param)
    return made


@cache
def weights() -> FluentWeights:
    space = CompiledSpace(compiled(GAME))
    return FluentWeights.of(np.random.default_rng(1).normal(size=(8 * space.width + 1, 2)))


@pytest.mark.smoke
def test_evolution_writes_an_evaluation_a_log_and_a_curve(folder: Path) -> None:
    judgement = read_judgement(folder / "best.json", compiled(GAME))

    assert judgement.weights.shape == (len(compiled(GAME).circuit.fluents) + 1, 2)
    assert len((folder / "best.csv").read_text().splitlines()) == 3
    assert (folder / "best.svg").read_text().startswith("<svg")


@pytest.mark.parametrize("options", ["depth=2", "search=playouts,playouts=16"])
def test_a_file_plays_by_its_path(folder: Path, options: str) -> None:
    players = {"white": make_player(f"genetic:{folder / 'best.json'},{options}"), "black": make_player("random")}
    match = Match(compiled(GAME), players, dict.fromkeys(players, NO_HURRY), 5)

    (ended,) = (event for event in match.events() if isinstance(event, MatchEnded))

    assert ended.finished
    assert not any(ended.failures.values())


def test_guided_playouts_answer_without_time(folder: Path) -> None:
    player = make_player(f"genetic:{folder / 'best.json'},search=playouts")
    state = compiled(GAME).initial_state()
    player.start(compiled(GAME), "white", 1, Clock(play=0.2, start=0))

    assert player.choose(state.view("white"), Deadline(0)).move in state.legal_moves("white")


def test_resuming_goes_on_with_the_same_population(folder: Path, tmp_path: Path) -> None:
    for part in folder.glob("*"):
        (tmp_path / part.name).write_bytes(part.read_bytes())
    before = json.loads((tmp_path / "best.json.evolution").read_text())

    (step,) = bred(tmp_path, 1, trees=before["trees"], resume=True)

    assert (step.step, step.matches) == (3, before["generation"]["matches"] * 3 // 2)
    with pytest.raises(GameError, match="--trees must be as before"):
        bred(tmp_path, 1, trees=not before["trees"], resume=True)


def test_what_is_needed_to_go_on_does_not_grow_with_every_new_best(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evolution, "PASS", 0.0)
    monkeypatch.setattr(evolution, "GATE_SHARE", 0.999)

    steps = bred(tmp_path, evolution.HALL + 1)

    assert all(step.passed for step in steps)
    assert len(json.loads((tmp_path / "best.json.evolution").read_text())["hall"]) == evolution.HALL


def test_an_evaluation_that_is_there_already_is_not_begun_anew(folder: Path) -> None:
    with pytest.raises(PlayerError, match="continue with --resume"):
        bred(folder, 1)


def test_an_evolution_that_was_never_begun_cannot_be_resumed(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="without --resume"):
        bred(tmp_path, 1, resume=True)


def test_broken_files_and_files_of_other_games_are_refused(folder: Path, tmp_path: Path) -> None:
    good = json.loads((folder / "best.json").read_text())
    first = next(iter(good["fluents"]))
    broken: dict[str, tuple[Any, str]] = {
        "list": ([], "not a file of"),
        "format": ({**good, "format": "ludens genetic 9"}, "that this version reads"),
        "game": ({**good, "game": "chess", "rules_sha256": ""}, "was made for chess and cannot play"),
        "fluents": ({**good, "fluents": {}}, "other fluents"),
        "few": ({**good, "fluents": {**good["fluents"], first: [1]}}, "not 2 numbers"),
        "nan": ({**good, "bias": [float("nan"), 0]}, "not 2 numbers"),
        "tree": ({**good, "tree": ["add", "mobility"]}, "expression"),
        "names": ({**good, "tree": ["__import__"]}, "expression"),
        "mobility": ({**good, "mobility": "much"}, "mobility"),
    }
    (tmp_path / "deep.json").write_text("[" * 100_000)
    for name, (content, message) in broken.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(content))
        with pytest.raises(PlayerError, match=message):
            read_judgement(path, compiled(GAME))
    with pytest.raises(PlayerError, match="not a file of"):
        read_judgement(tmp_path / "deep.json", compiled(GAME))


def test_weights_without_mobility_judge_as_learned_ones_do_and_so_does_the_tree_that_is_their_sum() -> None:
    game = compiled(GAME)
    space = CompiledSpace(game)
    found = space.expand(openings(space, 5, 4, np.random.default_rng(2)))
    rows = np.vstack([weights().by_fluent[: len(game.circuit.fluents)], weights().bias])
    learned = Learned(weights()).estimate(found)

    assert Evolved(game, Judgement(rows)).estimate(found) == pytest.approx(learned)
    assert Evolved(game, Judgement(rows, tree=("worth",))).estimate(found) == pytest.approx(learned)
    others = Evolved(game, Judgement(rows, tree=("others' worth",))).estimate(found)
    assert others == pytest.approx(learned[:, ::-1])


def test_parts_of_a_sum_that_share_an_argument_add_up_to_it() -> None:
    game = compiled(GAME)
    columns = [numbers for name, numbers in parts_of(game).items() if name.startswith("worth cell 1=")]

    assert len(columns) == 4
    assert sorted(number for column in columns for number in column) == [
        n for n, fluent in enumerate(game.circuit.fluents) if functor(fluent) == "cell"
    ]
    assert len(set(feature_names(game))) == len(feature_names(game))


def test_a_duel_of_equals_is_even_over_both_seats() -> None:
    space = CompiledSpace(compiled(GAME))
    begins = openings(space, 12, 4, np.random.default_rng(3))

    assert 0.25 <= duel(space, (Mobility(), Mobility()), begins, 2, np.random.default_rng(1)) <= 0.75


@pytest.mark.slow
def test_some_generations_beat_what_they_began_with(tmp_path: Path) -> None:
    options = EvolutionOptions(population=12, openings=16, gate_openings=32, gate_depth=1)
    game = compiled("breakthrough:6")
    steps = list(Evolution(game, tmp_path / "best.json", options, seed=2, resume=False).run(3_600, 12))

    assert any(step.passed for step in steps if step.passed is not None)
    assert steps[-1].best_score > 0.5

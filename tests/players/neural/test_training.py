from __future__ import annotations

import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludens
from ludens.core import Clock, Deadline, GameError, PlayerError
from ludens.players import make_player
from ludens.referee import Match, MatchEnded
from tests.peers import PEERS, optional_module, peer
from tests.players.listening import Listener
from tests.players.neural.test_network_search import compiled

torch = optional_module("torch")
if torch is None:
    pytest.skip(PEERS["torch"].missing, allow_module_level=True)
pytestmark = peer("torch")

from ludens.players.neural.agents import Policy, Random, mean_shares, score  # noqa: E402 - they need torch
from ludens.players.neural.file import FORMAT, read_network  # noqa: E402
from ludens.players.neural.network import NetworkJudge  # noqa: E402
from ludens.players.neural.positions import Rules  # noqa: E402
from ludens.players.neural.training import Step, Trainer, TrainingOptions  # noqa: E402

TINY = TrainingOptions(simulations=6, matches=16, hidden=16, blocks=1, gate_matches=8)
GAME = "tic_tac_toe"


def trained(folder: Path, steps: int = 1, options: TrainingOptions = TINY, *, resume: bool = False) -> list[Step]:
    trainer = Trainer(compiled(GAME), folder / "best.pt", options, seed=1, resume=resume)
    return list(trainer.run(3_600, steps))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a network that was trained a little."""
    made = tmp_path_factory.mktemp("neural")
    trained(made)
    return made


def changed(folder: Path, path: Path, **changes: Any) -> Path:
    content = torch.load(folder / "best.pt", weights_only=True)
    torch.save(content | changes, path)
    return path


def test_training_writes_a_network_a_log_and_a_curve(folder: Path) -> None:
    rows = (folder / "best.csv").read_text().splitlines()

    assert len(rows) == 2
    assert rows[0].startswith("step,minutes,cpu_seconds,matches")
    assert (folder / "best.svg").read_text().startswith("<svg")
    assert read_network(folder / "best.pt", compiled(GAME)).notes["matches"] == 16


@pytest.mark.parametrize("options", ["iterations=20", "policy_only=on", "iterations=30,leaves=3"])
def test_a_file_plays_by_its_path(folder: Path, options: str) -> None:
    players = {"xplayer": make_player(f"neural:{folder / 'best.pt'},{options}"), "oplayer": make_player("random")}
    clock = Clock(play=60, start=60)
    match = Match(compiled(GAME), players, dict.fromkeys(players, clock), 5)

    (ended,) = (event for event in match.events() if isinstance(event, MatchEnded))

    assert ended.finished
    assert not any(ended.failures.values())


def test_a_tree_is_kept_from_move_to_move(folder: Path) -> None:
    player = make_player(f"neural:{folder / 'best.pt'},iterations=100")
    state = compiled(GAME).initial_state()
    player.start(compiled(GAME), "xplayer", 1, Clock(play=60, start=60))
    chosen = player.choose(state.view("xplayer"), Deadline(60))
    state = state.play({"xplayer": chosen.move, "oplayer": "noop"})
    state = state.play({"oplayer": state.legal_moves("oplayer")[0], "xplayer": "noop"})

    again = player.choose(state.view("xplayer"), Deadline(60))

    assert again.thinking.iterations == 100
    assert sum(move.visits for move in again.thinking.moves) > 100


def test_moves_of_others_are_not_told_as_its_own_while_the_player_gets_ready(folder: Path) -> None:
    game = compiled(GAME)
    player = make_player(f"neural:{folder / 'best.pt'},iterations=20")
    player.channel = listener = Listener()

    player.start(game, "oplayer", 1, Clock(60, 60))
    assert not listener.heard

    state = game.initial_state().play({"xplayer": "(mark 2 2)", "oplayer": "noop"})
    player.choose(state.view("oplayer"), Deadline(60))
    assert {report.move for report in listener.heard[-1].moves} == set(state.legal_moves("oplayer"))


def test_a_tree_does_not_outgrow_the_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.players.neural.player._MEGABYTES", 1)
    player = make_player(f"neural:{folder / 'best.pt'},iterations=6000,leaves=4")
    player.start(game := compiled(GAME), "xplayer", 1, Clock(60, 60))

    assert player.choose(game.initial_state().view("xplayer"), Deadline(600)).thinking.nodes < 2_000


def test_without_time_the_player_still_moves(folder: Path) -> None:
    player = make_player(f"neural:{folder / 'best.pt'}")
    state = compiled(GAME).initial_state()
    player.start(compiled(GAME), "xplayer", 1, Clock(play=0.2, start=0))

    assert player.choose(state.view("xplayer"), Deadline(0)).move in state.legal_moves("xplayer")


def test_a_network_of_another_game_is_refused_before_the_match(folder: Path) -> None:
    game = compiled("connect_four:5,4")
    players = {role: make_player(f"neural:{folder / 'best.pt'}") for role in game.roles}

    with pytest.raises(PlayerError, match="was made for tic_tac_toe and cannot play connect_four:5,4"):
        Match(game, players, dict.fromkeys(players, Clock()), 1)


class _Bomb:
    def __reduce__(self) -> Any:
        return (Path.touch, (Path("bomb"),))


def test_hostile_files_are_refused_and_nothing_in_them_is_run(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.pt").write_text("hello")
    (tmp_path / "plain.pt").write_bytes(pickle.dumps(_Bomb()))
    torch.save({"format": FORMAT, "weights": _Bomb()}, tmp_path / "bomb.pt")
    torch.save([1, 2], tmp_path / "list.pt")
    with (
        zipfile.ZipFile(folder / "best.pt") as good,
        zipfile.ZipFile(tmp_path / "zip.pt", "w", zipfile.ZIP_DEFLATED) as bad,
    ):
        for part in good.infolist():
            bad.writestr(part.filename, good.read(part))
    weights = torch.load(folder / "best.pt", weights_only=True)["weights"]
    bias = {"policy.bias": torch.full_like(weights["policy.bias"], float("nan"))}
    sparse = {"policy.bias": weights["policy.bias"].to_sparse()}
    shape_only = {"policy.bias": weights["policy.bias"].to("meta")}
    hostile = {
        "text.pt": "not a file of",
        "plain.pt": "not a file of",
        "bomb.pt": "not a file of",
        "list.pt": "not a file of",
        "zip.pt": "compressed",
        changed(folder, tmp_path / "nan.pt", weights=weights | bias).name: "not numbers",
        changed(folder, tmp_path / "sparse.pt", weights=weights | sparse).name: "wrong shape",
        changed(folder, tmp_path / "meta.pt", weights=weights | shape_only).name: "wrong shape",
        changed(folder, tmp_path / "wide.pt", shape={"hidden": 10**9}).name: "shape",
        changed(folder, tmp_path / "few.pt", weights={}).name: "other weights",
        changed(folder, tmp_path / "old.pt", layout="?").name: "another version",
        changed(folder, tmp_path / "rules.pt", rules_sha256="?").name: "other rules than it has now",
    }

    for name, message in hostile.items():
        with pytest.raises(PlayerError, match=message):
            read_network(tmp_path / name, compiled(GAME))
    assert not (tmp_path / "bomb").exists()


def test_positions_that_a_file_only_claims_to_have_are_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "best.pt").write_bytes((folder / "best.pt").read_bytes())
    content = torch.load(folder / "best.pt.training", weights_only=True)
    content["samples"] = {name: rows[:1].expand(10**12, -1) for name, rows in content["samples"].items()}
    torch.save(content, tmp_path / "best.pt.training")

    with pytest.raises(PlayerError, match="more positions than a training keeps"):
        trained(tmp_path, resume=True)


def test_a_training_that_was_never_begun_cannot_be_resumed(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="without --resume"):
        trained(tmp_path, resume=True)


def test_a_network_that_is_there_already_is_not_begun_anew(folder: Path) -> None:
    before = (folder / "best.pt").read_bytes()

    with pytest.raises(PlayerError, match="continue with --resume"):
        trained(folder)

    assert (folder / "best.pt").read_bytes() == before


def test_resuming_goes_on_with_all_that_was_known(folder: Path, tmp_path: Path) -> None:
    for part in folder.glob("*"):
        (tmp_path / part.name).write_bytes(part.read_bytes())

    (step,) = trained(tmp_path, resume=True)

    assert (step.step, step.matches) == (2, 32)
    assert len((tmp_path / "best.csv").read_text().splitlines()) == 3


@pytest.mark.slow
def test_a_short_training_beats_random_and_what_it_was_before(tmp_path: Path) -> None:
    steps = trained(tmp_path, 16, TrainingOptions(hidden=64, blocks=1))
    gates = [step for step in steps if step.passed is not None]
    assert any(step.passed for step in gates)
    network = read_network(tmp_path / "best.pt", compiled(GAME))
    rules, rng = Rules(compiled(GAME)), np.random.default_rng(1)
    policy = Policy(NetworkJudge(network.network, network.encoding))

    # After 10 such steps two seeds came to 0.84 and 0.79; after the first step, policies come to 0.6 to 0.7.
    assert score(*mean_shares(rules, (policy, Random(rng)), 400, rng)) > 0.75


@pytest.mark.slow
@pytest.mark.parametrize("name", ["connect_four_3p", "eight_puzzle"])
def test_games_of_one_and_of_three_roles_are_trained_too(tmp_path: Path, name: str) -> None:
    game = ludens.load(name, backend="circuit")
    trainer = Trainer(compiled(game.name), tmp_path / "best.pt", TINY, seed=1, resume=False)

    (step,) = trainer.run(3_600, 1)

    assert step.positions
    assert (tmp_path / "best.pt").exists()

"""Networks that come with ludens play by the name of their game."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.trained import GAMES

import ludens
from ludens.core import Clock, Deadline, PlayerError
from ludens.players.learning.files import plain_name
from ludens.players.neural.player import NeuralPlayer
from ludens.players.registry import find_file, make_player, options_in, shipped_files

pytest.importorskip("torch")

LARGEST = 400_000
"""Bytes of a file in the package."""


def trained_games() -> list[str]:
    """The games for which there is a network, by the names that their files have."""
    return [path.stem for path in shipped_files(NeuralPlayer)]


def game_of(stem: str) -> str:
    """The game of a file: ``connect_four-5-4`` is ``connect_four:5,4``."""
    name, *parameters = stem.split("-")
    return name + (":" + ",".join(parameters) if parameters else "")


def test_there_are_networks() -> None:
    assert {plain_name(game) for game in GAMES} == set(trained_games())


@pytest.mark.parametrize("stem", trained_games())
def test_every_network_plays_its_game(stem: str) -> None:
    """Fails when the rules of a game were changed after its network was trained: `python -m benchmarks.trained`."""
    game = ludens.load(game_of(stem))
    player = make_player(f"neural:{game_of(stem)},policy_only=on")
    state = game.initial_state()
    role = next(role for role in game.roles if len(state.legal_moves(role)) > 1)

    player.start(game, role, 1, Clock(1.0, 1.0))
    decision = player.choose(state.view(role), Deadline(5.0))

    assert decision.move in state.legal_moves(role)
    file = find_file(NeuralPlayer, stem)
    assert file is not None
    assert file.stat().st_size < LARGEST


def test_a_path_comes_before_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tic_tac_toe").write_text("mine")

    assert find_file(NeuralPlayer, "tic_tac_toe") == Path("tic_tac_toe")


def test_parameters_of_games_are_no_options() -> None:
    assert options_in(NeuralPlayer, "connect_four:5,4,iterations=9") == {"file": "connect_four:5,4", "iterations": "9"}
    for wrong in ("connect_four,4", "connect_four:5,4,iterations=9,4"):
        with pytest.raises(PlayerError, match="'4' is not of the form option=value"):
            options_in(NeuralPlayer, wrong)


def test_names_without_a_network_list_those_that_there_are() -> None:
    with pytest.raises(PlayerError, match=r"files that come with ludens: .*connect_four"):
        make_player("neural:no_such_game")

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ludens
from ludens.adapters import gymnasium
from ludens.core import GameError


@pytest.mark.smoke
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "pig:20", "kuhn_poker", "dominoes"])
def test_gymnasiums_own_checker_passes(name: str) -> None:
    check_env(gymnasium.env(name, render_mode="ansi"), skip_close_check=True)


def test_the_role_is_asked_only_where_it_has_a_choice() -> None:
    environment = gymnasium.env("tic_tac_toe", "oplayer")

    _, info = environment.reset(seed=3)

    assert info["action_mask"].sum() == 8
    _, reward, terminated, truncated, info = environment.step(int(info["action_mask"].argmax()))
    assert (info["action_mask"].sum(), reward, terminated, truncated, info["illegal"]) == (6, 0.0, False, False, False)


def test_an_illegal_action_counts_as_a_random_legal_one() -> None:
    environment = gymnasium.env("tic_tac_toe")
    _, info = environment.reset(seed=3)

    _, _, _, _, info = environment.step(int(info["action_mask"].argmin()))

    assert info["illegal"]
    assert info["action_mask"].sum() == 7


@pytest.mark.smoke
def test_a_vector_environment_plays_matches_to_their_goals() -> None:
    environment = gymnasium.vector_env("tic_tac_toe", 64, seed=5)
    observation, info = environment.reset(seed=5)
    assert observation.shape == (64, ludens.Batch(ludens.load("tic_tac_toe", wait=True), 1).observation.shape[1])
    ended, rewards = 0, []
    for _ in range(30):
        actions = info["action_mask"].argmax(axis=1)
        observation, reward, over, _, info = environment.step(actions)
        ended += int(over.sum())
        rewards += list(reward[over])
        assert environment.observation_space.contains(observation)
        assert (reward[~over] == 0).all()

    assert ended > 128
    assert set(rewards) <= {0.0, 0.5, 1.0}
    assert len(set(rewards)) > 1


def test_lanes_that_are_over_begin_anew_in_the_next_step() -> None:
    environment = gymnasium.vector_env("rock_paper_scissors", 8)
    start, info = environment.reset(seed=1)
    over = np.zeros(8, np.bool_)
    while not over.all():
        _, _, over, _, info = environment.step(info["action_mask"].argmax(axis=1))

    observation, reward, over, _, _ = environment.step(np.zeros(8, np.int64))

    assert not over.any()
    assert not reward.any()
    assert (observation == start).all()


@pytest.mark.parametrize(("name", "message"), [("dominoes", "is not compiled"), ("kuhn_poker", "hidden information")])
def test_games_without_batches_are_refused_with_a_reason(name: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        gymnasium.vector_env(name, 4)


def test_a_role_that_does_not_exist_is_told() -> None:
    with pytest.raises(GameError, match="no role 'nobody'; it has xplayer, oplayer"):
        gymnasium.env(ludens.load("tic_tac_toe", wait=True), "nobody")

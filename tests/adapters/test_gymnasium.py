from __future__ import annotations

import gymnasium as gym
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


def test_masks_are_there_by_the_name_that_maskable_ppo_asks_for() -> None:
    environment = gymnasium.env("tic_tac_toe")
    _, info = environment.reset(seed=3)

    masks = environment.get_wrapper_attr("action_masks")()

    assert masks.dtype == bool
    assert (masks == info["action_mask"]).all()


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


def test_games_without_batches_are_refused_with_a_reason() -> None:
    with pytest.raises(GameError, match="is not compiled"):
        gymnasium.vector_env("dominoes", 4)


def test_a_role_of_a_hidden_game_observes_what_it_perceives() -> None:
    environment = gymnasium.vector_env("kuhn_poker", 200)
    nothing, info = environment.reset(seed=1)
    dealt, _, _, _, info = environment.step(info["action_mask"].argmax(axis=1))

    assert not nothing.any()
    assert (dealt.sum(axis=1) == 1).all()
    assert len(np.unique(dealt, axis=0)) == 3


def test_arrays_are_copies_unless_their_memory_is_wanted() -> None:
    copied, shared = (gymnasium.vector_env("tic_tac_toe", 4, copy=copy) for copy in (True, False))
    first, _ = copied.reset(seed=1)
    before = first.copy()
    seen, info = shared.reset(seed=1)
    for environment in (copied, shared):
        environment.step(info["action_mask"].argmax(axis=1))

    assert (first == before).all()
    assert not (seen == before).all()


def test_a_role_that_does_not_exist_is_told() -> None:
    with pytest.raises(GameError, match="no role 'nobody'; it has xplayer, oplayer"):
        gymnasium.env(ludens.load("tic_tac_toe", wait=True), "nobody")


def test_actions_that_are_no_moves_count_as_illegal() -> None:
    environment = gymnasium.vector_env("connect_four", 3)
    _, info = environment.reset(seed=1)

    _, _, _, _, info = environment.step(np.array([99, -1, info["action_mask"][2].argmax()]))

    assert list(info["illegal"]) == [True, True, False]


def test_some_lanes_can_be_restarted() -> None:
    environment = gymnasium.vector_env("tic_tac_toe", 4, autoreset_mode="Disabled")
    start, info = environment.reset(seed=1)
    environment.step(info["action_mask"].argmax(axis=1))

    observation, _ = environment.reset(options={"reset_mask": np.array([True, False, True, False])})

    assert [(lane == start[0]).all() for lane in observation] == [True, False, True, False]
    with pytest.raises(GameError, match="reset_mask is an array of 4 booleans"):
        environment.reset(options={"reset_mask": [True]})


def test_lanes_that_are_over_have_a_mask_that_a_policy_can_use() -> None:
    environment = gymnasium.vector_env("rock_paper_scissors", 8)
    _, info = environment.reset(seed=1)
    over = np.zeros(8, np.bool_)
    while not over.any():
        _, _, over, _, info = environment.step(info["action_mask"].argmax(axis=1))

    assert info["action_mask"].any(axis=1).all()


def test_without_autoreset_lanes_that_are_over_are_refused() -> None:
    environment = gymnasium.vector_env("rock_paper_scissors", 8, autoreset_mode="Disabled")
    _, info = environment.reset(seed=1)
    over = np.zeros(8, np.bool_)
    while not over.any():
        _, _, over, _, info = environment.step(info["action_mask"].argmax(axis=1))

    with pytest.raises(GameError, match="8 lanes are over"):
        environment.step(np.zeros(8, np.int64))


def test_same_step_autoreset_keeps_how_lanes_ended() -> None:
    """The same actions lead to the same ends as with next-step autoreset."""
    one, other = (gymnasium.vector_env("tic_tac_toe", 16, autoreset_mode=mode) for mode in ("NextStep", "SameStep"))
    start, info = one.reset(seed=2)
    other.reset(seed=2)
    over = np.zeros(16, np.bool_)
    while not over.any():
        actions = info["action_mask"].argmax(axis=1)
        seen, reward, over, _, info = one.step(actions)
        seen_too, reward_too, over_too, _, info_too = other.step(actions)

    assert (over == over_too).all()
    assert (reward == reward_too).all()
    assert (info_too["_final_obs"] == over).all()
    assert (info_too["final_obs"][over] == seen[over]).all()
    assert (seen_too[over] == start[over]).all()
    assert (seen_too[~over] == seen[~over]).all()
    assert (info_too["final_info"]["action_mask"][over] == info["action_mask"][over]).all()


def test_games_of_the_library_are_registered() -> None:
    one = gym.make("ludens/connect_four-v0", role="black")
    many = gym.make_vec("ludens/connect_four-v0", num_envs=5)

    assert one.reset(seed=1)[1]["action_mask"].sum() == 7
    assert many.reset(seed=1)[0].shape[0] == 5

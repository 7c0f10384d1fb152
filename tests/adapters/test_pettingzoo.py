from __future__ import annotations

import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

import ludens
from ludens.adapters import pettingzoo
from ludens.core import IllegalMoveError

GAMES = (
    "tic_tac_toe", "connect_four_3p", "rock_paper_scissors", "pig:20", "kuhn_poker", "uno", "dominoes", "eight_puzzle",
)  # fmt: skip


@pytest.mark.smoke
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", GAMES)
def test_pettingzoos_own_tests_pass(name: str) -> None:
    game = ludens.load(name, wait=True)

    api_test(pettingzoo.env(game), num_cycles=200)
    parallel_api_test(pettingzoo.parallel_env(game), num_cycles=50)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["connect_four", "pig:20", "rock_paper_scissors"])
def test_the_same_seed_gives_the_same_match(name: str) -> None:
    game = ludens.load(name, wait=True)

    seed_test(lambda: pettingzoo.env(game), num_cycles=50)


def test_agents_without_a_choice_are_not_asked() -> None:
    environment = pettingzoo.env("tic_tac_toe")
    environment.reset(seed=1)
    asked = []
    for agent in environment.agent_iter():
        observation, _, terminated, _, _ = environment.last()
        assert observation is not None
        asked.append(agent)
        environment.step(None if terminated else int(observation["action_mask"].argmax()))

    assert asked[:4] == ["xplayer", "oplayer", "xplayer", "oplayer"]


def test_those_who_choose_at_once_see_nothing_of_each_others_choice() -> None:
    environment = pettingzoo.env("rock_paper_scissors")
    environment.reset(seed=1)
    second = environment.possible_agents[1]
    before = environment.observe(second)["observation"]

    environment.step(0)

    assert environment.agent_selection == second
    assert (environment.observe(second)["observation"] == before).all()


def test_rewards_are_the_goals_of_the_end() -> None:
    environment = pettingzoo.parallel_env("rock_paper_scissors")
    environment.reset(seed=1)
    game = ludens.load("rock_paper_scissors", wait=True)
    while environment.agents:
        _, rewards, _, _, _ = environment.step(dict.fromkeys(environment.agents, 0))

    assert set(rewards) == set(game.roles)
    assert all(0 <= reward <= 1 for reward in rewards.values())


def test_an_illegal_action_is_told_and_changes_nothing() -> None:
    environment = pettingzoo.env("tic_tac_toe", render_mode="ansi")
    environment.reset()
    before = environment.render()
    mask = environment.observe(environment.agent_selection)["action_mask"]

    with pytest.raises(IllegalMoveError, match="not a legal move of xplayer"):
        environment.step(int(mask.argmin()))

    assert environment.render() == before


def test_matches_without_end_are_truncated() -> None:
    environment = pettingzoo.parallel_env("eight_puzzle", longest=3)
    environment.reset()
    for _ in range(3):
        _, _, _, truncations, _ = environment.step(
            {agent: int(environment._match.random_action(agent)) for agent in environment.agents}
        )

    assert all(truncations.values())
    assert environment.agents == []

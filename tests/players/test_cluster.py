from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import pytest

import ludens
from ludens.core import Clock, Deadline, Game, OptionValue, PlayerError
from ludens.players import make_player, player_classes
from ludens.players.distributed.crew import Searcher
from ludens.players.mcts import MctsPlayer
from ludens.players.registry import stands_alone
from tests.peers import peer
from tests.ray_nodes import processes_at

PLAIN = "native=off,guess=off"
CLOCK = Clock(play=60.0, start=120.0)


def searcher(game: Game, **changes: OptionValue) -> Searcher:
    settings = MctsPlayer(native=False, guess=False, **changes).settings
    return Searcher(game, game.roles[0], 1, settings, Clock(play=60.0, start=1.0))


def test_a_searcher_tells_what_it_saw_of_every_move() -> None:
    state = ludens.load("tic_tac_toe", wait=True).initial_state()

    thinking = searcher(state.game, iterations=30).think(1, state, 60.0)

    assert {report.move for report in thinking.moves} == set(state.legal_moves("xplayer"))
    assert sum(report.visits for report in thinking.moves) >= 30


def test_a_question_that_is_out_of_date_is_not_thought_about() -> None:
    state = ludens.load("tic_tac_toe", wait=True).initial_state()
    asked = searcher(state.game, iterations=30)
    asked.supersede(5)

    assert asked.think(4, state, 60.0).moves == ()


def test_another_question_ends_pondering() -> None:
    state = ludens.load("connect_four", wait=True).initial_state()
    asked = searcher(state.game)
    pondering = threading.Thread(target=asked.ponder, args=[1, state])
    pondering.start()

    asked.supersede(2)
    pondering.join(30)

    assert not pondering.is_alive()


def test_hidden_information_is_refused_with_advice() -> None:
    with pytest.raises(PlayerError, match="use ismcts"):
        make_player("cluster").check(ludens.load("kriegspiel_tic_tac_toe", wait=True))


def test_clients_of_a_server_may_not_choose_it() -> None:
    assert not stands_alone(player_classes()["cluster"])
    assert stands_alone(player_classes()["mcts"])


@pytest.mark.slow
@peer("ray")
def test_two_searchers_decide_together_and_one_that_is_killed_comes_back(nodes: Any) -> None:
    import ray  # noqa: PLC0415 - an extra, which reads the environment of the fixture

    game = ludens.load("connect_four", wait=True)
    state, role = game.initial_state(), game.roles[0]
    player = make_player(f"cluster:workers=2,address={nodes.address},{PLAIN}")
    killed: list[int] = []
    both = [nodes.head_node, *nodes.worker_nodes]

    def kill_one() -> None:
        while not (found := [pid for node in both for pid in processes_at(["Searcher.think"], node)]):
            time.sleep(0.01)
        os.kill(found[0], signal.SIGKILL)
        killed.append(found[0])

    def searchers(seconds: float) -> Any:
        decision = player.choose(state.view(role), Deadline(seconds))
        assert decision.move in state.legal_moves(role)
        return decision.thinking.extra.get("searchers")

    try:
        player.start(game, role, 1, CLOCK)
        before = searchers(3)
        killer = threading.Thread(target=kill_one)
        killer.start()
        during = searchers(6)
        killer.join()
        after = [during]
        while after[-1] != 2 and len(after) < 60:
            after.append(searchers(2))
    finally:
        player.stop()
        ray.shutdown()

    assert killed
    assert (before, during, after[-1]) == (2, 1, 2)

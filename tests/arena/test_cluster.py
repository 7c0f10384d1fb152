from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludens.arena.execution.cluster import Cluster, needs_of
from ludens.arena.execution.executors import Executor, Inline, MatchLostError
from ludens.arena.plan import parse_plan
from ludens.arena.played_match import PlayedMatch, Task
from ludens.arena.store import Store
from ludens.arena.tournament import Tournament
from ludens.players.distributed.link import ClusterError, connect
from tests.peers import peer
from tests.ray_nodes import processes_at

SEARCHER = "mcts:iterations=20,native=false,guess=false"
PLAN = f"""
games: [tic_tac_toe, connect_four]
players: [random, legal, {{name: searcher, player: "{SEARCHER}"}}]
clock: 600
repetitions: 4
seed: 3
"""

GREEDY = """
from ludens.core import Decision, Player

class Greedy(Player):
    name = "greedy"
    description = "takes the first move, with three cores"
    cores = 3

    def start(self, game, role, seed, clock):
        pass

    def choose(self, view, deadline):
        return Decision(view.legal_moves[0])
"""


def table(matches: list[PlayedMatch]) -> list[tuple[object, ...]]:
    return sorted((m.key, m.game, m.players, m.goals, m.points, m.errors, m.turns, m.seed) for m in matches)


def play_all(place: Path, executor: Executor, after_each: Callable[[int], None] = lambda _: None) -> list[PlayedMatch]:
    """The matches that the store has after the tournament."""
    try:
        for progress in Tournament(parse_plan(PLAN, "cluster"), Store(place), executor).run():
            after_each(len(progress.played))
    finally:
        executor.close()
    return Store(place).matches()


def test_a_match_declares_what_its_players_need() -> None:
    def needs(*players: str) -> tuple[int, int]:
        needed = needs_of(Task("1", "tic_tac_toe", tuple((player, player) for player in players), 1.0, 1.0, 0))
        return needed.cores, needed.megabytes

    assert needs("random", "legal")[0] == 1
    assert needs("mcts", "flat")[0] == 2
    assert needs("mcts:memory=900", "random")[1] - needs("mcts:memory=400", "random")[1] == 500


def test_a_player_of_a_file_declares_what_it_needs_too(tmp_path: Path) -> None:
    path = tmp_path / "greedy.py"
    path.write_text(GREEDY)

    assert needs_of(Task("1", "tic_tac_toe", (("a", str(path)), ("b", "random")), 1.0, 1.0, 0)).cores == 3


@peer("ray")
def test_a_head_that_does_not_answer_is_told_at_once() -> None:
    with pytest.raises(ClusterError, match=r"nothing answers at ray://127.0.0.1:1: .*docs/cluster.md"):
        connect("ray://127.0.0.1:1")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)

    with pytest.raises(ClusterError, match=r"pip install 'ludens\[cluster\]'"):
        connect("auto")


@pytest.mark.slow
@peer("ray")
@pytest.mark.parametrize("loss", ["nothing", "process", "node"])
def test_the_table_is_the_same_whatever_is_lost_in_the_middle_of_a_match(nodes: Any, loss: str, tmp_path: Path) -> None:
    expected = play_all(tmp_path / "here.db", Inline())
    worker = nodes.worker_nodes.copy().pop()
    lost: list[int] = []

    def lose(played: int) -> None:
        victims = processes_at(("tic_tac_toe", "connect_four"), worker) if played > 3 and not lost else []
        if victims and loss == "process":
            os.kill(victims[0], signal.SIGKILL)
        elif victims and loss == "node":
            nodes.remove_node(worker, allow_graceful=False)
        lost.extend(victims)

    found = play_all(tmp_path / "there.db", Cluster(nodes.address), lose)

    assert lost
    assert len(found) == len({match.key for match in found}) == 24
    assert table(found) == table(expected)


@pytest.mark.slow
@peer("ray")
def test_a_match_that_cannot_be_played_on_the_cluster_is_told(nodes: Any) -> None:
    executor = Cluster(nodes.address)
    try:
        executor.submit(Task("1", "no_such_game", (("a", "random"),), 1.0, 1.0, 0))
        with pytest.raises(MatchLostError, match="match 1 of no_such_game cannot be played"):
            list(executor.wait_for_results())
    finally:
        executor.close()


@pytest.mark.slow
@peer("ray")
def test_the_command_plays_on_a_ray_of_its_own_and_keeps_the_terminal_clean(tmp_path: Path) -> None:
    plan = tmp_path / "two.yaml"
    plan.write_text("games: [tic_tac_toe]\nplayers: [random, legal]\n")
    program = "from ludens.cli.main import run; run()"
    command = [sys.executable, "-c", program, "tournament", str(plan), "--store", str(tmp_path / "arena.db")]

    done = subprocess.run([*command, "--executor", "ray"], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.startswith("2 matches")

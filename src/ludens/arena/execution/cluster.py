"""Matches as tasks of Ray, on this machine or on many."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import ludens
from ludens.arena.execution.executors import RETRIES, Executor, MatchLostError, unplayable_error
from ludens.arena.execution.worker import play
from ludens.arena.played_match import PlayedMatch, Task
from ludens.core import Clock, LudensError
from ludens.players import make_player
from ludens.players.distributed.link import ClusterError, connect
from ludens.players.tree_memory import megabytes_for

_MEGABYTE = 1_000_000
_PROCESS = 300
"""Megabytes of a match without its players' trees."""


@dataclass(frozen=True, slots=True)
class Needs:
    """The resources that a match needs."""

    cores: int
    megabytes: int


def needs_of(task: Task) -> Needs:
    """At least one core, and the players' requirements (`Player.cores`, and the option ``memory``, in megabytes)."""
    players = [make_player(player, files=True) for _, player in task.seats]
    clock = Clock(task.clock, task.start_clock)
    settings = [player.settings for player in players]
    memory = sum(megabytes_for(one["memory"], clock) for one in settings if "memory" in one)
    return Needs(max(1, sum(player.cores for player in players)), _PROCESS + memory)


class Cluster(Executor):
    """Matches on all nodes of a Ray cluster. A match lost with its process or node is retried on another.

    Nodes may come and go. Only this process reports results, and each match is one task however often Ray runs it.
    """

    def __init__(self, address: str, most: int | None = None) -> None:
        """Connect to Ray (`connect` explains addresses), to play ``most`` matches at once."""
        self._ray = connect(address)
        self._most = most
        self._play = self._ray.remote(play_here)
        self._running: dict[Any, Task] = {}

    @property
    def capacity(self) -> int:
        """As many matches as the cluster has cores at the moment; Ray queues the rest."""
        cores = int(self._ray.cluster_resources().get("CPU", 0))
        return max(1, cores if self._most is None else min(cores, self._most))

    def submit(self, task: Task) -> None:
        """Submit a match."""
        needs = needs_of(task)
        # A match that requests more cores than any node has would wait forever.
        cores = min(needs.cores, max(1, self._largest_node()))
        placed = self._play.options(
            num_cpus=cores,
            memory=needs.megabytes * _MEGABYTE,
            max_retries=RETRIES,
            name=f"{task.game} {task.key}",
        )
        self._running[placed.remote(task, ludens.__version__)] = task

    def _largest_node(self) -> int:
        nodes = (node["Resources"].get("CPU", 0) for node in self._ray.nodes() if node["Alive"])
        return int(max(nodes, default=0))

    def wait_for_results(self) -> Iterator[PlayedMatch]:
        """Wait for the next match to end."""
        if not self._running:
            return
        for reference in self._ray.wait(list(self._running), num_returns=1)[0]:
            yield self._result(reference, self._running.pop(reference))

    def _result(self, reference: Any, task: Task) -> PlayedMatch:
        try:
            played: PlayedMatch = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            if not isinstance(error.cause, LudensError):
                raise
            raise unplayable_error(task, error.cause) from error
        except self._ray.exceptions.RayError as error:
            raise MatchLostError(
                f"match {task.key} of {task.game} was lost with its process {RETRIES + 1} times: {error}"
            ) from error
        return played

    def close(self) -> None:
        """Cancel running matches and disconnect from the cluster."""
        for reference in self._running:
            self._ray.cancel(reference, force=True)
        self._running.clear()
        self._ray.shutdown()


def play_here(task: Task, version: str) -> PlayedMatch:
    """Play a match on the node that Ray chose. Raises `ClusterError` if ludens is another version here."""
    if ludens.__version__ != version:
        raise ClusterError(
            f"{platform.node()} has ludens {ludens.__version__}, but the tournament was started by {version}; "
            "install the same version on all machines"
        )
    return play(task)

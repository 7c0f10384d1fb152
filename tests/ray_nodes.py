"""Ray clusters for tests: two nodes, which are groups of processes of this machine, and what they are busy with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


@contextmanager
def two_nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A cluster of two nodes with a core each."""
    for name, value in {
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # the loopback interface only
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": "0" * 64,
    }.items():
        monkeypatch.setenv(name, value)
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - reads the environment when it is imported

    arguments = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80_000_000}
    nodes = Cluster(initialize_head=True, head_node_args=arguments)
    try:
        nodes.add_node(num_cpus=1, object_store_memory=80_000_000)
        yield nodes
    finally:
        nodes.shutdown()


def processes_at(tasks: Sequence[str], node: Any) -> list[int]:
    """The processes of a node that are at one of these tasks now; Ray names them by what they do."""
    raylet = node.all_processes["raylet"][0].process.pid
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = folder.joinpath("stat").read_text().rpartition(")")[2].split()[1]
            title = folder.joinpath("cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if int(parent) == raylet and any(f"ray::{task}" in title for task in tasks):
            found.append(int(folder.name))
    return found

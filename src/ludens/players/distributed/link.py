"""The way to Ray: one of our own that only this machine can reach, or a cluster that is there already.

Ray is an extra and takes a second to import, so it is imported here, when somebody asks for it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import socket
from collections.abc import Iterator
from typing import Any

from ludens.core import LudensError

LOCAL = "local"
"""The address that means: start Ray on this machine, for this process only."""
MISSING = "this needs Ray, which is not installed: pip install 'ludens[cluster]'"
"""What is told if it is."""
_OBJECTS = 100_000_000
"""Bytes of shared memory that our own Ray may take; results of matches are some kilobytes."""

_ADVICE = "docs/cluster.md tells how to start a cluster, and what its secret is"
_PATIENCE = 5.0
"""Seconds that the head of a cluster has to answer."""


class ClusterError(LudensError):
    """There is no Ray, or a cluster does not answer as it should."""


def connect(address: str) -> Any:
    """The module ``ray``, connected to ``address``; if this process is connected already, it stays so.

    An address is `LOCAL`, ``auto`` for the cluster that this machine belongs to, ``HOST:PORT`` of the head of that
    cluster, or ``ray://HOST:PORT`` for one that it does not belong to. Raises `ClusterError`.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "error")  # its warnings would go to the terminal
    if address == LOCAL:
        _keep_to_this_machine()
    try:
        import ray  # noqa: PLC0415 - an extra
    except ImportError:
        raise ClusterError(MISSING) from None
    if ray.is_initialized():
        return ray
    _knock(address)
    own: dict[str, Any] = {"include_dashboard": False, "object_store_memory": _OBJECTS} if address == LOCAL else {}
    try:
        with _without_errors():
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **own)
    except Exception as error:  # Ray raises whatever its parts raise
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ClusterError(f"there is no way to Ray at {address}: {reason} ({_ADVICE})") from error
    return ray


@contextlib.contextmanager
def _without_errors() -> Iterator[None]:
    """Nothing on standard error meanwhile: Ray writes there, whatever the level, that it was told a level."""
    terminal = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(terminal, 2)
        os.close(terminal)
        os.close(nowhere)


def _knock(address: str) -> None:
    """Ray tries for minutes to reach a machine that does not answer; this takes seconds."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except (OSError, ValueError, OverflowError) as error:
        raise ClusterError(
            f"nobody answers at {address}: {error} (docs/cluster.md tells how to start a cluster)"
        ) from None


def _keep_to_this_machine() -> None:
    """Whoever reaches Ray's ports can run code: let them listen on the loopback interface, and ask for a secret."""
    # Ray's only switch for the loopback interface is the one that it has for systems without clusters.
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    os.environ["RAY_AUTH_MODE"] = "token"
    os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))

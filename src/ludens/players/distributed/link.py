"""Connect to Ray: to a local instance that only this machine can reach, or to an existing cluster.

Ray is an extra and takes a second to import, so it is imported on demand.
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
"""The message if Ray is missing."""
_OBJECTS = 100_000_000
"""Bytes of shared memory for a local Ray; results of matches take kilobytes."""

_ADVICE = "see docs/cluster.md for how to start a cluster, and about its secret"
_PATIENCE = 5.0
"""The timeout for an answer of a cluster's head, in seconds."""


class ClusterError(LudensError):
    """Ray is missing, or a cluster does not answer as it should."""


def connect(address: str) -> Any:
    """The module ``ray``, connected to ``address``; an existing connection of this process is kept.

    An address is `LOCAL`, ``auto`` for the cluster that this machine belongs to, ``HOST:PORT`` of the head of that
    cluster, or ``ray://HOST:PORT`` for one that it does not belong to. Raises `ClusterError`.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "error")  # its warnings would go to the terminal
    if address == LOCAL:
        _listen_locally()
    try:
        import ray  # noqa: PLC0415 - an extra
    except ImportError:
        raise ClusterError(MISSING) from None
    if ray.is_initialized():
        return ray
    _check_reachable(address)
    own: dict[str, Any] = {"include_dashboard": False, "object_store_memory": _OBJECTS} if address == LOCAL else {}
    try:
        with _silence_stderr():
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **own)
    except Exception as error:  # Ray raises whatever its parts raise
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ClusterError(f"cannot connect to Ray at {address}: {reason} ({_ADVICE})") from error
    return ray


@contextlib.contextmanager
def _silence_stderr() -> Iterator[None]:
    """Silence standard error: Ray logs there that its log level was set, whatever the level."""
    terminal = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(terminal, 2)
        os.close(terminal)
        os.close(nowhere)


def _check_reachable(address: str) -> None:
    """Raise `ClusterError` if nothing answers at an address; Ray itself would retry for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except (OSError, ValueError, OverflowError) as error:
        raise ClusterError(
            f"nothing answers at {address}: {error} (see docs/cluster.md for how to start a cluster)"
        ) from None


def _listen_locally() -> None:
    """Make Ray listen on the loopback interface and require a secret: whoever reaches its ports can run code."""
    # Ray's only switch for the loopback interface is the one for systems without clusters.
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    os.environ["RAY_AUTH_MODE"] = "token"
    os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))

"""One POST within a deadline: the body of the response, however slowly the server writes it."""

from __future__ import annotations

import contextlib
import http.client
import math
import queue
import socket
import threading
from urllib.parse import urlsplit

from ludens.core import Deadline, PlayerError

MOST_BYTES = 1_000_000
"""The length of a response."""
_SLICE = 0.05
"""Seconds between checks whether a wait was cancelled."""


def post(url: str, body: str, deadline: Deadline) -> str:
    """The response to a POST of JSON. Raises `TimeoutError` if it is late, `PlayerError` for all that is wrong.

    The exchange runs in a thread of its own, because a server that writes a byte a second would keep this one.
    """
    connection, path = _connect(url, deadline)
    answers: queue.SimpleQueue[str | Exception] = queue.SimpleQueue()

    def exchange() -> None:
        try:
            answers.put(_exchange(connection, path, body))
        except (OSError, http.client.HTTPException, ValueError, PlayerError) as error:
            answers.put(error)
        finally:
            connection.close()

    threading.Thread(target=exchange, name=f"POST {url}", daemon=True).start()
    while (left := deadline.remaining()) > 0:
        try:
            answer = answers.get(timeout=min(left, _SLICE))
        except queue.Empty:
            continue
        if isinstance(answer, PlayerError):
            raise answer
        if isinstance(answer, Exception):
            raise PlayerError(f"{url}: {str(answer) or type(answer).__name__}") from None
        return answer
    if connection.sock is not None:
        with contextlib.suppress(OSError):
            connection.sock.shutdown(socket.SHUT_RDWR)  # wakes the other thread
    raise TimeoutError(f"{url} did not answer in time")


def _connect(url: str, deadline: Deadline) -> tuple[http.client.HTTPConnection, str]:
    """A connection that is not open yet, and the path of the URL."""
    try:
        parts = urlsplit(f"http:{url}" if url.startswith("//") else url)
        port = parts.port
    except ValueError as error:
        raise PlayerError(f"{url!r} is not a URL: {error}") from None
    kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
    if parts.scheme not in kinds or not parts.hostname:
        raise PlayerError(f"{url!r} is not a URL of the form http://HOST:PORT/PATH or https://…")
    left = deadline.remaining()
    timeout = None if math.isinf(left) else max(left, _SLICE)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return kinds[parts.scheme](parts.hostname, port, timeout=timeout), path


def _exchange(connection: http.client.HTTPConnection, path: str, body: str) -> str:
    connection.request("POST", path, body.encode(), {"Content-Type": "application/json", "Connection": "close"})
    with connection.getresponse() as response:
        return _read(connection.host, response)


def _read(host: str, response: http.client.HTTPResponse) -> str:
    if response.status != http.client.OK:
        raise PlayerError(f"{host} answered with status {response.status} {response.reason}")
    data = response.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise PlayerError(f"{host} sent more than {MOST_BYTES:,} bytes")
    return data.decode("utf-8", "replace")

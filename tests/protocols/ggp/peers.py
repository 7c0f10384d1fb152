"""The other side of the wire, for tests: raw requests, and players that do as they like with a connection."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from ludens.core import Deadline
from ludens.protocols.ggp.wire import MAX_HEAD, Address, Incoming

Behaviour: TypeAlias = Callable[[socket.socket, str], None]
"""What a player does with a connection on which a message came."""


def raw_request(port: int, data: bytes, *, half_close: bool = False) -> bytes:
    """Everything that a server sends back."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(data)
        if half_close:
            connection.shutdown(socket.SHUT_WR)
        parts = []
        while part := connection.recv(65_536):
            parts.append(part)
        return b"".join(parts)


def post(port: int, text: str) -> str:
    """The body of the answer to a message."""
    data = text.encode()
    reply = raw_request(port, b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(data) + data)
    return reply.partition(b"\r\n\r\n")[2].decode()


def http(text: str) -> bytes:
    """A plain reply."""
    return b"HTTP/1.0 200 OK\r\nContent-length: %d\r\n\r\n%b" % (len(text.encode()), text.encode())


def saying(answer: Callable[[str], str]) -> Behaviour:
    """A well-behaved player that answers each message with a text."""

    def behave(connection: socket.socket, message: str) -> None:
        connection.sendall(http(answer(message)))

    return behave


@contextmanager
def raw_player(behaviour: Behaviour) -> Iterator[Address]:
    """A player that reads a message from each connection and then behaves as told."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    done = threading.Event()

    def converse(connection: socket.socket) -> None:
        with connection:
            try:
                incoming = Incoming(connection, Deadline(60.0))
                message = incoming.body(incoming.head(MAX_HEAD).length, 10_000_000)
                connection.settimeout(60.0)
                behaviour(connection, message)
            except OSError:
                pass  # the other side has had enough

    def accept() -> None:
        while not done.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=converse, args=(connection,), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield Address("127.0.0.1", listener.getsockname()[1])
    finally:
        done.set()
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
        listener.close()


def never_answers(connection: socket.socket, message: str) -> None:
    """Wait until the other side gives up."""
    connection.recv(1)


def drops(connection: socket.socket, message: str) -> None:
    """Close without a word."""


_TEN_MEGABYTES = b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * 10_000_000


def sends_ten_megabytes(connection: socket.socket, message: str) -> None:
    """Send far more than any move."""
    connection.sendall(_TEN_MEGABYTES)


def never_ends(connection: socket.socket, message: str) -> None:
    """Send a little now and then, for ever."""
    connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n(mark")
    while True:
        connection.sendall(b" 1")
        connection.settimeout(0.05)
        try:
            if not connection.recv(1):
                return
        except TimeoutError:
            pass


def sends_half(connection: socket.socket, message: str) -> None:
    """Send less than announced."""
    connection.sendall(b"HTTP/1.0 200 OK\r\nContent-length: 100\r\n\r\n( mark 1")


def sends_no_http(connection: socket.socket, message: str) -> None:
    """Send something else."""
    connection.sendall(b"220 mail.example ESMTP\r\n\r\n")


def sends_invalid_utf8(connection: socket.socket, message: str) -> None:
    """Send bytes that are no text."""
    connection.sendall(b"HTTP/1.0 200 OK\r\nContent-length: 4\r\n\r\n\xff\xfe\x80(")


FAULTS: dict[str, tuple[Behaviour, str]] = {
    "never answers": (never_answers, "TO"),
    "drops": (drops, "CE"),
    "sends 10 MB": (sends_ten_megabytes, "CE"),
    "never ends": (never_ends, "TO"),
    "sends half a message": (sends_half, "CE"),
    "sends no HTTP": (sends_no_http, "CE"),
    "sends invalid UTF-8": (sends_invalid_utf8, "IL"),
}
"""Faulty players and how the record calls their fault."""

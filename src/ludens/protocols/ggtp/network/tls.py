"""TLS as a pipe: a thread encrypts between the network and a plain socket, transparently for the rest.

A socket of Python's ``ssl`` must not be read and written by two threads at once, and every link here has a thread that
reads.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from pathlib import Path
from selectors import EVENT_READ, EVENT_WRITE

from ludens.protocols.ggtp.network.sockets import NetworkError, Selector

HANDSHAKE = 10.0
"""Seconds for the handshake."""
_CHUNK = 65_536
_WANT = (ssl.SSLWantReadError, ssl.SSLWantWriteError)


def server_context(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """The TLS context of a server. Raises `NetworkError` if the files are invalid."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key)
    except OSError as error:
        raise NetworkError(f"the certificate {certificate} or its key cannot be used: {_reason(error)}") from None
    return context


def client_context(authority: Path | None) -> ssl.SSLContext:
    """The TLS context of a client: trusts the given certificates, or those of this machine."""
    try:
        return ssl.create_default_context(cafile=authority)
    except OSError as error:
        raise NetworkError(f"the certificates in {authority} cannot be used: {_reason(error)}") from None


def wrap_tls(connection: socket.socket, context: ssl.SSLContext, *, host: str = "") -> socket.socket:
    """Wrap a connection after the handshake; returns a plain socket. With a host, this is the client's end.

    Raises `NetworkError` if the handshake fails.
    """
    connection.settimeout(HANDSHAKE)
    try:
        tls = context.wrap_socket(connection, server_side=not host, server_hostname=host or None)
    except OSError as error:
        connection.close()
        raise NetworkError(f"no TLS connection: {_reason(error)}") from None
    ours, theirs = socket.socketpair()
    threading.Thread(target=_Pump(tls, theirs).run, name="tls", daemon=True).start()
    return ours


def _reason(error: OSError) -> str:
    return str(getattr(error, "verify_message", "") or error.strerror or getattr(error, "reason", "") or error)


class _Pump:
    """Moves bytes between a TLS socket and a plain one; each is read only when the other has taken all data."""

    def __init__(self, tls: ssl.SSLSocket, plain: socket.socket) -> None:
        self._tls = tls
        self._plain = plain
        self._to_tls = b""
        self._to_plain = b""
        self._wants_write = False
        self._is_plain_open = True

    def run(self) -> None:
        """Work until one side has closed and its last data is delivered."""
        with self._tls, self._plain, contextlib.suppress(OSError):
            self._tls.setblocking(False)
            self._plain.setblocking(False)
            while self._is_plain_open or self._to_tls:
                ready = self._wait()
                if not ready:
                    return
                if self._plain.fileno() in ready:
                    self._serve_plain()
                if not self._serve_tls():
                    break
            self._deliver()

    def _wait(self) -> set[int]:
        """The sockets that are ready; none if the last data is not delivered in time."""
        with Selector() as selector:
            for end, events in ((self._tls, self._tls_events()), (self._plain, self._plain_events())):
                if events:  # poll reports closed connections even if not requested
                    selector.register(end, events)
            return {key.fd for key, _ in selector.select(None if self._is_plain_open else HANDSHAKE)}

    def _tls_events(self) -> int:
        writes = EVENT_WRITE if self._to_tls or self._wants_write else 0
        return writes | (0 if self._to_plain else EVENT_READ)

    def _plain_events(self) -> int:
        reads = EVENT_READ if self._is_plain_open and not self._to_tls else 0
        return reads | (EVENT_WRITE if self._to_plain else 0)

    def _serve_plain(self) -> None:
        if self._to_plain:
            with contextlib.suppress(BlockingIOError):
                self._to_plain = self._to_plain[self._plain.send(self._to_plain) :]
        if self._is_plain_open and not self._to_tls:
            with contextlib.suppress(BlockingIOError):
                self._to_tls = self._plain.recv(_CHUNK)
                self._is_plain_open = bool(self._to_tls)

    def _serve_tls(self) -> bool:
        """Write and read as much as possible; False if the other end has closed."""
        self._wants_write = False
        try:
            while self._to_tls:
                self._to_tls = self._to_tls[self._tls.send(self._to_tls) :]
        except _WANT as want:
            self._wants_write = isinstance(want, ssl.SSLWantWriteError)
        try:
            while not self._to_plain:  # more may wait inside the TLS socket than poll can see
                data = self._tls.recv(_CHUNK)
                if not data:
                    return False
                self._to_plain = data
                with contextlib.suppress(BlockingIOError):
                    self._to_plain = data[self._plain.send(data) :]
        except _WANT as want:
            self._wants_write = self._wants_write or isinstance(want, ssl.SSLWantWriteError)
        return True

    def _deliver(self) -> None:
        """After the end of the network side, deliver its last data to the plain side, within a timeout."""
        if self._to_plain:
            self._plain.settimeout(HANDSHAKE)
            self._plain.sendall(self._to_plain)

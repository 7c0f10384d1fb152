from __future__ import annotations

import contextlib
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.core import Deadline, LudensError, PlayerError
from ludens.protocols.ggp.server import Reply, Request, Server
from ludens.protocols.ggp.wire import Address, GarbledError, Incoming, exchange
from tests.protocols.ggp.peers import (
    Behaviour,
    drops,
    http,
    never_answers,
    never_ends,
    raw_player,
    raw_request,
    sends_half,
    sends_no_http,
    sends_ten_megabytes,
)


def echo(request: Request) -> Reply:
    return Reply(f"{request.method} {request.target} {request.body}")


def sending(data: bytes) -> Behaviour:
    def behave(connection: socket.socket, message: str) -> None:
        connection.sendall(data)

    return behave


@pytest.mark.parametrize(
    "reply",
    [
        http("noop"),
        b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnoop",
        b"HTTP/1.0 200 OK\ncontent-length:4\n\nnoop",
        b"HTTP/1.0 500 Whatever\r\n\r\nnoop",
        b"HTTP/1.0 200 OK\r\nContent-length: 4\r\n\r\nnoop and more",
        b"HTTP/1.0\r\nodd header\r\n\r\nnoop",
    ],
)
def test_replies_are_read_as_players_send_them(reply: bytes) -> None:
    with raw_player(sending(reply)) as address:
        assert exchange(address, "( INFO )", "x", Deadline(20)) == "noop"


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [
        (drops, GarbledError),
        (sends_half, GarbledError),
        (sends_no_http, GarbledError),
        (sends_ten_megabytes, GarbledError),
        (sending(b"HTTP/1.0 200 OK\r\nContent-length: many\r\n\r\n"), GarbledError),
        (sending(b"HTTP/1.0 200 OK\r\nContent-length: 999999\r\n\r\n"), GarbledError),
        (sending(b"HTTP/1.0 200 OK\r\n" + b"x: y\r\n" * 100_000), GarbledError),
        (never_answers, TimeoutError),
        (never_ends, TimeoutError),
    ],
)
def test_replies_that_cannot_be_read_are_errors(behaviour: Behaviour, error: type[Exception]) -> None:
    seconds = 0.3 if error is TimeoutError else 20
    with raw_player(behaviour) as address, pytest.raises(error):
        exchange(address, "( INFO )", "x", Deadline(seconds))


def test_a_player_that_nobody_runs_cannot_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    with pytest.raises(GarbledError, match="cannot be reached"):
        exchange(Address("127.0.0.1", port), "( INFO )", "x", Deadline(20))


def test_waiting_for_an_answer_ends_when_nobody_wants_it_any_more() -> None:
    deadline = Deadline(1_000)

    def give_up(connection: socket.socket, message: str) -> None:
        deadline.cancel()
        connection.recv(1)

    with raw_player(give_up) as address, pytest.raises(TimeoutError):
        exchange(address, "( INFO )", "x", deadline)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("http://localhost:9148", Address("localhost", 9148)),
        ("http://localhost", Address("localhost", 9147)),
        ("http://[::1]:80/", Address("::1", 80)),
        ("player.example:9147", Address("player.example", 9147)),
    ],
)
def test_addresses_are_urls_or_host_and_port(text: str, address: Address) -> None:
    assert Address.looks_like(text)
    assert Address.parse(text) == address
    assert Address.parse(str(address)) == address


@pytest.mark.parametrize("text", ["https://localhost", "http://", "http://x:99999999", "ftp://x"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(PlayerError, match="address"):
        Address.parse(text)


@pytest.mark.parametrize("text", ["mcts", "flat:playouts=100", "mcts:lanes=1,leaves=1"])
def test_names_of_players_are_no_addresses(text: str) -> None:
    assert not Address.looks_like(text)


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (b"POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi", b"POST / hi"),
        (b"post / HTTP/1.1\nCONTENT-LENGTH: 2\n\nhi there", b"POST / hi"),
        (b"GET /%28INFO%29 HTTP/1.0\r\n\r\n", b"GET /%28INFO%29 "),
        (b"GET /a b HTTP/1.0\r\n\r\n", b"GET /a b "),
        (b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", b"OPTIONS * "),
    ],
)
def test_requests_are_read(data: bytes, answer: bytes) -> None:
    with Server(echo, "127.0.0.1", 0) as server:
        assert raw_request(server.port, data).partition(b"\r\n\r\n")[2] == answer


def test_a_body_without_a_length_goes_to_the_end_of_the_stream() -> None:
    with Server(echo, "127.0.0.1", 0) as server:
        reply = raw_request(server.port, b"POST / HTTP/1.0\r\n\r\nall of this", half_close=True)

    assert reply.endswith(b"POST / all of this")


@pytest.mark.parametrize(
    "data",
    [
        b"\r\n\r\n",
        b"\xff\xfe\x00 \x01\r\n\r\n",
        b"POST / HTTP/1.0\r\nContent-Length: x\r\n\r\n",
        b"POST / HTTP/1.0\r\nContent-Length: 99999999\r\n\r\n",
        b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.0\r\nContent-Length: 10\r\n\r\nhalf",
        b"no blank line",
    ],
)
def test_what_is_no_request_is_refused_and_the_server_lives(data: bytes) -> None:
    with Server(echo, "127.0.0.1", 0) as server:
        assert raw_request(server.port, data, half_close=True).startswith(b"HTTP/1.0 400 ")
        assert raw_request(server.port, b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.0 200 ")


def test_a_client_that_never_finishes_its_request_is_given_up() -> None:
    with Server(echo, "127.0.0.1", 0, read_seconds=0.05) as server:
        assert raw_request(server.port, b"POST / HTTP/1.0\r\nContent-Le").startswith(b"HTTP/1.0 408 ")


def test_a_request_that_fails_harms_no_other(caplog: pytest.LogCaptureFixture) -> None:
    def fail(request: Request) -> Reply:
        raise ZeroDivisionError

    with Server(fail, "127.0.0.1", 0) as server:
        for _ in range(3):
            assert raw_request(server.port, b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.0 500 ")
    assert "ZeroDivisionError" in caplog.text


def test_more_connections_than_allowed_wait_for_their_turn() -> None:
    with (
        Server(echo, "127.0.0.1", 0, most_connections=1, read_seconds=0.05) as server,
        socket.create_connection(("127.0.0.1", server.port)),
    ):
        assert raw_request(server.port, b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.0 200 ")


@pytest.mark.parametrize("most", [8, 1000])
def test_connections_that_send_nothing_take_no_place_from_others(most: int) -> None:
    """With more half-open connections than are allowed in all, or of one address, the next request is answered."""
    with (
        Server(echo, "127.0.0.1", 0, most_connections=most, read_seconds=600) as server,
        contextlib.ExitStack() as mute,
    ):
        opened = [mute.enter_context(socket.create_connection(("127.0.0.1", server.port))) for _ in range(294)]
        for connection in opened[:5]:
            connection.sendall(b"POST / HT")

        assert exchange(Address("127.0.0.1", server.port), "( INFO )", "x", Deadline(60)) == "POST / ( INFO )"
        assert len(server._open) <= most


def test_a_client_that_trickles_its_head_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.protocols.ggp.server.HEAD_SECONDS", 0.05)
    with Server(echo, "127.0.0.1", 0, read_seconds=600) as server:
        assert raw_request(server.port, b"POST / HTTP/1.0\r\nContent-").startswith(b"HTTP/1.0 408 ")


def test_a_port_that_is_taken_is_told() -> None:
    with Server(echo, "127.0.0.1", 0) as server, pytest.raises(LudensError, match=f"cannot listen on .*{server.port}"):
        Server(echo, "127.0.0.1", server.port)


@given(st.lists(st.binary(max_size=60) | st.sampled_from([b"\r\n", b"\n\n", b"Content-Length: 3"]), max_size=8))
def test_whatever_arrives_is_read_or_refused(parts: list[bytes]) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"".join(parts))
        theirs.shutdown(socket.SHUT_WR)
        incoming = Incoming(ours, Deadline(20))
        with contextlib.suppress(GarbledError):
            head = incoming.head(100)
            assert len(incoming.body(head.length, 50).encode()) <= 200


@given(st.binary(max_size=300), st.integers(1, 40))
def test_a_body_arrives_whole_however_it_is_cut(body: bytes, size: int) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        whole = b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        for start in range(0, len(whole), size):
            theirs.sendall(whole[start : start + size])
        incoming = Incoming(ours, Deadline(20))
        head = incoming.head(1_000)

        assert (head.line, head.length) == ("POST / HTTP/1.0", len(body))
        assert incoming.body(head.length, 1_000) == body.decode(errors="replace")

"""``ludens mcp`` with the official client library: whole games on standard input and by HTTP."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import traceback
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import httpx
import pytest

from tests.peers import optional_module, peer
from tests.processes import LUDENS, running
from tests.web.test_agents import COUNTDOWN

pytestmark = peer("mcp")
mcp: Any = optional_module("mcp")


async def call(client: Any, tool: str, **arguments: Any) -> dict[str, Any]:
    """The result of a tool that must succeed."""
    found = await client.call_tool(tool, arguments)
    assert not found.is_error, found.content
    result: dict[str, Any] = found.structured_content
    return result


async def failure(client: Any, tool: str, **arguments: Any) -> str:
    """The message of a tool that must fail."""
    found = await client.call_tool(tool, arguments)
    assert found.is_error
    return str(found.content[0].text)


async def play_out(client: Any, seat: str) -> dict[str, Any]:
    """Play the first legal move until the match is over."""
    status = await call(client, "wait_for_turn", seat=seat)
    while not status["over"]:
        moves = await call(client, "legal_moves", seat=seat, limit=1)
        status = await call(client, "play", seat=seat, move=moves["moves"][0], wait=60)
    return await call(client, "result", seat=seat)


def on_stdio(work: Any) -> None:
    """Run something with a client of a server on standard input and output."""

    async def run() -> None:
        command, *arguments = LUDENS
        server = mcp.StdioServerParameters(command=command, args=[*arguments, "mcp"], env=dict(os.environ))
        async with mcp.Client(server) as client:
            await work(client)

    asyncio.run(run())


@contextmanager
def http_server() -> Iterator[tuple[str, str]]:
    """The address and the token of a server."""
    with running(*LUDENS, "mcp", "--http", "0", stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        address = re.search(r"http://\S+", process.stderr.readline())
        token = process.stderr.readline().split()[-1]
        assert address is not None
        yield address[0], token


@asynccontextmanager
async def connected(address: str, token: str) -> AsyncIterator[Any]:
    """A client of a server by HTTP."""
    module: Any = optional_module("mcp.client.streamable_http")
    library: Any = optional_module("httpx2")
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        library.AsyncClient(headers=headers, timeout=120) as http,
        mcp.Client(module.streamable_http_client(address, http_client=http)) as client,
    ):
        yield client


def test_a_client_plays_whole_games_on_standard_input() -> None:
    async def work(client: Any) -> None:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"start_match", "play", "view", "check_rules", "solve", "regret"} <= names

        seats = {"xplayer": "me", "oplayer": "random"}
        match = await call(client, "start_match", game="tic_tac_toe", seats=seats)
        result = await play_out(client, match["seats"]["xplayer"])
        assert sum(result["goals"].values()) == 100
        assert "regret" not in result
        assert (await call(client, "regret", seat=match["seats"]["xplayer"]))["role"] == "xplayer"

        known = await call(client, "explain_game", game="holdem")
        me, *others = known["roles"]
        match = await call(client, "start_match", game="holdem", seats={me: "me"} | dict.fromkeys(others, "random"))
        result = await play_out(client, match["seats"][me])
        assert set(result["goals"]) == set(known["roles"])

        match = await call(client, "start_match", game="tic_tac_toe", seats={"oplayer": "me"})  # auto has the other
        seat = match["seats"]["oplayer"]
        move = (await call(client, "legal_moves", seat=seat))["moves"][0]
        status = await call(client, "play", seat=seat, move=move, wait=60)
        assert status["turns"][0] == f"2. oplayer {move}"

        match = await call(client, "start_match", rules=COUNTDOWN)
        result = await play_out(client, match["seats"]["solo"])
        assert result["goals"] == {"solo": 100}

    on_stdio(work)


def test_rule_sheets_and_positions_are_examined() -> None:
    async def work(client: Any) -> None:
        assert not (await call(client, "check_rules", rules="(role a"))["valid"]
        assert (await call(client, "run_game", rules=COUNTDOWN))["goals"] == {"solo": 100}
        assert (await call(client, "solve", game="nim:1,1", seconds=20))["exact"]
        assert (await call(client, "analyse", game="tic_tac_toe", moves=["(mark 1 1)"]))["role"] == "oplayer"
        assert (await call(client, "decompose", game="nim:3,4,5"))["subgames"] == 3
        assert "by its name" in await failure(client, "explain_game", game="/tmp/mine.py")
        assert "no player" in await failure(
            client, "start_match", game="tic_tac_toe", seats={"xplayer": "me", "oplayer": "command:true"}
        )
        assert "limit 1 to" in await failure(client, "list_games", limit=100_000)
        found = [game["name"] for game in (await call(client, "list_games", search="draughts"))["games"]]
        assert "checkers" in found  # only its rules say so

    on_stdio(work)


def test_two_clients_at_one_table_see_different_things() -> None:
    async def work(address: str, token: str) -> None:
        async with connected(address, token) as first, connected(address, token) as second:
            roles = (await call(first, "explain_game", game="holdem"))["roles"][:2]
            known = (await call(first, "explain_game", game="holdem"))["roles"]
            seats = dict.fromkeys(known, "random") | {roles[0]: "me", roles[1]: "open"}
            match = await call(first, "start_match", game="holdem", seats=seats)
            own = match["seats"][roles[0]]
            other = (await call(second, "join_match", match=match["match"], role=roles[1]))["seat"]
            results = await asyncio.gather(play_half(first, own), play_half(second, other))
            assert results[0] != results[1]
            assert "not open" in await failure(second, "join_match", match=match["match"], role=roles[1])
            ends = await asyncio.gather(play_out(first, own), play_out(second, other))
            assert ends[0]["goals"] == ends[1]["goals"]

    with http_server() as (address, token):
        asyncio.run(work(address, token))


async def play_half(client: Any, seat: str) -> str:
    """What a seat sees of its own cards at the start."""
    text: str = (await call(client, "view", seat=seat, style="short"))["text"]
    return text.partition("Position")[2]


def test_http_needs_the_token() -> None:
    with http_server() as (address, token):
        for given, status in ((None, 401), ("wrong", 401), (token[:-1], 401), (token, 400)):
            headers = {"Authorization": f"Bearer {given}"} if given else {}
            answer = httpx.post(address, json={}, headers=headers, timeout=60)
            assert answer.status_code == status
            if status == 401:
                assert answer.headers["WWW-Authenticate"] == "Bearer"
                assert "needs its token" in answer.json()["error"]["message"]


def test_clients_read_why_they_are_refused() -> None:
    async def work(address: str) -> None:
        async with connected(address, "wrong") as client:
            await client.list_tools()

    with http_server() as (address, _), pytest.raises(ExceptionGroup) as refused:
        asyncio.run(work(address))
    assert "needs its token" in "".join(traceback.format_exception(refused.value))

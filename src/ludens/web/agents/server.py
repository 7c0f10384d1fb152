"""The server of the Model Context Protocol: the tools that agents call (docs/agents.md)."""

from __future__ import annotations

import functools
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

import ludens
from ludens.core import LudensError
from ludens.games import library
from ludens.players.prompted.prompt import Style
from ludens.web.agents.tables import MOST_WAITING, Tables
from ludens.web.bench.workbench import Workbench
from ludens.web.hosting.setup import HUMAN
from ludens.web.matches.match_form import offered_players, setup_from
from ludens.web.settings import Limits
from ludens.web.tokens import fits, hash_of

_INSTRUCTIONS = """ludens referees and plays board, card and dice games, and any game that you describe in GDL.
To play: list_games or write a rule sheet, start_match, then view and play until the match is over. A seat is a secret:
whoever has it plays that role and sees what that role sees."""
_REFUSAL = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {"code": -32001, "message": "this server needs its token: Authorization: Bearer TOKEN"},
}
"""The answer without the token, in the form that clients show."""
_MOST_LISTED = 200
_WAIT = 10.0
"""The default wait for other players after a move, in seconds."""


class Tools:
    """The tools. Docstrings are the descriptions that agents read."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._bench = Workbench()
        self.tables = Tables(limits)
        """The matches."""

    async def close(self) -> None:
        """End all processes."""
        await self.tables.close()
        await self._bench.close()

    async def list_games(self, search: str = "", players: int = 0, offset: int = 0, limit: int = 50) -> dict[str, Any]:
        """List games of the library, or those whose name, title, kind or tags contain a text, then those whose rules
        do; or those for a number of players."""
        by_name, by_rules = list[dict[str, Any]](), list[dict[str, Any]]()
        for entry in library.entries().values():
            card = entry.card
            words = " ".join((entry.name, card.title, card.kind, *card.tags)).lower()
            fits = by_name if search.lower() in words else by_rules if search.lower() in card.rules.lower() else None
            if fits is not None and players in (0, card.players):
                fits.append({"name": entry.name, "title": card.title, "players": card.players, "kind": card.kind})
        found = by_name + by_rules
        first, many = _page(offset, limit)
        return {"total": len(found), "games": found[first : first + many]}

    async def explain_game(self, game: str = "", rules: str = "") -> dict[str, Any]:
        """Explain a library game (name, with parameters as in nim:3,4,5) or a rule sheet in GDL: rules in words, roles,
        notation of moves, first position."""
        return await self._job("explain", game=game, rules=rules)

    async def list_players(self) -> dict[str, str]:
        """List the players that can take a seat, with a description."""
        return {name: kind.description for name, kind in offered_players().items()}

    async def start_match(
        self,
        game: str = "",
        rules: str = "",
        seats: dict[str, str] | None = None,
        clock: float = 1.0,
        seed: int | None = None,
    ) -> dict[str, Any]:
        """Start a match of a library game or of a rule sheet in GDL. ``seats`` says who plays each role: "me", "open"
        (another agent calls join_match), or a player such as "auto" (list_players), which plays all roles that you
        leave out. By default you play the first role. ``clock`` is the seconds a player has for a move. Returns your
        seats; keep them secret."""
        known = await self._job("explain", game=game, rules=rules)
        roles = known["roles"]
        chosen = dict.fromkeys(roles, "auto") | (seats or {roles[0]: "me"})
        mine = frozenset(role for role, who in chosen.items() if who == "me")
        agents = [role for role, who in chosen.items() if who in ("me", "open")]
        if not mine:
            raise LudensError('one seat at least must be "me"')
        wanted = {
            role: {"player": HUMAN} if role in agents else {"player": who, "clock": clock}
            for role, who in chosen.items()
        }
        data = {"seats": wanted, "seed": seed, "undo": len(agents) == 1}
        setup = setup_from(data, game or "rules", roles, self._limits, own_rules=bool(rules))
        source = {"rules": rules} if rules else {"game": game}
        table, tokens = await self.tables.create(setup, source, mine)
        status = await self.tables.wait(next(iter(tokens.values())), _WAIT)
        return {"match": table.id, "seats": tokens, "open_seats": list(table.open), **status}

    async def join_match(self, match: str, role: str) -> dict[str, Any]:
        """Take an open seat of a match that another agent started. Returns the seat; keep it secret."""
        return {"seat": self.tables.join(match, role), "role": role}

    async def view(self, seat: str, style: str = "full") -> dict[str, Any]:
        """The position in words, as the role of this seat sees it. Styles: full, short (without the rules),
        no-legal-moves."""
        if style not in list(Style):
            raise LudensError(f"there is no style {style!r} (styles: {', '.join(Style)})")
        return await self._ask(seat, "view", style=style)

    async def legal_moves(self, seat: str, offset: int = 0, limit: int = 100, contains: str = "") -> dict[str, Any]:
        """The legal moves of this seat, page by page, or those that contain a text."""
        first, many = _page(offset, limit)
        return await self._ask(seat, "legal_moves", offset=first, limit=many, contains=contains)

    async def play(self, seat: str, move: str, wait: float = _WAIT) -> dict[str, Any]:
        """Make a move, written as legal_moves writes it, and wait up to some seconds for the next turn of this seat or
        the end. ``turns`` is what this seat saw of its move and of those after it."""
        played = await self._ask(seat, "play", move=move)
        return played | await self.tables.wait(seat, wait)

    async def wait_for_turn(self, seat: str, seconds: float = MOST_WAITING) -> dict[str, Any]:
        """Wait until this seat has to move or the match is over, for a minute at most."""
        return await self.tables.wait(seat, seconds)

    async def undo(self, seat: str) -> dict[str, Any]:
        """Take back the last move of this seat, if no other agent plays in the match."""
        undone = await self._ask(seat, "undo")
        return undone | await self.tables.wait(seat, _WAIT)

    async def resign(self, seat: str) -> dict[str, Any]:
        """Give up: the other roles win."""
        resigned = await self._ask(seat, "resign")
        return resigned | await self.tables.wait(seat, _WAIT)

    async def result(self, seat: str) -> dict[str, Any]:
        """The goals of all roles, 0 to 100, and why the match ended; goals are null while it runs."""
        return await self._ask(seat, "result")

    async def regret(self, seat: str) -> dict[str, Any]:
        """What the last choice of this seat lost against the best move, exactly or with a margin of 95 %."""
        return await self._ask(seat, "regret")

    async def check_rules(self, rules: str) -> dict[str, Any]:
        """Check a rule sheet in GDL: every error and warning with its line, column and a hint."""
        return await self._job("check", rules=rules)

    async def run_game(self, game: str = "", rules: str = "", seed: int = 1) -> dict[str, Any]:
        """Play random matches of a game or rule sheet: lengths, goals, choices, and one match move by move."""
        return await self._job("run", game=game, rules=rules, seed=seed)

    async def draw(self, game: str = "", rules: str = "", moves: list[str] | None = None) -> dict[str, Any]:
        """Draw the first position of a game or rule sheet, or the one after some moves, as text and SVG."""
        return await self._job("draw", game=game, rules=rules, moves=moves)

    async def solve(
        self, game: str = "", rules: str = "", moves: list[str] | None = None, seconds: float = 5.0
    ) -> dict[str, Any]:
        """The goals of all roles under perfect play, or bounds if the time is too short."""
        return await self._job("solve", game=game, rules=rules, moves=moves, budget=seconds)

    async def analyse(
        self, game: str = "", rules: str = "", moves: list[str] | None = None, role: str = "", seconds: float = 2.0
    ) -> dict[str, Any]:
        """The best moves of a role in a position, with their values and expected lines."""
        return await self._job("analyse", game=game, rules=rules, moves=moves, role=role, budget=seconds)

    async def decompose(self, game: str = "", rules: str = "") -> dict[str, Any]:
        """The independent subgames of a game in GDL, and facts that are proved of it."""
        return await self._job("decompose", game=game, rules=rules)

    async def _ask(self, seat: str, do: str, **values: Any) -> dict[str, Any]:
        table, role = self.tables.seat(seat)
        return await table.ask(do, role=role, **values)

    async def _job(self, task: str, **values: Any) -> dict[str, Any]:
        """Compute something in a process with limits. Raises `LudensError`."""
        if len(values.get("rules", "")) > self._limits.rule_characters:
            raise LudensError(f"a rule sheet has {self._limits.rule_characters:,} characters at most")
        answer = await self._bench.answer("agents", "agents", page=secrets.token_hex(8), task=task, **values)
        if "error" in answer:
            raise LudensError(answer["error"])
        return answer


TOOLS = tuple(
    name for name, member in vars(Tools).items() if not name.startswith("_") and name != "close" and callable(member)
)
"""The names of all tools."""


def _page(offset: int, limit: int) -> tuple[int, int]:
    if offset < 0 or not 1 <= limit <= _MOST_LISTED:
        raise LudensError(f"offset is 0 or more, and limit 1 to {_MOST_LISTED}")
    return offset, limit


def create_server(limits: Limits | None = None) -> MCPServer[Any]:
    """The server with all tools."""
    tools = Tools(limits or Limits())

    @asynccontextmanager
    async def lifespan(_: MCPServer[Any]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await tools.close()

    server: MCPServer[Any] = MCPServer(
        "ludens", instructions=_INSTRUCTIONS, version=ludens.__version__, lifespan=lifespan, log_level="WARNING"
    )
    for name in TOOLS:
        server.add_tool(_reporting(getattr(tools, name)), name=name)
    return server


def _reporting(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """A tool whose errors are sentences for the agent."""

    @functools.wraps(method)
    async def tool(**arguments: Any) -> Any:
        try:
            return await method(**arguments)
        except LudensError as error:
            raise ToolError(str(error)) from None

    return tool


def guarded_app(server: MCPServer[Any], token: str, host: str, limits: Limits) -> ASGIApp:
    """The server behind HTTP, for requests that have the token."""
    app = server.streamable_http_app(host=host, max_request_body_size=limits.request_bytes)
    hashed = hash_of(token)

    async def check(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = Headers(scope=scope).get("authorization", "").removeprefix("Bearer ")
            if not fits(given, hashed):
                await JSONResponse(_REFUSAL, 401, {"WWW-Authenticate": "Bearer"})(scope, receive, send)
                return
        await app(scope, receive, send)

    return check

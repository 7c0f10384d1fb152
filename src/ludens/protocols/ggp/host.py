"""Serves a player over the GGP HTTP protocol, in several matches at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from random import Random
from urllib.parse import unquote

from ludens.compiler.backends import import_compilers
from ludens.core import LudensError, Role
from ludens.gdl.game import GdlGame
from ludens.players import make_player
from ludens.protocols.ggp.hosted_match import HostedMatch
from ludens.protocols.ggp.messages import (
    Abort,
    Info,
    Message,
    MessageError,
    Play,
    PlayerInfo,
    Preview,
    Start,
    Stop,
    add_blanks,
    as_word,
    read_message,
)
from ludens.protocols.ggp.rule_cache import RuleCache
from ludens.protocols.ggp.server import Reply, Request
from ludens.referee.latency import prepare_process

READY, BUSY, DONE, ABORTED = "ready", "busy", "done", "aborted"
CONTENT_TYPE = "text/acl"
CROSS_ORIGIN = (
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Methods", "POST, GET, OPTIONS"),
    ("Access-Control-Allow-Headers", "Content-Type"),
    ("Access-Control-Allow-Age", "86400"),
)
"""Headers for servers that are pages in a browser, as ggp-base's players send them."""
_COMPILING_SHARE = 0.5
"""The share of the start clock that may be spent on compiling the rules; the player needs the rest."""


class PlayerHost:
    """Answers the messages of servers; one player for each match, at most ``most_matches`` at once."""

    def __init__(
        self,
        player: str,
        *,
        name: str,
        most_matches: int,
        backend: str,
        seed: int,
        log: Callable[[str], None],
    ) -> None:
        make_player(player, files=True)  # reports wrong names and options at once
        import_compilers()
        self._player = player
        self._name = as_word(name)
        self._most_matches = most_matches
        self._seed = seed
        self._log = log
        self._rules = RuleCache(backend)
        self._matches: dict[str, HostedMatch | None] = {}
        """The matches by name; None for those that are getting ready."""
        self._lock = threading.Lock()

    def answer(self, request: Request) -> Reply:
        """The reply to a request: the answer to the message in its body or, for GET, in its path."""
        if request.method == "OPTIONS":
            return Reply(content_type=CONTENT_TYPE, headers=CROSS_ORIGIN)
        text = unquote(request.target.removeprefix("/")) if request.method == "GET" else request.body
        try:
            answer, status = self.answer_to(read_message(text), request.arrived, request.latency), HTTPStatus.OK
        except MessageError as error:
            self._log(f"a message that cannot be read: {error}")
            answer, status = f"( error {as_word(str(error))} )", HTTPStatus.BAD_REQUEST
        return Reply(answer, status, CONTENT_TYPE, CROSS_ORIGIN)

    def answer_to(self, message: Message, arrived: float, latency: float) -> str:
        """The answer to a message that arrived at a moment of ``time.monotonic``."""
        match message:
            case Info():
                return str(PlayerInfo(self._name, BUSY if self._full() else "available", "MACHINE"))
            case Preview():
                return self._preview(message)
            case Start():
                return self._start(message, arrived, latency)
            case Play():
                match = self._matches.get(message.match)
                return BUSY if match is None else add_blanks(match.play(message.news, arrived))
            case Stop():
                match = self._remove(message.match)
                if match is None:
                    return BUSY
                match.stop(message.news)
                self._log(f"{match.name}: over")
                return DONE
            case Abort():
                match = self._remove(message.match)
                if match is None:
                    return BUSY
                match.stop(None)
                self._log(f"{match.name}: aborted")
                return ABORTED

    def close(self) -> None:
        """End all matches."""
        for name in list(self._matches):
            match = self._remove(name)
            if match is not None:
                match.stop(None)

    def _preview(self, message: Preview) -> str:
        if self._full():
            return BUSY
        self._rules.prepare(message.rules)
        return READY

    def _start(self, message: Start, arrived: float, latency: float) -> str:
        if not self._reserve(message.match):
            return BUSY
        match = None
        try:
            match = self._make_match(message, arrived, latency)
        except LudensError as error:
            self._log(f"{message.match}: cannot be played: {error}")
            return BUSY
        finally:
            with self._lock:
                if match is None:
                    del self._matches[message.match]
                else:
                    self._matches[message.match] = match
        match.start(arrived + message.start_clock)
        self._log(f"{message.match}: started as {message.role}")
        return READY

    def _make_match(self, message: Start, arrived: float, latency: float) -> HostedMatch:
        spent = time.monotonic() - arrived
        game = self._rules.game(message.rules, message.start_clock * _COMPILING_SHARE - spent)
        role = _role(game, message.role)
        prepare_process(game)
        seed = Random(f"{self._seed}/{message.match}/{role}").randrange(2**31)
        player = make_player(self._player, files=True)
        return HostedMatch(message, game, role, player, seed=seed, latency=latency, log=self._log)

    def _reserve(self, name: str) -> bool:
        """Reserve a place for a match; False if there is none."""
        with self._lock:
            forgotten = [other for other, match in self._matches.items() if match is not None and match.is_abandoned]
        for other in forgotten:
            match = self._remove(other)
            if match is not None:
                self._log(f"{other}: the server has been silent for too long")
                match.stop(None)
        with self._lock:
            if name in self._matches or len(self._matches) >= self._most_matches:
                return False
            self._matches[name] = None
            return True

    def _remove(self, name: str) -> HostedMatch | None:
        with self._lock:
            return None if self._matches.get(name) is None else self._matches.pop(name)

    def _full(self) -> bool:
        with self._lock:
            playing = [match for match in self._matches.values() if match is None or not match.is_abandoned]
            return len(playing) >= self._most_matches


def _role(game: GdlGame, text: str) -> Role:
    spelled = {role.lower(): role for role in game.roles}
    if text.lower() not in spelled:
        raise MessageError(f"there is no role {text[:40]!r} in the rules ({', '.join(game.roles)})")
    return spelled[text.lower()]

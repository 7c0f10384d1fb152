"""Serves a player over the GGP HTTP protocol, in several matches at once."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from http import HTTPStatus
from random import Random
from urllib.parse import unquote

from ludens.compiler.backends import import_compilers
from ludens.core import LudensError, Player, Role
from ludens.gdl.game import GdlGame
from ludens.players import make_player
from ludens.protocols.ggp.hosted_match import HostedMatch
from ludens.protocols.ggp.messages import (
    NIL,
    Abort,
    Info,
    Message,
    MessageError,
    News,
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
from ludens.referee.latency import prepare_process, release_games

_log = logging.getLogger("ludens")
READY, BUSY, DONE, ABORTED = "ready", "busy", "done", "aborted"
CONTENT_TYPE = "text/acl"
CROSS_ORIGIN = (
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Methods", "POST, GET, OPTIONS"),
    ("Access-Control-Allow-Headers", "Content-Type"),
    ("Access-Control-Allow-Age", "86400"),
)
"""Headers for servers that are pages in a browser, as ggp-base's players send them."""
START_SHARE = 0.75
"""The share of the start clock after which START is answered, ready or not."""
PLAY_SHARE = 0.75
"""The share of the play clock to wait for a match that is still preparing."""


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
        made = make_player(player, files=True)  # reports wrong names and options at once
        threading.Thread(target=_warm_up, args=(made,), name="import", daemon=True).start()
        self._player = player
        self._name = as_word(name)
        self._most_matches = most_matches
        self._seed = seed
        self._log = log
        self._rules = RuleCache(backend)
        self._matches: dict[str, _Place] = {}
        """The matches by name."""
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
                place = self._matches.get(message.match)
                return BUSY if place is None else self._play(place, message, arrived)
            case Stop():
                if not self._remove(message.match, message.news):
                    return BUSY
                self._log(f"{message.match}: over")
                return DONE
            case Abort():
                if not self._remove(message.match, None):
                    return BUSY
                self._log(f"{message.match}: aborted")
                return ABORTED

    def close(self) -> None:
        """End all matches."""
        for name in list(self._matches):
            self._remove(name, None)
        self._rules.clear()

    def _preview(self, message: Preview) -> str:
        if self._full():
            return BUSY
        threading.Thread(target=self._show, args=(message,), name="preview", daemon=True).start()
        return READY

    def _show(self, message: Preview) -> None:
        try:
            self._rules.show(message.rules)
        except LudensError as error:
            self._log(f"a preview of rules that cannot be played: {error}")

    def _start(self, message: Start, arrived: float, latency: float) -> str:
        """Prepare a match; the answer is in time, whatever the rules."""
        place = self._reserve(message)
        if place is None:
            return BUSY
        until = arrived + START_SHARE * message.start_clock - latency
        ready = threading.Event()
        work = (place, message, until, latency, ready)
        threading.Thread(target=self._get_ready, args=work, name=f"start {message.match}", daemon=True).start()
        ready.wait(max(0.0, until - time.monotonic()))
        if place.match.done() and place.match.exception() is not None:
            return BUSY
        self._log(f"{message.match}: started as {message.role}{'' if ready.is_set() else ', still preparing'}")
        return READY

    def _get_ready(self, place: _Place, message: Start, until: float, latency: float, ready: threading.Event) -> None:
        try:
            match = self._make_match(message, latency)
        except Exception as error:  # rules of others may raise anything
            if not isinstance(error, LudensError):
                _log.exception("%s: the rules cannot be read", message.match)
            self._log(f"{message.match}: cannot be played: {error}")
            with self._lock:
                if self._matches.get(message.match) is place:
                    del self._matches[message.match]
            place.match.set_exception(error)
        else:
            place.match.set_result(match)  # an ABORT that came meanwhile stops it
            match.start(until)
        ready.set()

    def _play(self, place: _Place, message: Play, arrived: float) -> str:
        try:
            match = place.match.result(max(0.0, arrived + PLAY_SHARE * place.play_clock - time.monotonic()))
        except TimeoutError:
            self._log(f"{message.match}: the rules are not read yet, so no move is known")
            return NIL
        except Exception:  # it was logged when it happened
            return BUSY
        return add_blanks(match.play(message.news, arrived))

    def _make_match(self, message: Start, latency: float) -> HostedMatch:
        game = self._rules.open(message.rules)
        try:
            role = _role(game, message.role)
            prepare_process(game)
            seed = Random(f"{self._seed}/{message.match}/{role}").randrange(2**31)
            player = make_player(self._player, files=True)
            return HostedMatch(
                message, game, role, player, seed=seed, latency=latency, log=self._log, release=self._rules.close
            )
        except BaseException:
            self._rules.close(game)
            raise

    def _reserve(self, message: Start) -> _Place | None:
        """Reserve a place for a match; None if there is none."""
        with self._lock:
            forgotten = [other for other, place in self._matches.items() if place.is_abandoned]
        for other in forgotten:
            if self._remove(other, None):
                self._log(f"{other}: the server has been silent for too long")
        with self._lock:
            if message.match in self._matches or len(self._matches) >= self._most_matches:
                return None
            place = self._matches[message.match] = _Place(message.play_clock)
            return place

    def _remove(self, name: str, news: News | None) -> bool:
        """Stop a match, as soon as it is ready; False if there is none."""
        with self._lock:
            place = self._matches.pop(name, None)
        if place is None:
            return False
        place.match.add_done_callback(lambda done: self._stop(done, news))
        return True

    def _stop(self, done: Future[HostedMatch], news: News | None) -> None:
        if done.exception() is None:
            done.result().stop(news)
        if not self._matches:
            release_games()

    def _full(self) -> bool:
        with self._lock:
            return sum(not place.is_abandoned for place in self._matches.values()) >= self._most_matches


class _Place:
    """The place of a match that is getting ready or under way."""

    def __init__(self, play_clock: float) -> None:
        self.play_clock = play_clock
        self.match: Future[HostedMatch] = Future()
        """The match, once its rules are read."""

    @property
    def is_abandoned(self) -> bool:
        """True if the server has been silent for too long."""
        return self.match.done() and self.match.exception() is None and self.match.result().is_abandoned


def _warm_up(player: Player) -> None:
    """Import the modules of a match in advance, before its clock runs."""
    player.warm_up()
    import_compilers()


def _role(game: GdlGame, text: str) -> Role:
    spelled = {role.lower(): role for role in game.roles}
    if text.lower() not in spelled:
        raise MessageError(f"there is no role {text[:40]!r} in the rules ({', '.join(game.roles)})")
    return spelled[text.lower()]

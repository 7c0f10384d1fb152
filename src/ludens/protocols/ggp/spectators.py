"""Spectators: the Referee's events as server-sent events over HTTP."""

from __future__ import annotations

import itertools
import json
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from ludens.core import State
from ludens.gdl.game import GdlState
from ludens.gdl.terms import sort_key
from ludens.gdl.write import kif
from ludens.protocols.ggp.server import Reply, Request
from ludens.referee import Event, MatchEnded, MatchStarted, PlayerThinking, TurnPlayed
from ludens.referee.record import line_of
from ludens.referee.stream import Broadcast, Subscription

MOST_EVENTS = 1_000
"""Events of a match that are kept for late spectators, after the first; also the largest lag of a spectator."""
MOST_ENDED = 100
"""Matches that can be read after they have ended."""


@dataclass(frozen=True, slots=True)
class Frame:
    """An event as it is sent."""

    number: int
    """From 1, over all matches."""
    match: str
    text: str


@dataclass(slots=True)
class _Story:
    """The events of a match that late spectators receive."""

    first: dict[str, Any]
    frames: deque[Frame] = field(default_factory=lambda: deque(maxlen=MOST_EVENTS))
    opening: Frame | None = None
    ended: bool = False


class Gallery:
    """Publishes the events of any number of matches, and answers the requests of spectators."""

    def __init__(self, version: str) -> None:
        self._version = version
        self.address = ""
        """Where spectators find it."""
        self._lock = threading.Lock()
        self._stories: dict[str, _Story] = {}
        self._followers: Broadcast[Frame] = Broadcast()
        self._numbers = itertools.count(1)
        self._records: dict[str, Path] = {}
        self._pages: dict[str, str] = {}

    def publish_record(self, match: str, path: Path) -> None:
        """Offer the record of a match in the form of ggp-base, once it has ended."""
        self._records[match] = path

    def publish_page(self, target: str, text: str) -> None:
        """Offer a text, such as the metadata of a game or the host's key."""
        self._pages[target] = text

    def publish(self, match: str, event: Event) -> None:
        """Send an event to all spectators, without waiting."""
        data = _data(event, self._version)
        if data is None:
            return
        with self._lock:
            payload = {"match": match, **data}
            number = next(self._numbers)
            frame = Frame(number, match, f"id: {number}\nevent: {data['event']}\ndata: {json.dumps(payload)}\n\n")
            story = self._stories.setdefault(match, _Story(payload))
            if story.opening is None:
                story.opening = frame
            elif not isinstance(event, PlayerThinking):
                story.frames.append(frame)
            story.ended = story.ended or isinstance(event, MatchEnded)
            self._forget()
            self._followers.send(frame)

    def close(self) -> None:
        """End all streams."""
        self._followers.close()

    def answer(self, request: Request) -> Reply:
        """``/matches`` lists the matches, ``/events`` streams their events, with ``?match=ID`` those of one."""
        parts = urlsplit(request.target)
        wanted = parse_qs(parts.query).get("match", [None])[0]
        if request.method != "GET":
            return Reply("spectators only GET\n", HTTPStatus.METHOD_NOT_ALLOWED)
        if parts.path in self._pages:
            is_json = self._pages[parts.path].startswith("{")
            return Reply(self._pages[parts.path], content_type="application/json" if is_json else "text/plain")
        if parts.path.startswith("/matches/"):
            return self._record(unquote(parts.path.removeprefix("/matches/")))
        if parts.path == "/matches":
            return Reply(json.dumps(self.matches()) + "\n", content_type="application/json")
        if parts.path == "/events":
            return self._events(wanted, request.headers.get("last-event-id", ""))
        return Reply("there are /matches, /matches/ID, /events?match=ID and /key\n", HTTPStatus.NOT_FOUND)

    def _record(self, match: str) -> Reply:
        path = self._records.get(match)
        try:
            text = "" if path is None else path.read_text(encoding="utf-8")
        except OSError:
            text = ""
        if not text:
            return Reply("there is no record of such a match\n", HTTPStatus.NOT_FOUND)
        return Reply(text, content_type="application/json", headers=(("Access-Control-Allow-Origin", "*"),))

    def matches(self) -> list[dict[str, Any]]:
        """The matches that can be followed or read."""
        with self._lock:
            return [
                {"match": match, "game": story.first.get("game"), "ended": story.ended}
                for match, story in self._stories.items()
            ]

    def _events(self, match: str | None, last_seen: str) -> Reply:
        """The stream of events since the spectator's last, then live; of one match, until its end."""
        after = int(last_seen) if last_seen.isascii() and last_seen.isdecimal() and len(last_seen) < 19 else 0
        with self._lock:
            stories = [story for name, story in self._stories.items() if match in {None, name}]
            past = [frame for story in stories for frame in (story.opening, *story.frames) if frame is not None]
            over = match is not None and bool(stories) and stories[0].ended
            live = self._followers.subscribe(MOST_EVENTS)
        past = [frame for frame in past if frame.number > after]
        if over and not past:
            live.close()
            return Reply(status=HTTPStatus.NO_CONTENT)  # so that browsers do not reconnect
        headers = (("Cache-Control", "no-store"),)
        return Reply(content_type="text/event-stream", headers=headers, stream=self._stream(match, past, live, over))

    @staticmethod
    def _stream(match: str | None, past: list[Frame], live: Subscription[Frame], over: bool) -> Iterator[str]:
        try:
            for frame in past:
                yield frame.text
            for frame in () if over else live:
                if match in {None, frame.match}:
                    yield frame.text
                if frame.match == match and "\nevent: end\n" in frame.text:
                    return
        finally:
            live.close()

    def _forget(self) -> None:
        ended = [match for match, story in self._stories.items() if story.ended]
        for match in ended[: max(0, len(ended) - MOST_ENDED)]:
            del self._stories[match]


def _data(event: Event, version: str) -> dict[str, Any] | None:
    """The event as the record has it, with the state; None for failures, which are part of turns."""
    if isinstance(event, PlayerThinking):
        return {"event": "thinking", "turn": event.turn, "role": event.role, "thinking": event.thinking.as_json()}
    line = line_of(event, version)
    if line is not None and isinstance(event, MatchStarted | TurnPlayed):
        line["state"] = _facts(event.state)
    return line


def _facts(state: State) -> list[str]:
    return [kif(fact) for fact in sorted(state.facts, key=sort_key)] if isinstance(state, GdlState) else []

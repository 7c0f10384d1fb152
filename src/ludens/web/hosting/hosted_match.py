"""One match on the server: its tokens, its audiences and its worker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ludens.core import NO_CLOCK, Role
from ludens.web.hosting.channel import Channel, Follower
from ludens.web.hosting.pool import Crew
from ludens.web.hosting.presentation import PUBLIC
from ludens.web.hosting.setup import HUMAN
from ludens.web.hosting.store import Ticket
from ludens.web.tokens import fits

WAITING, LOADING, PLAYING, OVER, FAILED = "waiting", "loading", "playing", "over", "failed"
"""The status of a match."""


class HostedMatch:
    """A match, running or over."""

    def __init__(self, ticket: Ticket) -> None:
        self.ticket = ticket
        self.crew: Crew | None = None
        """The worker that plays it, while it runs."""
        self.status = WAITING
        self.turns = 0
        """How many turns were played."""
        self.is_unwritten = False
        """True if it stopped because its record could not be written; it can continue after a restart."""
        self.end: dict[str, Any] = {}
        """The result, once the match is over."""
        self.has_rematch = False
        """True once the match was begun once more."""
        self.restarts = 0
        """How often another worker resumed it without any progress."""
        self.channels: dict[str, Channel] = {audience: Channel() for audience in (PUBLIC, *ticket.setup.people)}
        self._here: Counter[Role] = Counter()
        self._send_seats()

    @staticmethod
    def from_disk(ticket: Ticket, end: Mapping[str, Any], shown: Mapping[str, Any]) -> HostedMatch | None:
        """A match that is over; without ``shown`` it can only be listed. None if it cannot be read."""
        hosted = HostedMatch(ticket)
        try:
            hosted.status, hosted.end, hosted.turns = end["status"], dict(end["end"]), end["turns"]
            hosted.channels |= {audience: Channel.from_json(data) for audience, data in shown.items()}
            hosted._send_seats()
        except (KeyError, TypeError, ValueError, AttributeError):
            return None
        return hosted

    @property
    def is_over(self) -> bool:
        """True if the match is over."""
        return self.status in {OVER, FAILED}

    @property
    def may_begin(self) -> bool:
        """False while a person with a clock is missing."""
        seats = self.ticket.setup.seats
        return all(self._here[role] > 0 or seats[role].clock == NO_CLOCK for role in self.ticket.setup.people)

    @property
    def followers(self) -> int:
        """The number of followers of all audiences."""
        return sum(channel.followers for channel in self.channels.values())

    def end_as_json(self) -> dict[str, Any]:
        """The end of the match as JSON values, for the disk."""
        return {"status": self.status, "end": self.end, "turns": self.turns}

    def shown_as_json(self) -> dict[str, Any]:
        """The channels as JSON values, for the disk."""
        return {audience: channel.as_json() for audience, channel in self.channels.items()}

    def role_of(self, token: str) -> Role | None:
        """The role that a token grants; None if it is not a token of this match."""
        return next((role for role, hashed in self.ticket.seat_hashes.items() if fits(token, hashed)), None)

    def is_owner(self, token: str) -> bool:
        """True if the token is that of the match's creator."""
        return fits(token, self.ticket.owner_hash)

    def follow(self, audience: str) -> Follower:
        """Add a follower to an audience."""
        if audience != PUBLIC:
            self._here[audience] += 1
            if self._here[audience] == 1:
                self._send_seats()
        return self.channels[audience].follow()

    def leave(self, audience: str, follower: Follower) -> None:
        """Remove a follower."""
        self.channels[audience].leave(follower)
        if audience != PUBLIC:
            self._here[audience] -= 1
            if not self._here[audience]:
                self._send_seats()

    def hear(self, news: Mapping[str, Any]) -> None:
        """Update the match with the worker's news, and pass them on to their audience."""
        match news["kind"]:
            case "loaded":
                self.status = PLAYING
            case "position":
                for audience, shown in news["shown"].items():
                    self.channels[audience].send({"kind": "position", "at": news["at"], **shown})
                change = news["shown"][PUBLIC]["history"]
                turns = change["keep"] + len(change["add"])
                if turns > self.turns:
                    self.restarts = 0  # progress: this position did not crash the worker
                self.turns = turns
            case "asked":
                self.channels[news["role"]].send({"kind": "asked", "at": news["at"], **news["asked"]})
            case "thinking":
                self.channels[PUBLIC].send({"kind": "thinking", "at": news["at"], **news["thinking"]})
            case "hint":
                self.channels[news["role"]].send({"kind": "hint", **news["hint"]})
            case "wish":
                self.channels[news["role"]].send({"kind": "wish", **news["wish"]})
            case "note":
                self.channels[news["role"]].send({"kind": "note", "text": news["text"]})
            case "ended":
                self.status = OVER
                self._end({key: value for key, value in news.items() if key not in {"match", "kind"}})
            case "failed":
                self.fail(news["message"])
            case "unwritten":
                self.is_unwritten = True
                self.fail(f"its record cannot be written: {news['message']}; it continues after a server restart")

    def fail(self, message: str) -> None:
        """End the match with an error."""
        self.status = FAILED
        self._end({"reason": "failed", "message": message, "goals": {}})

    def announce_record(self, name: str) -> None:
        """Send the name of the match's record to all audiences."""
        for channel in self.channels.values():
            channel.send({"kind": "record", "name": name})

    def close(self) -> None:
        """Close all channels, as the server stops."""
        for channel in self.channels.values():
            channel.close()

    def _end(self, end: dict[str, Any]) -> None:
        self.end = end
        for channel in self.channels.values():
            channel.send({"kind": "ended", **end})

    def _send_seats(self) -> None:
        seats = [
            {
                "role": role,
                "player": seat.player,
                "human": seat.player == HUMAN,
                "awaited": seat.clock != NO_CLOCK,
                "here": seat.player != HUMAN or self._here[role] > 0,
            }
            for role, seat in self.ticket.setup.seats.items()
        ]
        for channel in self.channels.values():
            channel.send({"kind": "seats", "seats": seats})

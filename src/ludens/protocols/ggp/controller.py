"""The GameController: referees and records matches between GGP players and players of ludens."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ludens.core import Clock, Deadline, Game, GameError, LudensError, Player, PlayerError, Role
from ludens.gdl.game import GdlGame
from ludens.gdl.scramble import Scrambler
from ludens.gdl.write import write_kif
from ludens.players import make_player
from ludens.protocols.ggp.match_json import MatchJson
from ludens.protocols.ggp.messages import Info, PlayerInfo, Preview, as_word, read_info
from ludens.protocols.ggp.remote import STOP_SECONDS, RemotePlayer, Terms
from ludens.protocols.ggp.signing import HostKey
from ludens.protocols.ggp.spectators import Gallery
from ludens.protocols.ggp.wire import Address, exchange
from ludens.referee import Event, Match, MatchEnded, RecordWriter

INFO_SECONDS = 2.0
"""The timeout in seconds for the answer to INFO."""
GRACE = 1.0
"""Network grace in seconds beyond the play clock, as in ggp-base's server."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A match to be played."""

    game: Game
    seats: Mapping[Role, Address | str]
    """The player of each role: an address, or the name of one of ours with its options."""
    match_id: str
    seed: int
    start_clock: float = 10.0
    """Seconds."""
    play_clock: float = 5.0
    """Seconds."""
    preview_clock: float | None = None
    """Seconds to show the rules before the start; not shown if None."""
    scramble: bool = False
    gdl_ii: bool = False
    """True to speak the variant of GDL-II: turn, own move and percepts."""
    ask_info: bool = True
    """Whether to ask players who they are first."""
    grace: float = GRACE
    """Grace in seconds beyond the play clock for moves over HTTP."""
    forfeit_after: int | None = None
    game_url: str = ""
    """Where archives and viewers find the game's metadata."""
    key: HostKey | None = None
    """By which the record in the form of ggp-base is signed."""

    def check(self) -> GdlGame:
        """The game, if it can be played over HTTP with these players. Raises `GameError` or `PlayerError`."""
        if not isinstance(self.game, GdlGame):
            raise GameError(f"{self.game.name} has no rules in GDL, which is what players behind HTTP are sent")
        if self.game.hidden and not self.gdl_ii:
            raise GameError(f"{self.game.name} has hidden information, which needs the messages of GDL-II")
        places = Counter(seat.place for seat in self.seats.values() if isinstance(seat, Address))
        if any(count > 1 for count in places.values()):
            raise PlayerError("one address can play one role of a match only, since messages do not tell the role")
        return self.game.by_rules_alone()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a match."""

    plan: Plan
    names: Mapping[Role, str]
    """The names of the players."""
    end: MatchEnded
    record: Path
    """Our record."""
    match_json: Path
    """The record in the form of ggp-base."""
    seconds: float


class GameController:
    """Conducts one match: INFO, PREVIEW, then the Referee's match, and its records."""

    def __init__(
        self,
        plan: Plan,
        records: Path,
        version: str,
        *,
        gallery: Gallery | None = None,
        watch: Callable[[Event], None] | None = None,
    ) -> None:
        self._plan = plan
        self._game = plan.check()
        self._writer = RecordWriter(records, version)
        self._gallery = gallery
        self._watch = watch
        self._terms = self._make_terms()
        self._match: Match | None = None
        self._aborted = False
        for seat in plan.seats.values():
            if isinstance(seat, str):
                make_player(seat, files=True)  # reports wrong names and options before anything is sent

    def run(self) -> Outcome:
        """Play the match to its end."""
        plan, began = self._plan, time.monotonic()
        names = self._names()
        if plan.preview_clock is not None:
            self._show_rules(names, plan.preview_clock)
        players = {role: self._player(role, names[role]) for role in self._game.roles}
        clock = Clock(plan.play_clock, plan.start_clock)
        self._match = Match(self._game, players, clock, plan.seed, forfeit_after=plan.forfeit_after)
        if self._aborted:
            self._match.stop()
        end = self._play(self._match, self._match_json(names))
        for player in players.values():
            if isinstance(player, RemotePlayer):
                player.finished.wait(STOP_SECONDS)
        record = self._writer.path
        assert record is not None
        return Outcome(plan, names, end, record, _json_path(record), time.monotonic() - began)

    def abort(self) -> None:
        """End the match now and inform the players; from any thread."""
        self._aborted = True
        if self._match is not None:
            self._match.stop()

    def _play(self, match: Match, ggp: MatchJson) -> MatchEnded:
        try:
            for event in match.events():
                self._writer.write(event)
                ggp.add(event)
                if self._gallery is not None:
                    self._gallery.publish(self._plan.match_id, event)
                if self._watch is not None:
                    self._watch(event)
                if isinstance(event, MatchEnded):
                    return event
        finally:
            self._writer.close()
            if self._writer.path is not None and self._writer.path.exists():
                ggp.write(_json_path(self._writer.path))
                if self._gallery is not None:
                    self._gallery.publish_record(self._plan.match_id, _json_path(self._writer.path))
        raise AssertionError("a match ends with MatchEnded")

    def _match_json(self, names: Mapping[Role, str]) -> MatchJson:
        plan = self._plan
        return MatchJson(
            match_id=plan.match_id,
            game=self._game.name,
            roles=tuple(self._game.role_terms),
            names=names,
            start_clock=plan.start_clock,
            play_clock=plan.play_clock,
            preview_clock=plan.preview_clock,
            scrambled=plan.scramble,
            game_url=plan.game_url,
            key=plan.key,
        )

    def _make_terms(self) -> Terms:
        plan = self._plan
        rules = tuple(write_kif([rule]).strip() for rule in self._game.sheet.rules)
        scrambler = Scrambler(rules, Random(f"{plan.seed}/scramble")) if plan.scramble else None
        return Terms(plan.match_id, rules, plan.start_clock, plan.play_clock, plan.gdl_ii, scrambler)

    def _player(self, role: Role, name: str) -> Player:
        seat = self._plan.seats[role]
        if isinstance(seat, Address):
            return RemotePlayer(seat, name, self._terms, self._plan.grace)
        return make_player(seat, files=True)

    def _names(self) -> dict[Role, str]:
        """The names of the players, by their INFO or their address."""
        seats = {role: self._plan.seats[role] for role in self._game.roles}
        remote = {role: seat for role, seat in seats.items() if isinstance(seat, Address)}
        found = {role: str(seat).removeprefix("http://") for role, seat in seats.items()}
        if remote and self._plan.ask_info:
            with ThreadPoolExecutor(len(remote)) as pool:
                infos = dict(zip(remote, pool.map(info_of, remote.values()), strict=True))
            found |= {role: as_word(info.name) for role, info in infos.items() if info is not None and info.name}
        return found

    def _show_rules(self, names: Mapping[Role, str], seconds: float) -> None:
        """Send PREVIEW to all players at once, and wait for the whole clock, as some may need it."""
        message = str(Preview(tuple(map(self._terms.hide, self._terms.rules)), seconds))
        remote = [(seat, names[role]) for role, seat in self._plan.seats.items() if isinstance(seat, Address)]

        def show(seat: tuple[Address, str]) -> None:
            with contextlib.suppress(OSError, LudensError):  # a preview is an offer
                exchange(seat[0], message, seat[1], Deadline(seconds))

        if remote:
            with ThreadPoolExecutor(len(remote)) as pool:
                list(pool.map(show, remote))


def info_of(address: Address) -> PlayerInfo | None:
    """A player's answer to INFO; None if it is missing or invalid."""
    try:
        return read_info(exchange(address, str(Info()), "player", Deadline(INFO_SECONDS)))
    except (OSError, LudensError):
        return None


def _json_path(record: Path) -> Path:
    return record.with_suffix(".ggp.json")

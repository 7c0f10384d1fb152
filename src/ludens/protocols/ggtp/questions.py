"""Engines that have to play: what each was asked, how long it may take, and the move that is made if it fails."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from ludens.core import Move, Role
from ludens.protocols.ggtp import options as o
from ludens.protocols.ggtp.grammar import CommandError, listed, shown, word
from ludens.protocols.ggtp.inbox import EngineEvent, Lost
from ludens.protocols.ggtp.link import EngineError
from ludens.protocols.ggtp.output import Output
from ludens.protocols.ggtp.play import Play
from ludens.protocols.ggtp.seats import Seats
from ludens.referee.draws import substitute

GRACE = 0.5
"""Seconds beyond its delay that an engine's move may spend on the way."""
PATIENCE = 600.0
"""Seconds that an engine without a clock may think; then a random move is made for it."""
MOST_TRIES = 3
"""How often an engine may select a move that is not possible, in one turn."""
Offer = Callable[[Role, Move], bool]
"""Makes a player's move; True if that completes the turn. Raises `CommandError` if it is not possible."""


@dataclass(slots=True)
class Asked:
    """A move that an engine has to select."""

    began: float
    due: float
    tries: int = 0


class Questions:
    """The engines that were asked for a move and have not answered yet."""

    def __init__(self, output: Output, options: o.RuleOptions, seats: Seats, offer: Offer) -> None:
        self._output = output
        self._options = options
        self._seats = seats
        self._offer = offer
        self.asked: dict[Role, Asked] = {}
        """Engines that have to play."""
        self._used: dict[Role, float] = {}

    def begin(self) -> None:
        """A play begins: all clocks are full."""
        self.asked.clear()
        self._used = {}

    def ask_all(self, play: Play) -> bool:
        """Ask all engines that are to move; True if a turn was played for one that is lost, so that others may be."""
        for role in play.waiting_for:
            link = self._seats.links.get(role)
            if link is None or role in self.asked:
                continue
            if (link.failure or not self._ask(play, role, 0)) and self._replace(play, role, link.failure):
                return True
        return False

    def _ask(self, play: Play, role: Role, tries: int) -> bool:
        delay = self._delay(role)
        line = "have_to_play" if delay is None else f"have_to_play {delay:g}"
        if play.game.hidden and self._seats.query(role, f"possible_moves {listed(play.legal[role])}") is None:
            return False
        if self._options[o.SHOW_ENGINES]:
            self._output.inform(f"[{word(role)}] {line}")
        now = time.monotonic()
        self.asked[role] = Asked(now, now + (PATIENCE if delay is None else delay + GRACE), tries)
        try:
            self._seats.links[role].tell(line)
        except EngineError:
            del self.asked[role]
            self._seats.tell_lost(role)
            return False
        return True

    def _delay(self, role: Role) -> float | None:
        """Seconds that a player has for its move; None if there is no limit."""
        move_time, game_time = float(self._options[o.MOVE_TIME]), float(self._options[o.GAME_TIME])
        limits = [move_time] if move_time else []
        if game_time:
            limits.append(max(0.0, game_time - self._used.get(role, 0.0)))
        return round(min(limits), 3) if limits else None

    def _answered(self, role: Role) -> Asked:
        asked = self.asked.pop(role)
        self._used[role] = self._used.get(role, 0.0) + time.monotonic() - asked.began
        return asked

    def _replace(self, play: Play, role: Role, reason: str) -> bool:
        """Make a random move for an engine that failed; True if that completes the turn."""
        move = substitute(play.seed, len(play.turns) + 1, role, play.legal[role])
        name = self._seats.engine_name(role)
        self._output.inform(f"{name} fails ({reason}); a random move is made for {word(role)}")
        return self._offer(role, move)

    def take(self, play: Play, role: Role, event: EngineEvent) -> None:
        """Take in what the engine of a player did."""
        if isinstance(event, Lost):
            if role in self.asked:
                self._answered(role)
                self._replace(play, role, event.reason)
        else:
            self._select(play, role, event.move)

    def _select(self, play: Play, role: Role, move: str) -> None:
        if self._options[o.SHOW_ENGINES]:
            self._output.inform(f"[{word(role)}] <- select_move {shown(move)}")
        if role not in self.asked:
            return
        asked = self._answered(role)
        try:
            self._offer(role, move)
        except CommandError as error:
            self._seats.query(role, f"illegal_move {move}\t{error}")
            if asked.tries + 1 >= MOST_TRIES or not self._ask(play, role, asked.tries + 1):
                self._replace(play, role, f"{MOST_TRIES} moves were not possible")

    def replace_late(self, play: Play) -> None:
        """Make moves for engines whose time is up."""
        now = time.monotonic()
        for role in [role for role, asked in self.asked.items() if asked.due <= now]:
            if role in self.asked:
                self._answered(role)
                self._replace(play, role, "too late")

    @property
    def timeout(self) -> float | None:
        """Seconds until an engine is late; None if none has to play."""
        if not self.asked:
            return None
        return max(0.0, min(asked.due for asked in self.asked.values()) - time.monotonic())

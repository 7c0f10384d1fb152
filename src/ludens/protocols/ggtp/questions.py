"""Pending questions: engines asked for moves, running clocks, and random moves after a timeout."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from ludens.core import Move, Role
from ludens.protocols.ggtp.engines.link import ANSWER_TIME, POSSIBLE_MOVES, CaughtUp, EngineError, Lost, Selected
from ludens.protocols.ggtp.language import options as o
from ludens.protocols.ggtp.language.grammar import CommandError, format_list, shown, word
from ludens.protocols.ggtp.language.output import Output
from ludens.protocols.ggtp.plays.clocks import Clocks, TimeControl
from ludens.protocols.ggtp.plays.play import Play
from ludens.protocols.ggtp.seats import Seats
from ludens.referee.draws import substitute

GRACE = 0.5
"""Network grace in seconds beyond the delay of a move."""
PATIENCE = 600.0
"""Seconds that an engine without a clock may think; then a random move is made for it."""
MOST_TRIES = 3
"""How often an engine may select a move that is not possible, in one turn."""
Offer = Callable[[Role, Move], bool]
"""Makes a player's move; True if that completes the turn. Raises `CommandError` if it is not possible."""


@dataclass(slots=True)
class Asked:
    """A move that an engine has to select, or a human player whose clock runs."""

    began: float
    due: float
    tries: int = 0
    """Moves of an engine that were not possible."""
    is_told: bool = True
    """False for an engine that will hear of it when it has taken in what happened before."""
    is_again: bool = False
    """True for an engine that is asked again, whose clock runs on while it takes that in."""


class Questions:
    """The players that have to move: engines that were asked, and people with a clock."""

    def __init__(self, output: Output, options: o.RuleOptions, seats: Seats, offer: Offer) -> None:
        self._output = output
        self._options = options
        self._seats = seats
        self._offer = offer
        self.clocks = Clocks()
        """The time that each player has used."""
        self._asked: dict[Role, Asked] = {}

    @property
    def has_asked_engines(self) -> bool:
        """True if an engine has to play."""
        return any(role in self._seats.links for role in self._asked)

    def control(self, role: Role) -> TimeControl:
        """The time control of a player: its own, or the common one."""
        options = self._options
        everybodys = TimeControl(float(options[o.MOVE_TIME]), float(options[o.GAME_TIME]))
        return self.clocks.own.get(role, everybodys)

    def delay(self, play: Play, role: Role) -> float | None:
        """Seconds that a player has for its next move; None if there is no limit."""
        return self.clocks.delay(play, role, self.control(role))

    def withdraw(self) -> None:
        """Withdraw all questions; the time used on the turn does not count."""
        self._asked.clear()
        self.clocks.withdraw_turn()

    def excuse(self, role: Role) -> None:
        """Withdraw the question to a player, who was moved for or replaced."""
        self._asked.pop(role, None)

    def end_turn(self, play: Play) -> None:
        """Stop all clocks at the end of a turn."""
        for role in list(self._asked):
            self.stop(role)
        self.clocks.end_turn(play)

    def stop(self, role: Role) -> Asked | None:
        """Stop the clock of a player who answered; returns its question, if any."""
        asked = self._asked.pop(role, None)
        if asked is not None and (asked.is_told or asked.is_again):
            self.clocks.add(role, time.monotonic() - asked.began)
        return asked

    def watch_people(self, play: Play) -> None:
        """Start the clocks of human players that are to move and have one."""
        now = time.monotonic()
        for role in play.waiting_for:
            if role not in self._asked and role not in self._seats.links:
                delay = self.delay(play, role)
                if delay is not None:
                    self._asked[role] = Asked(now, now + delay + GRACE)

    def ask_all(self, play: Play) -> bool:
        """Ask all engines that are to move; True if a turn was completed for a lost one."""
        for role in play.waiting_for:
            link = self._seats.links.get(role)
            if link is None or role in self._asked:
                continue
            if (link.failure or not self._ask(play, role, 0)) and self._replace(play, role, link.failure):
                return True
        return False

    def _ask(self, play: Play, role: Role, tries: int, due: float | None = None) -> bool:
        """Ask an engine, at once or when it has caught up; False if it is lost.

        An engine that is asked again, after a move that was not possible, has no more time: it stays ``due``.
        """
        link = self._seats.links[role]
        if play.game.hidden or POSSIBLE_MOVES in link.capabilities:
            self._seats.announce(role, f"possible_moves {format_list(play.legal[role])}")
        if link.failure:
            return False
        if not link.is_behind:
            return self._have_to_play(play, role, tries, due)
        now = time.monotonic()
        self._asked[role] = Asked(now, due or now + ANSWER_TIME, tries, False, bool(due))
        return True

    def _have_to_play(self, play: Play, role: Role, tries: int, due: float | None = None) -> bool:
        delay = self.delay(play, role)
        line = "have_to_play" if delay is None else f"have_to_play {delay:g}"
        if self._options[o.SHOW_ENGINES]:
            self._output.inform(f"[{word(role)}] {line}")
        now = time.monotonic()
        self._asked[role] = Asked(now, due or now + (PATIENCE if delay is None else delay + GRACE), tries)
        try:
            self._seats.links[role].tell(line)
        except EngineError:
            del self._asked[role]
            self._seats.report_lost(role)
            return False
        return True

    def _replace(self, play: Play, role: Role, reason: str) -> bool:
        """Make a random move for a player that failed; True if that completes the turn."""
        move = substitute(play.seed, play.next_number, role, play.legal[role])
        name = self._seats.engine_name(role)
        self._output.inform(f"{name} fails ({reason}); a random move is made for {word(role)}")
        return self._offer(role, move)

    def take(self, play: Play, role: Role, event: Selected | CaughtUp | Lost) -> None:
        """Process an event of a player's engine."""
        if isinstance(event, Selected):
            self._select(play, role, event.move)
        elif isinstance(event, CaughtUp):
            self._go_on(play, role)
        elif self.stop(role) is not None:
            self._replace(play, role, event.reason)

    def _go_on(self, play: Play, role: Role) -> None:
        """Ask an engine that has caught up."""
        asked, link = self._asked.get(role), self._seats.links[role]
        if asked is None or asked.is_told or link.is_behind:
            return
        if asked.is_again:
            self.stop(role)
        if not self._have_to_play(play, role, asked.tries, asked.due if asked.is_again else None):
            self._replace(play, role, link.failure)

    def _select(self, play: Play, role: Role, move: str) -> None:
        if self._options[o.SHOW_ENGINES]:
            self._output.inform(f"[{word(role)}] <- select_move {shown(move)}")
        asked = self.stop(role)
        if asked is None:
            return
        try:
            self._offer(role, move)
        except CommandError as error:
            self._seats.announce(role, f"illegal_move {move}\t{error}")
            is_timed = self.delay(play, role) is not None
            if is_timed and time.monotonic() >= asked.due - GRACE:
                self._replace(play, role, "too late, and its move was not possible")
            elif asked.tries + 1 >= MOST_TRIES or not self._ask(play, role, asked.tries + 1, asked.due):
                self._replace(play, role, f"{MOST_TRIES} moves were not possible")

    def replace_late(self, play: Play, now: float, *, people: bool) -> None:
        """Make random moves for engines, and optionally people, whose time was up at a moment."""
        for role in [role for role, asked in self._timed_players(people) if asked.due <= now]:
            if self._may_be_slow(role):
                continue
            asked = self.stop(role)
            if asked is not None:
                is_late = asked.is_told or asked.is_again
                self._replace(play, role, "too late" if is_late else self._give_up(role))

    def _may_be_slow(self, role: Role) -> bool:
        """True for an engine that has not heard of its question since it still gets ready; it is waited for."""
        asked, link = self._asked[role], self._seats.links.get(role)
        if link is None or asked.is_told or asked.is_again or link.patience <= 0:
            return False
        asked.due = time.monotonic() + min(ANSWER_TIME, link.patience)
        return True

    def _give_up(self, role: Role) -> str:
        """Give up an engine that does not acknowledge; returns the reason."""
        link = self._seats.links[role]
        link.fail(f"it has acknowledged nothing for {ANSWER_TIME:g} s")
        return link.failure

    def timeout(self, *, people: bool) -> float | None:
        """Seconds until the next engine, or optionally person, is late; None if none can be."""
        due = [asked.due for _, asked in self._timed_players(people)]
        return max(0.0, min(due) - time.monotonic()) if due else None

    def _timed_players(self, people: bool) -> list[tuple[Role, Asked]]:
        return [(role, asked) for role, asked in self._asked.items() if people or role in self._seats.links]

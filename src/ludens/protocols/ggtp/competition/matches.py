"""The running matches of a competition: each in a thread, with its own Rules and borrowed engines."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ludens.arena.specification import ScheduledMatch
from ludens.core import BEST_GOAL, LudensError, Role
from ludens.protocols.ggtp.chosen_rule import ChosenRule
from ludens.protocols.ggtp.competition.game import CompetitionState
from ludens.protocols.ggtp.engines.link import EngineLink, Lost
from ludens.protocols.ggtp.inbox import Inbox, MatchOver
from ludens.protocols.ggtp.language import options as o
from ludens.protocols.ggtp.language.output import Output
from ludens.protocols.ggtp.plays.play import Play
from ludens.protocols.ggtp.seats import Seats
from ludens.protocols.ggtp.steps import Steps

FAREWELL = 5.0
"""Seconds for a match to end after it is cancelled."""
MOST_NOTES = 3
"""Lines about a match that the Supervisor reads; an engine that is lost fails in every turn."""
PASSED_ON = (o.MOVE_TIME, o.GAME_TIME, o.TURN_LIMIT, o.MESSAGES)
"""Options of the Rules that hold in the matches, too."""


class MatchRules(Protocol):
    """The Rules of one match, as far as a competition needs them."""

    inbox: Inbox
    options: o.RuleOptions
    seats: Seats
    finished: bool

    def set_rule(self, rule: ChosenRule) -> None:
        """Play by a rule."""

    def seat(self, role: Role, link: EngineLink, rule: ChosenRule) -> Steps[None]:
        """Let an engine play a player."""

    def complete(self, steps: Steps[None]) -> None:
        """Wait until something is done that engines are asked for."""

    def start(self) -> None:
        """Begin a play."""

    def go_on(self) -> None:
        """Advance the play as far as it goes by itself."""

    def wait(self) -> None:
        """Wait until no engine has to move."""

    def need_play(self) -> Play:
        """The play."""

    def release(self) -> None:
        """Release all engines."""


MakeRules = Callable[[Callable[[str], None], Inbox, int], MatchRules]
"""Makes Rules for one match, given the reader of their output, their inbox and the seed."""


@dataclass(slots=True)
class _Running:
    """A match that is being played."""

    match: ScheduledMatch
    rules: MatchRules
    thread: threading.Thread
    notes: list[str] = field(default_factory=list)
    """Reports of the match's Rules about failing engines."""


class Matches:
    """The running matches. While a match has an engine, nothing else uses it."""

    def __init__(
        self, output: Output, options: o.RuleOptions, seats: Seats, inbox: Inbox, make_rules: MakeRules
    ) -> None:
        self._output = output
        self._options = options
        self._seats = seats
        self._inbox = inbox
        self._make_rules = make_rules
        self._running: dict[str, _Running] = {}

    @property
    def is_playing(self) -> bool:
        """True if a match is under way."""
        return bool(self._running)

    def begin(self, state: CompetitionState, seed: int) -> bool:
        """Start due matches between free engines, up to the limit.

        True if there is one now; results of matches in which a player is human are left to people.
        """
        for match in state.due:
            players = match.seats
            is_possible = all(player in self._seats.links and player not in self._seats.away for player in players)
            if len(self._running) < state.game.parallel and is_possible:
                self._begin(match, state, seed)
        return self.is_playing

    def _begin(self, match: ScheduledMatch, state: CompetitionState, seed: int) -> None:
        notes: list[str] = []
        own = (match.seed(state.game.specification) ^ seed) or 1
        rules = self._make_rules(notes.append, Inbox(), own)
        rules.options.values |= {name: self._options[name] for name in PASSED_ON}
        links = [self._seats.links[player] for player in match.seats]
        thread = threading.Thread(
            target=self._play,
            args=(match, state.game.matches, rules, links, notes),
            name=f"match {match.name}",
            daemon=True,
        )
        self._running[match.name] = _Running(match, rules, thread, notes)
        for player in match.seats:
            self._seats.away[player] = match.name
        thread.start()

    def _play(
        self,
        match: ScheduledMatch,
        rule: ChosenRule,
        rules: MatchRules,
        links: Sequence[EngineLink],
        notes: list[str],
    ) -> None:
        """Play a match to its end, in its own thread."""
        lost_before = [link for link in links if link.failure]
        try:
            goals = _goals(rule, rules, links)
        except LudensError as error:
            notes.append(f"-> error: {error}")
            goals = _forfeit_goals(links)
        finally:
            rules.release()
        for link in links:
            link.inbox = self._inbox
            if link.failure and link not in lost_before:
                self._inbox.put(Lost(link, link.failure))
        self._inbox.put(MatchOver(match, goals))

    def finish(self, event: MatchOver) -> bool:
        """Return the engines of a finished match; False if it was cancelled before."""
        running = self._running.get(event.match.name)
        if running is None or running.match is not event.match:
            return False
        del self._running[event.match.name]
        for player in event.match.seats:
            self._seats.away.pop(player, None)
        for note in running.notes[:MOST_NOTES]:
            self._output.inform(f"{event.match.name}: {note.removeprefix('->').strip()}")
        if len(running.notes) > MOST_NOTES:
            self._output.inform(f"{event.match.name}: {len(running.notes) - MOST_NOTES} more of the kind")
        return True

    @property
    def is_running(self) -> bool:
        """True if a match is being played."""
        return bool(self._running)

    def give_up(self, due: Sequence[ScheduledMatch] = ()) -> None:
        """Cancel all matches that are not due any more, and return their engines."""
        given_up = [running for running in self._running.values() if running.match not in due]
        for running in given_up:
            running.rules.finished = True
            running.rules.inbox.put(MatchOver(running.match, ()))  # wakes it up
        for running in given_up:
            running.thread.join(FAREWELL)
            del self._running[running.match.name]
            for player in running.match.seats:
                self._seats.away.pop(player, None)


def _goals(rule: ChosenRule, rules: MatchRules, links: Sequence[EngineLink]) -> tuple[int, ...]:
    """Play a match between engines; returns their goals."""
    if any(link.failure for link in links):
        return _forfeit_goals(links)
    rules.set_rule(rule)
    for role, link in zip(rule.game.roles, links, strict=True):
        link.inbox = rules.inbox
        rules.complete(rules.seat(role, link, rule))
    rules.start()
    rules.options.set(o.GENMOVE, o.ON)
    rules.go_on()
    rules.wait()
    goals = rules.need_play().state.goals
    return tuple(goals[role] for role in rule.game.roles)


def _forfeit_goals(links: Sequence[EngineLink]) -> tuple[int, ...]:
    """The goals of a match that cannot be played: lost engines get 0, and the others share the rest."""
    present = sum(not link.failure for link in links)
    return tuple(0 if link.failure else BEST_GOAL // present for link in links)

"""The Rules: one play with its players and options, announced to engines and shown to the Supervisor."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from pathlib import Path
from random import SystemRandom
from typing import Any, TypeVar

from ludens.core import LudensError, Move, Role
from ludens.protocols.ggtp.chosen_rule import ChosenRule
from ludens.protocols.ggtp.competition.game import CompetitionState
from ludens.protocols.ggtp.competition.matches import Matches
from ludens.protocols.ggtp.engines.link import EngineEvent, EngineLink, Lost, Said, Warned
from ludens.protocols.ggtp.guests.arrivals import receive, remove_guest
from ludens.protocols.ggtp.guests.lobby import Guest, Lobby
from ludens.protocols.ggtp.guests.people import People
from ludens.protocols.ggtp.inbox import Answered, Arrived, Event, Inbox, Left, Line, MatchOver
from ludens.protocols.ggtp.language import options as o
from ludens.protocols.ggtp.language.grammar import CommandError, match_name, shown, word
from ludens.protocols.ggtp.language.output import Output
from ludens.protocols.ggtp.language.wording import moves_text, result_text, table_text
from ludens.protocols.ggtp.network.hello import PLAYER
from ludens.protocols.ggtp.plays.messages import add_message, message_text
from ludens.protocols.ggtp.plays.play import Play, PlayedTurn
from ludens.protocols.ggtp.plays.playfile import Recorder
from ludens.protocols.ggtp.plays.restore_commands import restore_commands
from ludens.protocols.ggtp.questions import Questions
from ludens.protocols.ggtp.seats import Connect, Seats
from ludens.protocols.ggtp.steps import Steps, Task

_Result = TypeVar("_Result")
FAREWELL = 1.0
"""Seconds for sending the last lines to guests at the end."""
MOST_AUTOMATIC = 10_000
"""The most turns in a row without a choice; beyond that the rule is assumed to wait forever."""


class Session:
    """One Supervisor's Rules. Commands (`handlers`) call it; `write` gets each line that the Supervisor reads."""

    def __init__(
        self, write: Callable[[str], None], inbox: Inbox, connect: Connect, *, backend: str = "auto", seed: int = 0
    ) -> None:
        self.inbox = inbox
        self.backend = backend
        self.output = Output(write)
        """The Supervisor's output."""
        self.options = o.RuleOptions()
        """The options of the Rules."""
        self.options.values[o.SEED] = seed
        self.rule: ChosenRule | None = None
        """The rule, once it is chosen."""
        self.play: Play | None = None
        """The play, once it has begun."""
        self.lobby = Lobby()
        """The remote guests and engines."""
        self.seats = Seats(self.output, self.options, inbox, connect)
        """Who plays whom."""
        self.questions = Questions(self.output, self.options, self.seats, self._offer)
        """Players that have to move, and their clocks."""
        self.matches = Matches(
            self.output,
            self.options,
            self.seats,
            inbox,
            lambda write, own_inbox, own_seed: Session(write, own_inbox, connect, backend=backend, seed=own_seed),
        )
        """Matches that are being played, if the rule is a competition."""
        self.paused = False
        """True after ``undo`` and ``redo``: engines are not asked until something else happens in the play."""
        self.recorder: Recorder | None = None
        """The play file that is being written."""
        self.serve: Callable[[Line], None] = lambda line: None
        """Executes a guest's line; set by the reader of lines."""
        self.finished = False
        """True once the Supervisor has left."""
        self._tasks: list[Task[Any]] = []

    def interrupt(self) -> bool:
        """Stop what is running: engines are not asked any more until the next command; False if nothing was."""
        if not (self.questions.has_asked_engines or self.matches.is_running or self._tasks):
            return False
        self._stop_tasks("Stopped.")
        self.paused = True
        self.questions.withdraw()
        self.matches.give_up()
        self.seats.forget_moves()
        self.output.inform("stopped; genmove goes on")
        return True

    @property
    def people(self) -> People:
        """Guests who play."""
        return self.seats.people

    # Rule and players

    def need_rule(self) -> ChosenRule:
        """The rule. Raises `CommandError` if none is chosen."""
        if self.rule is None:
            raise CommandError("No rule is set. Use set_rule to choose one.")
        return self.rule

    def need_play(self) -> Play:
        """The play. Raises `CommandError` if it has not begun."""
        self.need_rule()
        if self.play is None:
            raise CommandError("The play has not begun. Use start to begin it.")
        return self.play

    def role(self, text: str) -> Role:
        """The player that a text names. Raises `CommandError` if there is none."""
        roles = self.need_rule().game.roles
        found = match_name(text, roles)
        if found is None:
            raise CommandError(f"No player named {shown(text)} (players: {', '.join(map(word, roles))}).")
        return found

    def set_rule(self, rule: ChosenRule) -> None:
        """Play by another rule: the play so far ends, and the engines leave."""
        self._end_play()
        self.seats.clear()
        self.questions.clocks.own.clear()
        self.rule = rule
        self.seats.in_competition = rule.is_competition

    def change_rule(self, rule: ChosenRule) -> None:
        """Play by the same rule with other options: the play so far ends, the engines stay."""
        self._end_play()
        self.rule = rule
        self.seats.keep(rule)

    def _end_play(self) -> None:
        self.matches.give_up()
        self.play = None
        self.questions.withdraw()
        self.seats.forget_moves()

    def connect(self, role: Role, name: str) -> Steps[None]:
        """Let an engine play a player, or a guest. Raises `CommandError` if it cannot."""
        rule = self.need_rule()
        self.seats.need_here(role)
        guest = self.lobby.find(name)
        if isinstance(guest, Guest):
            self._seat_guest(role, guest, rule)
            return
        yield from self.seat(role, self.seats.open(name) if guest is None else guest, rule)
        self.questions.excuse(role)
        if self.play is not None:
            self.seats.catch_up(role, self.play)

    def seat(self, role: Role, link: EngineLink, rule: ChosenRule) -> Steps[None]:
        """Introduce an engine to a rule, and let it play a player. Raises `CommandError` if it cannot."""
        yield from self.seats.introduce(role, link, rule)
        if self.rule is not rule or role in self.seats.away:
            self.seats.part(link)
            raise CommandError(f"Engine {link.name} was ready too late: the rule or the players have changed.")
        self.seats.seat(role, link)

    def _seat_guest(self, role: Role, guest: Guest, rule: ChosenRule) -> None:
        """Let a guest play a player, and send it the play so far. Raises `CommandError` if it is not a player."""
        if guest.kind != PLAYER:
            raise CommandError(f"{guest.name} is {guest.kind}, and does not play.")
        before = self.people.role_of(guest)
        if before is not None:
            self.disconnect(before)
        self.disconnect(role)
        self.people.seat(role, guest, rule)
        if self.play is not None:
            for number in self.play.line:
                self.people.tell_turn(self.play.turns[number], role)
            self.tell_position(role)

    def disconnect(self, role: Role) -> None:
        """Let a player be human."""
        self.seats.need_here(role)
        self.seats.disconnect(role)
        self.questions.excuse(role)

    # The play

    def start(self) -> None:
        """Begin a play."""
        rule = self.need_rule()
        self._end_play()
        seed = int(self.options[o.SEED]) or SystemRandom().randrange(2**31)
        self.play = Play(rule.game, seed)
        self.questions.clocks.begin()
        self.paused = False
        self.seats.start()
        self.people.tell("the play begins")
        self._show_position()
        self.record()

    def _offer(self, role: Role, move: Move) -> bool:
        turn = self.need_play().offer(role, move)
        if turn is not None:
            self.show_turn(turn)
        return turn is not None

    def show_turn(self, turn: PlayedTurn) -> None:
        """Show a turn that was played, and announce it to the engines."""
        self.paused = False
        if self.options[o.SHOW_WHEN_PLAY]:
            for role, move in turn.steps:
                reason = turn.refusal(role)
                refused = "" if reason is None else f", which is refused: {reason}"
                self.output.inform(f"{word(role)} plays {move}{refused}")
        self.questions.end_turn(self.need_play())
        self.seats.tell_turn(turn)
        self.people.tell_turn(turn)
        self._show_position()
        self.record()

    def say(self, sender: Role, to: str, text: str) -> None:
        """Send a player's message to others. Raises `CommandError` if that is not allowed."""
        play = self.need_play()
        if not (play.game.messages or self.options[o.MESSAGES]):
            raise CommandError("The rule does not let players talk; set_option messages on allows it.")
        message = add_message(play, sender, to, text)
        if self.options[o.SHOW_MESSAGES]:
            self.output.inform(message_text(message))
        self.seats.tell_message(message)
        self.people.tell_message(message)
        self.record()

    def undo(self) -> None:
        """Take a move back."""
        turns = self.need_play().undo()
        self._step("Undoing a move", lambda: self.seats.tell_step("undone_move", len(turns)))

    def redo(self) -> None:
        """Make a move again."""
        play = self.need_play()
        was_undone = bool(play.undone)
        turns = play.redo()
        if was_undone:
            self._step("Redoing a move", lambda: self.seats.tell_step("redone_move", len(turns)))
        else:
            self._step("Redoing a move", lambda: self.seats.tell_turns(turns))

    def select(self, number: int) -> None:
        """Go to a turn of any branch."""
        back, turns = self.need_play().select(number)

        def tell() -> None:
            self.seats.tell_step("undone_move", back)
            self.seats.tell_turns(turns)

        self._step(f"Going to {number}", tell)

    def _step(self, what: str, tell: Callable[[], None]) -> None:
        """Announce a jump in the play to the engines, which then wait for a move or ``genmove``."""
        if self.options[o.SHOW_WHEN_PLAY]:
            self.output.inform(what)
        self.paused = True
        self.questions.withdraw()
        tell()
        self.people.tell(what)
        play = self.need_play()
        if self.options[o.SHOW_WHEN_PLAY] and play.current in play.comments:
            self.output.inform(f"# {play.comments[play.current]}")
        self._show_position()
        self.record()

    def _show_position(self) -> None:
        play = self.need_play()
        if self.options[o.SHOW_TABLE]:
            self.output.inform(table_text(play.state))
        if self.options[o.SHOW_MOVES] and play.to_move:
            self.output.inform(moves_text({role: play.legal[role] for role in play.to_move}))
        if self.options[o.SHOW_RESULTS] and self.is_over:
            self.output.inform(result_text(play.state))
        self.tell_position()

    def tell_position(self, role: Role | None = None) -> None:
        """Send guests who play, or one of them, their legal moves."""
        play = self.need_play()
        delays = {player: self.questions.delay(play, player) for player in self.people.guests}
        self.people.tell_position(play, delays, role)

    # Automatic progress

    @property
    def is_over(self) -> bool:
        """True if the play has ended, by its rule or by the turn limit."""
        play, limit = self.need_play(), int(self.options[o.TURN_LIMIT])
        return play.state.is_terminal or (limit > 0 and len(play.line) >= limit)

    def need_unfinished_play(self) -> Play:
        """The play. Raises `CommandError` if it has not begun, or the turn limit has ended it."""
        play = self.need_play()
        if self.is_over and not play.state.is_terminal:
            raise CommandError(f"The play was stopped after {len(play.line)} turns; set_option turn_limit allows more.")
        return play

    def go_on(self) -> None:
        """Advance the play: play turns without a choice, ask engines if genmove is on, start clocks."""
        if self.play is not None and isinstance(self.play.state, CompetitionState):
            self.matches.give_up(self.play.state.due)
        for _ in range(MOST_AUTOMATIC):
            play = self.play
            if play is None or self.paused or self.is_over:
                return
            if play.is_automatic:
                self.show_turn(play.advance())
            elif not (self.options[o.GENMOVE] and self.ask_engines(play)):
                if not self.seats.in_competition:
                    self.questions.watch_people(play)
                return
        raise CommandError(f"Nobody could do anything for {MOST_AUTOMATIC:,} turns; the rule is at fault.")

    def ask_engines(self, play: Play) -> bool:
        """Ask all engines that are to move, or start matches; True if a turn was played at once."""
        if not isinstance(play.state, CompetitionState):
            return self.questions.ask_all(play)
        self.matches.begin(play.state, play.seed)
        return False

    def handle(self, event: Event) -> None:
        """Process an event: of an engine, a finished match, an arrival or a departure."""
        if isinstance(event, MatchOver):
            self._take_result(event)
        elif isinstance(event, Answered):
            event.take()
        elif isinstance(event, Arrived):
            receive(event.guest, self.lobby, self.output)
        elif isinstance(event, Left):
            remove_guest(event.guest, self.lobby, self.output, self.people)
        else:
            self._handle_engine(event)

    def _take_result(self, event: MatchOver) -> None:
        """Play the result of a finished match as a move, unless the play has changed."""
        play, match = self.play, event.match
        if not self.matches.finish(event) or play is None or not isinstance(play.state, CompetitionState):
            return
        if match in play.state.due:
            turn = play.force(match.seats[0], " ".join([match.name, *map(str, event.goals)]))
            assert turn is not None
            self.show_turn(turn)
        self.go_on()

    def _handle_engine(self, event: EngineEvent) -> None:
        role = self.seats.role_of(event.link)
        if isinstance(event, Lost):
            remove_guest(event.link, self.lobby, self.output, self.people)
        if role is None:
            return
        if isinstance(event, Said):
            with contextlib.suppress(CommandError):  # forbidden messages are dropped
                self.say(role, event.to, event.text)
            return
        if isinstance(event, Warned):
            self.output.inform(f"{event.link.name} of {word(role)}: {event.text}")
            return
        if isinstance(event, Lost):
            self.seats.report_lost(role)
        if self.play is not None:
            self.questions.take(self.play, role, event)
        self.go_on()

    def late(self, now: float, *, people: bool = True) -> None:
        """Make random moves for players whose time was up at a moment, and give up engines that owe an answer."""
        for task in self._running_tasks():
            task.give_up_if_late(now)
        if self.play is not None:
            self.questions.replace_late(self.play, now, people=people)
        self.go_on()

    def wait(self, *, guests: bool = False) -> None:
        """Wait until no engine, or optionally guest, has to move."""
        while not self.finished and (self._has_engine_to_move or (guests and self._has_guest_to_move)):
            self._attend(self.timeout(people=guests), people=guests)

    @property
    def _has_engine_to_move(self) -> bool:
        return self.questions.has_asked_engines or self.matches.is_playing

    @property
    def _has_guest_to_move(self) -> bool:
        play = self.play
        if play is None or self.paused or self.is_over:
            return False
        return any(role in self.people.guests for role in play.waiting_for)

    def _attend(self, timeout: float | None, *, people: bool) -> None:
        """Process the next event, except lines of this process's Supervisor."""
        with self.inbox.interruptible(False):
            try:
                item = self.inbox.get(timeout, local=False)
            except KeyboardInterrupt:
                if not self.interrupt():
                    raise
                return
            if item is None:
                self.late(time.monotonic(), people=people)
            elif isinstance(item, Line):
                self.serve(item)
            else:
                self.handle(item)

    # Commands that ask engines

    def begin(
        self, steps: Steps[_Result], done: Callable[[_Result], None], failed: Callable[[LudensError], None]
    ) -> None:
        """Carry out a command as far as it goes, and the rest when engines have answered."""
        task = Task(steps, self.inbox, done, failed)
        self._tasks = [*self._running_tasks(), *([] if task.is_over else [task])]

    def complete(self, steps: Steps[_Result]) -> _Result:
        """The result of a command; guests are served meanwhile. Raises its error."""
        found: list[_Result] = []
        errors: list[LudensError] = []
        self.begin(steps, found.append, errors.append)
        while not (found or errors):
            if self.finished:
                raise CommandError("The Rules have ended.")
            self._attend(self.timeout(people=True), people=True)
        if errors:
            raise errors[0]
        return found[0]

    def timeout(self, *, people: bool) -> float | None:
        """Seconds until an engine, or optionally a person, is late; None if nobody can be."""
        due = min((task.due for task in self._running_tasks()), default=math.inf)
        left = [] if due == math.inf else [max(0.0, due - time.monotonic())]
        move = self.questions.timeout(people=people)
        return min([*left, *([] if move is None else [move])], default=None)

    def _running_tasks(self) -> list[Task[Any]]:
        self._tasks = [task for task in self._tasks if not task.is_over]
        return self._tasks

    def _stop_tasks(self, reason: str) -> None:
        for task in self._running_tasks():
            task.stop(reason)

    # Guests

    def wait_for(self, name: str, seconds: float) -> bool:
        """Wait until a guest is connected; False after the timeout."""
        until = time.monotonic() + seconds
        while self.lobby.find(name) is None and not self.finished:
            left = until - time.monotonic()
            if left <= 0:
                return False
            due = self.timeout(people=False)
            self._attend(left if due is None else min(left, due), people=False)
        return True

    # Files and the end

    def save(self, path: Path) -> None:
        """Write the play to a file, and keep it up to date."""
        self.recorder = Recorder(path, self._commands())

    def record(self) -> None:
        """Bring the play file up to date, if there is one."""
        if self.recorder is not None:
            try:
                self.recorder.update(self._commands())
            except CommandError as error:
                self.recorder = None
                self.output.inform(f"the play file is closed: {error}")

    def _commands(self) -> list[str]:
        return restore_commands(self.options, self.rule, self.seats, self.questions, self.play)

    def release(self) -> None:
        """Release all engines and drop the play, so that its states are freed at once."""
        self.seats.release()
        self.play = None

    def close(self) -> None:
        """Disconnect all engines."""
        self.finished = True
        self._stop_tasks("The Rules have ended.")
        self.questions.withdraw()
        self.matches.give_up()
        self.seats.clear()
        self.lobby.close(FAREWELL)

"""One match in a worker: runs the Referee, writes the record, and sends each audience what it may know."""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ludens
from ludens.core import NO_CLOCK, Clock, Deadline, Decision, Game, LudensError, Player, Role, View
from ludens.players import make_player
from ludens.players.human import HumanPlayer, Question
from ludens.referee import Event, Match, MatchEnded, MatchStarted, PlayerThinking, RecordWriter, TakenBack, TurnPlayed
from ludens.referee.reading import Record, read_record
from ludens.web.hosting.presentation import Presentation, drawn_cause
from ludens.web.hosting.setup import HUMAN, Seat, Setup, new_seed
from ludens.web.hosting.slots import Queues, Slot, Slots

Send = Callable[[dict[str, Any]], None]
"""Where messages go; may be called from any thread."""
ADVISER = "auto"
"""Who gives hints."""
HINT_CLOCK = Clock(play=1.0, start=2.0)
LARGEST_TREE = 32
"""Megabytes of a player's tree, if there are few matches."""
_STEPS = (MatchStarted, TurnPlayed, TakenBack, MatchEnded)
"""Events that cancel all questions."""
_QUICK = frozenset({HUMAN, "random", "legal"})
"""Players that need no slot."""
_SPARE = 0.5
"""Seconds beyond the clock for which a slot is held, for answers in transit."""
_NUMBER_BITS = 51
"""Random bits of a question's number."""
_THINKING_INTERVAL = 0.5
"""Seconds between two reports of one search that are passed on."""


@dataclass(slots=True)
class _Wish:
    """A person's wish to take a move back, which others have to agree to."""

    role: Role
    question: int
    """The question that the person was asked."""
    number: int
    undecided: set[Role]


class Table:
    """A running match, with its own threads. All methods but `run` return at once."""

    def __init__(self, setup: Setup, folder: Path, send: Send, queues: Queues, megabytes: int = LARGEST_TREE) -> None:
        self.setup = setup
        self._megabytes = megabytes
        self._queues = queues
        self._folder = folder
        self._send = send
        self._match: Match | None = None
        self._presentation: Presentation | None = None
        self._questions: dict[Role, tuple[int, Question]] = {}
        self._wish: _Wish | None = None
        self._advised: set[Role] = set()
        self._reported: dict[Role, float] = {}
        self._lock = threading.Lock()
        self._stopping = self._closing = False

    def run(self, load: Callable[[], Game]) -> None:
        """Play the match to its end, or until `close`."""
        try:
            game = load()
            if self._closing:
                return
            record = self._record()
            if set(self.setup.seats) != set(game.roles):
                raise LudensError(f"the roles of {game.name} are {', '.join(game.roles)}")
            self._presentation = Presentation(game, self.setup.people)
            self._send({"kind": "loaded"})
            if record is not None and record.end is not None:
                self._show_again(game, record)
            else:
                self._play(game, record)
        except LudensError as error:
            self._fail(str(error))
        except OSError as error:  # the disk is full, or gone; earlier turns are stored
            if not self._closing:
                self._send({"kind": "unwritten", "message": error.strerror or str(error)})
        except Exception as error:  # rules may raise anything; the other matches of this process continue
            self._fail(f"{type(error).__name__}: {error}")

    def _fail(self, message: str) -> None:
        """Send the error, without paths of this machine."""
        if not self._closing:
            self._send({"kind": "failed", "message": message.replace(f"{self._folder}{os.sep}", "")})

    def _record(self) -> Record | None:
        """The record so far, from before a restart."""
        paths = sorted(self._folder.glob("*.jsonl"))
        return read_record(paths[0]) if paths and paths[0].stat().st_size else None

    def _play(self, game: Game, record: Record | None) -> None:
        match = self._match = Match(
            game,
            {role: self._make_player(seat.player) for role, seat in self.setup.seats.items()},
            {role: seat.clock for role, seat in self.setup.seats.items()},
            self.setup.seed,
            take_back=self.setup.undo,
            ponder=False,  # people may think for days
            resumed=record,
        )
        if self._stopping:
            match.stop()
        for player in match.players.values():
            if isinstance(player, HumanPlayer):
                player.connect(self._ask)
        if record is None:
            writer = RecordWriter(self._folder, ludens.__version__)
            self._show_position(match)
        else:
            writer = RecordWriter.resume(record.path, ludens.__version__)
        last = record.last if record is not None else 0
        events, slot = match.events(), self._starting_slot()
        try:
            while (event := next(events, None)) is not None and not self._closing:
                writer.write(event)
                self._show(event, last)
                if isinstance(event, _STEPS):
                    slot = self._next_slot(slot, match, event, is_before=_is_before(event, last))
        finally:
            slot.release()
            writer.close()

    def _starting_slot(self) -> Slot:
        return self._slot_for([seat.clock.start for seat in _searching(self.setup.seats.values())])

    def _next_slot(self, slot: Slot, match: Match, event: Event, *, is_before: bool) -> Slot:
        """The slot for the players that will choose after an event, in place of the last one."""
        state, seats = match.state, self.setup.seats
        is_over = state.is_terminal
        choosing = [] if is_over else [seat for role, seat in seats.items() if len(state.legal_moves(role)) > 1]
        searching = _searching(choosing)
        waits_for_people = not searching and any(seat.player == HUMAN for seat in choosing)
        if isinstance(event, MatchStarted) and waits_for_people and _searching(seats.values()):
            return slot  # others are still starting; it expires
        slot.release()
        return slot if is_before or is_over or waits_for_people else self._slot_for([s.clock.play for s in searching])

    def _slot_for(self, searches: Sequence[float]) -> Slot:
        """A slot for searches of so many seconds, or for a turn without any."""
        return self._wait_for(self._queues.searches, max(searches)) if searches else self._wait_for(self._queues.quick)

    def _wait_for(self, slots: Slots, seconds: float = 0.0) -> Slot:
        return slots.take(seconds + _SPARE, urgent=bool(self.setup.people), gone=lambda: self._closing)

    def _show(self, event: Event, last: int) -> None:
        """Send an event to all audiences; of earlier turns only the last is drawn."""
        assert self._match is not None
        assert self._presentation is not None
        match event:
            case TurnPlayed():
                with self._lock:
                    self._questions.clear()
                    self._wish = None
                self._presentation.turn(event)
                if not event.earlier or event.id == last:
                    self._show_position(self._match)
            case TakenBack():
                self._presentation.take_back(event)
                self._show_position(self._match)
            case PlayerThinking():
                self._show_thinking(event)
            case MatchEnded():
                self._send_end(event.as_json())

    def _show_position(self, match: Match) -> None:
        assert self._presentation is not None
        self._send({"kind": "position", "at": time.time(), "shown": self._presentation.position(match.state)})

    def _show_thinking(self, event: PlayerThinking) -> None:
        """Searches are shown to spectators, and only in games without hidden information: a search knows its role's
        secrets, and its next move is a secret from a person who moves at the same time and may be watching."""
        assert self._match is not None
        assert self._presentation is not None
        now = time.monotonic()
        if self._match.game.hidden or now - self._reported.get(event.role, 0.0) < _THINKING_INTERVAL:
            return
        if any(len(self._match.state.legal_moves(role)) > 1 for role in self.setup.people):
            return
        self._reported[event.role] = now
        shown = self._presentation.thinking(self._match.state, event.role, event.thinking)
        self._send({"kind": "thinking", "at": time.time(), "thinking": shown})

    def _show_again(self, game: Game, record: Record) -> None:
        """Send the end of a match that finished just before a restart."""
        assert self._presentation is not None
        assert record.end is not None
        state = game.initial_state()
        for turn in record.line_to(record.last):
            state = state.play(turn.moves)
            self._presentation.turn(
                TurnPlayed(turn.id, turn.parent, turn.moves, turn.chosen, state, percepts=turn.percepts)
            )
        self._send({"kind": "position", "at": time.time(), "shown": self._presentation.position(state)})
        self._send_end(record.end)

    def _send_end(self, end: Mapping[str, Any]) -> None:
        keys = ("goals", "points", "turns", "reason", "forfeited", "finished")
        cause = "" if self._match is None else drawn_cause(self._match.state)
        self._send({"kind": "ended", "cause": cause, **{key: end.get(key) for key in keys}})

    def _ask(self, question: Question) -> None:
        """Send a question to the person; runs in the thread of the person's player."""
        assert self._match is not None
        assert self._presentation is not None
        role = question.view.role
        number = new_number()
        with self._lock:
            self._questions[role] = (number, question)
        has_clock = self.setup.seats[role].clock != NO_CLOCK  # what remains of a race may depend on others' secrets
        message = {
            "question": number,
            "moves": self._presentation.moves(question.view),
            "due": max(0.0, round(question.deadline.remaining(), 1)) if has_clock else None,
            "undo": self._match.can_take_back(role),
        }
        self._send({"kind": "asked", "at": time.time(), "role": role, "asked": message})

    # Orders of people

    def move(self, role: Role, number: int, move: str) -> None:
        """Answer a question with a person's move."""
        question = self._question(role, number)
        if question is None:
            self._note(role, "Too late: the match has moved on.")
        elif move not in question.view.legal_moves:
            self._note(role, "That is not a legal move.")
        else:
            with self._lock:
                self._questions.pop(role, None)
            question.answer(move)

    def undo(self, role: Role, number: int) -> None:
        """Take back a person's last move; where something is hidden, only if all other people agree."""
        if self._question(role, number) is None or self._match is None or not self._match.can_take_back(role):
            self._note(role, "There is no move to take back.")
            return
        others = set(self.setup.people) - {role}
        if not (self._match.game.hidden and others):
            self._take_back(role, number)
            return
        wish = _Wish(role, number, new_number(), others)
        with self._lock:
            self._wish = wish
        self._note(role, "The others are asked whether they agree.")
        for other in others:
            self._send({"kind": "wish", "role": other, "wish": {"from": role, "wish": wish.number}})

    def decide(self, role: Role, number: int, *, agrees: bool) -> None:
        """Agree or disagree with the wish of another person to take a move back."""
        with self._lock:
            wish = self._wish
            if wish is None or wish.number != number or role not in wish.undecided:
                return
            wish.undecided.discard(role)
            is_decided = not agrees or not wish.undecided
            if is_decided:
                self._wish = None
        if not agrees:
            self._note(wish.role, f"{role} does not agree.")
        elif is_decided:
            self._take_back(wish.role, wish.question)

    def _take_back(self, role: Role, number: int) -> None:
        question = self._question(role, number)
        if question is not None:
            with self._lock:
                self._questions.pop(role, None)
            question.take_back()

    def resign(self, role: Role) -> None:
        """Resign for a person."""
        if self._match is not None:
            self._match.resign(role)

    def hint(self, role: Role, number: int) -> None:
        """Send a person a hint: the move that a player would choose."""
        question = self._question(role, number)
        with self._lock:
            if question is None or role in self._advised:
                return
            self._advised.add(role)
        threading.Thread(target=self._advise, args=(role, number, question.view), name="hint", daemon=True).start()

    def stop(self) -> None:
        """Stop the match in the current position."""
        self._stopping = True
        if self._match is not None:
            self._match.stop()

    def close(self) -> None:
        """Leave the match, so that it can continue from its record."""
        self._closing = True
        self.stop()

    def _make_player(self, text: str) -> Player:
        """Make the player of a seat. Without a ``memory`` option its tree is small, since a server has many."""
        player = make_player(text)
        if "memory" in player.settings and "memory=" not in text:
            player.settings["memory"] = self._megabytes
        return player

    def _advice(self, role: Role, view: View) -> Decision:
        slot = self._wait_for(self._queues.searches, HINT_CLOCK.start + HINT_CLOCK.play)
        try:
            player = self._make_player(ADVISER)
            player.start(view.game, role, new_seed(), HINT_CLOCK)  # that of the match would tell secrets
            decision = player.choose(view, Deadline(HINT_CLOCK.play))
            player.stop()
        finally:
            slot.release()
        return decision

    def _question(self, role: Role, number: int) -> Question | None:
        with self._lock:
            question = self._questions.get(role)
        return question[1] if question is not None and question[0] == number else None

    def _note(self, role: Role, text: str) -> None:
        self._send({"kind": "note", "role": role, "text": text})

    def _advise(self, role: Role, number: int, view: View) -> None:
        assert self._presentation is not None
        try:
            decision = self._advice(role, view)
            hint = self._presentation.hint(view, decision)
            self._send({"kind": "hint", "role": role, "hint": {"question": number, **hint}})
        except Exception as error:  # a hint that fails must not harm the match
            self._note(role, f"No hint: {error}")
        finally:
            with self._lock:
                self._advised.discard(role)


def new_number() -> int:
    """The number of a question or wish: random, since a counter would tell a seat how often others are asked, and all
    are equally long, so that the sizes of messages tell nothing."""
    return secrets.randbits(_NUMBER_BITS) | 1 << _NUMBER_BITS


def _searching(seats: Iterable[Seat]) -> list[Seat]:
    return [seat for seat in seats if seat.player not in _QUICK]


def _is_before(event: Event, last: int) -> bool:
    """True if more turns from before a restart follow."""
    if isinstance(event, TurnPlayed):
        return event.earlier and event.id != last
    return isinstance(event, MatchStarted) and last > 0

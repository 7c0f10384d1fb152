"""The seats of a play: its engines, their setup, and the part of every turn that each receives."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from weakref import WeakSet

from ludens.core import Message, Role
from ludens.gdl.game import GdlGame
from ludens.protocols.ggtp.chosen_rule import ChosenRule
from ludens.protocols.ggtp.engines.link import RULES, EngineError, EngineLink, Reply
from ludens.protocols.ggtp.guests.people import People
from ludens.protocols.ggtp.inbox import Inbox
from ludens.protocols.ggtp.language import options as o
from ludens.protocols.ggtp.language.grammar import CommandError, escape, sentence, word
from ludens.protocols.ggtp.language.output import Output
from ludens.protocols.ggtp.plays.messages import names_of
from ludens.protocols.ggtp.plays.play import Play, PlayedTurn
from ludens.protocols.ggtp.shown_answer import ShownAnswer
from ludens.protocols.ggtp.steps import Ask, Steps

HUMAN = "human"
"""The name of a player without an engine, moved by ``play``."""
Connect = Callable[[str, Inbox], EngineLink]
"""Starts an engine by name, and connects it."""
SHOWING_TIME = 0.02
"""Seconds that the Rules wait to show the answers of engines in order; later ones are shown when they come."""


class Seats:
    """The engines by the players that they play. Engines that fail keep their seat until another takes it."""

    def __init__(self, output: Output, options: o.RuleOptions, inbox: Inbox, connect: Connect) -> None:
        self._output = output
        self._options = options
        self._inbox = inbox
        self._connect = connect
        self.people = People()
        """Guests who play."""
        self.links: dict[Role, EngineLink] = {}
        """The engines by player; the others are human."""
        self.settings: dict[Role, dict[str, str]] = {}
        """Options of engines that were set, for the play file."""
        self.away: dict[Role, str] = {}
        """Players of a competition whose engines are in a match, by its name."""
        self._joining: WeakSet[EngineLink] = WeakSet()
        """Engines that are being introduced to the rule."""
        self._known_lost: WeakSet[EngineLink] = WeakSet()
        self.in_competition = False
        """True if the play is a competition; engines receive only their matches of it."""

    def engine_name(self, role: Role) -> str:
        """The name of a player's engine, guest or ``human``."""
        if role in self.people.guests:
            return self.people.guests[role].name
        return self.links[role].name if role in self.links else HUMAN

    def role_of(self, link: EngineLink) -> Role | None:
        """The player that an engine plays; None if it has no seat any more."""
        return next((role for role, other in self.links.items() if other is link), None)

    # Taking and leaving a seat

    def open(self, engine: str) -> EngineLink:
        """Start an engine. Raises `CommandError` if that is not possible."""
        try:
            return self._connect(engine, self._inbox)
        except EngineError as error:
            raise CommandError(sentence(error)) from None

    def introduce(self, role: Role, link: EngineLink, rule: ChosenRule) -> Steps[None]:
        """Introduce an engine that has no seat to the rule and its player. Raises `CommandError` if it cannot play."""
        other = self.role_of(link)
        if other is not None:
            raise CommandError(f"{link.name} plays {word(other)} already.")
        if link in self._joining:
            raise CommandError(f"{link.name} is being introduced to a play already.")
        self._joining.add(link)
        try:
            for line in _introduction(role, rule):
                yield from self._need_answer(role, link, line, rule)
            if text := _rule_text(link, rule):
                yield from self._need_answer(role, link, text, rule)
        except (CommandError, KeyboardInterrupt):
            self.part(link)
            raise
        finally:
            self._joining.discard(link)

    def _need_answer(self, role: Role, link: EngineLink, line: str, rule: ChosenRule) -> Steps[None]:
        if (yield from self.query(role, link, line)) is None:
            raise CommandError(f"Engine {link.name} cannot play {rule.text}: {link.failure or 'it has gone'}.")

    def seat(self, role: Role, link: EngineLink) -> None:
        """Let an engine that was introduced play a player."""
        self.disconnect(role)
        self.links[role] = link
        self.settings[role] = {}

    def part(self, link: EngineLink) -> None:
        """Say goodbye to an engine; one that came by itself stays."""
        if link.failure:
            link.close()
        elif link.is_guest:
            with contextlib.suppress(EngineError):
                link.notify("disconnect_engine")
        else:
            link.part()

    def disconnect(self, role: Role) -> None:
        """Let a player be human."""
        link = self.links.pop(role, None)
        if link is not None:
            self.part(link)
            self._inbox.forget(link)
        self.settings.pop(role, None)
        self.people.unseat(role)

    def keep(self, rule: ChosenRule) -> None:
        """Introduce engines and people to another rule; those whose player it does not have leave."""
        for role in [*self.links, *self.people.guests]:
            if role not in rule.game.roles:
                self.disconnect(role)
            elif role in self.links:
                lines = [*_introduction(role, rule), _rule_text(self.links[role], rule)]
                self.announce_all({role: [line for line in lines if line]})

    def clear(self) -> None:
        """Release all engines and people."""
        for role in [*self.links, *self.people.guests]:
            self.disconnect(role)

    def release(self) -> None:
        """Release all engines with their connections open."""
        self.links.clear()

    def need_here(self, role: Role) -> None:
        """Raises `CommandError` if the player's engine is in a match of a competition."""
        if role in self.away:
            raise CommandError(f"{word(role)} is in match {self.away[role]}, and cannot be asked before it is over.")

    @property
    def _followers(self) -> list[Role]:
        """The players whose engines receive the events of the play."""
        return [] if self.in_competition else list(self.links)

    # Communication with engines

    def ask(self, role: Role, line: str) -> Steps[Reply]:
        """The answer of a player's engine, and what it says. Raises `CommandError` if there is no answer."""
        if role not in self.links:
            raise CommandError(f"{word(role)} is human and has no engine. Use set_engine to give it one.")
        self.need_here(role)
        link = self.links[role]
        found = yield from self.query(role, link, line)
        if found is None:
            raise CommandError(f"{link.name} does not answer: {link.failure or 'it has gone'}.")
        return found

    def query(self, role: Role, link: EngineLink, line: str) -> Steps[Reply | None]:
        """The answer of an engine; None if it fails, which is reported to the Supervisor."""
        was_lost = bool(link.failure)
        reply = yield Ask(link, line)
        if reply is not None:
            self._show(role, line, reply)
        elif link.failure and not was_lost:
            self._report(role, link)
        return reply

    def announce_all(self, lines: Mapping[Role, Sequence[str]]) -> None:
        """Send lines to engines without waiting; moves selected before they knew of it do not count."""
        sent = [(role, line) for role, own in lines.items() for line in own]
        if self._options[o.SHOW_ENGINES]:
            self._announce_and_show(sent)
        else:
            for role, line in sent:
                self._send(role, partial(EngineLink.announce, line=line))
        for role in lines:
            self._inbox.forget(self.links[role])

    def _announce_and_show(self, sent: Sequence[tuple[Role, str]]) -> None:
        """Announce lines, and show the answers: in order those that come at once."""
        until = time.monotonic() + SHOWING_TIME
        answers = [ShownAnswer(partial(self._show, role, line), self._inbox) for role, line in sent]
        for (role, line), answer in zip(sent, answers, strict=True):
            self._send(role, partial(EngineLink.announce, line=line, answered=answer.take))
        for answer in answers:
            answer.show_within(max(0.0, until - time.monotonic()))

    def announce(self, role: Role, line: str) -> None:
        """The same for one engine."""
        self.announce_all({role: [line]})

    def _send(self, role: Role, send: Callable[[EngineLink], None]) -> None:
        """Send something to a player's engine, unless it has failed; a failure is reported to the Supervisor."""
        link = self.links[role]
        if link.failure:
            return
        try:
            send(link)
        except EngineError:
            self.report_lost(role)

    def _show(self, role: Role, line: str, reply: Reply) -> None:
        if self._options[o.SHOW_ENGINES]:
            self._output.inform(f"[{word(role)}] {line} <- {' '.join(reply)}".rstrip())

    def report_lost(self, role: Role) -> None:
        """Report a failed engine to the Supervisor, once."""
        self._report(role, self.links[role])

    def _report(self, role: Role, link: EngineLink) -> None:
        if link in self._known_lost:
            return
        self._known_lost.add(link)
        self._output.inform(f"{link.name} of {word(role)} is lost: {link.failure}")

    def start(self) -> None:
        """Announce the start of a play to all engines; one that is not ready is asked for a move when it is."""
        self.announce_all({role: ["start"] for role in self._followers})

    def catch_up(self, role: Role, play: Play) -> None:
        """Send the turns so far to an engine that joins during a play."""
        if role in self._followers:
            self.announce(role, "start")
            self._remind(role, play.messages.get(0, ()))
            for number in play.line:
                self.tell_turn(play.turns[number], (role,))
                self._remind(role, play.messages.get(number, ()))

    def _remind(self, role: Role, messages: Iterable[Message]) -> None:
        for message in messages:
            if role in message.to:
                self._pass_on(role, message)

    def tell_turn(self, turn: PlayedTurn, roles: Iterable[Role] | None = None) -> None:
        """Send a turn to one engine or all, each what it may see."""
        self.announce_all({role: list(_news(turn, role)) for role in (self._followers if roles is None else roles)})

    def tell_turns(self, turns: Iterable[PlayedTurn]) -> None:
        """Send some turns to all engines."""
        for turn in turns:
            self.tell_turn(turn)

    def tell_step(self, command: str, count: int) -> None:
        """Announce to all engines that turns were taken back or redone."""
        self.announce_all({role: [command] * count for role in self._followers})

    def tell_message(self, message: Message) -> None:
        """Send a message to the engines of its recipients."""
        for role in message.to:
            if role in self._followers:
                self._pass_on(role, message)

    def _pass_on(self, role: Role, message: Message) -> None:
        line = f"message {word(message.sender)} {names_of(message)} {message.text}"
        self._send(role, partial(EngineLink.notify, line=line))

    def forget_moves(self) -> None:
        """Drop the moves that engines have selected so far."""
        for link in self.links.values():
            self._inbox.forget(link)


def _introduction(role: Role, rule: ChosenRule) -> list[str]:
    """The lines that introduce an engine to a rule, its options and its player."""
    settings = [f"set_rule_option {name} {o.format_value(rule.values[name])}" for name in rule.changed]
    lines = ["connect_engine", f"set_rule {rule.text}", *settings, f"set_player {word(role)}"]
    return lines[:1] if rule.is_competition else lines


def _rule_text(link: EngineLink, rule: ChosenRule) -> str:
    """The line with the rule in GDL, for an engine that understands it; empty if there is none."""
    if RULES not in link.capabilities or rule.is_competition or not isinstance(rule.game, GdlGame):
        return ""
    return f"rule_text {escape(rule.game.rules_text, '')}"


def _news(turn: PlayedTurn, role: Role) -> Iterator[str]:
    """The lines about a turn for a player's engine."""
    if role in turn.lost:
        yield f"illegal_move {turn.lost[role]}\tanother player was first"
    if not turn.state.game.hidden:
        yield from (f"made_move {word(mover)} {move}" for mover, move in turn.steps)
        return
    if role in turn.chosen:
        reason = turn.refusal(role)
        chosen = turn.chosen[role]
        yield f"made_move {word(role)} {chosen}" if reason is None else f"illegal_move {chosen}\t{reason}"
    yield from (f"percept {' '.join(sent.split())}" for sent in turn.state.percepts(role))
    yield "percept"

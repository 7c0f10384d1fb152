"""The seats of a play: its engines, their setup, and the part of every turn that each receives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from weakref import WeakSet

from ludens.core import Message, Role
from ludens.gdl.game import GdlGame
from ludens.protocols.ggtp.chosen_rule import ChosenRule
from ludens.protocols.ggtp.engines.link import RULES, EngineError, EngineLink
from ludens.protocols.ggtp.guests.people import People
from ludens.protocols.ggtp.inbox import Inbox
from ludens.protocols.ggtp.language import options as o
from ludens.protocols.ggtp.language.grammar import CommandError, escape, sentence, word
from ludens.protocols.ggtp.language.output import Output
from ludens.protocols.ggtp.plays.messages import names_of
from ludens.protocols.ggtp.plays.play import Play, PlayedTurn

HUMAN = "human"
"""The name of a player without an engine, moved by ``play``."""
Connect = Callable[[str, Inbox], EngineLink]
"""Starts an engine by name, and connects it."""


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
        self.meanwhile: Callable[[], None] = lambda: None
        """What the Rules do while they wait for an engine's answer."""
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

    def connect(self, role: Role, engine: str, rule: ChosenRule) -> None:
        """Start an engine, and let it play a player. Raises `CommandError` if it cannot."""
        try:
            link = self._connect(engine, self._inbox)
        except EngineError as error:
            raise CommandError(sentence(error)) from None
        self.seat(role, link, rule)

    def seat(self, role: Role, link: EngineLink, rule: ChosenRule) -> None:
        """Let an engine that is connected play a player. Raises `CommandError` if it cannot."""
        other = self.role_of(link)
        if other is not None:
            raise CommandError(f"{link.name} plays {word(other)} already.")
        self.disconnect(role)
        self.links[role] = link
        self.settings[role] = {}
        if not self._introduce(role, rule):
            reason = link.failure
            self.disconnect(role)
            raise CommandError(f"Engine {link.name} cannot play {rule.text}: {reason}.")

    def _introduce(self, role: Role, rule: ChosenRule) -> bool:
        """Send an engine the rule, its options and its player."""
        settings = [f"set_rule_option {name} {o.format_value(rule.values[name])}" for name in rule.changed]
        wanted = ["connect_engine", f"set_rule {rule.text}", *settings, f"set_player {word(role)}"]
        if rule.is_competition:
            del wanted[1:]
        if not all(self.query(role, line) is not None for line in wanted):
            return False
        if RULES not in self.links[role].capabilities or rule.is_competition or not isinstance(rule.game, GdlGame):
            return True
        return self.query(role, f"rule_text {escape(rule.game.rules_text, '')}") is not None

    def disconnect(self, role: Role) -> None:
        """Let a player be human."""
        link = self.links.get(role)
        if link is not None:
            if link.failure:
                link.close()
            elif link.is_guest:
                self._send(role, "disconnect_engine", EngineLink.notify)
            else:
                link.part()
            self._inbox.forget(link)
            del self.links[role]
        self.settings.pop(role, None)
        self.people.unseat(role)

    def keep(self, rule: ChosenRule) -> None:
        """Introduce engines and people to another rule; those whose player it does not have leave."""
        for role in [*self.links, *self.people.guests]:
            if role not in rule.game.roles:
                self.disconnect(role)
            elif role in self.links:
                self._introduce(role, rule)

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

    def ask(self, role: Role, line: str) -> tuple[str, str]:
        """The answer of a player's engine, and what it says. Raises `CommandError` if there is no answer."""
        if role not in self.links:
            raise CommandError(f"{word(role)} is human and has no engine. Use set_engine to give it one.")
        self.need_here(role)
        found = self.query(role, line)
        if found is None:
            raise CommandError(f"{self.engine_name(role)} does not answer: {self.links[role].failure}.")
        return found

    def query(self, role: Role, line: str) -> tuple[str, str] | None:
        """The answer of an engine; None if it fails, which is reported to the Supervisor."""
        return self._collect(role, line) if self._send(role, line, EngineLink.post) else None

    def tell_all(self, lines: Mapping[Role, Sequence[str]]) -> None:
        """Send lines to all engines at the same time, and collect the answers: waiting for each in turn adds up."""
        posted = [
            (role, line) for role, sent in lines.items() for line in sent if self._send(role, line, EngineLink.post)
        ]
        for role, line in posted:
            self._collect(role, line)

    def announce_all(self, lines: Mapping[Role, Sequence[str]]) -> None:
        """Send lines to engines without waiting, unless the Supervisor is shown them in order.

        Moves selected before they knew of it do not count.
        """
        if self._options[o.SHOW_ENGINES]:
            self.tell_all(lines)
        else:
            for role, sent in lines.items():
                for line in sent:
                    self._send(role, line, EngineLink.announce)  # no effect once the engine has failed
        for role in lines:
            self._inbox.forget(self.links[role])

    def announce(self, role: Role, line: str) -> None:
        """The same for one engine."""
        self.announce_all({role: [line]})

    def _send(self, role: Role, line: str, send: Callable[[EngineLink, str], None]) -> bool:
        """Send a line to a player's engine; False if that fails, which is reported to the Supervisor."""
        link = self.links[role]
        if link.failure:
            return False
        try:
            send(link, line)
        except EngineError:
            self.report_lost(role)
            return False
        return True

    def _collect(self, role: Role, line: str) -> tuple[str, str] | None:
        link = self.links[role]
        was_lost = bool(link.failure)
        try:
            answer, data = link.collect(line, self.meanwhile)
        except EngineError:
            if not was_lost:
                self.report_lost(role)
            return None
        if self._options[o.SHOW_ENGINES]:
            self._output.inform(f"[{word(role)}] {line} <- {answer} {data}".rstrip())
        return answer, data

    def report_lost(self, role: Role) -> None:
        """Report a failed engine to the Supervisor, once."""
        link = self.links[role]
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
        self._send(role, f"message {word(message.sender)} {names_of(message)} {message.text}", EngineLink.notify)

    def forget_moves(self) -> None:
        """Drop the moves that engines have selected so far."""
        for link in self.links.values():
            self._inbox.forget(link)


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

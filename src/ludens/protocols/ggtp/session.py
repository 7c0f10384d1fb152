"""The Rules: one play with its players and options, told to engines and shown to the Supervisor step by step."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom

from ludens.core import Move, Role
from ludens.protocols.ggtp import options as o
from ludens.protocols.ggtp.grammar import CommandError, listed, looked_up, sentence, shown, word
from ludens.protocols.ggtp.inbox import EngineEvent, Inbox, Line, Lost, Selected
from ludens.protocols.ggtp.link import EngineError, EngineLink
from ludens.protocols.ggtp.play import Play, PlayedTurn
from ludens.protocols.ggtp.playfile import Recorder
from ludens.protocols.ggtp.rules import ChosenRule
from ludens.protocols.ggtp.wording import moves_text, result_text, table_text
from ludens.referee.draws import substitute

HUMAN = "human"
"""Who plays a player that no engine plays: whoever types ``play``."""
GRACE = 0.5
"""Seconds beyond its delay that an engine's move may spend on the way."""
PATIENCE = 600.0
"""Seconds that an engine without a clock may think; then a random move is made for it."""
MOST_TRIES = 3
"""How often an engine may select a move that is not possible, in one turn."""
MOST_AUTOMATIC = 10_000
"""Turns in a row that are nobody's; beyond that the rule is taken to wait for ever."""
Connect = Callable[[str, Inbox], EngineLink]
"""Starts an engine by name, and connects it."""


@dataclass(slots=True)
class Asked:
    """A move that an engine has to select."""

    began: float
    due: float
    tries: int = 0


class Session:
    """One Supervisor's Rules. Commands (`supervisor.py`) call it; `write` gets each line that the Supervisor reads."""

    def __init__(
        self, write: Callable[[str], None], inbox: Inbox, connect: Connect, *, backend: str = "auto", seed: int = 0
    ) -> None:
        self._write = write
        self.inbox = inbox
        self._connect = connect
        self.backend = backend
        self.options = o.RuleOptions()
        """What the Supervisor sees, who makes the engines play, and the clocks."""
        self.options.values[o.SEED] = seed
        self.rule: ChosenRule | None = None
        """The rule, once it is chosen."""
        self.play: Play | None = None
        """The play, once it has begun."""
        self.links: dict[Role, EngineLink] = {}
        """The engines by player; the others are human."""
        self.engine_options: dict[Role, dict[str, str]] = {}
        """Options of engines that were set, for the play file."""
        self.asked: dict[Role, Asked] = {}
        """Engines that have to play."""
        self._used: dict[Role, float] = {}
        self.paused = False
        """True after ``undo`` and ``redo``: engines are not asked until something else happens in the play."""
        self.recorder: Recorder | None = None
        """The play file that is being written."""
        self.finished = False
        """True once the Supervisor has left."""

    # What the Supervisor reads

    def write(self, symbol: str, text: str) -> None:
        """Write an answer or information; lines after the first are indented."""
        first, *more = text.split("\n")
        self._write(f"{symbol} {first}".rstrip())
        for line in more:
            self._write(f"  {line}".rstrip())

    def inform(self, text: str) -> None:
        """Tell the Supervisor something without being asked."""
        self.write("->", text)

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
        found = looked_up(text, roles)
        if found is None:
            raise CommandError(f"No player named {shown(text)} (players: {', '.join(map(word, roles))}).")
        return found

    def set_rule(self, rule: ChosenRule, *, keep_engines: bool = False) -> None:
        """Play by another rule, or by the same with other options: the play so far ends."""
        self._end_play()
        gone = [role for role in self.links if not keep_engines or role not in rule.game.roles]
        for role in gone:
            self.disconnect(role)
        self.rule = rule
        for role, link in list(self.links.items()):
            self._introduce(role, link)

    def _end_play(self) -> None:
        self.play = None
        self.asked.clear()
        for link in self.links.values():
            self.inbox.forget(link)

    def connect(self, role: Role, engine: str) -> None:
        """Let an engine play a player."""
        rule = self.need_rule()
        try:
            link = self._connect(engine, self.inbox)
        except EngineError as error:
            raise CommandError(sentence(error)) from None
        self.disconnect(role)
        self.links[role] = link
        self.engine_options[role] = {}
        if not self._introduce(role, link):
            reason = link.failure
            self.disconnect(role)
            raise CommandError(f"Engine {engine} cannot play {rule.text}: {reason}.")
        if self.play is not None and self._query(role, "start"):
            for number in self.play.line:
                self._tell_turn(self.play.turns[number], (role,))

    def _introduce(self, role: Role, link: EngineLink) -> bool:
        """Tell an engine what it plays."""
        rule = self.need_rule()
        settings = [f"set_rule_option {name} {o.written(rule.values[name])}" for name in rule.changed]
        wanted = ["connect_engine", f"set_rule {rule.text}", *settings, f"set_player {word(role)}"]
        return all(self._query(role, line) is not None for line in wanted)

    def disconnect(self, role: Role) -> None:
        """Let a player be human."""
        link = self.links.get(role)
        if link is not None:
            if not link.failure:
                self._query(role, "disconnect_engine")
            link.close()
            self.inbox.forget(link)
            del self.links[role]
        self.asked.pop(role, None)
        self.engine_options.pop(role, None)

    def engine_name(self, role: Role) -> str:
        """Who plays a player."""
        return self.links[role].name if role in self.links else HUMAN

    def ask_engine(self, role: Role, line: str) -> tuple[str, str]:
        """The answer of a player's engine, and what it says. Raises `CommandError` if there is no answer."""
        if role not in self.links:
            raise CommandError(f"{word(role)} is human and has no engine. Use set_engine to give it one.")
        found = self._query(role, line)
        if found is None:
            raise CommandError(f"{self.engine_name(role)} does not answer: {self.links[role].failure}.")
        return found

    def _query(self, role: Role, line: str) -> tuple[str, str] | None:
        """The answer of an engine; None if it fails, which the Supervisor is told."""
        link = self.links[role]
        if link.failure:
            return None
        try:
            answer, data = link.query(line)
        except EngineError:
            self._tell_lost(role)
            return None
        if self.options[o.SHOW_ENGINES]:
            self.inform(f"[{word(role)}] {line} <- {answer} {data}".rstrip())
        return answer, data

    def _tell_lost(self, role: Role) -> None:
        link = self.links[role]
        self.inform(f"{link.name} of {word(role)} is lost: {link.failure}")

    # The play

    def start(self) -> None:
        """Begin a play."""
        rule = self.need_rule()
        self._end_play()
        seed = int(self.options[o.SEED]) or SystemRandom().randrange(2**31)
        self.play = Play(rule.game, seed)
        self._used = {}
        self.paused = False
        for role in list(self.links):
            self._query(role, "start")
        self._show_position()
        self.record()

    def made(self, turn: PlayedTurn) -> None:
        """A turn was played: show it, and tell the engines."""
        self.paused = False
        if self.options[o.SHOW_WHEN_PLAY]:
            for role, move in turn.steps:
                reason = turn.refusal(role)
                refused = "" if reason is None else f", which is refused: {reason}"
                self.inform(f"{word(role)} plays {move}{refused}")
        self.asked.clear()
        self._tell_turn(turn, tuple(self.links))
        self._show_position()
        self.record()

    def _tell_turn(self, turn: PlayedTurn, roles: tuple[Role, ...]) -> None:
        """Tell engines of a turn, each what it may see; moves selected before they knew of it do not count."""
        for role in roles:
            for line in self._news(turn, role):
                self._query(role, line)
            self.inbox.forget(self.links[role])

    def _news(self, turn: PlayedTurn, role: Role) -> Iterator[str]:
        if role in turn.lost:
            yield f"illegal_move {turn.lost[role]}\tanother player was first"
        if not turn.state.game.hidden:
            yield from (f"made_move {word(mover)} {move}" for mover, move in turn.steps)
            return
        if role in turn.chosen:
            reason = turn.refusal(role)
            chosen = turn.chosen[role]
            yield f"made_move {word(role)} {chosen}" if reason is None else f"illegal_move {chosen}\t{reason}"
        yield from (f"percept {' '.join(told.split())}" for told in turn.state.percepts(role))
        yield "percept"

    def undo(self) -> None:
        """Take a move back."""
        turns = self.need_play().undo()
        self._stepped("Undoing", "undone_move", len(turns))

    def redo(self) -> None:
        """Make a move again."""
        turns = self.need_play().redo()
        self._stepped("Redoing", "redone_move", len(turns))

    def _stepped(self, what: str, command: str, count: int) -> None:
        if self.options[o.SHOW_WHEN_PLAY]:
            self.inform(f"{what} a move")
        self.paused = True
        self.asked.clear()
        for role in list(self.links):
            for _ in range(count):
                self._query(role, command)
            self.inbox.forget(self.links[role])
        self._show_position()
        self.record()

    def _show_position(self) -> None:
        play = self.need_play()
        if self.options[o.SHOW_TABLE]:
            self.inform(table_text(play.state))
        if self.options[o.SHOW_MOVES] and play.to_move:
            self.inform(moves_text({role: play.legal[role] for role in play.to_move}))
        if self.options[o.SHOW_RESULTS] and play.state.is_terminal:
            self.inform(result_text(play.state))

    def go_on(self) -> None:
        """What the Rules do by themselves: turns that are nobody's, and engines asked to play if genmove is on."""
        for _ in range(MOST_AUTOMATIC):
            play = self.play
            if play is None or play.state.is_terminal or self.paused:
                return
            if play.is_automatic:
                self.made(play.advance())
            elif not (self.options[o.GENMOVE] and self.ask_engines()):
                return
        raise CommandError(f"Nobody could do anything for {MOST_AUTOMATIC:,} turns; the rule is at fault.")

    # Engines that play

    def ask_engines(self) -> bool:
        """Ask all engines that are to move; True if a turn was played for one that is lost, so that others may be."""
        play = self.need_play()
        for role in play.waiting_for:
            link = self.links.get(role)
            if link is None or role in self.asked:
                continue
            if (link.failure or not self._ask(role, link, 0)) and self._replace(role, link.failure):
                return True
        return False

    def _ask(self, role: Role, link: EngineLink, tries: int) -> bool:
        delay = self._delay(role)
        line = "have_to_play" if delay is None else f"have_to_play {delay:g}"
        play = self.need_play()
        if play.game.hidden and self._query(role, f"possible_moves {listed(play.legal[role])}") is None:
            return False
        if self.options[o.SHOW_ENGINES]:
            self.inform(f"[{word(role)}] {line}")
        now = time.monotonic()
        self.asked[role] = Asked(now, now + (PATIENCE if delay is None else delay + GRACE), tries)
        try:
            link.tell(line)
        except EngineError:
            del self.asked[role]
            self._tell_lost(role)
            return False
        return True

    def _delay(self, role: Role) -> float | None:
        """Seconds that a player has for its move; None if there is no limit."""
        move_time, game_time = float(self.options[o.MOVE_TIME]), float(self.options[o.GAME_TIME])
        limits = [move_time] if move_time else []
        if game_time:
            limits.append(max(0.0, game_time - self._used.get(role, 0.0)))
        return round(min(limits), 3) if limits else None

    def _answered(self, role: Role) -> Asked:
        asked = self.asked.pop(role)
        self._used[role] = self._used.get(role, 0.0) + time.monotonic() - asked.began
        return asked

    def _replace(self, role: Role, reason: str) -> bool:
        """Make a random move for an engine that failed; True if that completes the turn."""
        play = self.need_play()
        move = substitute(play.seed, len(play.turns) + 1, role, play.legal[role])
        self.inform(f"{self.engine_name(role)} fails ({reason}); a random move is made for {word(role)}")
        return self._offer(role, move)

    def _offer(self, role: Role, move: Move) -> bool:
        turn = self.need_play().offer(role, move)
        if turn is not None:
            self.made(turn)
        return turn is not None

    def handle(self, event: EngineEvent) -> None:
        """Take in what an engine did."""
        role = next((role for role, link in self.links.items() if link is event.link), None)
        if role is None:
            return
        if isinstance(event, Lost):
            self._tell_lost(role)
            if role in self.asked:
                self._answered(role)
                self._replace(role, event.reason)
        else:
            self._select(role, event)
        self.go_on()

    def _select(self, role: Role, event: Selected) -> None:
        if self.options[o.SHOW_ENGINES]:
            self.inform(f"[{word(role)}] <- select_move {shown(event.move)}")
        if role not in self.asked:
            return
        asked = self._answered(role)
        try:
            self._offer(role, event.move)
        except CommandError as error:
            self._query(role, f"illegal_move {event.move}\t{error}")
            if asked.tries + 1 >= MOST_TRIES or not self._ask(role, self.links[role], asked.tries + 1):
                self._replace(role, f"{MOST_TRIES} moves were not possible")

    def late(self) -> None:
        """Make moves for engines whose time is up."""
        now = time.monotonic()
        for role in [role for role, asked in self.asked.items() if asked.due <= now]:
            if role in self.asked:
                self._answered(role)
                self._replace(role, "too late")
        self.go_on()

    @property
    def timeout(self) -> float | None:
        """Seconds until an engine is late; None if none has to play."""
        if not self.asked:
            return None
        return max(0.0, min(asked.due for asked in self.asked.values()) - time.monotonic())

    def wait(self) -> None:
        """Let the engines play until none has to."""
        while self.asked and not self.finished:
            event = self.inbox.get(self.timeout, lines=False)
            if event is None:
                self.late()
            elif not isinstance(event, Line):
                self.handle(event)

    # Files and the end

    def save(self, path: Path) -> None:
        """Write the play to a file, and go on doing so."""
        self.recorder = Recorder(path, self.lines())

    def record(self) -> None:
        """Bring the play file up to date, if there is one."""
        if self.recorder is not None:
            try:
                self.recorder.update(self.lines())
            except CommandError as error:
                self.recorder = None
                self.inform(f"the play file is closed: {error}")

    def lines(self) -> list[str]:
        """The commands that restore the session."""
        found = [f"set_option {name} {value}" for name, value in self.options.changed.items()]
        if self.rule is not None:
            found.append(f"set_rule {self.rule.text}")
            found += [f"set_rule_option {name} {o.written(self.rule.values[name])}" for name in self.rule.changed]
        for role, link in self.links.items():
            found.append(f"set_engine {word(role)} {link.name}")
            settings = self.engine_options[role].items()
            found += [f"set_engine_option {word(role)} {name} {value}" for name, value in settings]
        if self.play is not None:
            found.append("start")
            turns = (self.play.turns[number] for number in self.play.line)
            moves = [step for turn in turns for step in turn.steps]
            if not self.play.state.is_race:
                moves += self.play.offers.items()
            found += [f"force_play {word(role)} {move}" for role, move in moves]
        return found

    def close(self) -> None:
        """Let all engines go."""
        self.finished = True
        for role in list(self.links):
            self.disconnect(role)

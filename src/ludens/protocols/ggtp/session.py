"""The Rules: one play with its players and options, told to engines and shown to the Supervisor step by step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import SystemRandom

from ludens.core import Move, Role
from ludens.protocols.ggtp import options as o
from ludens.protocols.ggtp.grammar import CommandError, looked_up, shown, word
from ludens.protocols.ggtp.inbox import EngineEvent, Inbox, Line, Lost
from ludens.protocols.ggtp.output import Output
from ludens.protocols.ggtp.play import Play, PlayedTurn
from ludens.protocols.ggtp.playfile import Recorder
from ludens.protocols.ggtp.questions import Questions
from ludens.protocols.ggtp.rules import ChosenRule
from ludens.protocols.ggtp.seats import Connect, Seats
from ludens.protocols.ggtp.wording import moves_text, result_text, table_text

MOST_AUTOMATIC = 10_000
"""Turns in a row that are nobody's; beyond that the rule is taken to wait for ever."""


class Session:
    """One Supervisor's Rules. Commands (`handlers`) call it; `write` gets each line that the Supervisor reads."""

    def __init__(
        self, write: Callable[[str], None], inbox: Inbox, connect: Connect, *, backend: str = "auto", seed: int = 0
    ) -> None:
        self.inbox = inbox
        self.backend = backend
        self.output = Output(write)
        """What the Supervisor reads."""
        self.options = o.RuleOptions()
        """What the Supervisor sees, who makes the engines play, and the clocks."""
        self.options.values[o.SEED] = seed
        self.rule: ChosenRule | None = None
        """The rule, once it is chosen."""
        self.play: Play | None = None
        """The play, once it has begun."""
        self.seats = Seats(self.output, self.options, inbox, connect)
        """Who plays whom."""
        self.questions = Questions(self.output, self.options, self.seats, self._offer)
        """Engines that have to play."""
        self.paused = False
        """True after ``undo`` and ``redo``: engines are not asked until something else happens in the play."""
        self.recorder: Recorder | None = None
        """The play file that is being written."""
        self.finished = False
        """True once the Supervisor has left."""

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

    def set_rule(self, rule: ChosenRule) -> None:
        """Play by another rule: the play so far ends, and the engines leave."""
        self._end_play()
        self.seats.clear()
        self.rule = rule

    def change_rule(self, rule: ChosenRule) -> None:
        """Play by the same rule with other options: the play so far ends, the engines stay."""
        self._end_play()
        self.rule = rule
        self.seats.keep(rule)

    def _end_play(self) -> None:
        self.play = None
        self.questions.asked.clear()
        self.seats.forget_moves()

    def connect(self, role: Role, engine: str) -> None:
        """Let an engine play a player."""
        self.seats.connect(role, engine, self.need_rule())
        self.questions.asked.pop(role, None)
        if self.play is not None:
            self.seats.catch_up(role, self.play)

    def disconnect(self, role: Role) -> None:
        """Let a player be human."""
        self.seats.disconnect(role)
        self.questions.asked.pop(role, None)

    # The play

    def start(self) -> None:
        """Begin a play."""
        rule = self.need_rule()
        self._end_play()
        seed = int(self.options[o.SEED]) or SystemRandom().randrange(2**31)
        self.play = Play(rule.game, seed)
        self.questions.begin()
        self.paused = False
        self.seats.start()
        self._show_position()
        self.record()

    def _offer(self, role: Role, move: Move) -> bool:
        turn = self.need_play().offer(role, move)
        if turn is not None:
            self.made(turn)
        return turn is not None

    def made(self, turn: PlayedTurn) -> None:
        """A turn was played: show it, and tell the engines."""
        self.paused = False
        if self.options[o.SHOW_WHEN_PLAY]:
            for role, move in turn.steps:
                reason = turn.refusal(role)
                refused = "" if reason is None else f", which is refused: {reason}"
                self.output.inform(f"{word(role)} plays {move}{refused}")
        self.questions.asked.clear()
        self.seats.tell_turn(turn)
        self._show_position()
        self.record()

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
            self.output.inform(f"{what} a move")
        self.paused = True
        self.questions.asked.clear()
        self.seats.tell_step(command, count)
        self._show_position()
        self.record()

    def _show_position(self) -> None:
        play = self.need_play()
        if self.options[o.SHOW_TABLE]:
            self.output.inform(table_text(play.state))
        if self.options[o.SHOW_MOVES] and play.to_move:
            self.output.inform(moves_text({role: play.legal[role] for role in play.to_move}))
        if self.options[o.SHOW_RESULTS] and play.state.is_terminal:
            self.output.inform(result_text(play.state))

    # What happens by itself

    def go_on(self) -> None:
        """What the Rules do by themselves: turns that are nobody's, and engines asked to play if genmove is on."""
        for _ in range(MOST_AUTOMATIC):
            play = self.play
            if play is None or play.state.is_terminal or self.paused:
                return
            if play.is_automatic:
                self.made(play.advance())
            elif not (self.options[o.GENMOVE] and self.questions.ask_all(play)):
                return
        raise CommandError(f"Nobody could do anything for {MOST_AUTOMATIC:,} turns; the rule is at fault.")

    def handle(self, event: EngineEvent) -> None:
        """Take in what an engine did."""
        role = self.seats.role_of(event.link)
        if role is None:
            return
        if isinstance(event, Lost):
            self.seats.tell_lost(role)
        if self.play is not None:
            self.questions.take(self.play, role, event)
        self.go_on()

    def late(self) -> None:
        """Make moves for engines whose time is up."""
        if self.play is not None:
            self.questions.replace_late(self.play)
        self.go_on()

    def wait(self) -> None:
        """Let the engines play until none has to."""
        while self.questions.asked and not self.finished:
            event = self.inbox.get(self.questions.timeout, lines=False)
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
                self.output.inform(f"the play file is closed: {error}")

    def lines(self) -> list[str]:
        """The commands that restore the session."""
        found = [f"set_option {name} {value}" for name, value in self.options.changed.items()]
        if self.rule is not None:
            found.append(f"set_rule {self.rule.text}")
            found += [f"set_rule_option {name} {o.written(self.rule.values[name])}" for name in self.rule.changed]
        for role, link in self.seats.links.items():
            found.append(f"set_engine {word(role)} {link.name}")
            settings = self.seats.settings[role].items()
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
        self.questions.asked.clear()
        self.seats.clear()

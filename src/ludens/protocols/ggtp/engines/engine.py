"""A player as a GGTP engine, in its own process or on any exchange of lines."""

from __future__ import annotations

import math
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from random import Random

from ludens.core import (
    Clock,
    Game,
    GameError,
    LudensError,
    Message,
    Move,
    Observation,
    Option,
    OptionValue,
    Player,
    PlayerError,
    Role,
    State,
)
from ludens.core.process import take_output
from ludens.protocols.ggtp.chosen_rule import ChosenRule
from ludens.protocols.ggtp.engines.registry import engine_class
from ludens.protocols.ggtp.engines.tables import Tables, tables_of
from ludens.protocols.ggtp.language.commands import TO_ENGINE
from ludens.protocols.ggtp.language.grammar import CommandError, escape, first_word, items, match_name, unescape
from ludens.protocols.ggtp.language.options import LONGEST, choices, format_value, takes_any_text
from ludens.protocols.ggtp.language.wording import moves_text, pairs_text, result_text, table_text
from ludens.protocols.ggtp.plays.messages import names_of
from ludens.protocols.ggtp.rules import choose_rule, need_library_rule, with_option
from ludens.protocols.program_player import ProgramPlayer
from ludens.referee.draws import substitute
from ludens.referee.handle import AT_RANDOM, BEST_SO_FAR, CRASH, Answer, Inbox, PlayerHandle
from ludens.referee.latency import measure_latency

TIME, START_TIME, TABLES, PONDER = "time", "start_time", "tables", "ponder"
OWN_OPTIONS = (
    Option(TIME, 1.0, "seconds for a move if the Rules name no delay", 0.01, 86_400),
    Option(START_TIME, 5.0, "seconds to get ready at the start of a play", 0.0, 86_400),
    Option(TABLES, 1, "number of tables; with hidden information each is a sampled state", 1, 100),
    Option(PONDER, False, "think while others do"),
)
"""Options that every engine has beside its player's."""
ACKNOWLEDGE = "acknowledge"
MARGIN = 0.05
"""Seconds of a delay reserved for network latency."""
HANDOVER = 0.02
"""Seconds that an answer given in time may take to arrive here."""
PATIENCE = 1.0
"""Grace in seconds beyond a player's preparation time."""
_STARTING = -1
"""The ticket of a player that is preparing."""


class Engine:
    """Answers the lines of the Rules; `write` sends a line back, from any thread."""

    def __init__(
        self,
        kind: type[Player],
        write: Callable[[str], None],
        *,
        backend: str = "auto",
        seed: int = 0,
        is_remote: bool = False,
    ) -> None:
        self._kind = kind
        self._write = write
        self._backend = backend
        self._is_remote = is_remote
        self._rng = Random(seed)
        self._seed = seed
        self._options = (*self._kind.options, *OWN_OPTIONS)
        self._values: dict[str, OptionValue] = {option.name: option.default for option in self._options}
        self._rule: ChosenRule | None = None
        self._role: Role = ""
        self._tables: Tables | None = None
        self._handle: PlayerHandle | None = None
        self._inbox: Inbox = queue.SimpleQueue()
        self._ready = threading.Event()
        self._lock = threading.Lock()
        self._ticket = 0
        self._is_thinking = False
        self._due = math.inf
        self._is_timed = False
        self._closed = False
        self.disconnected = False
        """True once the Rules have said goodbye."""
        threading.Thread(target=self._watch, name="moves", daemon=True).start()

    def do(self, line: str) -> None:
        """Execute and answer a line of the Rules. Raises `LudensError` if it violates the protocol."""
        name, rest = first_word(line)
        if not name:
            return
        if name not in TO_ENGINE:
            raise CommandError(f"{name} is not a command of the Rules")
        answer = getattr(self, f"_{name}")(*TO_ENGINE[name].arguments(rest))
        if answer is not None:
            self._send(answer)

    def close(self) -> None:
        """Release the player."""
        self._forget_question()
        self._drop_player()
        self._closed = True
        self._inbox.put(None)

    def _send(self, line: str) -> None:
        with self._lock:
            self._write(line)

    # The connection and its options

    def _connect_engine(self) -> str:
        return ACKNOWLEDGE

    def _disconnect_engine(self) -> str:
        self.close()
        self.disconnected = True
        return ACKNOWLEDGE

    def _list_options(self) -> str:
        return f"reply {pairs_text((name, format_value(value)) for name, value in self._values.items())}"

    def _option(self, name: str) -> Option | None:
        found = match_name(name, self._values)
        return next((option for option in self._options if option.name == found), None)

    def _get_option(self, name: str) -> str:
        option = self._option(name)
        return "invalid_option_name" if option is None else f"reply {format_value(self._values[option.name])}"

    def _list_option_choices(self, name: str) -> str:
        option = self._option(name)
        return "invalid_option_name" if option is None else f"reply {choices(option)}"

    def set(self, name: str, text: str) -> None:
        """Set an option before the play. Raises `PlayerError` for an unknown option or an invalid value."""
        option = self._option(name)
        if option is None:
            raise PlayerError(f"engine {self._kind.name} has no option {name!r} (options: {', '.join(self._values)})")
        self._values[option.name] = option.parse(match_name(text, option.choices) or text)

    def _set_option(self, name: str, text: str) -> str:
        option = self._option(name)
        if option is None:
            return "invalid_option_name"
        if self._is_remote and takes_any_text(option):
            return "invalid_option_value"
        try:
            self.set(name, text)
        except PlayerError:
            return "invalid_option_value"
        if self._tables is not None and option in self._kind.options:
            self._make_player(self._game)  # options are fixed at creation, so this makes a new player
            for observation in self._tables.observations():
                self._tell(observation)
        return ACKNOWLEDGE

    # The rule

    @property
    def _game(self) -> Game:
        if self._rule is None:
            raise CommandError("no rule was set")
        return self._rule.game

    def _set_rule(self, text: str) -> str:
        if self._is_remote:
            need_library_rule(text)
        self._rule = choose_rule(text, self._backend)
        return ACKNOWLEDGE

    def _set_rule_option(self, name: str, value: str) -> str:
        if self._rule is None:
            raise CommandError("no rule was set")
        self._rule = with_option(self._rule, name, value)
        return ACKNOWLEDGE

    def _rule_text(self, text: str) -> str:
        return ACKNOWLEDGE  # it has the rule by its name

    def _set_player(self, name: str) -> str:
        role = match_name(name, self._game.roles)
        if role is None:
            raise CommandError(f"there is no player {name}")
        self._role = role
        return ACKNOWLEDGE

    def _start(self) -> str:
        self._forget_question()
        self._tables = tables_of(self._game, self._role)
        self._make_player(self._game)
        return ACKNOWLEDGE

    def _make_player(self, game: Game) -> None:
        """A player with the current options, ready to play. Raises `PlayerError` if it cannot play the game."""
        self._drop_player()
        player = self._kind(**{option.name: self._values[option.name] for option in self._kind.options})
        player.check(game)
        clock = Clock(float(self._values[TIME]), float(self._values[START_TIME]))
        others = [role for role in game.roles if role != self._role]
        self._handle = PlayerHandle(self._role, player, clock, self._inbox, others)
        self._ready.clear()
        measure_latency()  # now, so that it does not cost time of the first move
        self._handle.start(_STARTING, game, self._seed)
        # A player that is not ready in time continues to prepare during its move, and may be late.
        self._ready.wait(clock.start + PATIENCE)

    def _drop_player(self) -> None:
        if self._handle is not None:
            self._handle.stop()
            self._handle = None

    # Tables

    @property
    def _current_tables(self) -> Tables:
        if self._tables is None:
            raise CommandError("the play has not begun")
        return self._tables

    def _list_possible_moves(self, table: str) -> str:
        return self._select_table(table, lambda state: moves_text(_legal(state)))

    def _get_result(self, table: str) -> str:
        return self._select_table(table, result_text)

    def _get_table(self, table: str) -> str:
        return self._select_table(table, lambda state: escape(table_text(state), ""))

    def _select_table(self, number: str, say: Callable[[State], str]) -> str:
        if not (number.isdecimal() and 1 <= int(number) <= int(self._values[TABLES])):
            return "invalid_table_number"
        try:
            states = self._current_tables.states(int(number), self._rng)
        except GameError:  # no state is consistent with the observations
            return "invalid_table_number"
        return f"reply {say(states[min(int(number), len(states)) - 1])}"

    # The play

    def _have_to_play(self, delay: str = "") -> None:
        try:
            seconds = float(delay) if delay else self._default_time()
        except ValueError:
            raise CommandError(f"{delay!r} is not a number of seconds") from None
        view = self._current_tables.view
        if self._handle is None:
            raise CommandError("the engine was disconnected")
        self._handle.clock = Clock(max(0.01, seconds - MARGIN if delay else seconds), 0.0)
        with self._lock:
            self._ticket += 1
            self._is_thinking = True
            self._is_timed = bool(delay)
            self._due = time.monotonic() + self._handle.limit + HANDOVER
            self._handle.ask(self._ticket, view, contended=True)
        self._inbox.put(None)

    def _default_time(self) -> float:
        """Seconds for a move if the Rules name none: unlimited for a search with a depth limit."""
        takes_its_time = issubclass(self._kind, ProgramPlayer) and self._kind.takes_its_time
        return LONGEST if self._values.get("depth") or takes_its_time else float(self._values[TIME])

    def _possible_moves(self, moves: str) -> str:
        self._current_tables.possible_moves([unescape(move) for move in items(moves)])
        return ACKNOWLEDGE

    def _message(self, player: str, players: str, text: str) -> str:
        sender = match_name(player, self._game.roles) or player
        if self._handle is not None:
            self._handle.hear(Message(sender, tuple(players.split(",")), text))
        return ACKNOWLEDGE

    def _made_move(self, player: str, move: str) -> str:
        self._forget_question()
        role = match_name(player, (*self._game.roles, "random"))
        self._tell(self._current_tables.made_move(role or player, move))
        return ACKNOWLEDGE

    def _percept(self, text: str | None = None) -> str:
        self._tell(self._current_tables.percept(text))
        return ACKNOWLEDGE

    def _illegal_move(self, move: str, reason: str = "") -> str:
        self._forget_question()
        if self._game.hidden:
            self._current_tables.made_move(self._role, move)  # the try may be a turn, of which the player learns
        return ACKNOWLEDGE

    def _undone_move(self) -> str:
        self._forget_question()
        if self._current_tables.undone_move() and self._handle is not None:
            self._handle.take_back(1, self._current_tables.view)
        return ACKNOWLEDGE

    def _redone_move(self) -> str:
        self._forget_question()
        self._tell(self._current_tables.redone_move())
        return ACKNOWLEDGE

    def _tell(self, observation: Observation | None) -> None:
        if observation is not None and self._handle is not None:
            self._handle.notify(observation, may_ponder=bool(self._values[PONDER]))

    # Moves

    def _forget_question(self) -> None:
        """Discard the current question: the player's answer to it is not sent."""
        with self._lock:
            self._ticket += 1
            was_thinking, self._is_thinking = self._is_thinking, False
        if was_thinking and self._handle is not None:
            self._handle.cancel()

    def _watch(self) -> None:
        """Send the player's move unless the question was discarded; if it fails, its best so far or a random move."""
        while not self._closed:
            due = self._due if self._is_thinking else math.inf
            try:
                item = self._inbox.get(timeout=None if due == math.inf else max(0.0, due - time.monotonic()))
            except queue.Empty:
                self._select_late()
                continue
            if isinstance(item, Message) and item.to and item.text.strip():
                self._send(f"send_message {names_of(item)} {' '.join(item.text.split())}")
            if not isinstance(item, Answer):
                continue
            if item.ticket == _STARTING:
                self._tell_failure(item)
                self._ready.set()
                continue
            with self._lock:
                if item.ticket == self._ticket and self._is_thinking:
                    self._is_thinking = False
                    self._select(item)

    def _select_late(self) -> None:
        """Move for a player whose time is up. One that has published no move is waited for if it is an external program
        or the Rules have set no limit."""
        with self._lock:
            if not self._is_thinking or time.monotonic() < self._due or self._handle is None:
                return
            self._due = math.inf
            is_patient = not self._is_timed or issubclass(self._kind, ProgramPlayer)
            if is_patient and self._handle.best_so_far is None:
                return
            self._is_thinking = False
            self._select(self._handle.stop_late())

    def _select(self, answer: Answer) -> None:
        if answer.decision is not None:
            self._write(f"select_move {answer.decision.move}")
            return
        if answer.best is not None:
            self._write(f"warn {answer.failure}, {BEST_SO_FAR}: {' '.join(answer.message.split())}")
            self._write(f"select_move {answer.best.move}")
        elif not issubclass(self._kind, ProgramPlayer):
            self._write(f"warn {answer.failure}, {AT_RANDOM}: {' '.join(answer.message.split())}")
            self._write(f"select_move {self._any_move()}")
        else:
            self._tell_failure(answer)

    def _tell_failure(self, answer: Answer) -> None:
        """Report a failed external program to the Rules instead of moving at random for it."""
        if issubclass(self._kind, ProgramPlayer) and answer.failure == CRASH:
            self._write(f"failed {answer.message}")

    def _any_move(self) -> str:
        try:
            return substitute(self._seed, self._ticket, self._role, self._current_tables.view.legal_moves)
        except (LudensError, IndexError):
            return "?"  # the engine does not know what it can do, and the Rules choose for it


def _legal(state: State) -> dict[Role, Sequence[Move]]:
    return {role: moves for role in state.game.roles if (moves := state.legal_moves(role))}


def serve(kind: type[Player], backend: str, seed: int, options: Mapping[str, str]) -> int:
    """Run an engine on standard input and output until the Rules disconnect; returns the exit code.

    Raises `PlayerError` if there is no such option, or it cannot have the value.
    """
    output = take_output()
    engine = Engine(kind, lambda line: print(line, file=output, flush=True), backend=backend, seed=seed)
    for option, value in options.items():
        engine.set(option, value)
    lines = os.fdopen(os.dup(0), encoding="utf-8", errors="replace")
    for line in lines:
        try:
            engine.do(line)
        except LudensError as error:
            print(f"failed {' '.join(str(error).split())}", file=output, flush=True)
            print(f"error: {error}", file=sys.stderr)
            return 2
        if engine.disconnected:
            return 0
    engine.close()
    return 0


if __name__ == "__main__":
    os._exit(serve(engine_class(sys.argv[1]), sys.argv[2], int(sys.argv[3]), {}))

"""The commands of a Supervisor, Table 1 of the paper: each is a function of the session and its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import ludens
from ludens.core import LudensError
from ludens.protocols.ggtp import engines, options
from ludens.protocols.ggtp.commands import ALIASES, SUPERVISOR
from ludens.protocols.ggtp.grammar import CommandError, escaped, first_word, listed, shown, unescaped, word
from ludens.protocols.ggtp.inbox import Line
from ludens.protocols.ggtp.options import choices, written
from ludens.protocols.ggtp.playfile import read_lines
from ludens.protocols.ggtp.rules import choose_rule, rule_names
from ludens.protocols.ggtp.session import HUMAN, Session
from ludens.protocols.ggtp.wording import moves_text, pairs_text, result_text, table_text, view_text

DONE = "Done"
MOST_FILES = 8
"""How deep files may load files."""
CHANGING = frozenset({"play", "force_play", "genmove", "undo", "redo"})
"""Commands about the current position: on a pipe and in files they wait until no engine has to play."""
INVALID = {
    "invalid_option_name": "The engine has no such option.",
    "invalid_option_value": "The option of the engine cannot have this value.",
    "invalid_table_number": "The engine has no such table.",
}
"""What the refusals of engines say."""


class Supervisor:
    """Reads the lines of a Supervisor, and does what they say."""

    def __init__(self, session: Session, *, waits: bool) -> None:
        self.session = session
        self._waits = waits
        """Whether commands about the position wait for engines; for people at a terminal they do not."""
        self._depth = 0
        self.failed = False
        """True if a file could not be read to its end."""

    def run(self) -> None:
        """Take in lines and moves of engines, in the order of arrival, until there are no more."""
        session = self.session
        while not session.finished:
            item = session.inbox.get(session.timeout)
            if isinstance(item, Line):
                if item.text is None:
                    break
                self.do(item.text)
                item.answered.set()
                continue
            try:
                if item is None:
                    session.late()
                else:
                    session.handle(item)
            except LudensError as error:
                session.inform(f"error: {error}")
        if not session.finished:
            self.finish()

    def finish(self) -> None:
        """At the end of the input, with genmove on, let the engines finish the play; then let them go."""
        if self.session.options[options.GENMOVE]:
            try:
                self.session.paused = False
                self.session.go_on()
                self.session.wait()
            except LudensError as error:
                self.session.inform(f"error: {error}")
        self.session.close()

    def do(self, line: str) -> None:
        """Do what a line says, and answer it; nothing for blank lines and comments."""
        if not first_word(line)[0]:
            return
        try:
            self.session.write("=", self._done(line, self._waits))
        except LudensError as error:
            self.session.write("?", str(error))

    def _done(self, line: str, waits: bool, goes_on: bool = True) -> str:
        """The answer to a line."""
        name, rest = first_word(line)
        command = SUPERVISOR.get(ALIASES.get(name, name))
        if command is None:
            raise CommandError(f"Unknown command {shown(name)}. Use list_commands to see commands.")
        arguments = command.arguments(rest)
        session = self.session
        if session.options[options.SHOW_COMMAND]:
            session.inform(shown(" ".join((command.name, rest)).strip()))
        if waits and command.name in CHANGING:
            session.wait()
        answer = (
            self._file(arguments[0]) if command.name == "load_file" else COMMANDS[command.name](session, *arguments)
        )
        if command.recorded:
            session.record()
        if goes_on:
            session.go_on()
        return answer

    def _file(self, filename: str) -> str:
        self.read(Path(filename))
        return DONE

    def read(self, path: Path) -> None:
        """Do what a file says. Engines are not asked before a move of the file that replaces theirs.

        Raises `CommandError` with the line at which it stopped.
        """
        if self._depth >= MOST_FILES:
            raise CommandError(f"{path}: files load files more than {MOST_FILES} deep.")
        session = self.session
        self._depth += 1
        try:
            for number, line in enumerate(read_lines(path), start=1):
                name = first_word(line)[0]
                if not name or session.finished:
                    continue
                try:
                    if name != "force_play":
                        session.go_on()
                    answer = self._done(line, waits=name != "force_play", goes_on=False)
                except LudensError as error:
                    raise CommandError(f"{path}, line {number}: {error}") from None
                if answer != DONE:
                    session.write("=", answer)
        finally:
            self._depth -= 1


def _get_version(session: Session) -> str:
    return f"ludens {ludens.__version__}"


def _quit(session: Session) -> str:
    session.close()
    return DONE


def _save_file(session: Session, filename: str) -> str:
    session.save(Path(filename))
    return DONE


def _close_file(session: Session) -> str:
    if session.recorder is None:
        raise CommandError("No file is open. Use save_file to write one.")
    session.recorder = None
    return DONE


def _list_commands(session: Session) -> str:
    return listed(SUPERVISOR)


def _known_command(session: Session, name: str) -> str:
    return "true" if ALIASES.get(name, name) in SUPERVISOR else "false"


def _list_options(session: Session) -> str:
    return pairs_text((name, written(value)) for name, value in session.options.values.items())


def _get_option(session: Session, name: str) -> str:
    return written(session.options[session.options.find(name).name])


def _list_option_choices(session: Session, name: str) -> str:
    return choices(session.options.find(name))


def _set_option(session: Session, name: str, value: str) -> str:
    session.options.set(name, value)
    if session.options.find(name).name == options.GENMOVE:
        session.paused = False
    return DONE


def _list_rules(session: Session) -> str:
    return listed(rule_names())


def _set_rule(session: Session, text: str) -> str:
    session.set_rule(choose_rule(text, session.backend))
    return DONE


def _get_rule(session: Session) -> str:
    return session.need_rule().text


def _list_rule_options(session: Session) -> str:
    return pairs_text((name, written(value)) for name, value in session.need_rule().values.items())


def _get_rule_option(session: Session, name: str) -> str:
    rule = session.need_rule()
    return written(rule.values[rule.option(name).name])


def _list_rule_option_choices(session: Session, name: str) -> str:
    return choices(session.need_rule().option(name))


def _set_rule_option(session: Session, name: str, value: str) -> str:
    session.set_rule(session.need_rule().with_option(name, value), keep_engines=True)
    return DONE


def _list_players(session: Session) -> str:
    return pairs_text((role, session.engine_name(role)) for role in session.need_rule().game.roles)


def _list_engines(session: Session) -> str:
    return listed((HUMAN, *engines.engine_names()))


def _set_engine(session: Session, player: str, engine: str) -> str:
    role = session.role(player)
    if engine.lower() == HUMAN:
        session.disconnect(role)
    else:
        session.connect(role, engine)
    return DONE


def _get_engine(session: Session, player: str) -> str:
    return session.engine_name(session.role(player))


def _engine_answer(session: Session, player: str, line: str) -> str:
    name, data = session.ask_engine(session.role(player), line)
    if name in INVALID:
        raise CommandError(INVALID[name])
    return data


def _list_engine_options(session: Session, player: str) -> str:
    return _engine_answer(session, player, "list_options")


def _get_engine_option(session: Session, player: str, name: str) -> str:
    return _engine_answer(session, player, f"get_option {name}")


def _list_engine_option_choices(session: Session, player: str, name: str) -> str:
    return _engine_answer(session, player, f"list_option_choices {name}")


def _set_engine_option(session: Session, player: str, name: str, value: str) -> str:
    _engine_answer(session, player, f"set_option {name} {value}")
    settings = session.engine_options[session.role(player)]
    settings.pop(name, None)
    settings[name] = value
    return DONE


def _start(session: Session) -> str:
    session.start()
    return DONE


def _viewed(command: str, of_rules: Callable[[Session], str], of_human: Callable[[Session, str], str]) -> _Command:
    """A command with ``[[player] table]``: one argument that is a number is a table, otherwise a player.

    Without a player the Rules answer, whose only table is the first; human players have one table, too.
    """

    def answer(session: Session, *arguments: str) -> str:
        session.need_play()
        player, table = "", "1"
        if len(arguments) == 2:
            player, table = arguments
        elif arguments and arguments[0].isdecimal():
            table = arguments[0]
        elif arguments:
            player = arguments[0]
        role = session.role(player) if player else None
        if role in session.links:
            reply = _engine_answer(session, player, f"{command} {table}")
            return unescaped(reply) if command == "get_table" else reply
        if table != "1":
            raise CommandError(
                f"There is no table {shown(table)}; {word(role) if role else 'the Rules'}: table 1 only."
            )
        return of_human(session, role) if role else of_rules(session)

    return answer


def _possible_moves(session: Session) -> str:
    play = session.need_play()
    return moves_text({role: play.legal[role] for role in play.to_move})


def _possible_moves_of(session: Session, role: str) -> str:
    return moves_text({role: session.need_play().legal.get(role, ())})


def _get_last_move(session: Session) -> str:
    last = session.need_play().last
    if last is None:
        raise CommandError("No move was made yet.")
    return _steps(last.steps)


def _list_played_moves(session: Session) -> str:
    play = session.need_play()
    return _steps([step for number in play.line for step in play.turns[number].steps])


def _steps(steps: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{escaped(word(role))} {escaped(move)}" for role, move in steps)


def _play(session: Session, player: str, move: str) -> str:
    play = session.need_play()
    role = session.role(player)
    if role in session.links:
        raise CommandError(f"{word(role)} is played by {session.engine_name(role)}. Use force_play to move for it.")
    turn = play.offer(role, move)
    if turn is None:
        return DONE
    session.made(turn)
    reason = turn.refusal(role)
    if reason is not None:
        raise CommandError(f"{shown(move)} is refused: {reason}.")
    return DONE


def _force_play(session: Session, player: str, move: str) -> str:
    play = session.need_play()
    role = "random" if player == "random" and player not in play.game.roles else session.role(player)
    turn = play.force(role, move)
    session.asked.pop(role, None)
    if role in session.links:
        session.inbox.forget(session.links[role])
    if turn is not None:
        session.made(turn)
    return DONE


def _genmove(session: Session) -> str:
    play = session.need_play()
    if not any(role in session.links for role in play.waiting_for):
        raise CommandError("No engine is to move.")
    session.paused = False
    session.ask_engines()
    return DONE


def _undo(session: Session) -> str:
    session.undo()
    return DONE


def _redo(session: Session) -> str:
    session.redo()
    return DONE


def _wait(session: Session) -> str:
    session.wait()
    return DONE


_Command = Callable[..., str]
COMMANDS: dict[str, _Command] = {
    "get_version": _get_version,
    "quit": _quit,
    "save_file": _save_file,
    "close_file": _close_file,
    "list_commands": _list_commands,
    "known_command": _known_command,
    "list_options": _list_options,
    "get_option": _get_option,
    "list_option_choices": _list_option_choices,
    "set_option": _set_option,
    "list_rules": _list_rules,
    "set_rule": _set_rule,
    "get_rule": _get_rule,
    "list_rule_options": _list_rule_options,
    "get_rule_option": _get_rule_option,
    "list_rule_option_choices": _list_rule_option_choices,
    "set_rule_option": _set_rule_option,
    "list_players": _list_players,
    "list_engines": _list_engines,
    "set_engine": _set_engine,
    "get_engine": _get_engine,
    "list_engine_options": _list_engine_options,
    "get_engine_option": _get_engine_option,
    "list_engine_option_choices": _list_engine_option_choices,
    "set_engine_option": _set_engine_option,
    "start": _start,
    "list_possible_moves": _viewed("list_possible_moves", _possible_moves, _possible_moves_of),
    "get_result": _viewed(
        "get_result",
        lambda session: result_text(session.need_play().state),
        lambda session, role: result_text(session.need_play().state),
    ),
    "get_table": _viewed(
        "get_table",
        lambda session: table_text(session.need_play().state),
        lambda session, role: view_text(session.need_play().state, role),
    ),
    "get_last_move": _get_last_move,
    "list_played_moves": _list_played_moves,
    "play": _play,
    "force_play": _force_play,
    "genmove": _genmove,
    "undo": _undo,
    "redo": _redo,
    "wait": _wait,
}
"""What does each command; ``load_file`` is the Supervisor's own."""

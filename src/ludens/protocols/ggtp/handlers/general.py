"""Commands about the program itself: version, files, commands, and the options of the Rules."""

from __future__ import annotations

from pathlib import Path

import ludens
from ludens.protocols.ggtp.handlers.kinds import DONE, Handler
from ludens.protocols.ggtp.language import options
from ludens.protocols.ggtp.language.commands import ALIASES, SUPERVISOR
from ludens.protocols.ggtp.language.grammar import CommandError, format_list
from ludens.protocols.ggtp.language.options import choices, format_value
from ludens.protocols.ggtp.language.wording import pairs_text
from ludens.protocols.ggtp.session import Session


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
    return format_list(SUPERVISOR)


def _known_command(session: Session, name: str) -> str:
    return "true" if ALIASES.get(name, name) in SUPERVISOR else "false"


def _list_options(session: Session) -> str:
    return pairs_text((name, format_value(value)) for name, value in session.options.values.items())


def _get_option(session: Session, name: str) -> str:
    return format_value(session.options[session.options.find(name).name])


def _list_option_choices(session: Session, name: str) -> str:
    return choices(session.options.find(name))


def _set_option(session: Session, name: str, value: str) -> str:
    session.options.set(name, value)
    if session.options.find(name).name == options.GENMOVE:
        session.paused = False
    return DONE


COMMANDS: dict[str, Handler] = {
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
}
"""The handler of each command, except ``load_file``, which the Supervisor handles."""

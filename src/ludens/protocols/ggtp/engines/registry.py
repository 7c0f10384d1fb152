"""The registry of engines: every player of ludens, and programs behind other protocols."""

from __future__ import annotations

import shlex
import sys

from ludens.core import Player
from ludens.core.program import find_program
from ludens.players import player_class, player_classes
from ludens.players.human import HumanPlayer
from ludens.protocols.ggtp.engines.link import EngineError, EngineLink
from ludens.protocols.ggtp.engines.process import ProcessLink
from ludens.protocols.ggtp.inbox import Inbox
from ludens.protocols.ggtp.language.grammar import format_list, match_name, shown
from ludens.protocols.ggtp.seats import Connect
from ludens.protocols.gtp.player import GtpPlayer
from ludens.protocols.uci.player import UciPlayer

ENGINE_ALIASES = {"Minimax": "alphabeta"}
"""Names of the paper for players of ludens."""
BRIDGES: dict[str, type[Player]] = {kind.name: kind for kind in (GtpPlayer, UciPlayer)}
"""Engines that are external programs with another protocol."""


def engine_names() -> list[str]:
    """The names of all engines: players except human, their aliases, and programs behind other protocols."""
    return [name for name in player_classes() if name != HumanPlayer.name] + [*ENGINE_ALIASES, *BRIDGES]


PROCESS = "process"
"""The engine that is a program of the user, which speaks GGTP on standard input and output."""


def find_engine(text: str) -> str:
    """The listed name of an engine, in any case. Raises `EngineError` if there is none."""
    if text != HumanPlayer.name and player_class(text) is not None:
        return text  # as it is listed, so the other players need not be imported
    found = match_name(text, engine_names())
    if found is None:
        raise EngineError(f"No engine named {shown(text)} (engines: {format_list(engine_names())})")
    return found


def engine_class(text: str) -> type[Player]:
    """The player behind an engine. Raises `EngineError` if there is none."""
    name = find_engine(text)
    kind = BRIDGES.get(name) or player_class(ENGINE_ALIASES.get(name, name))
    assert kind is not None
    return kind


def is_command(text: str) -> bool:
    """True if an engine is a program of the user: ``process command="python3 mine.py"``."""
    return text.split(maxsplit=1)[:1] == [PROCESS]


def command_words(text: str) -> list[str]:
    """The program and its arguments. Raises `EngineError` if there is none."""
    rest = text.strip().removeprefix(PROCESS).strip()
    try:
        words = shlex.split(rest)
        if len(words) == 1 and words[0].startswith("command="):
            words = shlex.split(words[0].removeprefix("command="))
    except ValueError as error:
        raise EngineError(f"No command: {shown(text)} ({error})") from None
    if not words:
        raise EngineError(f'No command: write {PROCESS} command="python3 mine.py"')
    found = find_program(words[0])
    if found is None:
        raise EngineError(f"There is no program {shown(words[0])}")
    return [found, *words[1:]]


def engine_starter(backend: str, seed: int) -> Connect:
    """A function that starts engines as processes of this program."""

    def start(text: str, inbox: Inbox) -> EngineLink:
        if is_command(text):
            return ProcessLink(text, command_words(text), inbox)
        name = find_engine(text)
        command = [sys.executable, "-m", "ludens.protocols.ggtp.engines.engine", name, backend, str(seed)]
        return ProcessLink(name, command, inbox)

    return start

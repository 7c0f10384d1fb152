"""Which engines there are, and how they are started: every player of ludens, in a process of its own."""

from __future__ import annotations

import sys

from ludens.players import player_classes
from ludens.players.human import HumanPlayer
from ludens.protocols.ggtp.grammar import listed, looked_up, shown
from ludens.protocols.ggtp.inbox import Inbox
from ludens.protocols.ggtp.link import EngineError, EngineLink
from ludens.protocols.ggtp.process import ProcessLink
from ludens.protocols.ggtp.seats import Connect

ENGINE_ALIASES = {"Minimax": "alphabeta"}
"""Names of the paper for players of ludens."""


def engine_names() -> list[str]:
    """All engines: the players of ludens but people, and their other names."""
    return [name for name in player_classes() if name != HumanPlayer.name] + list(ENGINE_ALIASES)


def engine_called(text: str) -> str:
    """The name of an engine as it is listed. Raises `EngineError` if there is none."""
    found = looked_up(text, engine_names())
    if found is None:
        raise EngineError(f"No engine named {shown(text)} (engines: {listed(engine_names())})")
    return found


def engine_starter(backend: str, seed: int) -> Connect:
    """What starts engines, as processes of this program."""

    def start(text: str, inbox: Inbox) -> EngineLink:
        name = engine_called(text)
        command = [sys.executable, "-m", "ludens.protocols.ggtp.engine", name, backend, str(seed)]
        return ProcessLink(name, command, inbox)

    return start

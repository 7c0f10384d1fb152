"""The reference: its sessions are played, and its tables have all commands."""

from __future__ import annotations

import queue
import re
from pathlib import Path

import pytest

from ludens.protocols.ggtp.engines.engine import Engine
from ludens.protocols.ggtp.engines.registry import engine_class
from ludens.protocols.ggtp.language.commands import (
    ENGINE_EXTENSIONS,
    FROM_ENGINE_EXTENSIONS,
    SUPERVISOR_EXTENSIONS,
    TABLE_1,
    TABLE_2,
    TABLE_3,
)
from tests.protocols.ggtp.harness import check_transcript
from tests.protocols.ggtp.network import hosting

PAGE = (Path(__file__).parents[3] / "docs" / "ggtp.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"```ggtp\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("session", SESSIONS)
def test_sessions_are_as_printed(session: str) -> None:
    check_transcript(session)


def test_all_commands_are_in_the_tables() -> None:
    numbered = enumerate((*TABLE_1, *TABLE_2, *TABLE_3), start=1)

    assert [command.name for number, command in numbered if f"| {number} | `{command.usage}` |" not in PAGE] == []
    extensions = (*SUPERVISOR_EXTENSIONS, *ENGINE_EXTENSIONS, *FROM_ENGINE_EXTENSIONS)
    assert [command.name for command in extensions if f"| `{command.usage}` |" not in PAGE] == []


def test_the_engine_says_what_is_printed() -> None:
    (conversation,) = re.findall(r"```engine\n(.*?)```", PAGE, re.DOTALL)
    said: queue.SimpleQueue[str] = queue.SimpleQueue()
    engine = Engine(engine_class("legal"), said.put, backend="reference")
    found = []
    for line in conversation.splitlines():
        command = line.partition(" <- ")[0]
        engine.do(command)
        found.append(f"{command} <- {said.get(timeout=60)}")

    assert found == conversation.splitlines()


def test_the_guest_reads_what_is_printed() -> None:
    (conversation,) = re.findall(r"```guest\n(.*?)```", PAGE, re.DOTALL)
    with hosting() as host:
        anna = host.connect("player", "Anna")
        host.say("wait_for Anna", "set_rule TicTacToe", "set_engine Cross Anna", "start")
        found = anna.until("-> Cross=")
        for line in conversation.splitlines()[len(found) :]:
            if not line.startswith(("=", "?", "->")):
                anna.connection.send(line)
                found += [line, *anna.until(("=", "?"))]

    assert found == conversation.splitlines()

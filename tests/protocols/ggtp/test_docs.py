"""The reference: its sessions are played, and its tables have all commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ludens.protocols.ggtp.commands import (
    ENGINE_EXTENSIONS,
    FROM_ENGINE_EXTENSIONS,
    SUPERVISOR_EXTENSIONS,
    TABLE_1,
    TABLE_2,
    TABLE_3,
)
from tests.protocols.ggtp.harness import check_transcript

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

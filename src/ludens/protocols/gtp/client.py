"""The controller's side of GTP: one command, one answer."""

from __future__ import annotations

import re

from ludens.core import Deadline
from ludens.core.program import Program, ProgramError
from ludens.gdl.source import visible

MAX_ANSWER = 1_000_000
"""Characters of an answer."""
_FIRST = re.compile(r"([=?])[0-9]*(?:[ \t]+(.*))?$")


class RefusedError(ProgramError):
    """A program answered with a question mark; the message is the command and what the program says."""


def ask(program: Program, command: str, deadline: Deadline) -> str:
    """The answer to a command. Raises `RefusedError`, `ProgramError` for what is no answer, `TimeoutError`."""
    program.send(command, deadline)
    found = _FIRST.match(first := program.line(deadline))
    if found is None:
        raise program.error(f"answers {command!r} with {visible(first[:80])!r}, which is not GTP")
    lines = [found[2] or ""]
    length = 0
    while line := program.line(deadline):
        lines.append(line)
        length += len(line)
        if length > MAX_ANSWER:
            raise program.error(f"answers {command!r} with more than {MAX_ANSWER:,} characters")
    text = "\n".join(lines).strip()
    if found[1] == "?":
        raise RefusedError(f"{program.name!r} refuses {command!r}: {visible(text[:200])}")
    return text

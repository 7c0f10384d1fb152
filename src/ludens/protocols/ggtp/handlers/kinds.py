"""Types and helpers of all commands of a Supervisor: each is a function of the session and its arguments."""

from __future__ import annotations

from collections.abc import Callable

from ludens.protocols.ggtp.language.grammar import CommandError, shown
from ludens.protocols.ggtp.language.options import LONGEST
from ludens.protocols.ggtp.session import Session
from ludens.protocols.ggtp.steps import Steps

DONE = "Done"
"""The answer to a command that asks nothing."""
INVALID = {
    "invalid_option_name": "The engine has no such option.",
    "invalid_option_value": "The option of the engine cannot have this value.",
    "invalid_table_number": "The engine has no such table.",
}
"""Messages for the refusals of engines."""
Handler = Callable[..., str | Steps[str]]
"""Handles a command: takes the session and the arguments, and returns the answer, or the steps to it."""


def engine_answer(session: Session, player: str, line: str) -> Steps[str]:
    """The answer of a player's engine. Raises `CommandError` if it refuses."""
    name, data = yield from session.seats.ask(session.role(player), line)
    if name in INVALID:
        raise CommandError(INVALID[name])
    return data


def seconds(text: str) -> float:
    """Parse seconds. Raises `CommandError` if the text is not a valid number."""
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0 <= found <= LONGEST:
        raise CommandError(f"Seconds are a number between 0 and {LONGEST:g}, not {shown(text)}.")
    return found

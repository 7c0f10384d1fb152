"""What all commands of a Supervisor share: each is a function of the session and its arguments."""

from __future__ import annotations

from collections.abc import Callable

from ludens.protocols.ggtp.grammar import CommandError
from ludens.protocols.ggtp.session import Session

DONE = "Done"
"""The answer to a command that asks nothing."""
INVALID = {
    "invalid_option_name": "The engine has no such option.",
    "invalid_option_value": "The option of the engine cannot have this value.",
    "invalid_table_number": "The engine has no such table.",
}
"""What the refusals of engines say."""
Handler = Callable[..., str]
"""Does a command: takes the session and the arguments, and returns the answer."""


def engine_answer(session: Session, player: str, line: str) -> str:
    """What a player's engine answers. Raises `CommandError` if it refuses."""
    name, data = session.seats.ask(session.role(player), line)
    if name in INVALID:
        raise CommandError(INVALID[name])
    return data

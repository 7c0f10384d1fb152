"""Deliberation: messages between players, and their limits."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.core import Message, Role
from ludens.gdl.source import visible
from ludens.protocols.ggtp.language.grammar import CommandError, match_name, shown, word
from ludens.protocols.ggtp.plays.play import Play
from ludens.referee.handle import MAX_MESSAGE, MAX_MESSAGES

ALL = "all"
"""The recipient that means all others."""


def add_message(play: Play, sender: Role, to: str, text: str) -> Message:
    """Add a player's message after the last turn. Raises `CommandError` if it exceeds a limit or has no recipient."""
    message = Message(sender, _hearers(play.game.roles, sender, to), visible(text))
    if len(text) > MAX_MESSAGE:
        raise CommandError(f"A message has at most {MAX_MESSAGE:,} characters.")
    said = play.messages.setdefault(play.current, [])
    if sum(1 for other in said if other.sender == sender) >= MAX_MESSAGES:
        raise CommandError(f"{word(sender)} has said {MAX_MESSAGES} things already; more in the next turn.")
    said.append(message)
    return message


def _hearers(roles: Sequence[Role], sender: Role, to: str) -> tuple[Role, ...]:
    others = [role for role in roles if role != sender]
    if to.lower() == ALL and ALL not in map(word, roles):
        return tuple(others)
    found: list[Role] = []
    for name in to.split(","):
        role = match_name(name, others)
        if role is None:
            raise CommandError(f"No other player named {shown(name)} (players: {', '.join(map(word, others))}, {ALL}).")
        if role not in found:
            found.append(role)
    return tuple(found)


def names_of(message: Message) -> str:
    """The recipients of a message, as one argument."""
    return ",".join(map(word, message.to))


def message_text(message: Message) -> str:
    """A message in words."""
    return f"{word(message.sender)} to {names_of(message)}: {message.text}"

"""What a session does when guests connect, take a seat and leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludens.core import Role
from ludens.protocols.ggtp.engines.link import EngineLink
from ludens.protocols.ggtp.guests.lobby import Guest
from ludens.protocols.ggtp.language.grammar import CommandError
from ludens.protocols.ggtp.network.hello import ENGINE, PLAYER
from ludens.protocols.ggtp.rules import ChosenRule

if TYPE_CHECKING:
    from ludens.protocols.ggtp.session import Session


def receive(session: Session, guest: Guest | EngineLink) -> None:
    """Register a new guest: Supervisors and observers receive all informations from now on."""
    if isinstance(guest, EngineLink):
        if guest.failure:
            session.lobby.remove(guest.name)
        else:
            session.output.inform(f"{guest.name} is here: {ENGINE}")
        return
    session.output.inform(f"{guest.name} is here: {guest.kind}")
    if guest.kind != PLAYER:
        session.output.add(guest.write)


def remove_guest(session: Session, guest: Guest | EngineLink) -> None:
    """Remove a guest who has disconnected; no effect if already removed."""
    if session.lobby.find(guest.name) is not guest:
        return
    session.lobby.remove(guest.name)
    if isinstance(guest, Guest):
        session.output.remove(guest.write)
        role = session.people.role_of(guest)
        if role is not None:
            session.people.unseat(role)
    session.output.inform(f"{guest.name} has left")


def seat_guest(session: Session, role: Role, guest: Guest, rule: ChosenRule) -> None:
    """Let a guest play a player, and send it the play so far. Raises `CommandError` if it is not a player."""
    if guest.kind != PLAYER:
        raise CommandError(f"{guest.name} is {guest.kind}, and does not play.")
    before = session.people.role_of(guest)
    if before is not None:
        session.disconnect(before)
    session.disconnect(role)
    session.people.seat(role, guest, rule)
    if session.play is not None:
        for number in session.play.line:
            session.people.tell_turn(session.play.turns[number], role)
        session.tell_position(role)

"""Handles guests who connect and leave."""

from __future__ import annotations

from ludens.protocols.ggtp.engines.link import EngineLink
from ludens.protocols.ggtp.guests.lobby import Guest, Lobby
from ludens.protocols.ggtp.guests.people import People
from ludens.protocols.ggtp.language.output import Output
from ludens.protocols.ggtp.network.hello import ENGINE, PLAYER


def receive(guest: Guest | EngineLink, lobby: Lobby, output: Output) -> None:
    """Register a new guest: Supervisors and observers receive all informations from now on."""
    if isinstance(guest, EngineLink):
        if guest.failure:
            lobby.remove(guest.name)
        else:
            output.inform(f"{guest.name} is here: {ENGINE}")
        return
    output.inform(f"{guest.name} is here: {guest.kind}")
    if guest.kind != PLAYER:
        output.add(guest.write)


def remove_guest(guest: Guest | EngineLink, lobby: Lobby, output: Output, people: People) -> None:
    """Remove a guest who has disconnected; no effect if already removed."""
    if lobby.find(guest.name) is not guest:
        return
    lobby.remove(guest.name)
    if isinstance(guest, Guest):
        output.remove(guest.write)
        role = people.role_of(guest)
        if role is not None:
            people.unseat(role)
    output.inform(f"{guest.name} has left")

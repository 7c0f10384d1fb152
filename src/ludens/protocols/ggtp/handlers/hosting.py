"""Commands about guests: list, wait for and dismiss them."""

from __future__ import annotations

from ludens.protocols.ggtp.engines.link import EngineLink
from ludens.protocols.ggtp.guests.arrivals import remove_guest
from ludens.protocols.ggtp.guests.lobby import Guest
from ludens.protocols.ggtp.handlers.kinds import DONE, Handler, seconds
from ludens.protocols.ggtp.language.grammar import CommandError, shown, word
from ludens.protocols.ggtp.language.wording import pairs_text
from ludens.protocols.ggtp.network.hello import ENGINE
from ludens.protocols.ggtp.session import Session


def _list_guests(session: Session) -> str:
    return pairs_text((guest.name, _describe_guest(session, guest)) for guest in session.lobby.members()) or "none"


def _describe_guest(session: Session, guest: Guest | EngineLink) -> str:
    if isinstance(guest, EngineLink):
        kind, role = ENGINE, session.seats.role_of(guest)
    else:
        kind, role = guest.kind, session.people.role_of(guest)
    return kind if role is None else f"{kind} {word(role)}"


def _wait_for(session: Session, name: str, limit: str = "60") -> str:
    if not session.wait_for(name, seconds(limit)):
        raise CommandError(f"{shown(name)} did not come within {limit} s.")
    return DONE


def _dismiss(session: Session, name: str) -> str:
    guest = session.lobby.need(name)
    guest.close()
    remove_guest(guest, session.lobby, session.output, session.people)
    return DONE


def _shut_down(session: Session) -> str:
    session.finished = True  # the caller closes the session after this is answered
    return DONE


COMMANDS: dict[str, Handler] = {
    "list_guests": _list_guests,
    "wait_for": _wait_for,
    "dismiss": _dismiss,
    "shut_down": _shut_down,
}

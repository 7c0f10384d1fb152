"""Commands of deliberation: players who talk to each other, where the rule lets them."""

from __future__ import annotations

from ludens.protocols.ggtp.handlers.kinds import DONE, Handler
from ludens.protocols.ggtp.plays.messages import message_text
from ludens.protocols.ggtp.session import Session


def _say(session: Session, player: str, players: str, text: str) -> str:
    session.say(session.role(player), players, text)
    return DONE


def _list_messages(session: Session) -> str:
    play = session.need_play()
    said = [message_text(message) for turn in (0, *play.line) for message in play.messages.get(turn, ())]
    return "\n".join(["", *said]) if said else "none"


COMMANDS: dict[str, Handler] = {"say": _say, "list_messages": _list_messages}

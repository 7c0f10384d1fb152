"""Commands of clocks: time controls and time used."""

from __future__ import annotations

from ludens.protocols.ggtp.handlers.kinds import DONE, Handler, seconds
from ludens.protocols.ggtp.language.wording import pairs_text, seconds_text
from ludens.protocols.ggtp.plays.clocks import TimeControl
from ludens.protocols.ggtp.session import Session


def _set_clock(session: Session, player: str, move_time: str, game_time: str) -> str:
    role = session.role(player)
    session.questions.clocks.own[role] = TimeControl(seconds(move_time), seconds(game_time))
    return DONE


def _get_clock(session: Session, player: str) -> str:
    role = session.role(player)
    control = session.questions.control(role)
    pairs = [("move_time", seconds_text(control.move)), ("game_time", seconds_text(control.game))]
    if session.play is not None:
        pairs.append(("used", seconds_text(session.questions.clocks.used(session.play.current, role))))
    return pairs_text(pairs)


def _set_used(session: Session, player: str, used: str) -> str:
    role, play = session.role(player), session.need_play()
    session.questions.clocks.set_used(play.current, role, seconds(used))
    return DONE


COMMANDS: dict[str, Handler] = {"set_clock": _set_clock, "get_clock": _get_clock, "set_used": _set_used}

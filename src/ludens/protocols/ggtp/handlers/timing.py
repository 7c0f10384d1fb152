"""Commands of clocks: how long players may think, and what they have used of it."""

from __future__ import annotations

from ludens.protocols.ggtp.clocks import TimeControl
from ludens.protocols.ggtp.grammar import CommandError, shown
from ludens.protocols.ggtp.handlers.kinds import DONE, Handler
from ludens.protocols.ggtp.options import LONGEST
from ludens.protocols.ggtp.session import Session
from ludens.protocols.ggtp.wording import pairs_text, seconds_text


def _set_clock(session: Session, player: str, move_time: str, game_time: str) -> str:
    role = session.role(player)
    session.questions.clocks.own[role] = TimeControl(_seconds(move_time), _seconds(game_time))
    return DONE


def _get_clock(session: Session, player: str) -> str:
    role = session.role(player)
    control = session.questions.control(role)
    pairs = [("move_time", seconds_text(control.move)), ("game_time", seconds_text(control.game))]
    if session.play is not None:
        pairs.append(("used", seconds_text(session.questions.clocks.used(session.play.current, role))))
    return pairs_text(pairs)


def _set_used(session: Session, player: str, seconds: str) -> str:
    role, play = session.role(player), session.need_play()
    session.questions.clocks.set_used(play.current, role, _seconds(seconds))
    return DONE


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST:
        raise CommandError(f"Seconds are a number between 0 and {LONGEST:g}, not {shown(text)}.")
    return seconds


COMMANDS: dict[str, Handler] = {"set_clock": _set_clock, "get_clock": _get_clock, "set_used": _set_used}

"""Commands of branches: other lines of the same play, explored and kept, as a teacher shows them."""

from __future__ import annotations

from ludens.protocols.ggtp.handlers.kinds import DONE, Handler
from ludens.protocols.ggtp.language.grammar import CommandError, unescape
from ludens.protocols.ggtp.plays.branches import branches_text, delete_turn, find_turn, name_turn, turn_text
from ludens.protocols.ggtp.session import Session


def _list_branches(session: Session) -> str:
    return branches_text(session.need_play())


def _get_branch(session: Session) -> str:
    play = session.need_play()
    return turn_text(play, play.current)


def _select_branch(session: Session, branch: str) -> str:
    session.select(find_turn(session.need_play(), branch))
    return DONE


def _name_branch(session: Session, branch: str, name: str) -> str:
    play = session.need_play()
    name_turn(play, find_turn(play, branch), name)
    return DONE


def _comment_branch(session: Session, branch: str, text: str) -> str:
    play = session.need_play()
    play.comments[find_turn(play, branch)] = unescape(text)
    return DONE


def _get_comment(session: Session, branch: str) -> str:
    play = session.need_play()
    number = find_turn(play, branch)
    if number not in play.comments:
        raise CommandError(f"There is no comment on {turn_text(play, number)}.")
    return play.comments[number]


def _delete_branch(session: Session, branch: str) -> str:
    play = session.need_play()
    delete_turn(play, find_turn(play, branch))
    return DONE


COMMANDS: dict[str, Handler] = {
    "list_branches": _list_branches,
    "get_branch": _get_branch,
    "select_branch": _select_branch,
    "name_branch": _name_branch,
    "comment_branch": _comment_branch,
    "get_comment": _get_comment,
    "delete_branch": _delete_branch,
}

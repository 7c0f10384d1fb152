"""Replies to prompts: the one legal move that a reply names, or the reason why there is none.

Nothing is guessed. The answer is what follows ``MOVE:`` at the start of a line, a JSON object with the key ``move``, or
the whole reply if it is nothing but a move. Moves that a reply mentions elsewhere do not count, since a reply may well
say which move not to play.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from ludens.core import LudensError, Move

LONGEST_REPLY = 200_000
"""Characters of a reply that are read; a longer one is refused."""
_ANSWER = re.compile(r"^[ \t>#*_`-]*(?:final )?move[*_`]*[ \t]*:[*_`]*(.*)$", re.IGNORECASE | re.MULTILINE)
"""A line with the answer, however it is set off in Markdown. It never looks beyond its line: linear time."""
_WRAPPING = "`*_\"'\u201c\u201d\u2018\u2019 \t\r\n"
"""What may stand around a move."""
_WORD = re.compile(r"[^\s(),]+")
_TOKEN = re.compile(r"[()]|[^\s(),]+")
_SHOWN = 80
"""Characters of a wrong answer that an error repeats."""
_EXAMPLES = 3
"""Legal moves that an error names."""


class ReplyError(LudensError):
    """A reply names no legal move, or more than one."""


def parse_reply(reply: str, legal: Sequence[Move]) -> Move:
    """The legal move that a reply names. Raises `ReplyError`, which says why there is none."""
    if len(reply) > LONGEST_REPLY:
        raise ReplyError(f"the reply has {len(reply):,} characters; at most {LONGEST_REPLY:,} are read")
    if not reply.strip():
        raise ReplyError("the reply is empty")
    answers = _answers(reply)
    if not answers:
        move = _find(reply, legal)
        if move is None:
            raise ReplyError("the reply has no line 'MOVE: …', and it is not itself a legal move")
        return move
    found = {_legal_move(answer, legal): None for answer in answers}
    if len(found) > 1:
        raise ReplyError(f"the reply names several moves ({', '.join(found)}); it must name one")
    return next(iter(found))


def parse_move(text: str, legal: Sequence[Move]) -> Move:
    """The legal move that a text names which should be nothing but a move, though a reply to a prompt will do. Raises
    `ReplyError`, which says what is legal."""
    try:
        return parse_reply(text if _answers(text) else f"MOVE: {' '.join(text.split())}", legal)
    except ReplyError as error:
        shown = ", ".join(legal[:_EXAMPLES]) + (", …" if len(legal) > _EXAMPLES else "")
        raise ReplyError(f"{error} ({len(legal)} legal: {shown})") from None


def _answers(reply: str) -> list[str]:
    """All texts that a reply marks as its answer."""
    try:
        read = json.loads(reply, object_pairs_hook=list)  # pairs, since a key may occur twice
    except (ValueError, RecursionError):
        read = None
    if isinstance(read, list):
        answers = [pair[1] for pair in read if isinstance(pair, tuple) and pair[0] == "move"]
        if not all(isinstance(answer, str) for answer in answers):
            raise ReplyError("the key 'move' of the reply is not a text")
        if answers:
            return answers
    return [answer.strip() for answer in _ANSWER.findall(reply)]


def _legal_move(answer: str, legal: Sequence[Move]) -> Move:
    if not answer.strip(_WRAPPING):
        raise ReplyError("there is no move after 'MOVE:'")
    move = _find(answer, legal)
    if move is not None:
        return move
    named = [move for move in legal if move in answer]
    longest = [move for move in named if not any(move != other and move in other for other in named)]
    shown = answer if len(answer) <= _SHOWN else answer[:_SHOWN] + "…"
    if len(longest) > 1:
        raise ReplyError(f"{shown!r} names several legal moves; the answer must be one move and nothing else")
    raise ReplyError(f"{shown!r} is not a legal move here; the answer must be one legal move and nothing else")


def _find(answer: str, legal: Sequence[Move]) -> Move | None:
    """The legal move with this text: exactly; else without what wraps it; else whatever its brackets, commas and
    spaces; else whatever its capitals. A form that several legal moves share names none of them."""
    forms: tuple[Callable[[str], object], ...] = (str, _bare, _words, _folded)
    for form in forms:
        wanted = form(answer)
        found = [move for move in legal if form(move) == wanted]
        if found:
            if len(set(found)) > 1:
                raise ReplyError(f"it can mean {' or '.join(found)}; write the move exactly")
            return found[0]
    return None


def _bare(text: str) -> str:
    bare = text.strip(_WRAPPING)
    return bare[:-1].rstrip(_WRAPPING) if bare.endswith((".", ";")) else bare


def _words(text: str) -> tuple[str, ...]:
    """The words of a move in KIF, infix or without brackets; brackets count where they are nested."""
    bare = _bare(text)
    return tuple((_WORD if bare.count("(") <= 1 else _TOKEN).findall(bare))


def _folded(text: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _words(text))

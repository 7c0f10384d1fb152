"""Prompts: all that a player needs for one move, as text for a language model or a person.

One generator serves every game: rules in words, the position as the role sees it, the last moves, the notation, the
legal moves and the form of the answer. Texts are cut to a number of tokens, and say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ludens.core import Move, View
from ludens.games.library import SCRAMBLED
from ludens.players.prompted.position_text import Seen, describe_position
from ludens.players.prompted.rules_text import describe_rules

MOST_TOKENS = 4_000
"""The size of a prompt, as `estimate_tokens` counts."""
_RULES_TOKENS = 1_800
_POSITION_TOKENS = 1_200
_HISTORY_TOKENS = 500
_HISTORY = 10
"""Turns of the past that are shown."""
IN_WORDS = (
    "Think as long as you like, then end with exactly one line: the word MOVE, a colon and one legal move, with "
    "nothing after it.\nMOVE: <your move>"
)
"""How a model answers a prompt."""
_TOKEN = re.compile(r"[^\W\d_]{1,6}|\d{1,3}|[^\s\w]|_|\n")


class Style(StrEnum):
    """What a prompt contains."""

    FULL = "full"
    """Everything."""
    SHORT = "short"
    """No rules: for models that have seen them, and for later turns of a conversation."""
    NO_LEGAL_MOVES = "no-legal-moves"
    """Everything but the legal moves: whoever answers has to work them out."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The question for one move."""

    game: str
    role: str
    style: Style
    turn: int
    """The number of the turn to play, from 1."""
    text: str
    """All of it."""
    legal: tuple[Move, ...]
    """The moves to choose from, also where the text does not list them: `parse_reply` needs them."""

    @property
    def tokens(self) -> int:
        """The length in tokens, estimated."""
        return estimate_tokens(self.text)

    def as_json(self) -> dict[str, object]:
        """The prompt for other programs; without the legal moves if the style has none."""
        shown = {} if self.style is Style.NO_LEGAL_MOVES else {"legal_moves": list(map(str, self.legal))}
        found = {"game": self.game, "role": self.role, "style": str(self.style), "turn": self.turn}
        return {**found, "tokens": self.tokens, "prompt": self.text, **shown}


def estimate_tokens(text: str) -> int:
    """The number of tokens of a text, on the safe side: six letters, three digits or one sign each."""
    return len(_TOKEN.findall(text))


def make_prompt(view: View, past: Sequence[Seen] = (), style: Style = Style.FULL, answer: str = IN_WORDS) -> Prompt:
    """The prompt for the next move of a role, made of its view and of what it saw in the turns before; ``answer`` is
    how to answer."""
    parts = list(_parts(view, past, style))
    legal = tuple(view.legal_moves)
    closing = f"Answer\n{answer}" if legal else "There is nothing to answer."
    if style is not Style.NO_LEGAL_MOVES:
        used = estimate_tokens("\n\n".join([*parts, closing]))
        parts.append(_list_moves(legal, MOST_TOKENS - used))
    text = "\n\n".join([*parts, closing])
    name = view.game.name.split(":")[0] if view.game.name.startswith(SCRAMBLED) else view.game.name  # not what it hides
    return Prompt(name, view.role, style, len(past) + 1, text, legal)


def _parts(view: View, past: Sequence[Seen], style: Style) -> Iterator[str]:
    known = describe_rules(view.game, view.role)
    others = ", ".join(role for role in view.game.roles if role != view.role)
    yield f"You play {known.title} as {view.role}" + (f"; the other roles: {others}." if others else ".")
    if style is not Style.SHORT and known.rules:
        yield _cut("Rules\n" + "\n".join(known.rules), _RULES_TOKENS, "the rest of the rules does not fit here")
    if past:
        first = max(0, len(past) - _HISTORY)
        turns = "\n".join(f"{number}. {past[number - 1]}" for number in range(first + 1, len(past) + 1))
        yield _cut(f"Last turns\n{turns}", _HISTORY_TOKENS, "the rest does not fit here")
    position = describe_position(view).rstrip()
    if position:
        yield _cut(f"Position as you see it\n{position}", _POSITION_TOKENS, "the rest does not fit here")
    if known.notation:
        yield f"How moves are written: {known.notation}"


def _list_moves(legal: Sequence[Move], tokens: int) -> str:
    """The legal moves, as many as fit into some tokens."""
    if not legal:
        return "You have no legal move now."
    title = f"Your legal moves ({len(legal)})"
    shown, left = [], tokens - 40
    for move in legal:
        left -= estimate_tokens(move) + 1
        if left < 0:
            break
        shown.append(str(move))
    more = f"\n… and {len(legal) - len(shown)} more of the same form." if len(shown) < len(legal) else ""
    return f"{title}\n" + "\n".join(shown) + more


def _cut(text: str, tokens: int, why: str) -> str:
    """A text, line by line, up to a number of tokens."""
    if estimate_tokens(text) <= tokens:
        return text
    kept, left = [], tokens - estimate_tokens(why) - 4
    for line in text.split("\n"):
        left -= estimate_tokens(line) + 1
        if left < 0:
            break
        kept.append(line)
    if len(kept) <= 1:  # one long line
        kept.append(text.split("\n")[len(kept)][: 2 * tokens])
    return "\n".join(kept) + f"\n[… {why}]"

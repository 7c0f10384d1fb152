"""What players behind a prompt share: `command`, a program that reads and writes lines, and `http`, a server.

A question is one JSON object: the prompt (`Prompt.as_json`), ``seconds`` to answer, ``attempt`` from 1, and ``error``,
which says what was wrong with the reply before. A reply is one JSON object with ``reply``, the text of a model, or
``move``. It must name one legal move (`parse_reply`). A wrong one is asked again while there is time.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from typing import Any

from ludens.core import Clock, Deadline, Decision, Game, Move, Observation, Player, PlayerError, Role, View
from ludens.core.thinking import Thinking
from ludens.players.prompted.position_text import Seen
from ludens.players.prompted.prompt import Style, make_prompt
from ludens.players.prompted.reply import ReplyError, parse_reply

ATTEMPTS = 3
"""Replies to one question, the first included."""
_NOTE = 300
"""Characters of a reply that are recorded."""


class PromptedPlayer(Player):
    """Asks somebody else, in words."""

    local_only = True
    style = Style.FULL
    cores = 0

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Forget the last match."""
        self._role = role
        self._past: list[Seen] = []

    def observe(self, observation: Observation) -> None:
        """Remember what the role saw of the turn."""
        self._past.append(Seen.of(observation, self._role))

    def take_back(self, turns: int, view: View) -> None:
        """Forget turns."""
        del self._past[len(self._past) - turns :]

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The move that the reply names; a reply without one is refused and asked again, within the deadline."""
        prompt = make_prompt(view, self._past, self.style)
        error = ""
        for attempt in range(1, ATTEMPTS + 1):
            seconds = deadline.remaining()
            question = prompt.as_json() | {"attempt": attempt, "error": error}
            question["seconds"] = None if seconds == float("inf") else round(max(0.0, seconds), 3)
            reply = self.ask(json.dumps(question, ensure_ascii=True), deadline)
            try:
                text, move = _read(reply, prompt.legal)
            except ReplyError as wrong:
                error = str(wrong)
                continue
            note = {"reply": text[:_NOTE], "attempts": attempt}
            return Decision(move, Thinking(note=f"attempt {attempt}" if attempt > 1 else "", extra=note))
        raise PlayerError(f"{self.name}: {ATTEMPTS} replies named no legal move; the last error: {error}")

    @abstractmethod
    def ask(self, question: str, deadline: Deadline) -> str:
        """The line that answers a line. Raises `TimeoutError` or `PlayerError`."""


def _read(line: str, legal: tuple[Move, ...]) -> tuple[str, Move]:
    """The text of a reply, and the move in it."""
    try:
        read: Any = json.loads(line)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise ReplyError("the reply is not a JSON object on one line")
    text = read.get("move", read.get("reply"))
    if not isinstance(text, str):
        raise ReplyError("the reply has neither a text 'reply' nor a text 'move'")
    return text, parse_reply(text, legal)

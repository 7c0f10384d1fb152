"""A program of the local user as a player: it reads prompts and writes replies (docs/agents.md)."""

from __future__ import annotations

import json

from ludens.core import Deadline, Option
from ludens.core.program import Program
from ludens.players.prompted.prompted_player import PromptedPlayer


class CommandPlayer(PromptedPlayer):
    """A program of the local user, which reads questions from its standard input and writes replies."""

    name = "command"
    description = "a program that reads prompts and writes replies, a JSON object on a line each: command:PROGRAM"
    options = (Option("command", "", "The program with its arguments."),)
    whole_option = "command"
    _program: Program | None = None

    def ask(self, question: str, deadline: Deadline) -> str:
        """The program's next line. A program that fails or is late is killed, and started anew for its next move."""
        if self._program is None:
            self._program = Program(str(self.settings["command"]))
        try:
            self._program.send_exactly(question, deadline)
            return self._program.line(deadline)
        except BaseException:
            self._program.kill()
            self._program = None
            raise

    def stop(self) -> None:
        """End the program, which sees the end of its input."""
        if self._program is not None:
            self._program.close(json.dumps({"end": True}))
            self._program = None

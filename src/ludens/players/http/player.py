"""A server as a player: it receives prompts by POST and replies (docs/agents.md)."""

from __future__ import annotations

from ludens.core import Deadline, Option
from ludens.players.http.exchange import post
from ludens.players.prompted.prompted_player import PromptedPlayer


class HttpPlayer(PromptedPlayer):
    """A server that gets questions by POST."""

    name = "http"
    description = "a server that receives prompts by POST and replies, both as JSON: http:URL"
    options = (Option("url", "", "The address that questions are sent to."),)
    whole_option = "url"

    def ask(self, question: str, deadline: Deadline) -> str:
        """The body of the server's response."""
        return post(str(self.settings["url"]), question, deadline)

"""The error for authors of rules: it names the class, the method, the point in the play, and what to return."""

from __future__ import annotations

from ludens.core import GameError


class RuleError(GameError):
    """A tabletop rule does something that the model does not allow."""

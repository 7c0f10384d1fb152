"""What is wrong with a rule, told to its author: which class, which method, where in the play, and what to return."""

from __future__ import annotations

from ludens.core import GameError


class RuleError(GameError):
    """A tabletop rule does something that the model does not allow."""

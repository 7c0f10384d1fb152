"""A rule of the tests of the model as a file, as Supervisors name it."""

from __future__ import annotations

from tests.tabletop.rules import Suits as Model


class Suits(Model):
    """See there."""

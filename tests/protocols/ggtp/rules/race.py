"""A rule of the tests of the model as a file, as Supervisors name it."""

from __future__ import annotations

from tests.tabletop.rules import Race as Model


class Race(Model):
    """See there."""

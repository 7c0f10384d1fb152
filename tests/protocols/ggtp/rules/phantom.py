"""A rule of the tests of the model as a file, as Supervisors name it."""

from __future__ import annotations

from tests.tabletop.test_hidden import Phantom as Model


class Phantom(Model):
    """See there."""

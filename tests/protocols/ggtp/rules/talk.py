"""A rule of the tests of the model whose players may talk."""

from __future__ import annotations

from tests.tabletop.rules import Race as Model


class Talk(Model):
    """See there."""

    messages = True

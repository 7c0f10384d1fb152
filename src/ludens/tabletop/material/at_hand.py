"""The table that a rule is working on in this thread, for attributes of equipment that change during a play."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class _AtHand(threading.local):
    table: Any = None
    """The table, or None outside of rules."""


AT_HAND = _AtHand()


@contextmanager
def at_hand(table: Any) -> Iterator[None]:
    """Let attributes that changed during the play be read from a table, as in ``card.charge``."""
    before = AT_HAND.table
    AT_HAND.table = table
    try:
        yield
    finally:
        AT_HAND.table = before

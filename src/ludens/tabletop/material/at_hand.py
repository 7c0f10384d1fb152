"""The table that a rule is working on in this thread, for attributes of equipment that change during a play."""

from __future__ import annotations

import threading
from typing import Any


class _AtHand(threading.local):
    table: Any = None
    """The table, or None outside of rules."""


AT_HAND = _AtHand()

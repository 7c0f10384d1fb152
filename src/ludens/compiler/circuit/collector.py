"""Python's garbage collector, kept from looking through what is being built.

A circuit is hundreds of thousands of small objects without a cycle among them, all of which are needed to the end. The
collector looks through them again and again as they grow in number, which took a third of the time of compiling.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """No collection as long as this lasts."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()

"""Error messages for commands whose optional libraries are not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ludens.core import LudensError


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Wraps imports that need an extra, and reports a missing library in one sentence."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise LudensError(f"this needs {error.name}, which is not installed: pip install 'ludens[{extra}]'") from None

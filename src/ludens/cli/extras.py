"""What commands say whose libraries are not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ludens.core import LudensError


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Around imports that need an extra: a missing library is told in one sentence."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise LudensError(f"this needs {error.name}, which is not installed: pip install 'ludens[{extra}]'") from None

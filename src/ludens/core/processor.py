"""Which instructions of an x86-64 processor ludens uses: all that there are, or up to the level in ``LUDENS_CPU``."""

from __future__ import annotations

import os
from collections.abc import Collection
from enum import StrEnum

from ludens.core.errors import LudensError

VARIABLE = "LUDENS_CPU"


class Level(StrEnum):
    """Widths of registers, the narrowest first."""

    SSE2 = "sse2"
    AVX2 = "avx2"
    AVX512 = "avx512"

    @property
    def label(self) -> str:
        """As people write it."""
        return "AVX-512" if self is Level.AVX512 else self.value.upper()

    @property
    def architecture(self) -> str:
        """What LLVM, GCC and Clang call the processors that have just this level and what came with it."""
        return {Level.SSE2: "x86-64", Level.AVX2: "x86-64-v3", Level.AVX512: "x86-64-v4"}[self]


def level_of(features: Collection[str]) -> Level:
    """The level of a processor with these features, in LLVM's words."""
    if "avx512f" in features:
        return Level.AVX512
    return Level.AVX2 if "avx2" in features else Level.SSE2


def wanted_level() -> Level | None:
    """The highest level that the user allows; None if there is no limit. Raises `LudensError` for an unknown one."""
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return None
    try:
        return Level(text.lower())
    except ValueError:
        choices = ", ".join(reversed(Level))
        raise LudensError(f"{VARIABLE} cannot be {text!r}; choose one of {choices}, or leave it unset") from None


def cap(level: Level) -> Level | None:
    """The level that replaces a processor's own; None if the user allows all of it. Raises `LudensError`."""
    wanted = wanted_level()
    levels = list(Level)
    return wanted if wanted is not None and levels.index(wanted) < levels.index(level) else None

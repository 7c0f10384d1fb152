"""Expressions over features as sequences of words, in prefix order: ``["add", "mobility", 0.5]``.

They come from untrusted files, so they are interpreted and never compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from ludens.players.space.space import Values

Token: TypeAlias = str | float
"""The name of an operation or a feature, or a constant."""
MOST_TOKENS = 400


def _select(which: Values, positive: Values, other: Values) -> Values:
    return np.where(which > 0, positive, other)


OPERATIONS: Mapping[str, tuple[int, Callable[..., Values]]] = {
    "add": (2, np.add),
    "subtract": (2, np.subtract),
    "multiply": (2, np.multiply),
    "smaller": (2, np.minimum),
    "larger": (2, np.maximum),
    "negative": (1, np.negative),
    "squash": (1, np.tanh),
    "choose": (3, _select),
}
"""The arity and the function of each operation; ``choose`` returns the second if the first is positive."""


def is_tree(tokens: Sequence[object], features: Collection[str]) -> bool:
    """True if the tokens are one expression over these features, with finite constants."""
    if not 1 <= len(tokens) <= MOST_TOKENS:
        return False
    open_places = 1
    for token in tokens:
        if open_places == 0:
            return False
        open_places -= 1
        if isinstance(token, str):
            if token in OPERATIONS:
                open_places += OPERATIONS[token][0]
            elif token not in features:
                return False
        elif not isinstance(token, float) or not np.isfinite(token):
            return False
    return open_places == 0


def value_of(tokens: Sequence[Token], feature: Callable[[str], Values], count: int) -> Values:
    """The value of an expression in ``count`` positions, given the values of features there."""
    stack: list[Values] = []
    for token in reversed(tokens):
        if not isinstance(token, str):
            stack.append(np.full(count, token))
        elif token in OPERATIONS:
            arity, operation = OPERATIONS[token]
            # Products of products may overflow; far beyond 30 nothing changes any more.
            stack.append(np.clip(operation(*(stack.pop() for _ in range(arity))), -1e6, 1e6))
        else:
            stack.append(feature(token))
    return stack.pop()

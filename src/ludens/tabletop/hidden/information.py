"""What a player knows as a value: its own moves and percepts, what it saw and could do, turn by turn.

Two states have equal information for a player exactly if nothing that it did, perceived, saw or was allowed to do on
the way to them differs. Each turn adds a link to a chain, whose 128-bit hash is the same in all processes.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

_SIZE = 16
"""Bytes of a hash."""


class Information:
    """All that a player knows in a state."""

    __slots__ = ("_hash", "before", "digest", "text")

    def __init__(
        self, before: Information | None, text: str, observation: Mapping[str, Any], legal_moves: Sequence[str]
    ) -> None:
        self.before = before
        """The information before the last turn; None at the beginning."""
        self.text = text
        """What the player did and perceived in the last turn."""
        seen = canonical_text(observation), *sorted(legal_moves)
        earlier: bytes = b"" if before is None else before.digest
        parts = earlier, text.encode(), "\n".join(seen).encode()
        self.digest: bytes = blake2b(b"\0".join(parts), digest_size=_SIZE).digest()
        """The hash of everything, the same in all processes."""
        self._hash = int.from_bytes(self.digest[:7], "big")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Information) and self.digest == other.digest

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        """The turns, and the beginning of the hash, which stands for what the player saw besides percepts."""
        texts: list[str] = []
        link: Information | None = self
        while link is not None:
            texts.append(link.text)
            link = link.before
        return " · ".join([*filter(None, reversed(texts)), f"#{self.digest[:6].hex()}"])

    def __reduce__(self) -> tuple[object, ...]:
        return restore_information, (str(self), self.digest)


def restore_information(text: str, digest: bytes) -> Information:
    """Unpickle information, as one link."""
    found = Information.__new__(Information)
    found.before, found.digest, found._hash = None, digest, int.from_bytes(digest[:7], "big")
    found.text = text.rpartition(" · #")[0]
    return found


def canonical_text(value: Hashable | Mapping[str, Any]) -> str:
    """A value as text that does not depend on the order of sets and mappings."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(sorted(f"{key}: {canonical_text(one)}" for key, one in value.items())) + "}"
    if isinstance(value, frozenset | set):
        return "{" + ", ".join(sorted(map(canonical_text, value))) + "}"
    if isinstance(value, tuple | list):
        return "(" + ", ".join(map(canonical_text, value)) + ")"
    return repr(value) if isinstance(value, str) else str(value)

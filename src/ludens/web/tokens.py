"""Access tokens: only their hashes are stored, as with passwords."""

from __future__ import annotations

import hashlib
import hmac
import secrets


def new_token() -> str:
    """A new random token."""
    return secrets.token_urlsafe(16)


def hash_of(token: str) -> str:
    """The hash of a token. A fast hash is enough: 128 random bits cannot be enumerated."""
    return hashlib.sha256(token.encode()).hexdigest()


def fits(token: str, hashed: str) -> bool:
    """True if the token has this hash."""
    return bool(hashed) and hmac.compare_digest(hash_of(token), hashed)

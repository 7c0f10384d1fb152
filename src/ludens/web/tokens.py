"""Secrets that let somebody do something: only their hashes are kept, since a token is as good as a password."""

from __future__ import annotations

import hashlib
import hmac
import secrets


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(16)


def hash_of(token: str) -> str:
    """What is kept of a token. A fast hash will do: 128 random bits cannot be tried out."""
    return hashlib.sha256(token.encode()).hexdigest()


def fits(token: str, hashed: str) -> bool:
    """True if the token has this hash."""
    return bool(hashed) and hmac.compare_digest(hash_of(token), hashed)

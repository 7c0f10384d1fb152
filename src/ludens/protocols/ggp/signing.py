"""Signatures of match records, as ggp-base makes and checks them: RSA with SHA-1 over a canonical form of the JSON.

They tell archives which host a record comes from. SHA-1 is what archives expect; nothing else relies on it. RSA is a
few lines on Python's integers, and is used once for each match, so no library is needed.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludens.core import LudensError
from ludens.core.files import write_file

PUBLIC_KEY = "matchHostPK"
SIGNATURE = "matchHostSignature"
KEY_BITS = 2048
_EXPONENT = 65_537
_CODE = "0"
"""The first letter of a key or signature in ggp-base: how it is encoded."""
_CANONICAL = "A"
"""The first letter of a signature of a record in ggp-base: the canonical form that was signed."""
_RSA = bytes.fromhex("300d06092a864886f70d0101010500")
"""The algorithm of a key, in DER: rsaEncryption without parameters."""
_SHA1 = bytes.fromhex("3021300906052b0e03021a05000414")
"""What stands before the digest in a signature, in DER."""
_INTEGER, _BITS, _OCTETS, _SEQUENCE = 0x02, 0x03, 0x04, 0x30
_ROUNDS = 40
"""Rounds of the test by Miller and Rabin: a composite number passes with a probability below 4^-40."""
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


class SignatureError(LudensError):
    """A key cannot be read."""


@dataclass(frozen=True, slots=True)
class HostKey:
    """The key pair of a host."""

    modulus: int
    private: int
    primes: tuple[int, int]

    @classmethod
    def generate(cls, bits: int = KEY_BITS) -> HostKey:
        """A new key pair; takes some seconds."""
        while True:
            one, other = _prime(bits // 2), _prime(bits - bits // 2)
            order = math.lcm(one - 1, other - 1)
            if one != other and math.gcd(_EXPONENT, order) == 1 and (one * other).bit_length() == bits:
                return cls(one * other, pow(_EXPONENT, -1, order), (one, other))

    @classmethod
    def load(cls, path: Path) -> HostKey:
        """The key pair in a file of ggp-base, ``{"PK": …, "SK": …}``; a new one is made if there is no such file."""
        if not path.exists():
            key = cls.generate()
            write_file(path, json.dumps({"PK": key.public_text, "SK": key.private_text}) + "\n")
            path.chmod(0o600)
            return key
        try:
            return cls._read(json.loads(path.read_text(encoding="utf-8"))["SK"])
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            raise SignatureError(f"{path} is no key pair, such as ggp-base's {{'PK': …, 'SK': …}}") from None

    @classmethod
    def _read(cls, text: str) -> HostKey:
        _, octets = list(_parts(_decode(text)))[1:]
        numbers = [int.from_bytes(value) for value in _parts(octets)]
        _, modulus, _, private, one, other = numbers[:6]
        if one * other != modulus:
            raise ValueError
        return cls(modulus, private, (one, other))

    @property
    def public_text(self) -> str:
        """The public key as ggp-base writes it."""
        return _encode(_der(_SEQUENCE, _RSA + _der(_BITS, b"\0" + _sequence(self.modulus, _EXPONENT))))

    @property
    def private_text(self) -> str:
        """The private key as ggp-base writes it."""
        one, other = self.primes
        numbers = (
            0, self.modulus, _EXPONENT, self.private, one, other,
            self.private % (one - 1), self.private % (other - 1), pow(other, -1, one),
        )  # fmt: skip
        return _encode(_der(_SEQUENCE, _der(_INTEGER, b"\0") + _RSA + _der(_OCTETS, _sequence(*numbers))))

    def sign(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """A record with the host's public key and signature."""
        signed = {**record, PUBLIC_KEY: self.public_text}
        padded = int.from_bytes(_pad(canonical(signed), self.modulus))
        signature = pow(padded, self.private, self.modulus).to_bytes(_size(self.modulus))
        return {**signed, SIGNATURE: _CANONICAL + _encode(signature)}


def is_signed_by_its_host(record: Mapping[str, Any]) -> bool:
    """True if a record has a public key, and a signature by it that fits."""
    try:
        text = record[SIGNATURE]
        *_, bits = _parts(_decode(record[PUBLIC_KEY]))
        modulus, exponent = (int.from_bytes(value) for value in _parts(bits[1:]))
        signature = int.from_bytes(_decode(text.removeprefix(_CANONICAL)))
    except (KeyError, ValueError, AttributeError, IndexError):
        return False
    unsigned = {key: value for key, value in record.items() if key != SIGNATURE}
    return text.startswith(_CANONICAL) and pow(signature, exponent, modulus) == int.from_bytes(
        _pad(canonical(unsigned), modulus)
    )


def canonical(value: Any) -> str:
    """A JSON value in ggp-base's canonical form: no blanks, keys sorted, its own way to quote texts."""
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{_quote(key)}:{canonical(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, Sequence):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return json.dumps(value)


def _quote(text: str) -> str:
    found, before = [], ""
    for letter in text:
        code = ord(letter)
        if letter in _ESCAPES:
            found.append(_ESCAPES[letter])
        elif letter == "/" and before == "<":
            found.append("\\/")
        elif code < 0x20 or 0x80 <= code < 0xA0 or 0x2000 <= code < 0x2100:
            found.append(f"\\u{code:04x}")
        else:
            found.append(letter)
        before = letter
    return f'"{"".join(found)}"'


def _pad(text: str, modulus: int) -> bytes:
    """The digest of a text, padded by PKCS #1 v1.5 to the size of the modulus."""
    digest = _SHA1 + hashlib.sha1(text.encode(), usedforsecurity=False).digest()
    return b"\0\1" + b"\xff" * (_size(modulus) - len(digest) - 3) + b"\0" + digest


def _size(number: int) -> int:
    return (number.bit_length() + 7) // 8


def _encode(data: bytes) -> str:
    return _CODE + base64.b64encode(data).decode()


def _decode(text: str) -> bytes:
    if not text.startswith(_CODE):
        raise ValueError
    return base64.b64decode(text[1:], validate=True)


def _der(tag: int, content: bytes) -> bytes:
    length = len(content)
    if length < 0x80:
        return bytes((tag, length)) + content
    size = length.to_bytes(_size(length))
    return bytes((tag, 0x80 | len(size))) + size + content


def _sequence(*numbers: int) -> bytes:
    return _der(_SEQUENCE, b"".join(_der(_INTEGER, n.to_bytes(n.bit_length() // 8 + 1)) for n in numbers))


def _parts(data: bytes) -> Iterator[bytes]:
    """The contents of the values in a DER sequence."""
    ((_, content),) = _values(data)
    for _, value in _values(content):
        yield value


def _values(data: bytes) -> list[tuple[int, bytes]]:
    """The values that follow each other in DER, each with its tag."""
    found, at = [], 0
    while at < len(data):
        tag, length = data[at], data[at + 1]
        at += 2
        if length & 0x80:
            size = length & 0x7F
            length, at = int.from_bytes(data[at : at + size]), at + size
        if at + length > len(data):
            raise ValueError
        found.append((tag, data[at : at + length]))
        at += length
    return found


def _prime(bits: int) -> int:
    while True:
        number = secrets.randbits(bits) | 3 << (bits - 2) | 1
        if all(number % small for small in _SMALL_PRIMES) and _is_probably_prime(number):
            return number


def _is_probably_prime(number: int) -> bool:
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(_ROUNDS):
        power = pow(secrets.randbelow(number - 3) + 2, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


_SMALL_PRIMES = [n for n in range(3, 2000, 2) if all(n % k for k in range(3, math.isqrt(n) + 1, 2))]

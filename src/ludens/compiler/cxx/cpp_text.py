"""Text that is safe inside C++, whatever characters a rule sheet uses in its names."""

from __future__ import annotations

import re
from collections.abc import Iterable

_PLAIN = frozenset(" !#$%&'()*+,-./0123456789:;<=>@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~")
_LINE = 110
MAX_IDENTIFIER = 40
"""The maximum number of characters of a rule sheet's name in an identifier."""


def string_literal(text: str) -> str:
    """A C++ string literal; non-ASCII text is written as octal escapes, which have a fixed length."""
    parts = (
        chr(byte) if chr(byte) in _PLAIN else f"\\{byte:03o}" for byte in text.encode("utf-8", errors="surrogatepass")
    )
    return '"' + "".join(parts) + '"'


def comment(text: str) -> str:
    """Text for a line comment: one line, and nothing that could end or continue it."""
    return re.sub(r"[^ -~]|\\|\?\?", "_", text)[:200].rstrip()


def identifier(text: str) -> str:
    """A C++ identifier that resembles a text; not unique, and never a keyword, since it ends in an underscore."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")[:MAX_IDENTIFIER].strip("_")
    return f"{plain}_" if plain[:1].isalpha() else f"n{plain}_"


def numbers(values: Iterable[int], indent: str = "    ") -> str:
    """Numbers for an initializer list, in lines of moderate length."""
    lines, line = [], indent
    for value in values:
        text = f"{value},"
        if len(line) + len(text) > _LINE:
            lines.append(line)
            line = indent
        line += text
    return "\n".join([*lines, line])

"""Programs, packages and data of others that some tests need: ``@peer("stockfish")`` skips a test where it is missing.

`make peers` installs all of them but the two collections of files, and ``make test-peers`` runs only the marked tests.
"""

from __future__ import annotations

import functools
import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

peer = pytest.mark.peer
"""Marks a test, or a module by ``pytestmark``, with the names of the peers that it needs."""

AXE = Path(__file__).parents[1] / ".cache" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
RULES = Path(os.environ.get("LUDENS_CONFORMANCE", "no-such-folder"))
"""Rule sheets of others with recorded playouts: a folder with ``rules/``, ``traces/`` and ``edge/``."""
TRANSCRIPTS = Path(os.environ.get("LUDENS_PROTOCOLS", "no-such-folder")) / "transcripts"
"""Recorded sessions of ggp-base's programs."""
POSTGRESQL = Path("/usr/lib/postgresql")
_CLANGS = [name for name in ("clang++", "clang++-19") if shutil.which(name)]
CXX_COMPILERS = (*(name for name in ("g++",) if shutil.which(name)), *_CLANGS[:1])


@dataclass(frozen=True, slots=True)
class Peer:
    """Something that this machine may lack."""

    title: str
    is_here: Callable[[], bool]
    remedy: str = "'make peers' installs it"

    @property
    def missing(self) -> str:
        """Why a test is skipped, and what to do about it."""
        return f"{self.title} is missing: {self.remedy}"


def with_peers(backends: Iterable[str]) -> list[Any]:
    """The names of backends as parameters of tests; generated C++ needs a compiler, and seconds for each game.

    Games in C++ have tests of their own in tests/compiler/cxx, of which some are not slow.
    """
    marks = (peer("c++"), pytest.mark.slow)
    return [pytest.param(name, marks=marks) if name == "cxx" else name for name in backends]


def optional_module(name: str) -> Any:
    """A module that tests marked with its peer use; None where it is not installed, so that they can be collected."""
    return import_module(name) if find_spec(name) else None


def _program(*names: str) -> Callable[[], bool]:
    return lambda: all(shutil.which(name) for name in names)


def _package(name: str) -> Callable[[], bool]:
    return lambda: find_spec(name) is not None


def _has_chromium() -> bool:
    return _program("chromium")() and _package("playwright")()


def _has_postgresql() -> bool:
    return _program("psql")() and _package("psycopg")() and any(POSTGRESQL.glob("*/bin/initdb"))


PEERS = {
    "axe": Peer("axe-core", lambda: AXE.is_file() and _has_chromium()),
    "c++": Peer("a C++ compiler", lambda: bool(CXX_COMPILERS)),
    "chess": Peer("python-chess", _package("chess")),
    "chromium": Peer("Chromium or Playwright", _has_chromium),
    "clang": Peer("Clang 19", _program("clang++-19")),
    "cmake": Peer("CMake", _program("cmake")),
    "mcp": Peer("the package mcp", _package("mcp")),
    "ipython": Peer("IPython", _package("IPython")),
    "gnubg": Peer("GNU Backgammon", _program("gnubg")),
    "gnugo": Peer("GNU Go", _program("gnugo")),
    "llvm-mc": Peer("LLVM's disassembler", _program("llvm-mc")),
    "mkdocs": Peer("MkDocs", _package("mkdocs")),
    "openspiel": Peer("OpenSpiel", _package("pyspiel")),
    "openssl": Peer("OpenSSL's command line", _program("openssl")),
    "postgresql": Peer("PostgreSQL", _has_postgresql),
    "qemu": Peer("QEMU or GCC for 64-bit ARM", _program("qemu-aarch64", "aarch64-linux-gnu-gcc")),
    "ray": Peer("Ray", _package("ray")),
    "rules": Peer(
        "the corpus of public rule sheets",
        (RULES / "rules").is_dir,
        "set LUDENS_CONFORMANCE to a folder with rules/, traces/ and edge/",
    ),
    "sb3": Peer("sb3-contrib", _package("sb3_contrib")),
    "shogi": Peer("python-shogi", _package("shogi")),
    "stockfish": Peer("Stockfish", _program("stockfish")),
    "swipl": Peer("SWI-Prolog", _program("swipl")),
    "torch": Peer("PyTorch", _package("torch")),
    "transcripts": Peer(
        "the transcripts of ggp-base", TRANSCRIPTS.is_dir, "set LUDENS_PROTOCOLS to a folder with transcripts/"
    ),
}
"""All that tests may need beyond ``pip install .[dev]``."""


@functools.cache
def is_here(name: str) -> bool:
    """True if a peer can be used on this machine."""
    return PEERS[name].is_here()


def skip_without_peers(item: pytest.Item) -> None:
    """Skip a test whose peers are not all here; the first that is missing is named."""
    needed = [name for mark in item.iter_markers("peer") for name in mark.args]
    missing = [PEERS[name].missing for name in needed if not is_here(name)]
    if missing:  # before the marks of pytest, which skips tests without parameters for no reason a user understands
        item.add_marker(pytest.mark.skip(reason=missing[0]), append=False)

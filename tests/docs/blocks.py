"""The fenced blocks of the guide, and what is said about them in comments that stand right before.

``<!-- slow -->``           takes more than a few seconds, so it runs with the slow tests
``<!-- not run: why -->``   cannot run in a test; the reason is listed
``<!-- part -->``           GDL that is part of a rule sheet: it is read, not checked as a whole
``<!-- wrong -->``          GDL in a file that has mistakes on purpose
``<!-- needs openspiel -->`` this block and those after it need a peer (tests/peers.py)
``<!-- exit 1 -->``         the last command of the block ends with this code
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = (ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted((DOCS / "api").glob("*.md")))
"""All pages written by hand: those of the games are made from their cards."""

_FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^`\n]*)\n(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
_COMMENTS = re.compile(r"(?:^ *<!-- [^\n]* -->\n)+\Z", re.MULTILINE)
_COMMENT = re.compile(r"<!-- ([^\n]*) -->")
_TITLE = re.compile(r'title="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block."""

    page: Path
    line: int
    """Where its fence is."""
    language: str
    title: str
    """The file that it is, or goes on; empty if it is none."""
    text: str
    notes: tuple[str, ...]

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def reason(self) -> str:
        """Why it is not run; empty if it is."""
        return self.note("not run: ")

    @property
    def slow(self) -> bool:
        return "slow" in self.notes

    @property
    def peer(self) -> str:
        """What it needs beside ludens; empty if it needs nothing."""
        return self.note("needs ")

    def note(self, beginning: str) -> str:
        """What a note says after its first words; empty if there is none."""
        return next((note.removeprefix(beginning) for note in self.notes if note.startswith(beginning)), "")


def blocks_of(page: Path) -> list[Block]:
    """The blocks of a page, in its order."""
    text = page.read_text(encoding="utf-8")
    return [_block(page, text, found) for found in _FENCE.finditer(text)]


def prose_of(page: Path) -> str:
    """A page without its blocks."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def _block(page: Path, text: str, found: re.Match[str]) -> Block:
    before = text[: found.start()]
    comments = _COMMENTS.search(before)
    indent = len(found["indent"])
    lines = [line[indent:] if line[:indent].isspace() else line for line in found["text"].splitlines()]
    title = _TITLE.search(found["info"])
    return Block(
        page,
        before.count("\n") + 1,
        found["info"].split()[0] if found["info"].split() else "",
        title[1] if title else "",
        "".join(f"{line}\n" for line in lines),
        tuple(_COMMENT.findall(comments[0])) if comments else (),
    )

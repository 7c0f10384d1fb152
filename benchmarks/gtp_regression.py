"""``python -m benchmarks.gtp_regression FOLDER``: run GNU Go's regression files through ``ludens gtp``.

A file ``NAME.tst`` has GTP commands, those with a number being questions, and after a question the pattern of the right
answer: ``#? [D4|E5]``, ``#? [!D4]`` for anything else, with ``*`` behind it where GNU Go itself is known to fail. The
folder is not part of ludens. Questions in commands that ludens does not have are counted apart.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ludens.protocols.ggtp.rules import choose_rule
from ludens.protocols.gtp.server import GtpServer
from ludens.protocols.lent_player import LentPlayer

_QUESTION = re.compile(r"\s*(\d+)\s+(\S+)")
_PATTERN = re.compile(r"#\?\s*\[(!?)(.*)\]")
UNKNOWN = "? unknown command"


@dataclass(slots=True)
class Tally:
    """Questions of a file."""

    right: int = 0
    wrong: int = 0
    unknown: int = 0

    def __str__(self) -> str:
        asked = self.right + self.wrong
        share = f"{self.right / asked:.0%}" if asked else "-"
        return f"{self.right:5} of {asked:5} right ({share}), {self.unknown:5} in commands that ludens does not have"


def main() -> None:
    """Run all files, and print the share of right answers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder with the .tst files and their games")
    parser.add_argument("--player", default="mcts")
    parser.add_argument("--clock", type=float, default=0.5, help="seconds for each move")
    parser.add_argument("--files", default="*.tst", help="which files, such as 'ld_*.tst'")
    options = parser.parse_args()
    files = sorted(options.folder.glob(options.files))
    if not files:
        parser.error(f"there is no file {options.files} in {options.folder}")
    folder = options.folder.resolve()
    total = Tally()
    for file in files:
        tally = run_file(folder / file.name, options.player, options.clock)
        print(f"{file.stem:25} {tally}", flush=True)
        total.right, total.wrong = total.right + tally.right, total.wrong + tally.wrong
        total.unknown += tally.unknown
    print(f"{'all':25} {total}")


def run_file(path: Path, player: str, seconds: float) -> Tally:
    """Ask all questions of a file; names of games in it are relative to its folder."""
    lent = LentPlayer(player, seed=1, start_clock=1.0, log=lambda text: None)
    server = GtpServer(choose_rule("go:19", "auto"), lent, name="ludens", seconds=seconds)
    before = Path.cwd()
    os.chdir(path.parent)
    tally = Tally()
    try:
        for command, pattern in questions(path.read_text(encoding="utf-8", errors="replace")):
            answer = (server.answer(command) or "").strip()
            if pattern is None:
                continue
            if answer.startswith("?") and answer.endswith("unknown command"):
                tally.unknown += 1
            elif is_right(answer, pattern):
                tally.right += 1
            else:
                tally.wrong += 1
    finally:
        os.chdir(before)
        server.close()
    return tally


def questions(text: str) -> Iterator[tuple[str, str | None]]:
    """Every command, and the pattern of its answer where it is a question."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        pattern = None
        if _QUESTION.match(line):
            for following in lines[number + 1 :]:
                if following.strip() and not following.lstrip().startswith("#"):
                    break
                if found := _PATTERN.search(following):
                    pattern = found[1] + found[2]
                    break
        yield line, pattern


def is_right(answer: str, pattern: str) -> bool:
    """Whether an answer fits a pattern, as GNU Go's scripts have it: the whole answer, in any case of letters."""
    text = " ".join(re.sub(r"^=\d*", "", answer).split())
    expression = pattern.removeprefix("!")
    try:
        fits = bool(re.fullmatch(f"(?:{expression})", text, re.IGNORECASE))
    except re.error:
        fits = text == expression
    return answer.startswith("=") and fits != pattern.startswith("!")


if __name__ == "__main__":
    main()

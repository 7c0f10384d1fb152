"""Train the networks that come with ludens: ``neural:connect_four`` plays with one of them.

``python -m benchmarks.trained --minutes 20`` trains all; ``python -m benchmarks.trained --minutes 20 othello`` one more
time that one, from the network that is there. Logs and curves stay in the folder given by ``--work``.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ludens.players.learning.files import plain_name
from ludens.players.neural.player import NeuralPlayer
from ludens.players.registry import trained_folder

GAMES = (
    "breakthrough:5",
    "clobber",
    "connect_four",
    "connect_four:5,4",
    "domineering",
    "dots_and_boxes",
    "hex:5",
    "mnk",
    "tic_tac_toe",
    "y:5",
)
"""Games of small boards, in which a small network learns something in minutes."""
SHAPE = ("--hidden", "64", "--blocks", "2")
"""Small networks: quick on one core, and small files."""


def train(game: str, minutes: float, work: Path) -> Path:
    """Train, or train on, the network of a game, and copy it into the package."""
    file = work / f"{plain_name(game)}.pt"
    resume = ["--resume"] if file.exists() else []
    command = [sys.executable, "-c", "from ludens.cli.main import run; run()", "train", game]
    subprocess.run([*command, "--minutes", str(minutes), "--out", str(file), *SHAPE, *resume], check=True)
    target = trained_folder(NeuralPlayer) / file.name
    target.parent.mkdir(exist_ok=True)
    shutil.copyfile(file, target)
    return target


def main() -> None:
    """Train the named games, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "ludens-trained")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    for game in options.games:
        file = train(game, options.minutes, options.work)
        print(f"{game}: {file} ({file.stat().st_size:,} bytes)", flush=True)


if __name__ == "__main__":
    main()

"""Positions of many games on one sheet: ``python -m benchmarks.pictures.contact_sheet FILE``.

The first picture of the guide. Apart from the others, because it is made of pixels, and of whatever `ludens.drawing`
draws today.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

from PIL import Image, ImageDraw, ImageFont

import ludens
from ludens.core import random_joint_move
from ludens.drawing import draw
from ludens.drawing.palette import COLOURS
from ludens.drawing.scenes.raster import to_image

GAMES = (
    ("chess", 12), ("checkers", 14), ("go:9", 50), ("backgammon", 5), ("othello", 20), ("connect_four", 18),
    ("hex", 24), ("shogi", 30), ("hearts", 24), ("kalaha", 6), ("chinese_checkers", 30), ("nine_mens_morris", 12),
    ("quoridor", 9), ("stratego", 40), ("mahjong", 30), ("uno", 12), ("sokoban", 4), ("rush_hour", 4),
    ("hanoi", 5), ("amazons", 6), ("dominoes", 12), ("tron", 9), ("quarto", 9), ("dots_and_boxes", 12),
)  # fmt: skip
"""What is shown, and after how many random turns at most."""
COLUMNS = 6
CELL = 300
"""The width of a game on the sheet."""
TITLE = 34
"""The height of its name."""
_MARGIN = 14


def position(name: str, turns: int, seed: int) -> Image.Image:
    """The last position of a short random playout before which nothing ended, as its first role sees it."""
    game, rng = ludens.load(name), Random(seed)
    state = game.initial_state()
    for _ in range(turns):
        following = state.sample(random_joint_move(state, rng), rng)
        if following.is_terminal:
            break
        state = following
    scene = draw(game, state.view(game.roles[0]), clickable=False, captions=False).scene
    room = CELL - 2 * _MARGIN
    return to_image(scene, scale=min(room / scene.width, room / scene.height))


def sheet(seed: int) -> Image.Image:
    """All games, each below its name."""
    rows = -(-len(GAMES) // COLUMNS)
    paper = Image.new("RGB", (COLUMNS * CELL, rows * (CELL + TITLE)), COLOURS["paper"][False])
    pen, font = ImageDraw.Draw(paper), ImageFont.load_default(18)
    for number, (name, turns) in enumerate(GAMES):
        x, y = number % COLUMNS * CELL, number // COLUMNS * (CELL + TITLE)
        title = name.partition(":")[0].replace("_", " ")
        pen.text((x + CELL / 2, y + TITLE - 6), title, fill=COLOURS["ink"][False], font=font, anchor="ms")
        picture = position(name, turns, seed)
        paper.paste(picture, (x + (CELL - picture.width) // 2, y + TITLE + (CELL - picture.height) // 2))
    return paper


def main() -> None:
    """Write the sheet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args()
    sheet(args.seed).quantize(64).save(args.file, optimize=True)


if __name__ == "__main__":
    main()

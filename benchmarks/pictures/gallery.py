"""A page of drawings by inference alone: ``python -m benchmarks.pictures.gallery docs --sheets FOLDER``.

Our own rule sheets are drawn without the hints on their cards, as if they were unknown. Public sheets are read from the
folder and drawn without captions, so that a picture contains nothing of a sheet but names; without ``--sheets`` their
pictures stay as they are. The page with all pictures and what is poor in them is written in any case.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random

from PIL import Image

import ludens
from ludens.core import Game, random_joint_move
from ludens.drawing import draw
from ludens.drawing.scenes.raster import to_image
from ludens.gdl.game import GdlGame

COLUMNS = 3
_SIDE = 300
"""The most pixels of a picture's width and height."""
_LARGEST_SCALE = 1.2
_COLOURS = 64


@dataclass(frozen=True, slots=True)
class Shown:
    """A position on the page."""

    name: str
    """A game of the library, or the name of a public sheet's file."""
    turns: int
    """How many random turns it is from the start, at most."""
    poor: str
    """What is still poor in the drawing."""

    @property
    def file(self) -> str:
        """The name of its picture."""
        return f"{self.name.replace(':', '-')}.png"


OWN = (
    Shown("tic_tac_toe", 4, "nothing"),
    Shown("checkers", 12, "nothing; the board is found from the word for men"),
    Shown("othello", 16, "the board is not green"),
    Shown("nine_mens_morris", 10, "nothing; the lines are facts of the rules"),
    Shown("hex", 20, "the edges do not show whose they are"),
    Shown("chinese_checkers_3p", 12, "nothing"),
    Shown("kalaha", 4, "the stores are a table instead of holes"),
    Shown("nim", 3, "nothing"),
    Shown("quoridor", 8, "walls of two squares are drawn with one"),
    Shown("leduc_poker", 2, "the pot is a table"),
    Shown("peg_solitaire", 6, "no holes"),
    Shown("eight_puzzle", 4, "no tiles, only numbers"),
    Shown("quarto", 8, "the pieces are four letters instead of four properties"),
    Shown("lights_out", 4, "a lamp is the word *on*"),
    Shown("rush_hour", 3, "a car is a pair of letters on each of its squares"),
    Shown("ultimate_tic_tac_toe", 12, "no lines between the nine boards: the rules number squares from 1 to 9"),
    Shown("rubik_2x2", 3, "stickers are discs"),
    Shown("ludo", 6, "all is text: places are a colour and a number, which no board is found from"),
)
"""Sheets of the library."""
PUBLIC = (
    Shown("knightfight", 8, "the knights are discs; squares that are used up are called arrows, and drawn so"),
    Shown("ttcc4", 5, "nothing; columns are clicked at their numbers, squares on the board"),
    Shown("battle", 8, "pieces are letters"),
    Shown("blobwars", 9, "nothing"),
    Shown("cubicup", 8, "the third dimension is a number"),
    Shown("sudoku", 8, "no lines between blocks"),
    Shown("kalaha_2009", 5, "houses are heaps in two lines, p10 beside p1"),
    Shown("pacman3p", 6, "everybody is a disc; only colours tell who is who"),
    Shown("shogi_ctk", 30, "ranks are columns, because they are letters; generals are letters"),
    Shown("pancakes", 4, "a stack is drawn as a table of pairs"),
    Shown("rubiksCube", 3, "not a cube: cubies are named by colours, not by coordinates"),
    Shown("hex", 10, "groups of stones are a second board"),
)
"""Sheets of others, all of the tuned half."""


def last_position(game: Game, turns: int, picture_side: int, *, captions: bool) -> Image.Image:
    """The drawing of the last position of a short random playout before which nothing ended."""
    rng, state = Random(5), game.initial_state()
    for _ in range(turns):
        following = state.sample(random_joint_move(state, rng), rng)
        if following.is_terminal:
            break
        state = following
    scene = draw(game, state, clickable=False, captions=captions).scene
    return to_image(scene, scale=min(_LARGEST_SCALE, picture_side / scene.width, picture_side / scene.height))


def without_card(name: str, folder: Path) -> Game:
    """A game of the library from its rules alone."""
    game = ludens.load(name)
    assert isinstance(game, GdlGame)
    file = folder / f"{name.replace(':', '_')}_rules.kif"
    file.write_text(game.rules_text, encoding="utf-8")
    return ludens.load(file)


def page() -> str:
    """The page in Markdown."""
    parts = [_INTRODUCTION]
    for title, shown, folder in (("Our own sheets", OWN, "own"), ("Public sheets", PUBLIC, "public")):
        parts += ["", f"## {title}", "", f"|{' |' * COLUMNS}", f"|{'---|' * COLUMNS}"]
        for row in (shown[n : n + COLUMNS] for n in range(0, len(shown), COLUMNS)):
            cells = [f"![{one.name}](pictures/gallery/{folder}/{one.file})<br>`{one.name}`: {one.poor}" for one in row]
            parts.append(f"| {' | '.join(cells)} |")
    return "\n".join(parts) + "\n"


_INTRODUCTION = """# Drawings of unknown rules

Thirty positions as ludens draws them if it knows nothing but the rules: no card, no hints, no names of games. Below
each is what is still poor. [Drawings](drawing.md) describes how boards and pieces are found and drawings scored.
`python -m benchmarks.pictures.gallery docs --sheets FOLDER` makes this page and its pictures anew."""


def main() -> None:
    """Draw the pictures and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--sheets", type=Path, help="the folder of public sheets, NAME.kif")
    args = parser.parse_args()
    pictures = args.docs / "pictures" / "gallery"
    with tempfile.TemporaryDirectory() as folder:
        for one in OWN:
            _save(
                last_position(without_card(one.name, Path(folder)), one.turns, _SIDE, captions=True),
                one,
                pictures / "own",
            )
    for one in PUBLIC if args.sheets else ():
        game = ludens.load(args.sheets / f"{one.name}.kif")
        _save(last_position(game, one.turns, _SIDE, captions=False), one, pictures / "public")
    (args.docs / "gallery.md").write_text(page(), encoding="utf-8")


def _save(picture: Image.Image, one: Shown, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    picture.quantize(_COLOURS).save(folder / one.file, optimize=True)


if __name__ == "__main__":
    main()

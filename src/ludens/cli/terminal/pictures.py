"""Writing drawings to files, for ``ludens show`` and ``ludens replay``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ludens.core import Game, LudensError, State
from ludens.core.files import make_folder, write_file
from ludens.drawing import Drawing, draw, film
from ludens.referee.reading import Record
from ludens.referee.verify import replay


def write_position(game: Game, state: State, path: Path) -> None:
    """Write one position as SVG."""
    write_file(path, draw(game, state, clickable=False).svg)


def write_turns(record: Record, game: Game, folder: Path) -> list[Path]:
    """Write the first position and the one after each turn as SVG files ``0000.svg`` and on into a folder, which is
    made if there is none."""
    make_folder(folder)
    written = []
    for turn, drawing in _draw_turns(record, game):
        written.append(folder / f"{turn:04}.svg")
        write_file(written[-1], drawing.svg)
    return written


def draw_turn(record: Record, game: Game, turn: int) -> Drawing:
    """Draw the position after a turn; 0 is the start. Raises `LudensError` if there is none."""
    for number, drawing in _draw_turns(record, game):
        if number == turn:
            return drawing
    raise LudensError(f"{record.path} has no turn {turn} that can be drawn")


def write_film(record: Record, game: Game, path: Path) -> None:
    """Write the match as a GIF, without moves that were taken back."""
    line = {0, *(turn.id for turn in record.line_to(record.last))}
    write_file(path, film(drawing for turn, drawing in _draw_turns(record, game) if turn in line))


def _draw_turns(record: Record, game: Game) -> Iterator[tuple[int, Drawing]]:
    """The number of each turn and a drawing of the position after it, where that can be computed."""
    yield 0, draw(game, game.initial_state(), clickable=False)
    for turn, state, _ in replay(record, game):
        if state is not None:
            yield turn.id, draw(game, state, last=turn.moves.values(), clickable=False)

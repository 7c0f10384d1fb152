"""Many matches at once: a machine word whose bits belong to 64 matches, and lanes that go on in step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import ludens
from benchmarks.pictures.canvas import FIRST, INK, LINE, PALE, SECOND, Canvas
from ludens.core.batch import Batch

Bits = NDArray[np.bool_]

LANES, SIDE = 64, 11.0
DIAGONAL = ("(cell 1 1 x)", "(cell 2 2 x)", "(cell 3 3 x)")
SEED, JOINT_MOVES = 1, 7


def played_batch() -> Batch:
    """64 matches of tic-tac-toe after seven random joint moves."""
    batch = ludens.Batch(ludens.load("tic_tac_toe", backend="circuit"), LANES, seed=SEED)
    for _ in range(JOINT_MOVES):
        batch.advance()
    return batch


def words() -> Canvas:
    """Three fluents in 64 matches, and the matches in which all of them hold."""
    batch = played_batch()
    rows = [batch.observation[:, batch.fluents.index(fluent)] for fluent in DIAGONAL]
    canvas = Canvas(150 + LANES * SIDE, 196, "Three words of 64 bits, one bit a match, and their conjunction")
    canvas.text(140, 24, "match 1")
    canvas.text(140 + LANES * SIDE, 24, "match 64", anchor="end")
    for place, (fluent, row) in enumerate(zip(DIAGONAL, rows, strict=True)):
        _row(canvas, 36 + 26 * place, fluent, row, FIRST)
    canvas.line(12, 118, 140 + LANES * SIDE, 118, stroke=INK)
    both = rows[0] & rows[1] & rows[2]
    _row(canvas, 128, "AND", both, SECOND)
    canvas.text(
        12, 172, f"After {JOINT_MOVES} random moves x has this diagonal in {int(both.sum())} of 64 matches: two AND "
        "instructions found all of them.", fill=PALE,
    )  # fmt: skip
    canvas.text(12, 188, "A register of 512 bits holds eight such words.", fill=PALE)
    return canvas


def _row(canvas: Canvas, y: float, name: str, bits: Bits, fill: str) -> None:
    canvas.text(12, y + 12, name, code=True)
    _bits(canvas, 140, y, SIDE, 16, bits, fill)


def _bits(canvas: Canvas, x: float, y: float, side: float, height: float, bits: Bits, fill: str) -> None:
    """A row of squares, coloured where a bit is set."""
    places = [(x + side * lane, y) for lane in range(len(bits))]
    canvas.squares(
        (place for place, bit in zip(places, bits, strict=True) if not bit), side - 1, height, fill="#eceff1"
    )
    canvas.squares((place for place, bit in zip(places, bits, strict=True) if bit), side - 1, height, fill=fill)


def fluents() -> Canvas:
    """All fluents of the 64 matches, a row each."""
    batch = played_batch()
    canvas = Canvas(LANES * 5, len(batch.fluents) * 5, "The fluents of 64 matches")
    for row, fluent in enumerate(batch.fluents):
        fill = FIRST if fluent.endswith(" x)") else SECOND if fluent.endswith(" o)") else "#90a4ae"
        _bits(canvas, 0, row * 5, 5, 4, batch.observation[:, row], fill)
    return canvas


def steps(lanes: int = 12, length: int = 48) -> Canvas:
    """Lanes of random matches of tic-tac-toe, one below the other: who moves, who waits, when a match begins."""
    lengths = _lengths(lanes * length // 5)
    size = 16.0
    canvas = Canvas(110 + length * size, 92 + lanes * 20, "Lanes in step: matches of different length, refilled")
    idle = 0
    for lane in range(lanes):
        step, y = 0, 40 + 20 * lane
        canvas.text(14, y + 12, f"lane {lane + 1}", size=11)
        while step < length:
            moves = lengths.pop()
            for place in range(min(moves, length - step)):
                gap = 2.5 if place == moves - 1 else 0.5
                canvas.box(80 + size * (step + place), y, size - gap, 15, fill=FIRST if place % 2 == 0 else SECOND)
            step += moves
            if step % 2 and step < length:
                canvas.box(80 + size * step, y, size - 2.5, 15, fill="#fff", stroke=LINE)
                idle += 1
                step += 1
    y = 64 + 20 * lanes
    canvas.text(80, 26, "joint move 1, 2, 3, …", size=11, fill=PALE)
    for x, fill, stroke, text in (
        (14, FIRST, "none", "x moves"),
        (110, SECOND, "none", "o moves"),
        (206, "#fff", LINE, "waits"),
    ):
        canvas.box(x, y - 11, 13, 13, fill=fill, stroke=stroke)
        canvas.text(x + 20, y, text, size=11)
    canvas.text(
        14, y + 18, "In each column the same role moves in all lanes, so only its half of the rules is computed. "
        f"{100 * idle / (lanes * length):.0f} % of the steps are waiting.", size=11, fill=PALE,
    )  # fmt: skip
    return canvas


def _lengths(count: int) -> list[int]:
    """The lengths of random matches, as a batch plays them."""
    batch = ludens.Batch(ludens.load("tic_tac_toe", backend="circuit"), count, seed=SEED)
    lengths = np.zeros(count, int)
    while not batch.terminal.all():
        lengths += ~batch.terminal
        batch.advance()
    return [int(length) for length in lengths]

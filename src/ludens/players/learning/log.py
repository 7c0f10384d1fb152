"""The training log: a CSV file with a row for each step, which a resumed training continues."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ludens.core import PlayerError
from ludens.core.files import append, make_folder, write_file

Figure = float | int | str | None


class Log:
    """Rows of figures under fixed headings, written to disk as they are added."""

    def __init__(self, path: Path, headings: Sequence[str], steps: int) -> None:
        """Keep the rows of ``steps`` steps of an earlier training; the file may have more if it was killed.

        The rows have a column ``step``. The file is made with the first row that is added.
        """
        self._path = path
        self._headings = tuple(headings)
        self.rows: list[dict[str, str]] = read_log(path) if steps and path.exists() else []
        """All rows so far, as text."""
        if self.rows and tuple(self.rows[0]) != self._headings:
            raise PlayerError(f"{path} has other columns than this training writes; move it away")
        self.rows = [row for row in self.rows if row["step"].isdecimal() and int(row["step"]) <= steps]
        self._is_begun = False

    def add(self, figures: Mapping[str, Figure]) -> None:
        """Add a row; figures that are None stay empty."""
        row = {name: _format_figure(figures.get(name)) for name in self._headings}
        if self._is_begun:
            append(self._path, self._lines(row))
        else:
            make_folder(self._path.parent)
            headings = dict(zip(self._headings, self._headings, strict=True))
            write_file(self._path, self._lines(headings, *self.rows, row))
            self._is_begun = True
        self.rows.append(row)

    def _lines(self, *rows: Mapping[str, str]) -> str:
        text = io.StringIO()
        csv.DictWriter(text, self._headings).writerows(rows)
        return text.getvalue()

    def points(self, across: str, up: str) -> list[tuple[float, float]]:
        """Two columns as numbers, where both are known."""
        return list(_points(self.rows, across, up))


def read_log(path: Path) -> list[dict[str, str]]:
    """The rows of a log."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _points(rows: Iterable[Mapping[str, str]], across: str, up: str) -> Iterable[tuple[float, float]]:
    for row in rows:
        if row[across] and row[up]:
            yield float(row[across]), float(row[up])


def _format_figure(figure: Figure) -> str:
    return "" if figure is None else f"{figure:.5g}" if isinstance(figure, float) else str(figure)

"""Sets of rows with indexes, and the layers that hold them: the rules' own facts, a state, a joint move."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from ludens.gdl.terms import Term

Key: TypeAlias = object
Index: TypeAlias = dict[Key, list[Term]]
FileRows: TypeAlias = Callable[[Iterable[Term], Index], None]
"""Files rows in an index by some of their parts; rows of another form are left out."""


class Table:
    """The rows of a relation: whole terms such as ``("legal", "white", "noop")``; those of ``true`` are the fluents."""

    __slots__ = ("_indexes", "rows")

    def __init__(self, rows: set[Term] | None = None) -> None:
        self.rows: set[Term] = set() if rows is None else rows
        self._indexes: dict[int, tuple[FileRows, Index]] = {}

    def insert(self, rows: Collection[Term]) -> set[Term]:
        """Add rows; returns those that are new."""
        new = set(rows)
        if self.rows:
            new -= self.rows
        if new:
            self.rows |= new
            for file_rows, index in self._indexes.values():
                file_rows(new, index)
        return new

    def index(self, number: int, filers: Sequence[FileRows]) -> Index:
        """The index that ``filers[number]`` fills; it follows the table from then on."""
        built = self._indexes.get(number)
        if built is None:
            built = (filers[number], {})
            filers[number](self.rows, built[1])
            self._indexes[number] = built
        return built[1]

    def clear(self) -> None:
        """Forget everything."""
        self.rows.clear()
        self._indexes.clear()


class Layer(dict[int, Table]):
    """The tables of one phase, by number, on top of those of the phases before; made when they are first needed."""

    __slots__ = ("_phases", "_written", "below", "done", "phase")

    def __init__(
        self, phase: int, below: Layer | None, phases: Sequence[int], written: Mapping[int, Collection[Term]]
    ) -> None:
        super().__init__()
        self.phase = phase
        self.below = below
        self.done: set[object] = set()
        """What has been evaluated here."""
        self._phases = phases
        self._written = written

    def __missing__(self, number: int) -> Table:
        if self.below is not None and self._phases[number] < self.phase:
            table = self.below[number]
        else:
            table = Table(set(self._written.get(number, ())))
        self[number] = table
        return table

    def of_phase(self, phase: int) -> Layer:
        """This layer, or the one below it, that holds the tables of a phase."""
        layer = self
        while layer.below is not None and layer.phase > phase:
            layer = layer.below
        return layer

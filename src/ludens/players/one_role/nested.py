"""Nested Monte-Carlo search, for spaces that are too large to search through (Cazenave 2009).

At level 0 a line is a random playout. At level n, every legal move is followed by a search of level n - 1, and the move
that begins the best line found so far is played. All searches of one level run in parallel lanes.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np

from ludens.players.one_role.incumbent import Incumbent
from ludens.players.one_role.space import Layer, Numbers, Space


@dataclass(frozen=True, slots=True)
class _Line:
    score: float = -1.0
    goal: int = -1
    moves: tuple[int, ...] = ()


class NestedSearch:
    """Repeats the search from the root until it is stopped, first at lower levels, then at the requested one."""

    name = "nested"

    def __init__(self, space: Space, root: Layer, incumbent: Incumbent, level: int) -> None:
        self._space = space
        self._root = root
        self._incumbent = incumbent
        self._level = level
        self.states = 0
        """Positions computed so far."""

    def run(self) -> Iterator[None]:
        """Search; yields after each unit of work."""
        for level in range(self._level):
            yield from self._search(level, self._root)
        while True:
            yield from self._search(self._level, self._root)

    def _search(self, level: int, roots: Layer) -> Generator[None, None, list[_Line]]:
        """The best line from each root."""
        if level == 0:
            return (yield from self._playouts(roots))
        begun = self._space.examine(roots)
        scores = self._space.scores(begun)
        best = [
            _Line(float(scores[n]), int(begun.goals[n])) if over else _Line() for n, over in enumerate(begun.terminal)
        ]
        current = roots.copy()
        lengths = [0] * len(roots)
        active = np.flatnonzero(~begun.terminal)
        while len(active):
            parents, moves = self._space.moves(current[active])
            if not len(parents):
                break
            after = yield from self._play(current[active[parents]], moves)
            lines = yield from self._search(level - 1, after)
            prefixes = {int(root): best[root].moves[: lengths[root]] for root in active}
            for place, move, line in zip(parents, moves, lines, strict=True):
                owner = int(active[place])
                if line.score > best[owner].score:
                    best[owner] = _Line(line.score, line.goal, (*prefixes[owner], int(move), *line.moves))
            active = np.array([root for root in active if len(best[root].moves) > lengths[root]], np.int64)
            if len(active):
                chosen = np.array([best[root].moves[lengths[root]] for root in active], np.int64)
                stepped = self._space.play(current[active], chosen)
                current[active] = stepped.layer
                for root in active:
                    lengths[root] += 1
                active = active[~stepped.terminal]
            if roots is self._root:
                self._offer(best[0])
                if self._incumbent.goal_proved:
                    return best
        return best

    def _play(self, layer: Layer, moves: Numbers) -> Generator[None, None, Layer]:
        """The positions after one move in each."""
        parts = []
        for piece in self._space.pieces(len(moves)):
            parts.append(self._space.play(layer[piece], moves[piece]).layer)
            yield
        self.states += len(moves)
        return np.concatenate(parts)

    def _playouts(self, roots: Layer) -> Generator[None, None, list[_Line]]:
        """The best of several playouts from each root, enough to fill all lanes."""
        repeats = max(1, self._space.lanes // len(roots))
        lines: list[_Line] = []
        for start in range(0, len(roots), self._space.lanes):
            part = roots[start : start + self._space.lanes]
            found = self._space.playouts(np.repeat(part, repeats, axis=0))
            self.states += int((found.moves >= 0).sum())
            best = found.scores.reshape(-1, repeats).argmax(axis=1) + repeats * np.arange(len(part))
            lines += [_Line(float(found.scores[n]), int(found.goals[n]), found.line(n)) for n in best]
            yield
        if roots is self._root:
            self._offer(lines[0])
        return lines

    def _offer(self, line: _Line) -> None:
        if line.goal >= 0:
            self._incumbent.offer(line.goal, [self._space.texts[move] for move in line.moves], self.name)

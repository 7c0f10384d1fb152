"""Go by Chinese rules: area scoring, no suicide, and no position of the board twice."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Do,
    Each,
    Element,
    FinishPlay,
    Move,
    Option,
    Pass,
    Position,
    Rule,
    Set,
    Stage,
    StonesPosition,
    StonesTwin,
    Table,
    alternate,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LETTERS = "ABCDEFGHJKLMNOPQRST"
"""Columns of a Go board, which has no I."""
EMPTY = -1
SETTLED = 4.0
"""A lead of this many points at the end of a playout counts as about 75 % of a win."""


class Go(Rule):
    """Surround more points than the opponent; stones without liberties are captured."""

    name = "Go"
    players = ("Black", "White")
    options = (
        Option("size", 9, "points along a side of the board", 2, 19),
        Option("komi", 7.5, "points that White gets", -400.0, 400.0),
        Option("turns", 0, "turns before the board is scored as it is; 0 means two per point", 0, 5000),
    )
    visibility = "public"

    def equipment(self, table: Table) -> None:
        """A board and stones, and lookup tables for the rules."""
        size = int(self.settings["size"])
        board = Area.grid("board", LETTERS[:size], size, directions=("E", "N"), visibility=self.visibility)
        table.add(board)
        table.add(Assortment("stones", [Element("X", player="Black"), Element("O", player="White")], endless=True))
        self.points: tuple[Position, ...] = board.positions
        self.number = {point: number for number, point in enumerate(self.points)}
        self.near = [[self.number[other] for other in point.neighbours] for point in self.points]
        rng = Random("go")
        self.zobrist = [[rng.getrandbits(64) for _ in self.players] for _ in self.points]
        self.stones: Sequence[Element] = table.assortment("stones").elements
        self.most_turns = int(self.settings["turns"]) or 2 * size * size

    def setup(self, table: Table) -> Action:
        """The empty board counts as an earlier position."""
        return Set(table, board=0, past=frozenset({0}), passes=0, turn=0)

    def turns(self) -> list[Stage]:
        """Black and White take turns."""
        return alternate(self.players, self.stone)

    # The board as numbers

    def colours(self, table: Table) -> list[int]:
        """For each point the number of the player whose stone is there, or `EMPTY`."""
        white = self.stones[1]
        contents = [table[point] for point in self.points]
        return [EMPTY if not lying else int(lying[0] is white) for lying in contents]

    def chains(self, colours: Sequence[int]) -> Iterator[tuple[list[int], set[int]]]:
        """The stones and the liberties of each chain."""
        seen = [False] * len(colours)
        for first, colour in enumerate(colours):
            if colour == EMPTY or seen[first]:
                continue
            seen[first] = True
            stones, liberties = [first], set()
            for stone in stones:
                for other in self.near[stone]:
                    if colours[other] == EMPTY:
                        liberties.add(other)
                    elif colours[other] == colour and not seen[other]:
                        seen[other] = True
                        stones.append(other)
            yield stones, liberties

    def captures(self, table: Table) -> dict[int, list[int] | None]:
        """For each empty point the stones that the current player would capture there; None if it is illegal."""
        own = self.players.index(table.current_player)
        colours = self.colours(table)
        chain_of: dict[int, tuple[list[int], set[int]]] = {}
        for chain in self.chains(colours):
            for stone in chain[0]:
                chain_of[stone] = chain
        past, board = table.get("past"), table.get("board")
        captured: dict[int, list[int] | None] = {}
        for point, colour in enumerate(colours):
            if colour != EMPTY:
                continue
            lives = False
            taken: dict[int, None] = {}
            for other in self.near[point]:
                if colours[other] == EMPTY:
                    lives = True
                    continue
                stones, liberties = chain_of[other]
                if colours[other] == own:
                    lives = lives or len(liberties) > 1
                elif len(liberties) == 1:
                    taken.update(dict.fromkeys(stones))
            after = board ^ self.zobrist[point][own]
            for stone in taken:
                after ^= self.zobrist[stone][1 - own]
            captured[point] = list(taken) if (lives or taken) and after not in past else None
        return captured

    # Actions

    def stone(self, table: Table) -> Sequence[Action]:
        """Place a stone where it has liberties and the position is new, or pass."""
        allowed = [one for one in self.captures(table).items() if one[1] is not None]

        def make(one: tuple[int, list[int]] | None) -> Action:
            if one is None:
                return self.pass_turn(table)
            point = self.points[one[0]]
            return Do(self.put, point, *(self.points[stone] for stone in one[1])).named(point.name)

        return Each([*allowed, None], make)

    def pass_turn(self, table: Table) -> Action:
        """Pass."""
        return (Pass() + Set(table, passes=table.get("passes") + 1, turn=table.get("turn") + 1)).named("pass")

    def put(self, table: Table, point: Position, *taken: Position) -> Action:
        """Place a stone, and capture chains without liberties."""
        own = self.players.index(table.current_player)
        board = table.get("board") ^ self.zobrist[self.number[point]][own]
        action: Action = Move(self.stones[own], to=point)
        for stone in taken:
            board ^= self.zobrist[self.number[stone]][1 - own]
            action += Move(self.stones[1 - own], to=table.assortment("stones"), source=stone)
        return action + Set(table, board=board, past=table.get("past") | {board}, passes=0, turn=table.get("turn") + 1)

    # The end

    def result(self, table: Table) -> FinishPlay | None:
        """Two passes in a row end the game."""
        if table.get("passes") < 2 and table.get("turn") < self.most_turns:
            return None
        black, white = self.areas(self.colours(table))
        points = self.points_for(black, white)
        if points["Black"] == 0:
            return FinishPlay(draw=True, points=points)
        return FinishPlay(winners=["Black" if points["Black"] > 0 else "White"], points=points)

    def points_for(self, black: int, white: int) -> dict[str, float]:
        """The points of both players by their areas."""
        margin = black - white - float(self.settings["komi"])
        return {"Black": margin, "White": -margin}

    def areas(self, colours: Sequence[int]) -> tuple[int, int]:
        """Points that each player occupies or alone surrounds."""
        owners = self.owners(colours)
        return owners.count(0), owners.count(1)

    def owners(self, colours: Sequence[int]) -> list[int]:
        """For each point the number of the player who occupies or alone surrounds it, or `EMPTY`."""
        owners = list(colours)
        seen = [colour != EMPTY for colour in colours]
        for first in range(len(colours)):
            if seen[first]:
                continue
            seen[first] = True
            region, borders = [first], set()
            for point in region:
                for other in self.near[point]:
                    if colours[other] != EMPTY:
                        borders.add(colours[other])
                    elif not seen[other]:
                        seen[other] = True
                        region.append(other)
            if len(borders) == 1:
                owner = borders.pop()
                for point in region:
                    owners[point] = owner
        return owners

    # The twin

    def twin(self) -> StonesTwin:
        """Stones in machine code, with the playouts below."""
        return StonesTwin(
            near=self.near,
            position=self.twin_position,
            move=lambda number: self.points[number].name,
            points=lambda _, black, white: self.points_for(black, white),
            goals=self.twin_goals,
            repeats=lambda table, number: self.captures(table)[number] is None,
        )

    def twin_position(self, table: Table) -> StonesPosition:
        """The board as numbers."""
        player = self.players.index(table.current_player)
        return StonesPosition(self.colours(table), player, table.get("passes"), self.most_turns - table.get("turn"))

    def twin_goals(self, table: Table, areas: NDArray[np.int32]) -> NDArray[np.float64]:
        """As in `playout`."""
        import numpy as np  # noqa: PLC0415 - rules are loaded without it

        margins = areas[:, 0] - areas[:, 1] - float(self.settings["komi"])
        shares = 100 / (1 + np.exp(-margins / SETTLED))
        return np.stack([shares, 100 - shares], axis=1)

    # Playouts

    def playout(self, table: Table, rng: Random) -> tuple[float, float]:
        """Both place random stones, never in their own eyes, and pass when no point is left; then the board is scored.

        Superko is ignored, as the turn limit keeps playouts short.
        """
        colours = self.colours(table)
        own = self.players.index(table.current_player)
        self.play_out_board(colours, own, int(table.get("passes")), self.most_turns - int(table.get("turn")), rng)
        black, white = self.areas(colours)
        margin = black - white - float(self.settings["komi"])
        share = 100 / (1 + math.exp(-margin / SETTLED))
        return share, 100 - share

    def play_out_board(self, colours: list[int], own: int, passes: int, turns: int, rng: Random) -> None:
        """Play on a board of numbers until both pass or the turns are over."""
        empty = [point for point, colour in enumerate(colours) if colour == EMPTY]
        ko = EMPTY
        for _ in range(turns):
            point = self.sensible(colours, empty, own, ko, rng)
            ko = EMPTY
            if point == EMPTY:
                passes += 1
                if passes == 2:
                    break
            else:
                passes = 0
                empty.remove(point)
                taken = self.put_down(colours, point, own)
                empty += taken
                ko = taken[0] if len(taken) == 1 else EMPTY
            own = 1 - own

    def sensible(self, colours: list[int], empty: list[int], own: int, ko: int, rng: Random) -> int:
        """A random point where a stone has liberties and that is not an own eye; `EMPTY` if there is none."""
        left = len(empty)
        while left:
            number = int(rng.random() * left)
            point = empty[number]
            left -= 1
            empty[number], empty[left] = empty[left], point  # points already tried move to the end
            if point == ko:
                continue
            near = [colours[other] for other in self.near[point]]
            if EMPTY in near:
                return point
            if 1 - own not in near:
                continue
            colours[point] = own
            takes = any(colours[other] == 1 - own and not self.liberty(colours, other) for other in self.near[point])
            lives = takes or self.liberty(colours, point)
            colours[point] = EMPTY
            if lives:
                return point
        return EMPTY

    def put_down(self, colours: list[int], point: int, own: int) -> list[int]:
        """Place a stone on a board of numbers and capture chains without liberties; returns the captured stones."""
        colours[point] = own
        taken: list[int] = []
        for other in self.near[point]:
            if colours[other] == 1 - own and not self.liberty(colours, other):
                chain = self.chain(colours, other)
                for stone in chain:
                    colours[stone] = EMPTY
                taken += chain
        return taken

    def chain(self, colours: Sequence[int], first: int) -> list[int]:
        """The chain of a stone."""
        colour, stones = colours[first], [first]
        for stone in stones:
            stones += [other for other in self.near[stone] if colours[other] == colour and other not in stones]
        return stones

    def liberty(self, colours: Sequence[int], first: int) -> bool:
        """True if the chain of a stone has a liberty."""
        colour, stones = colours[first], [first]
        for stone in stones:
            for other in self.near[stone]:
                if colours[other] == EMPTY:
                    return True
                if colours[other] == colour and other not in stones:
                    stones.append(other)
        return False

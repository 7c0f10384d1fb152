"""Stratego: two armies with hidden ranks; capture the flag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludens.games.tabletop.twins.stratego import stratego_twin
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Do,
    Each,
    Element,
    EngineTwin,
    FinishPlay,
    Move,
    Option,
    Position,
    Rule,
    Set,
    Show,
    Stage,
    Table,
    everybody,
    stage,
)

FLAG, BOMB, SPY, SCOUT, MINER, MARSHAL = "flag", "bomb", "spy", "scout", "miner", "marshal"
STRENGTH = {
    FLAG: 0, SPY: 1, SCOUT: 2, MINER: 3, "sergeant": 4, "lieutenant": 5, "captain": 6, "major": 7, "colonel": 8,
    "general": 9, MARSHAL: 10, BOMB: 11,
}  # fmt: skip
SYMBOL = {FLAG: "F", BOMB: "B", SPY: "S"}
REACH: dict[str, int | None] = {FLAG: 0, BOMB: 0, SCOUT: None}
"""Ranges of pieces that do not move exactly one square; None means any distance along a free line."""
WORTH = STRENGTH | {SPY: 4, MINER: 5, BOMB: 4}
"""The values of pieces."""
SPREAD = 8
"""A lead of this much is worth a win probability of 75 %."""
FULL, SMALL = "full", "small"
DEPLOY = "deploy"


@dataclass(frozen=True, slots=True)
class Field:
    """A board and the armies that fight on it."""

    size: int
    """Squares along a side."""
    rows: int
    """Rows that each army fills."""
    lakes: tuple[str, ...]
    """Squares that no piece enters."""
    army: dict[str, int]
    """How many pieces of each rank there are."""
    turns: int
    """Moves of both sides before the game is drawn."""


FIELDS = {
    FULL: Field(
        10, 4, ("C5", "D5", "C6", "D6", "G5", "H5", "G6", "H6"),
        {FLAG: 1, BOMB: 6, SPY: 1, SCOUT: 8, MINER: 5, "sergeant": 4, "lieutenant": 4, "captain": 4, "major": 3,
         "colonel": 2, "general": 1, MARSHAL: 1},
        1000,
    ),
    SMALL: Field(
        6, 2, ("B3", "E4"), {FLAG: 1, BOMB: 2, SPY: 1, SCOUT: 3, MINER: 2, "captain": 1, "general": 1, MARSHAL: 1}, 300
    ),
}  # fmt: skip


class Stratego(Rule):
    """Both set up in secret; attacker and defender reveal their ranks, and the lower falls."""

    name = "Stratego"
    players = ("Red", "Blue")
    options = (
        Option(
            "board", FULL, "ten by ten squares with forty pieces each, or six by six with twelve", choices=(FULL, SMALL)
        ),
        Option("turns", 0, "moves of both before the game is drawn; 0 means a limit that suits the board", 0, 10_000),
    )

    def equipment(self, table: Table) -> None:
        """The board, both armies in their boxes, and the place of fallen pieces."""
        self.field = FIELDS[self.settings["board"]]
        table.add(
            Area.grid("board", self.field.size, self.field.size, "EN", visibility="hidden", stack=True, picture="lakes")
        )
        for player in self.players:
            pieces = [
                Element(f"{player[0]}{SYMBOL.get(title, STRENGTH[title])}", player=player, title=title)
                for title, count in self.field.army.items()
                for _ in range(count)
            ]
            table.add(Assortment(f"box {player}", pieces, owner=player, visibility="owner"))
        table.add(Area("beside the board", ["fallen"]))
        squares = table.area("board").positions
        lakes = {table.position(name) for name in self.field.lakes}
        for lake in lakes:
            lake.attributes["terrain"] = "lake"
        self.rays: dict[Position, list[tuple[Position, ...]]] = {}
        for square in squares:
            rays = (square.ray(direction) for direction in square.directions())
            self.rays[square] = [cut for ray in rays if (cut := until(ray, lakes))]
        filled = self.field.rows * self.field.size
        self.camp = {"Red": squares[:filled], "Blue": squares[::-1][:filled]}
        army = [piece for player in self.players for piece in table.assortment(f"box {player}").elements]
        self.side: dict[Element, str] = {piece: piece.player for piece in army}
        self.reach = {piece: REACH.get(piece.title, 1) for piece in army}

    def setup(self, table: Table) -> Action:
        """The board is empty."""
        return Set(table, turn=0) + Set("Red", moves=()) + Set("Blue", moves=())

    def turns(self) -> list[Stage]:
        """Both deploy at once, then they move in turn."""
        red, blue = self.players
        return [
            everybody(DEPLOY, self.players, self.deploy, DEPLOY),
            stage(f"turn {red}", (red, self.move, f"turn {blue}"), start=False),
            stage(f"turn {blue}", (blue, self.move, f"turn {red}"), start=False),
        ]

    def deploy(self, table: Table) -> list[Action]:
        """Choose the piece for the next square of the player's camp, row by row from the edge."""
        player = table.current_player
        # Boxes and squares are read without table[…], so that a choice is no evidence about the other pieces.
        left = table.contents[table.assortment(f"box {player}").index]
        square = self.camp[player][len(self.camp[player]) - len(left)]
        following = DEPLOY if len(left) > 1 else f"turn {self.starting_player}"
        kinds = {piece.title: piece for piece in reversed(left)}
        return [Move(piece, to=square).then(following).named(title) for title, piece in sorted(kinds.items())]

    # The battle

    def move(self, table: Table) -> Sequence[Action]:
        """One square, or for scouts any number of empty ones; onto an opponent to attack it."""
        return Each(list(self.ways(table, table.current_player)), self.go_action)

    def go_action(self, way: tuple[Position, Position]) -> Action:
        """The action of a move."""
        square, target = way
        return Do(self.go, square, target).named(f"{square.name} {target.name}")

    def ways(self, table: Table, player: str) -> Iterator[tuple[Position, Position]]:
        """The moves of a player as pairs of squares."""
        contents, side = table.contents, self.side
        recent = table.get("moves", of=player)
        for square, rays in self.rays.items():
            lying = contents[square.index]
            if not lying or side[lying[0]] != player:
                continue
            reach = self.reach[lying[0]]
            for ray in rays:
                for target in ray[:reach]:
                    there = contents[target.index]
                    if (not there or side[there[0]] != player) and not is_shuttling(recent, square, target):
                        yield square, target
                    if there:
                        break

    def go(self, table: Table, source: Position, target: Position) -> Action:
        """Move a piece; attack an enemy on the target square."""
        player = table.current_player
        piece, other = table[source][0], table.top(target)
        recent = (*table.get("moves", of=player)[-2:], f"{source} {target}")
        action: Action = Set(table, turn=table.get("turn") + 1) + Set(player, moves=recent)
        if not table.get("moved", of=piece):
            action += Set(piece, moved=True)
        if target not in source.neighbours:
            action += Show(piece)  # only scouts move that far
        if other is None:
            return action + Move(piece, to=target)
        action += Show((piece, other))
        fallen = table.position("fallen")
        match battle(piece.title, other.title):
            case 1:
                return action + Move(other, to=fallen) + Move(piece, to=target)
            case -1:
                return action + Move(piece, to=fallen)
        return action + Move((piece, other), to=fallen)

    def possible(self, table: Table) -> bool:
        """Flags and bombs have not moved."""
        return not any(
            isinstance(of, Element) and of.title in (FLAG, BOMB) for of, name in table.attributes if name == "moved"
        )

    # The end

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        return stratego_twin(self, self.settings["turns"] or self.field.turns, WORTH, self.rays, self.camp)

    def result(self, table: Table) -> FinishPlay | None:
        """A player whose flag falls, or who cannot move, loses."""
        if table.stage == DEPLOY:
            if any(table.contents[table.assortment(f"box {player}").index] for player in self.players):
                return None
            # Bombs on all squares without a lake in front shut an army in.
            return self.end_without_moves(table, self.starting_player)
        player, other = table.current_player, table.next_player()
        if any(piece.title == FLAG for piece in table["fallen"]):
            return FinishPlay(winners=[player], reason=f"{player} took the flag")
        if (end := self.end_without_moves(table, other)) is not None:
            return end
        most = self.settings["turns"] or self.field.turns
        is_over = table.get("turn") >= most
        return FinishPlay(draw=True, reason=f"the limit of {most} turns was reached") if is_over else None

    def prospects(self, table: Table) -> dict[str, float]:
        """The player with fewer losses is ahead."""
        lost = dict.fromkeys(self.players, 0)
        for piece in table["fallen"]:
            lost[self.side[piece]] += WORTH[piece.title]
        return {player: -worth / SPREAD for player, worth in lost.items()}

    def end_without_moves(self, table: Table, player: str) -> FinishPlay | None:
        """The end if the player to move cannot; a draw if the other has no movable piece either."""
        if next(self.ways(table, player), None) is not None:
            return None
        other = table.next_player(after=player)
        standing = [lying[0] for square in self.rays if (lying := table.contents[square.index])]
        can_win = any(self.side[piece] == other and self.reach[piece] != 0 for piece in standing)
        if can_win:
            return FinishPlay(winners=[other], reason=f"{player} cannot move")
        return FinishPlay(draw=True, reason="nobody can move")


def until(ray: tuple[Position, ...], lakes: set[Position]) -> tuple[Position, ...]:
    """The squares of a ray before the first lake."""
    count = next((number for number, square in enumerate(ray) if square in lakes), len(ray))
    return ray[:count]


def is_shuttling(recent: tuple[str, ...], source: Position, target: Position) -> bool:
    """True if a piece would shuttle between two squares for the fourth time in a row."""
    back, again = f"{target} {source}", f"{source} {target}"
    return recent == (back, again, back)


def battle(attacker: str, defender: str) -> int:
    """1 if the attacker wins, -1 if the defender does, 0 if both fall."""
    if (attacker, defender) in ((SPY, MARSHAL), (MINER, BOMB)):
        return 1
    one, other = STRENGTH[attacker], STRENGTH[defender]
    return (one > other) - (one < other)

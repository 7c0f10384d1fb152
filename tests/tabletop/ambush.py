"""Ambush, a page for tests: pieces with hidden ranks on a board, some of which cannot move; moves reveal which."""

from __future__ import annotations

from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Do,
    Element,
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

RANKS = {"rock": 0, "guard": 1, "hunter": 2, "chief": 3}


class Ambush(Rule):
    """Two rows of pieces each; the higher rank wins a fight, and rocks stay where they are."""

    name = "Ambush"
    players = ("Anna", "Bert")
    options = (Option("width", 4, "columns of the board", 2, 8), Option("turns", 40, "turns before a draw", 1, 200))

    def equipment(self, table: Table) -> None:
        """The board, and a box for each player."""
        self.width = self.settings["width"]
        table.add(Area.grid("board", self.width, 6, "EN", visibility="hidden", stack=True))
        for player in self.players:
            titles = [*RANKS, *RANKS] * self.width
            pieces = [Element(f"{player[0]}{title}", player=player, title=title) for title in titles[: 2 * self.width]]
            table.add(Assortment(f"box {player}", pieces, owner=player, visibility="owner"))
        table.add(Area("beside", ["lost"]))
        squares = table.area("board").positions
        self.camp = {"Anna": squares[: 2 * self.width], "Bert": squares[::-1][: 2 * self.width]}

    def setup(self, table: Table) -> Action:
        """The board is empty."""
        return Set(table, turn=0)

    def turns(self) -> list[Stage]:
        """Both deploy at once, then they move in turn."""
        return [
            everybody("deploy", self.players, self.deploy, "deploy"),
            stage("Anna moves", ("Anna", self.move, "Bert moves"), start=False),
            stage("Bert moves", ("Bert", self.move, "Anna moves"), start=False),
        ]

    def deploy(self, table: Table) -> list[Action]:
        """Choose a piece for the next square."""
        player = table.current_player
        left = table[f"box {player}"]
        square = self.camp[player][len(self.camp[player]) - len(left)]
        kinds = {piece.title: piece for piece in left}
        following = "deploy" if len(left) > 1 else "Anna moves"
        return [Move(piece, to=square).then(following).named(title) for title, piece in sorted(kinds.items())]

    def move(self, table: Table) -> list[Action]:
        """One step onto a square without an own piece."""
        player = table.current_player
        found: list[Action] = []
        for square in table.area("board").positions:
            piece = table.top(square)
            if piece is None or piece.player != player or piece.title == "rock":
                continue
            for target in square.neighbours:
                other = table.top(target)
                if other is None or other.player != player:
                    found.append(Do(self.go, square, target).named(f"{square} to {target}"))
        return found

    def go(self, table: Table, source: Position, target: Position) -> Action:
        """Move, and fight what lies there."""
        piece, other = table[source][0], table.top(target)
        action: Action = Set(table, turn=table.get("turn") + 1)
        if other is None:
            return action + Move(piece, to=target)
        lost = table.position("lost")
        action += Show((piece, other))
        if RANKS[piece.title] >= RANKS[other.title]:
            return action + Move(other, to=lost) + Move(piece, to=target)
        return action + Move(piece, to=lost)

    def result(self, table: Table) -> FinishPlay | None:
        """Who cannot move loses."""
        if table.stage == "deploy" and any(table[f"box {player}"] for player in self.players):
            return None
        following = "Anna" if table.stage in ("deploy", "Bert moves") else "Bert"
        if table.get("turn") >= self.settings["turns"]:
            return FinishPlay(draw=True)
        pieces = [(square, piece) for square in table.area("board").positions if (piece := table.top(square))]
        movable = [square for square, piece in pieces if piece.player == following and piece.title != "rock"]
        targets = [table.top(target) for square in movable for target in square.neighbours]
        if any(other is None or other.player != following for other in targets):
            return None
        return FinishPlay(winners=[table.next_player(after=following)])

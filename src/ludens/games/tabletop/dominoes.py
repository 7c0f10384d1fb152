"""Dominoes: the draw game and the block game with the double-six set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludens.games.tabletop.twins.dominoes import dominoes_twin
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Distribute,
    Do,
    Element,
    EngineTwin,
    FinishPlay,
    Move,
    Option,
    Pass,
    Rule,
    Set,
    Shuffle,
    Stage,
    Table,
    alternate,
    waiting,
)

DRAW, BLOCK = "draw", "block"


class Dominoes(Rule):
    """Tiles are laid at either end of a line, pips to equal pips; the first player without tiles wins."""

    name = "Dominoes"
    players: Sequence[Any] = range(2, 5)
    options = (
        Option("game", DRAW, "whether a player who cannot play draws tiles or is blocked", choices=(DRAW, BLOCK)),
        Option("highest", 6, "pips of the highest tile", 2, 9),
    )

    def equipment(self, table: Table) -> None:
        """Tiles, hands and the line."""
        pips = range(self.settings["highest"] + 1)
        tiles = [Element(f"{low}-{high}", low=low, high=high) for low in pips for high in pips if low <= high]
        table.add(Assortment("boneyard", tiles, visibility="hidden"))
        table.add(Area.hands("hand", self.players))
        table.add(Area("table", ["line"]))

    def setup(self, table: Table) -> Action:
        """Seven tiles for each of two players, five for each of more; fewer if there are not enough."""
        yard = table.assortment("boneyard")
        each = min(7 if len(self.players) == 2 else 5, len(yard.elements) // (len(self.players) + 1))
        deal = Shuffle(yard) + Distribute(yard, table.area("hand"), each=each)
        return (deal + Set(table, ends=(), passes=0)).named("deal")

    def turns(self) -> list[Stage]:
        """One after the other."""
        return alternate(self.players, self.play)

    def play(self, table: Table) -> list[Action]:
        """Lay a tile; a player who cannot draws until one fits, and passes if the boneyard is empty."""
        hand = table[table.hand(table.current_player)]
        ends = table.get("ends")
        if not ends:
            return [self.lay(table, tile, (tile.low, tile.high)).named(tile.name) for tile in hand]
        left, right = ends
        actions: list[Action] = []
        for tile in hand:
            if left in (tile.low, tile.high):
                actions.append(self.lay(table, tile, (tile.low + tile.high - left, right)).named(f"{tile} left"))
            if right in (tile.low, tile.high) and left != right:
                actions.append(self.lay(table, tile, (left, tile.low + tile.high - right)).named(f"{tile} right"))
        if actions:
            return actions
        if self.settings["game"] == DRAW and table["boneyard"]:
            return [Do(self.draw).named("draw")]
        return [(Pass() + Set(table, passes=table.get("passes") + 1)).named("pass")]

    def lay(self, table: Table, tile: Element, ends: tuple[int, int]) -> Action:
        """Put a tile down."""
        return Move(tile, to=table.position("line")) + Set(table, ends=ends, passes=0)

    def draw(self, table: Table) -> Action:
        """Draw a tile and continue the turn."""
        player = table.current_player
        return Move(table.assortment("boneyard"), to=table.hand(player)).then(waiting(player))

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        return dominoes_twin(self, draws=self.settings["game"] == DRAW)

    def result(self, table: Table) -> FinishPlay | None:
        """The first player without tiles wins the others' pips; if all are blocked, the one with the fewest pips."""
        player = table.current_player
        is_out = not table[table.hand(player)]
        if not is_out and table.get("passes") < len(self.players):
            return None
        pips = {one: sum(tile.low + tile.high for tile in table[table.hand(one)]) for one in self.players}
        winners = [player] if is_out else [one for one in self.players if pips[one] == min(pips.values())]
        if len(winners) > 1:
            shared = {one: 1 if one in winners else 2 for one in self.players}
            ranks = [[one for one in self.players if shared[one] == rank] for rank in (1, 2)]
            return FinishPlay(ranks=[rank for rank in ranks if rank], points=dict.fromkeys(self.players, 0))
        gain = sum(count - pips[winners[0]] for count in pips.values())
        return FinishPlay(winners=winners, points={one: gain if one in winners else 0 for one in self.players})

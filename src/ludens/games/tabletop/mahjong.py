"""Mah-Jong: four players make sets from a wall of tiles; claims on a discard have priorities."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.games.tabletop.shared.mahjong_hands import (
    CHOW,
    KINDS,
    KONG,
    NUMBER,
    PUNG,
    WINDS,
    Meld,
    Win,
    counts_of,
    faan,
    is_complete,
    is_suited,
    readiness,
)
from ludens.games.tabletop.twins.mahjong import mahjong_twin
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
    Rule,
    Set,
    Shuffle,
    Stage,
    Table,
    Tell,
    stage,
)

EACH, DEAD = 13, 14
HU, PASS = "hu", "pass"
PRIORITY = {PASS: 0, CHOW: 1, PUNG: 2, KONG: 2, HU: 3}


class MahJong(Rule):
    """Draw a tile, discard one; the others may claim it."""

    name = "Mah-Jong"
    horizon = 6  # random discards soon ruin a hand
    players = ("East", "South", "West", "North")
    options = (
        Option("prevailing", WINDS[0], "the wind of the round", choices=WINDS),
        Option("least", 0, "faan that a hand needs to win", 0, 3),
    )

    def equipment(self, table: Table) -> None:
        """136 tiles, the wall and its dead end, concealed hands, open melds, and discards."""
        tiles = [Element(name, number=number) for number, name in enumerate(KINDS) for _ in range(4)]
        table.add(Assortment("wall", tiles, visibility="hidden"))
        table.add(Area("end of the wall", ["dead wall"], visibility="hidden", stack=True))
        table.add(Area.hands("hand", self.players))
        for area in ("melds", "discards"):
            table.add(Area.hands(area, self.players, visibility="public"))
        self.hands = {player: table.hand(player) for player in self.players}

    def setup(self, table: Table) -> Action:
        """Thirteen tiles each, fourteen in the dead wall; the starting player draws the first."""
        wall = table.assortment("wall")
        deal = Shuffle(wall) + Distribute(wall, table.area("hand"), each=EACH)
        action: Action = deal + Move(wall, to=table.position("dead wall"), count=DEAD) + Set(table, tile="")
        for player in self.players:
            action += Set(player, melds=())
        return (action + Do(self.draw, self.starting_player)).named("deal")

    def turns(self) -> list[Stage]:
        """For each player a turn, claims on its discard, and chances to rob its kong."""
        stages = []
        for player in self.players:
            others = [other for other in self.players if other != player]
            turn, claim, rob = f"turn {player}", f"claim from {player}", f"rob {player}"
            stages.append(stage(turn, (player, self.turn, turn)))
            stages.append(stage(claim, *((other, self.claim, claim) for other in others), start=False))
            stages.append(stage(rob, *((other, self.rob, rob) for other in others), start=False))
        return stages

    def priority(self, table: Table, player: str, action: Action) -> int:
        """Hu has priority over pung and kong, these over chow; ties go to the next player after the discarder."""
        seats = self.players
        discarder = table.stage.rpartition(" ")[2]
        distance = (seats.index(player) - seats.index(discarder)) % len(seats)
        return PRIORITY[action.name.partition(" ")[0]] * len(seats) - distance

    # Queries. They bypass table[…] for hands: no move reveals more than the tiles it shows.

    def tiles(self, table: Table, player: str) -> tuple[Element, ...]:
        """The concealed tiles of a player."""
        return table.contents[self.hands[player].index]

    def counts(self, table: Table, player: str, extra: str = "") -> list[int]:
        """How many tiles of each kind a player has, including a tile that it could claim."""
        kinds = [tile.number for tile in self.tiles(table, player)]
        return counts_of([*kinds, NUMBER[extra]] if extra else kinds)

    def melds(self, table: Table, player: str) -> list[Meld]:
        """The open melds of a player."""
        return [Meld(*meld) for meld in table.get("melds", of=player)]

    def worth(self, table: Table, player: str, extra: str = "") -> int | None:
        """The faan of a player's hand; None if it is not complete, or worth too little."""
        counts, melds = self.counts(table, player, extra), self.melds(table, player)
        if not is_complete(counts, melds):
            return None
        win = Win(
            player.lower(),
            self.settings["prevailing"],
            self_drawn=not extra,
            replacement=not extra and table.get("replaced", False),
            robbed=table.stage.startswith("rob"),
            last_tile=not table.contents[table.assortment("wall").index],
        )
        value = faan(counts, melds, win)
        return value if value >= self.settings["least"] else None

    def prospects(self, table: Table) -> dict[str, float]:
        """The player closer to a complete hand is ahead."""
        return {
            player: float(readiness(self.counts(table, player), self.melds(table, player))) for player in self.players
        }

    # A turn

    def turn(self, table: Table) -> list[Action]:
        """Discard a tile; with a tile from the wall also hu or kong."""
        player = table.current_player
        tiles = {tile.name: tile for tile in self.tiles(table, player)}
        actions: list[Action] = [Do(self.discard, tile).named(name) for name, tile in sorted(tiles.items())]
        if not table.get("drawn"):
            return actions
        counts = self.counts(table, player)
        has_pung = {meld.kind for meld in self.melds(table, player) if meld.sort == PUNG}
        for name in sorted(tiles) if self.can_replace(table) else ():
            if counts[NUMBER[name]] == 4:
                actions.append(Do(self.kong, name).named(f"{KONG} {name}"))
            elif NUMBER[name] in has_pung:
                actions.append(Do(self.add, name).named(f"add {name}"))
        if self.worth(table, player) is not None:
            actions.append(Do(self.win, "").named(HU))
        return actions

    def can_replace(self, table: Table) -> bool:
        """True if there is a tile for a kong: the wall must not be empty."""
        return bool(table.contents[table.assortment("wall").index])

    def discard(self, table: Table, tile: Element) -> Action:
        """Lay a tile open for claims."""
        player = table.current_player
        return (Move(tile, to=table.hand(player, "discards")) + Set(table, tile=tile.name)).then(f"claim from {player}")

    def draw(self, table: Table, player: str) -> Action:
        """Take a tile from the wall; without one, the hand ends in a draw."""
        wall = table.assortment("wall")
        if not table.contents[wall.index]:
            return FinishPlay(points=dict.fromkeys(self.players, 0)).then(f"turn {player}")
        taken = Move(wall, to=self.hands[player])
        return (taken + Set(table, tile="", drawn=True, replaced=False)).then(f"turn {player}")

    def replace(self, table: Table, player: str) -> Action:
        """Take a tile from the dead wall, which is refilled from the other end of the wall."""
        dead = table.position("dead wall")
        last = table.contents[table.assortment("wall").index][0]
        action = Move(dead, to=self.hands[player]) + Move(last, to=dead)
        return (action + Set(table, tile="", drawn=True, replaced=True)).then(f"turn {player}")

    # Kongs on a player's turn

    def lay_open(self, table: Table, player: str, names: Sequence[str], meld: Meld) -> Action:
        """Lay tiles of a hand open as a meld."""
        left = list(self.tiles(table, player))
        chosen = []
        for name in names:
            tile = next(tile for tile in left if tile.name == name)
            left.remove(tile)
            chosen.append(tile)
        record = (*table.get("melds", of=player), (meld.sort, meld.kind, meld.is_open))
        return Move(chosen, to=table.hand(player, "melds")) + Set(player, melds=record)

    def kong(self, table: Table, name: str) -> Action:
        """A concealed kong."""
        player = table.current_player
        shown = self.lay_open(table, player, [name] * 4, Meld(KONG, NUMBER[name], False))
        return shown + Do(self.replace, player)

    def add(self, table: Table, name: str) -> Action:
        """Add the fourth tile to an open pung, unless a player robs it to win."""
        player = table.current_player
        tile = next(tile for tile in self.tiles(table, player) if tile.name == name)
        return (Move(tile, to=table.hand(player, "melds")) + Set(table, tile=name)).then(f"rob {player}")

    def rob(self, table: Table) -> list[Action]:
        """Win with a tile that another player adds to its pung."""
        actions: list[Action] = [Do(self.complete_kong).named(PASS)]
        if self.worth(table, table.current_player, table.get("tile")) is not None:
            actions.append(Do(self.win, table.get("tile")).named(HU))
        return actions

    def complete_kong(self, table: Table) -> Action:
        """Turn the pung into a kong."""
        player = table.stage.rpartition(" ")[2]
        kind = NUMBER[table.get("tile")]
        record = tuple(
            (KONG, kind, True) if meld[:2] == (PUNG, kind) else meld for meld in table.get("melds", of=player)
        )
        return Set(player, melds=record) + Do(self.replace, player)

    # Claims

    def claim(self, table: Table) -> list[Action]:
        """Pass, or take the discarded tile for a set or to win."""
        player, name = table.current_player, table.get("tile")
        kind = NUMBER[name]
        counts = self.counts(table, player)
        actions: list[Action] = [Do(self.draw_next).named(PASS)]
        if self.worth(table, player, name) is not None:
            actions.append(Do(self.win, name).named(HU))
        if counts[kind] >= 2:
            actions.append(Do(self.take, PUNG, name, name, name).named(PUNG))
        if counts[kind] == 3 and self.can_replace(table):
            actions.append(Do(self.take, KONG, name, name, name, name).named(KONG))
        discarder = table.stage.rpartition(" ")[2]
        if table.next_player(after=discarder) == player and is_suited(kind):
            for first in range(max(kind - 2, kind // 9 * 9), min(kind, kind // 9 * 9 + 6) + 1):
                others = [one for one in range(first, first + 3) if one != kind]
                if all(counts[one] for one in others):
                    names = [KINDS[one] for one in others]
                    actions.append(Do(self.take, CHOW, KINDS[first], *names).named(f"{CHOW} {' '.join(names)}"))
        return actions

    def draw_next(self, table: Table) -> Action:
        """No claim: the next player draws."""
        return self.draw(table, table.next_player(after=table.stage.rpartition(" ")[2]))

    def take(self, table: Table, sort: str, first: str, *own: str) -> Action:
        """Make a set with a discarded tile; then discard, after a kong with a new tile."""
        player, discarder = table.current_player, table.stage.rpartition(" ")[2]
        tile = table[table.hand(discarder, "discards")][-1]
        action: Action = Move(tile, to=table.hand(player, "melds"))
        action += self.lay_open(table, player, own, Meld(sort, NUMBER[first]))
        if sort == KONG:
            return action + Do(self.replace, player)
        return (action + Set(table, tile="", drawn=False, replaced=False)).then(f"turn {player}")

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        return mahjong_twin(self)

    # The end

    def win(self, table: Table, claimed: str) -> Action:
        """The discarder pays twice the value, the others once; after a self-drawn tile all pay twice."""
        player = table.current_player
        worth = self.worth(table, player, claimed)
        assert worth is not None
        value = 2**worth
        payer = table.stage.rpartition(" ")[2]
        points = {
            other: -value * (2 if not claimed or other == payer else 1) for other in self.players if other != player
        }
        points[player] = -sum(points.values())
        names = " ".join(sorted(tile.name for tile in self.tiles(table, player)))
        shown = Tell(f"{player} wins {worth} faan with {names} {claimed}".strip())
        return (shown + FinishPlay(points=points)).then(f"turn {player}")

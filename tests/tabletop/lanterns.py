"""A game like Hanabi whose list of moves says where the cards lie that a tip names: their order in the hand matters."""

from __future__ import annotations

from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Distribute,
    Do,
    Element,
    FinishPlay,
    Mark,
    Move,
    Pass,
    Rule,
    Score,
    Show,
    Shuffle,
    Stage,
    Table,
    Tell,
    alternate,
)

COLOURS = ("red", "blue", "green")
NUMBERS = (1, 1, 2, 2, 3)


class Lanterns(Rule):
    """Three lanterns each, which only the others see; tips cost tokens."""

    name = "Lanterns"
    players = ("Anna", "Bert", "Cleo")

    def equipment(self, table: Table) -> None:
        """A box, hands, rows, and tokens."""
        lanterns = [Element(f"{colour} {n}", colour=colour, number=n) for colour in COLOURS for n in NUMBERS]
        table.add(Assortment("box", lanterns, visibility="hidden", stack=True))
        table.add(Area.hands("hand", self.players, visibility="everybody but the owner"))
        table.add(Area("rows", [*COLOURS, "away"]))
        table.add(Score("tips", start=6))
        table.add(Score("broken"))

    def setup(self, table: Table) -> Action:
        """Deal."""
        box = table.assortment("box")
        return (Shuffle(box) + Distribute(box, table.area("hand"), each=3)).named("deal")

    def turns(self) -> list[Stage]:
        """In turn."""
        return alternate(self.players, self.choose)

    def choose(self, table: Table) -> list[Action]:
        """Light a lantern of the own hand by its place, or tell another player where a colour or number is."""
        me = table.current_player
        moves: list[Action] = [
            Do(self.light, n).named(f"light {n + 1}") for n in range(len(table.contents[table.hand(me).index]))
        ]
        if not table.value(table.score("tips")):
            return moves
        for other in self.players:
            held = table[table.hand(other)] if other != me else ()
            for word in (*COLOURS, *sorted(set(NUMBERS))):
                at = [str(n) for n, lantern in enumerate(held, 1) if word in (lantern.colour, lantern.number)]
                if at:
                    tip = Tell(f"{other}: {word} at {' '.join(at)}")
                    moves.append((Mark(table.score("tips"), -1) + tip).named(f"tell {other} {word}"))
        return moves

    def light(self, table: Table, n: int) -> Action:
        """Add a lantern to its row, or break it, and take another one."""
        me = table.current_player
        lantern = table[table.hand(me)][n]
        is_next = len(table[lantern.colour]) + 1 == lantern.number
        there = table.position(lantern.colour if is_next else "away")
        lit = Show([lantern], self.players) + Move(lantern, to=there)
        box = table.assortment("box")
        taken = Pass() if table.is_empty(box) else Move(box, to=table.hand(me))
        return lit + taken + Mark(table.score("broken"), 0 if is_next else 1)

    def result(self, table: Table) -> FinishPlay | None:
        """Four broken lanterns, or an empty box, end the match."""
        if table.value(table.score("broken")) < 4 and not table.is_empty(table.assortment("box")):
            return None
        lit = sum(len(table[colour]) for colour in COLOURS)
        return FinishPlay(points=dict.fromkeys(self.players, lit))

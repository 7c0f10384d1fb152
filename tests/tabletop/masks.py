"""Masks: one of four is the wolf; the seer looks at one mask each night, and by day all vote at once who goes out."""

from __future__ import annotations

from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Distribute,
    Do,
    Element,
    FinishPlay,
    Pass,
    Rule,
    Set,
    Show,
    Shuffle,
    Stage,
    Table,
    Tell,
    everybody,
    stage,
)


class Masks(Rule):
    """Votes are counted by the action of the last player, which looks at what the others chose."""

    name = "Masks"
    players = ("Ada", "Ben", "Cleo", "Dan")

    def equipment(self, table: Table) -> None:
        roles = [Element(name, evil=name == "wolf") for name in ("wolf", "seer", "baker", "smith")]
        table.add(Assortment("roles", roles, visibility="hidden"))
        table.add(Area.hands("role", self.players))

    def setup(self, table: Table) -> Action:
        roles = table.assortment("roles")
        return (Shuffle(roles) + Distribute(roles, table.area("role"), each=1) + Set(table, out=())).named("deal")

    def turns(self) -> list[Stage]:
        following = [*(f"look {player}" for player in self.players[1:]), "vote"]
        looks = zip(self.players, following, strict=True)
        return [
            *(stage(f"look {player}", (player, self.look, then)) for player, then in looks),
            everybody("vote", self.players, self.vote, f"look {self.players[0]}"),
        ]

    def role(self, table: Table, player: str) -> Element:
        top = table.top(table.hand(player, "role"))
        assert top is not None
        return top

    def look(self, table: Table) -> list[Action]:
        me = table.current_player
        if me in table.get("out") or self.role(table, me).name != "seer":
            return [Pass().named("sleep")]
        return [Do(self.see, other).named(f"look at {other}") for other in self.players if other != me]

    def see(self, table: Table, other: str) -> Action:
        return Tell(f"{other} is {'evil' if self.role(table, other).evil else 'good'}", [table.current_player])

    def vote(self, table: Table) -> list[Action]:
        me, out = table.current_player, table.get("out")
        votes: list[Action] = [
            Set(me, voted=other).named(f"vote {other}") for other in self.players if other not in (me, *out)
        ]
        if me in out:
            votes = [Pass().named("watch")]
        if me == self.players[-1]:
            votes = [(vote + Do(self.count)).named(vote.name) for vote in votes]
        return votes

    def count(self, table: Table) -> Action:
        votes = [table.get("voted", of=player) for player in self.players if player not in table.get("out")]
        most = max(set(votes), key=lambda name: (votes.count(name), name))
        return Set(table, out=(*table.get("out"), most)) + Show(self.role(table, most))

    def result(self, table: Table) -> FinishPlay | None:
        if table.stage != "vote":
            return None
        out = table.get("out")
        wolf = next(player for player in self.players if self.role(table, player).evil)
        if wolf in out:
            return FinishPlay(winners=[player for player in self.players if player != wolf], reason="the wolf is found")
        return FinishPlay(winners=[wolf], reason="the wolf remains") if len(out) > 1 else None

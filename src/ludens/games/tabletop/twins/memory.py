"""Memory for its engine."""

from __future__ import annotations

from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import EngineTwin, Rule, Table

MOST_PLAYERS, MOST_PLACES, NOWHERE = 6, 64, -1


def memory_twin(rule: Rule) -> EngineTwin:
    """The twin of a page."""
    pictures: dict[str, int] = {}

    def position(table: Table) -> list[int] | None:
        """Who is to act, the card turned, turns, pairs won, and the picture at each place."""
        places = table.area("board").positions
        left = table.get("left")
        if left is None:
            return None
        lying = [table.contents[place.index] if place.name in left else () for place in places]
        shown = [pictures.setdefault(cards[0].name, len(pictures)) if cards else NOWHERE for cards in lying]
        turned = table.get("turned")
        won = [table.value(table.score(owner=player)) for player in table.players]
        return [
            table.players.index(table.current_player),
            next((number for number, place in enumerate(places) if place.name == turned), NOWHERE),
            table.get("turn"),
            *won,
            *[0] * (MOST_PLAYERS - len(won)),
            *shown,
            *[NOWHERE] * (MOST_PLACES - len(shown)),
        ]

    def move(table: Table, player: str, number: int) -> str:
        """The place."""
        return table.area("board").positions[number].name

    count = rule.settings["columns"] * rule.settings["rows"]
    settings = [len(rule.players), count, rule.settings["turns"]]
    return EngineTwin(package=PACKAGE, engine="memory", settings=settings, position=position, move=move)

"""Stratego for its engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import EngineTwin, Position, Rule, Table

MOST_SQUARES, RANKS, WAYS, RECENT, BASE = 100, 12, 4, 3, 128
NOWHERE = -1


def stratego_twin(
    rule: Rule,
    limit: int,
    worth: Mapping[str, int],
    rays: Mapping[Position, Sequence[Sequence[Position]]],
    camp: Mapping[str, Sequence[Position]],
) -> EngineTwin:
    """The twin of a page. ``worth`` names the ranks in the order of their strength; rays end before lakes."""
    ranks = {title: number for number, title in enumerate(worth)}
    squares = list(rays)
    number = {square: at for at, square in enumerate(squares)}
    players = rule.players
    settings = [len(squares), len(camp[players[0]]), players.index(rule.starting_player), limit, *worth.values()]
    ways = sorted({(way.name, way.orientation) for square in squares for way in square.directions()}, key=str)
    for square in squares:
        open_ = {ray[0] for ray in rays[square]}
        steps = [square.step(*way) for way in ways]
        settings += [number[step] if step in open_ else NOWHERE for step in steps]
    for player in players:
        settings += [number[square] for square in camp[player]]
    by_name = {square.name: at for at, square in enumerate(squares)}

    def code(text: str) -> int:
        source, target = text.split()
        return by_name[source] * BASE + by_name[target]

    def position(table: Table) -> list[int]:
        """The stage, who is to act, losses, recent moves, boxes and the board."""
        is_turn = table.stage.startswith("turn")
        lost = dict.fromkeys(players, 0)
        for piece in table.contents[table.position("fallen").index]:
            lost[piece.attributes["player"]] += worth[piece.attributes["title"]]
        mover = players.index(table.current_player) if is_turn else 0
        found = [int(is_turn), mover, table.get("turn"), *lost.values()]
        for player in players:
            recent = [code(text) for text in table.get("moves", of=player)]
            found += [*[0] * (RECENT - len(recent)), *recent]
        for player in players:
            box = [0] * RANKS
            for piece in table.contents[table.assortment(f"box {player}").index]:
                box[ranks[piece.attributes["title"]]] += 1
            found += box
        for square in squares:
            lying = table.contents[square.index]
            given = lying[0].attributes if lying else None
            found.append(0 if given is None else 1 + ranks[given["title"]] + RANKS * players.index(given["player"]))
        return found + [0] * (MOST_SQUARES - len(squares))

    titles = list(worth)

    def move(table: Table, player: str, number: int) -> str:
        """Two squares, or a rank to deploy."""
        if not table.stage.startswith("turn"):
            return titles[number]
        return f"{squares[number // BASE]} {squares[number % BASE]}"

    return EngineTwin(package=PACKAGE, engine="stratego", settings=settings, position=position, move=move)

"""Chinese checkers for its engine."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import EngineTwin, Position, Rule, Table

MOST_HOLES, WAYS, NOWHERE = 181, 6, -1
BASE = 256
PASS = BASE * BASE


def chinese_checkers_twin(
    rule: Rule,
    holes: Sequence[Position],
    targets: Mapping[str, Collection[Position]],
    ways: Mapping[str, Mapping[Position, int]],
) -> EngineTwin:
    """The twin of a page."""
    number = {hole: at for at, hole in enumerate(holes)}
    players = rule.players
    limit = rule.settings["turns"] * len(players)
    settings = [len(players), limit, len(holes), len(targets[players[0]])]
    for hole in holes:
        near, beyond = [], []
        for direction in hole.directions():
            after = direction.target.step(direction.name, direction.orientation)
            near.append(number[direction.target])
            beyond.append(NOWHERE if after is None else number[after])
        for row in (near, beyond):
            settings += [*row, *[NOWHERE] * (WAYS - len(row))]
    for player in players:
        settings += [int(hole in targets[player]) for hole in holes]
    for player in players:
        settings += [ways[player][hole] for hole in holes]

    def position(table: Table) -> list[int]:
        """Who is to act, the turn, and whose peg is in each hole."""
        seats = {player: at for at, player in enumerate(table.players, 1)}
        lying = (table.contents[hole.index] for hole in holes)
        pegs = [seats[pegs[0].attributes["player"]] if pegs else 0 for pegs in lying]
        mover = table.players.index(table.current_player)
        return [mover, table.get("turn"), *pegs, *[0] * (MOST_HOLES - len(pegs))]

    def move(table: Table, player: str, number: int) -> str:
        """Two holes."""
        if number == PASS:
            return "pass"
        return f"{holes[number // BASE].name} {holes[number % BASE].name}"

    return EngineTwin(package=PACKAGE, engine="chinese_checkers", settings=settings, position=position, move=move)

"""Can't Stop for its engine."""

from __future__ import annotations

from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import EngineTwin, Rule, Table

MOST_PLAYERS, BASE = 4, 16
COLUMNS = range(2, 13)
STAGES = ("roll", "choose", "decide")


def cant_stop_twin(rule: Rule) -> EngineTwin:
    """The twin of a page."""
    return EngineTwin(package=PACKAGE, engine="cant_stop", settings=[len(rule.players)], position=position, move=move)


def position(table: Table) -> list[int]:
    """Who is to act and how, the dice while they count, columns won, runners and markers."""
    stage = STAGES.index(table.stage.split()[0])
    dice = table.value(table.dice()) if STAGES[stage] == "choose" else (0,) * 4
    missing = MOST_PLAYERS - len(table.players)

    def scores(name: str) -> list[int]:
        return [0, 0, *(table.value(table.score(f"{name} {column}")) for column in COLUMNS)]

    found = [table.players.index(table.current_player), stage, *dice]
    found += [*(table.value(table.score(f"columns {player}")) for player in table.players), *[0] * missing]
    for name in ("runner", *table.players):
        found += scores(name)
    return found + [0] * missing * (len(COLUMNS) + 2)


def move(table: Table, player: str, number: int) -> str:
    """A decision, or the columns to advance in."""
    if not table.stage.startswith("choose"):
        return ("roll", "stop")[number]
    other, one = divmod(number, BASE)
    return f"advance {other} {one}" if other else f"advance {one}"

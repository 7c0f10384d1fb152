"""Backgammon for its engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import EngineTwin, Rule, Table

STAGES = ("opening", "roll", "move", "answer", "throw")
DICE, BASE = 4, 8


def backgammon_twin(
    rule: Rule,
    board: Callable[[Table, str], Sequence[int]],
    step_texts: Callable[[Table], Mapping[str, tuple[int, int]]],
) -> EngineTwin:
    """The twin of a page, which says how players count checkers, and how steps are written."""

    def position(table: Table) -> list[int]:
        """Who is to act and how, the cube, the dice that are left, and both boards."""
        stage = STAGES.index(table.stage.split()[0])
        left = table.get("left")
        owner = table.get("cube_owner", "")
        found = [table.players.index(table.current_player), stage, table.get("cube", 1)]
        found += [table.players.index(owner) if owner else -1, *left, *[0] * (DICE - len(left))]
        for player in table.players:
            found += board(table, player)
        return found

    def move(table: Table, player: str, number: int) -> str:
        """A roll, a step, or what is said about the cube."""
        match table.stage.split()[0]:
            case "opening":
                return "roll for the beginning"
            case "move":
                texts = {step: text for text, step in step_texts(table).items()}
                return texts.get(divmod(number, BASE), "no step")
            case "answer":
                return ("take", "drop")[number]
            case _:
                return ("roll", "double")[number]

    settings = [int(rule.settings["cube"])]
    return EngineTwin(package=PACKAGE, engine="backgammon", settings=settings, position=position, move=move)

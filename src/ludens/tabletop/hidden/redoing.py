"""Does the actions of a turn again, on another table and with other outcomes of chance."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.core import Move, Role
from ludens.tabletop.actions.basic import Action
from ludens.tabletop.actions.randomness import ChanceAction, Outcome
from ludens.tabletop.rule_game import RuleGame
from ludens.tabletop.table import Table


def redo(
    game: RuleGame,
    table: Table,
    done: Sequence[tuple[Role, Action, Move]],
    goes_to: Sequence[str],
    outcomes: Sequence[Sequence[Outcome]],
) -> None:
    """Do the actions of a turn on a table, with all that follows."""
    left = iter(outcomes)

    def do(action: Action) -> None:
        drawn = iter(next(left))
        for part in action.parts:
            if isinstance(part, ChanceAction):
                part.do_with(table, next(drawn))
            else:
                part.do(table)

    turns = zip(done, goes_to, strict=True)
    game.advance(table, [(mover, action, stage) for (mover, action, _), stage in turns], do)

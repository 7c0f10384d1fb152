"""A position as one role sees it, and what the role has seen before, as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from ludens.core import Game, JointMove, Move, Observation, OpenView, PerceptView, State, View
from ludens.drawing.sight import open_state, visible_facts
from ludens.gdl.board import BoardPainter
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.terms import sort_key
from ludens.gdl.write import kif
from ludens.tabletop.hidden.percept_view import TablePerceptView

_POSSIBLE_SHOWN = 40
"""Uncertain fluents that are listed."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One turn as a role saw it."""

    moves: Mapping[str, Move]
    """The moves that the role knows of, by role: all of them, or its own."""
    percepts: Sequence[str] = ()
    """What else the role perceived."""

    @classmethod
    def of(cls, observation: Observation, role: str) -> Seen:
        """What a player receives after a turn."""
        own = {} if observation.move is None else {role: observation.move}
        return cls(own if observation.joint_move is None else observation.joint_move, observation.percepts)

    def __str__(self) -> str:
        moves = ", ".join(f"{role} {move}" for role, move in self.moves.items() if move != "noop")
        percepts = f"you saw {', '.join(self.percepts)}" if self.percepts else ""
        return "; ".join(filter(None, (moves, percepts))) or "nothing that you saw"


def seen_turns(line: Sequence[tuple[JointMove, State]], role: str, before: State) -> list[Seen]:
    """What a role saw of some joint moves, each given with the state after it; ``before`` is the state at first."""
    found = []
    for joint_move, state in line:
        moves = {role: move} if (move := _chosen(before, role, joint_move)) else {}
        found.append(Seen(moves if state.game.hidden else joint_move, tuple(state.percepts(role))))
        before = state
    return found


def _chosen(before: State, role: str, joint_move: JointMove) -> Move | None:
    """A role's own move without the outcome of chance in it, which only percepts reveal."""
    legal = before.legal_moves(role)
    made = joint_move.get(role)
    return made if made in legal else next(iter(legal), None) if len(legal) == 1 else None


def describe_position(view: View) -> str:
    """What a view shows, and nothing else."""
    match view:
        case OpenView():
            state = open_state(view)
            return _painter(view.game).draw(state) if isinstance(state, GdlState) else str(state)
        case PerceptView():
            return "\n".join(_known(view))
        case TablePerceptView():
            return str(view.table(Random(0)))
        case _:
            return str(view)


def _known(view: PerceptView) -> Iterator[str]:
    """What follows from a role's own moves and percepts in a game in GDL."""
    seen = visible_facts(view)
    yield "What you know for certain:"
    yield _painter(view.game).draw_facts(seen.certain) or "nothing"
    open_facts = sorted(seen.possible - seen.certain, key=sort_key)
    if open_facts:
        shown = ", ".join(kif(fact) for fact in open_facts[:_POSSIBLE_SHOWN])
        more = f" and {len(open_facts) - _POSSIBLE_SHOWN} more" if len(open_facts) > _POSSIBLE_SHOWN else ""
        yield f"Possibly true: {shown}{more}."


@lru_cache(maxsize=16)
def _painter(game: Game) -> BoardPainter:
    """The painter of a game, kept since it looks for boards."""
    assert isinstance(game, GdlGame)
    return BoardPainter(game)

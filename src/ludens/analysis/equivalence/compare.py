"""Are two games the same? By their rules if they differ in names and order only, else by what can happen in them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ludens.analysis.equivalence.behaviour_graph import Behaviour, behaviour, match_behaviour
from ludens.analysis.equivalence.lockstep import Comparison, Difference, Mapping2, breadth_first, compare_states
from ludens.analysis.equivalence.pursuit import pursue
from ludens.analysis.equivalence.sheet_graph import map_names
from ludens.core import Game, LudensError, OutOfTimeError
from ludens.gdl.game import GdlGame
from ludens.gdl.keywords import RESERVED
from ludens.gdl.terms import functor

MOST_STATES = 20_000
_FIRST_STATES = 300
"""States that are compared one by one before rule sheets are compiled."""
_MATCHED_STATES = 2_500
"""States of a game among which moves are matched without their names."""
EQUIVALENT, DIFFERENT, UNDECIDED = "equivalent", "different", "undecided"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether two games are the same, and how that was found out."""

    answer: str
    """`EQUIVALENT` and `DIFFERENT` are proved; `UNDECIDED` means that no difference was found."""
    how: str
    states: int = 0
    """States that were compared."""
    difference: Difference | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    moves: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of fluents and other relations, if the rules are the same but for names."""

    def as_json(self) -> dict[str, Any]:
        """The verdict as JSON values."""
        found = self.difference
        play = None if found is None else [{role: str(move) for role, move in turn.items()} for turn in found.play]
        return {
            "answer": self.answer,
            "how": self.how,
            "states": self.states,
            "play": play,
            "difference": None if found is None else found.what,
            "shortest": None if found is None else found.shortest,
            "roles": dict(self.roles),
            "moves": dict(self.moves),
            "names": dict(self.names),
        }


def compare_games(
    left: Game, right: Game, seconds: float = 20.0, most: int = MOST_STATES, *, same_names: bool = False
) -> Verdict:
    """Compare two games within some seconds and states.

    With ``same_names``, roles and moves are only the same if they have the same names; by default, that is assumed if
    most of the first moves do.
    """
    due = time.monotonic() + seconds
    if len(left.roles) != len(right.roles):
        return Verdict(DIFFERENT, f"one game has {len(left.roles)} roles, the other {len(right.roles)}")
    if isinstance(left, GdlGame) and isinstance(right, GdlGame) and not same_names:
        found = _by_rules(left, right)
        if found is not None:
            return found
    if same_names or _speak_alike(left, right):
        return _by_play(left, right, due, most)
    if left.hidden or right.hidden:
        how = "with hidden information, only games whose roles and moves have the same names are compared"
        return Verdict(UNDECIDED, how)
    return _by_behaviour(left, right, due)


def _by_rules(left: GdlGame, right: GdlGame) -> Verdict | None:
    try:
        names = map_names(left.sheet, right.sheet)
    except OutOfTimeError:
        return None
    if names is None:
        return None
    heads = {functor(move.term) for role in left.roles for move in left.initial_state().legal_moves(role)}
    others = {name: other for name, other in names.items() if name.lower() not in RESERVED}
    roles = {role: names.get(role, role) for role in left.roles}
    moves = {name: others[name] for name in sorted(heads) if name in others}
    rest = {name: other for name, other in others.items() if name not in roles and name not in moves}
    how = "the rules are the same but for names and order" if rest or roles else "the rules are the same"
    return Verdict(EQUIVALENT, how, roles=roles, moves=moves, names=rest)


def _speak_alike(left: Game, right: Game) -> bool:
    """True if roles and first moves have the same names."""
    one, other = left.initial_state(), right.initial_state()
    if set(left.roles) != set(right.roles):
        return False
    shared = total = 0
    for role in left.roles:
        ours, theirs = set(map(str, one.legal_moves(role))), set(map(str, other.legal_moves(role)))
        shared, total = shared + len(ours & theirs), total + min(len(ours), len(theirs))
    return 2 * shared > total or total == 0


def _by_play(left: Game, right: Game, due: float, most: int) -> Verdict:
    """Compare games whose roles and moves have the same names."""
    if set(left.roles) != set(right.roles):
        return Verdict(DIFFERENT, f"the roles are {', '.join(left.roles)} and {', '.join(right.roles)}")
    if not (isinstance(left, GdlGame) and isinstance(right, GdlGame)):
        return _verdict(compare_states(left, right, Mapping2(), most, due - time.monotonic()), Mapping2())
    begin = time.monotonic()
    found = breadth_first(left, right, Mapping2(), min(most, _FIRST_STATES), begin + (due - begin) / 10)
    if found.difference is not None or found.complete:
        return _verdict(found, Mapping2())
    pursuit = pursue(left, right, due - time.monotonic(), most)
    if pursuit is not None and pursuit.proof:
        return Verdict(EQUIVALENT, pursuit.proof, pursuit.states)
    if pursuit is None:
        return _verdict(compare_states(left, right, Mapping2(), most, due - time.monotonic()), Mapping2())
    return _verdict(Comparison(pursuit.difference, found.states + pursuit.states, complete=False), Mapping2())


def _verdict(found: Comparison, names: Mapping2) -> Verdict:
    if found.difference is not None:
        turns = len(found.difference.play)
        how = f"they differ after {turns} turn{'' if turns == 1 else 's'}: {found.difference.what}"
        return Verdict(DIFFERENT, how, found.states, found.difference, names.roles, names.moves)
    if found.complete:
        how = f"all {found.states:,} reachable states agree"
        return Verdict(EQUIVALENT, how, found.states, None, names.roles, names.moves)
    return Verdict(
        UNDECIDED, f"no difference within {found.states:,} states", found.states, None, names.roles, names.moves
    )


def _by_behaviour(left: Game, right: Game, due: float) -> Verdict:
    """Match roles and moves by what they do, within more and more turns."""
    known, states, turns = Mapping2(), 0, 0
    try:
        for turns in range(1, 1_000):
            pair = [behaviour(game, turns, _MATCHED_STATES, due) for game in (left, right)]
            one, other = pair
            if one is None or other is None:
                if one is None and other is None:
                    break
                return Verdict(DIFFERENT, f"within {turns} turns, one game has far more states than the other")
            names = match_behaviour(one, other)
            if names is None:
                return _unmatched(left, right, known, one, other, turns, due)
            known, states = names, len(one.states)
            if one.complete and other.complete:
                how = f"all {states:,} reachable states agree"
                return Verdict(EQUIVALENT, how, states, None, known.roles, known.moves)
    except OutOfTimeError as error:
        return Verdict(UNDECIDED, f"{error}; no difference within {states:,} states", states)
    except LudensError as error:
        return Verdict(UNDECIDED, f"a game cannot be played on: {error}", states)
    how = f"no difference within {states:,} states ({turns - 1} turns)"
    return Verdict(UNDECIDED, how, states, None, known.roles, known.moves)


def _unmatched(
    left: Game, right: Game, known: Mapping2, one: Behaviour, other: Behaviour, turns: int, due: float
) -> Verdict:
    """The games differ within so many turns, whatever roles and moves are called; find a play that shows it."""
    how = f"whatever roles and moves are called, they differ within {turns} turn{'' if turns == 1 else 's'}"
    states = max(len(one.states), len(other.states))
    left_over = max(1.0, due - time.monotonic())
    found = compare_states(left, right, known, states, left_over) if known.roles else None
    difference = None if found is None else found.difference
    return Verdict(DIFFERENT, how, states, difference, known.roles, known.moves)

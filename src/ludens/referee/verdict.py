"""How a match ended, as a sentence: ``You lost: black has four in a row``.

Terminal and web page use the same words. The reader plays one role, several, or none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ludens.core import Role
from ludens.referee.events import MatchEnded

_SOLVED = 100
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def verdict(ended: MatchEnded, people: Collection[Role] = (), cause: str = "") -> str:
    """Who won, for the people who play these roles, and why, if a ``cause`` is given.

    A single person is addressed as "You"; otherwise roles are named.
    """
    if not ended.finished:
        why = "the limit of turns was reached" if ended.reason == "limit" else "the match was stopped"
        return f"No result: {why}"
    if ended.forfeited is not None:
        cause = f"{ended.forfeited} forfeited the match"
    reader = next(iter(people)) if len(people) == 1 else None
    if len(ended.goals) == 1:
        return _solo_verdict(ended, reader) + (f" ({cause})" if ended.forfeited is not None else "")
    outcome = _for_reader(ended.goals, reader) if reader is not None else _for_all(ended.goals)
    if cause:
        return f"{outcome}: {cause}"
    return f"{outcome}{_score(ended, reader)}"


def _solo_verdict(ended: MatchEnded, reader: Role | None) -> str:
    ((role, goal),) = ended.goals.items()
    if goal == _SOLVED:
        return f"Solved: {goal} of {_SOLVED}"
    return f"{role if reader is None else 'You'} reached {goal} of {_SOLVED}"


def _for_reader(goals: Mapping[Role, int], reader: Role) -> str:
    own, best = goals[reader], max(goals.values())
    if min(goals.values()) == best:
        return "A draw"
    if own == best:
        partners = [role for role in goals if goals[role] == best and role != reader]
        return f"You won together with {_join_names(partners)}" if partners else "You won"
    if len(goals) == 2:
        return "You lost"
    if len(set(goals.values())) == 2:  # winners, and those who lost
        return f"You lost to {_join_names(_winners(goals))}"
    place = sum(goal > own for goal in goals.values())
    shares = sum(goal == own for goal in goals.values()) > 1
    where = _PLACES[place] if place < len(_PLACES) else f"{place + 1}th"
    count = _COUNTS[len(goals)] if len(goals) < len(_COUNTS) else str(len(goals))
    return f"You shared {where} place of {count}" if shares else f"You came {where} of {count}"


def _for_all(goals: Mapping[Role, int]) -> str:
    winners = _winners(goals)
    return "A draw" if len(winners) == len(goals) else f"{_join_names(winners)} won"


def _winners(goals: Mapping[Role, int]) -> list[Role]:
    best = max(goals.values())
    return [role for role, goal in goals.items() if goal == best]


def _score(ended: MatchEnded, reader: Role | None) -> str:
    """The score of two, the reader's or the winner's first; nothing for a draw at 50 each."""
    if len(ended.goals) != 2:
        return ""
    points = [ended.points.get(role, goal) for role, goal in ended.goals.items()]
    if reader is not None:
        is_first = next(iter(ended.goals)) == reader
    else:
        first, second = ended.goals.values()
        is_first = first >= second
    own, other = points if is_first else reversed(points)
    if own == other:
        return "" if own == 50 else f", {own:g} each"
    return f", {own:g} to {other:g}"


def _join_names(roles: list[Role]) -> str:
    *others, last = roles
    return f"{', '.join(others)} and {last}" if others else last

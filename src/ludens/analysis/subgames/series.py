"""Games in series whose state says when the next one begins: the second game's moves wait for the end of the first.

One group of fluents *waits for* another if every move that changes it has a condition in the other, and no move that
changes the other touches it. That alone is a weak tie (a lid on a box); the groups are in *series* if the first allows
no move that changes it any more once it has allowed moves that wait for it, which is checked on all its positions. They
are separate subgames then: once the first is over, it matters by its local concepts alone, so the later game is solved
once for each way in which the earlier one can end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from ludens.analysis.budget import Pulse, TooEntangledError, no_pulse
from ludens.analysis.gates.phases import Phase
from ludens.analysis.gates.supports import Bits
from ludens.analysis.gates.touches import Turn
from ludens.analysis.subgames.local import ILLEGAL, LocalGame
from ludens.analysis.subgames.local_rules import Rows
from ludens.analysis.subgames.partition import MOST_PAIRS, MovesOf, Partition
from ludens.analysis.subgames.parts import Component, Decomposition, Kind


def join_unless_waiting(partition: Partition, phases: Sequence[Phase], turns: Sequence[Turn], pulse: Pulse) -> None:
    """Join groups that a move touches together, unless one waits for the other. Raises `TooEntangledError`."""
    changed = True
    while changed:
        changed = False
        moves = [MovesOf(turn, phases[turn.phase], partition, pulse) for turn in turns]
        tied = _tied_groups(moves, pulse)
        for one, other in tied:
            pulse()
            if not (_waits(moves, other, one) or _waits(moves, one, other)):
                changed = partition.join((one, other)) or changed


def _tied_groups(moves: Sequence[MovesOf], pulse: Pulse) -> set[tuple[int, int]]:
    """Pairs of groups that some move touches together."""
    found: set[tuple[int, int]] = set()
    for own in moves:
        if own.shared_moves():
            if len(own.touched) ** 2 > MOST_PAIRS:
                raise TooEntangledError("there are too many components to compare")
            pulse()
            found |= {
                (one, other)
                for one, other in combinations(sorted(own.touched), 2)
                if own.touched[one] & own.touched[other]
            }
    return found


def _waits(moves: Sequence[MovesOf], later: int, earlier: int) -> bool:
    """Whether one group waits for another, in all turns."""
    return all(
        not own.affected(earlier) & own.touched.get(later, 0) and not own.affected(later) & ~own.touched.get(earlier, 0)
        for own in moves
    ) and any(own.affected(later) for own in moves)


def with_earlier_games(whole: Decomposition) -> Decomposition:
    """The same where components that others wait for are subgames, even if they matter only by when they end and whose
    turn it is then."""
    tied = _tied_groups(whole.moves, no_pulse)
    groups = {part: whole.partition.find(part.numbers[0]) for part in whole.parts}
    waited_for = {
        earlier
        for pair in tied
        for later, earlier in (pair, pair[::-1])
        if any(groups[part] == later for part in whole.games) and _waits(whole.moves, later, earlier)
    }
    components = (
        replace(part, kind=Kind.GAME) if groups.get(part) in waited_for else part for part in whole.components
    )
    return replace(whole, components=tuple(components))


def are_in_series(whole: Decomposition, pulse: Pulse) -> bool:
    """Whether, of every two subgames that a move touches together, the later waits until the earlier is over."""
    tied = _tied_groups(whole.moves, pulse)
    for part in whole.parts:
        group = whole.partition.find(part.numbers[0])
        pairs = [pair for pair in tied if group in pair]
        waiting = [other for pair in pairs for other in pair if other != group and _waits(whole.moves, other, group)]
        if waiting and not _excludes(whole, part, waiting, pulse):
            return False
    return True


def _excludes(whole: Decomposition, earlier: Component, waiting: Sequence[int], pulse: Pulse) -> bool:
    """Whether a subgame never allows its own moves again once it allows those of groups that wait for it."""
    local = LocalGame(whole, earlier, (), pulse=pulse)
    group = whole.partition.find(earlier.numbers[0])
    own = np.zeros(len(local), np.bool_)
    later = np.zeros(len(local), np.bool_)
    for turn, moves in zip(whole.turns, whole.moves, strict=True):
        pulse()
        waiting_moves: Bits = 0
        for other in waiting:
            waiting_moves |= moves.affected(other)
        for number, action in enumerate(local.phases[turn.phase].actions[turn.role]):
            legal = local.legal[turn.phase][turn.role][number]
            if action.moves & moves.affected(group):
                own |= legal
            if action.moves & waiting_moves:
                later |= legal
    return not (own & _reachable(local, later, pulse)).any()


def _reachable(local: LocalGame, start: Rows, pulse: Pulse) -> Rows:
    """The positions of a subgame that can follow some of them, and those themselves."""
    found, new = start.copy(), start
    while new.any():
        after = np.zeros(len(local), np.bool_)
        for phase in local.transitions:
            for targets in phase:
                pulse()
                reached = targets[new]
                after[reached[reached != ILLEGAL]] = True
        new = after & ~found
        found |= new
    return found

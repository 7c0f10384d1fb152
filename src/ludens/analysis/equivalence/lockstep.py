"""Two games played side by side: the shortest play on which they differ, under a mapping of roles and moves."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from ludens.core import Game, GameError, LudensError, Role, State, TooManyOutcomesError, joint_moves

Play = tuple[Mapping[Role, str], ...]
"""Joint moves in the words of the first game."""
_MOST_JOINT_MOVES = 2_000
"""Joint moves of one state that are followed."""
_MOST_CHANCES = 20
"""Joint moves of one state whose outcomes are compared."""
_DEEPEST = 400
"""Turns of a random play."""


@dataclass(frozen=True, slots=True)
class Mapping2:
    """What roles and moves of the first game are called in the second; names that are missing stay as they are."""

    roles: Mapping[Role, Role] = field(default_factory=dict)
    moves: Mapping[str, str] = field(default_factory=dict)
    choices_only: bool = False
    """True if moves that a role cannot help making are ignored: some games have a move for waiting, some have none."""

    def role(self, role: Role) -> Role:
        """The second game's name of a role."""
        return self.roles.get(role, role)

    def move(self, move: str) -> str:
        """The second game's text of a move."""
        return self.moves.get(move, str(move))


@dataclass(frozen=True, slots=True)
class Difference:
    """A play after which the games differ."""

    play: Play
    what: str
    shortest: bool
    """True if no shorter play shows a difference."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What playing side by side found."""

    difference: Difference | None
    states: int
    """Pairs of states that were compared."""
    complete: bool
    """True if these are all that can be reached, so that the games are equivalent unless they differ."""


def compare_states(left: Game, right: Game, names: Mapping2, most: int, seconds: float) -> Comparison:
    """Play two games side by side, breadth first in two thirds of the time, then at random."""
    due = time.monotonic() + seconds
    found = breadth_first(left, right, names, most, time.monotonic() + seconds * 2 / 3)
    if found.difference is not None or found.complete:
        return found
    return _at_random((left.initial_state(), right.initial_state()), names, found.states, due)


def follow_play(left: Game, right: Game, play: Play, names: Mapping2) -> tuple[Play, str] | None:
    """The part of a play after which two games differ, and in what; None if they do not."""
    one, other = left.initial_state(), right.initial_state()
    for turn in range(len(play) + 1):
        if what := _differ(one, other, names):
            return play[:turn], what
        if turn == len(play) or one.is_terminal:
            break
        pair = _play(one, other, play[turn], names)
        if isinstance(pair, str):
            return play[: turn + 1], pair
        if pair is None:
            break
        one, other = pair
    return None


def breadth_first(left: Game, right: Game, names: Mapping2, most: int, due: float) -> Comparison:
    """Play two games side by side, shorter plays first."""
    first = (left.initial_state(), right.initial_state())
    seen = {first}
    queue: deque[tuple[tuple[State, State], Play]] = deque([(first, ())])
    complete = True
    while queue:
        (one, other), play = queue.popleft()
        what = _differ(one, other, names)
        if what:
            return Comparison(Difference(play, what, shortest=True), len(seen), complete=False)
        if one.is_terminal:
            continue
        steps, all_steps = _steps(one)
        complete &= all_steps
        for joint_move in steps:
            pair = _play(one, other, joint_move, names)
            if isinstance(pair, str):
                return Comparison(Difference((*play, joint_move), pair, shortest=True), len(seen), complete=False)
            if pair is not None and pair not in seen:
                if len(seen) >= most or time.monotonic() > due:
                    return _rest(queue, seen, names, due)
                seen.add(pair)
                queue.append((pair, (*play, joint_move)))
    return Comparison(None, len(seen), complete)


def _rest(
    queue: deque[tuple[tuple[State, State], Play]], seen: set[tuple[State, State]], names: Mapping2, due: float
) -> Comparison:
    """Compare the states that were reached but not looked at yet."""
    for (one, other), play in queue:
        if time.monotonic() > due + 1.0:
            break
        if what := _differ(one, other, names):
            return Comparison(Difference(play, what, shortest=True), len(seen), complete=False)
    return Comparison(None, len(seen), complete=False)


def _at_random(first: tuple[State, State], names: Mapping2, states: int, due: float) -> Comparison:
    rng = Random(1)
    while time.monotonic() < due:
        (one, other), play = first, list[Mapping[Role, str]]()
        while time.monotonic() < due and len(play) < _DEEPEST:
            states += 1
            if what := _differ(one, other, names):
                return Comparison(Difference(tuple(play), what, shortest=False), states, complete=False)
            steps = [] if one.is_terminal else _steps(one)[0]
            if not steps:
                break
            joint_move = rng.choice(steps)
            pair = _play(one, other, joint_move, names)
            play.append(joint_move)
            if isinstance(pair, str):
                return Comparison(Difference(tuple(play), pair, shortest=False), states, complete=False)
            if pair is None:
                break
            one, other = pair
    return Comparison(None, states, complete=False)


def _steps(state: State) -> tuple[list[Mapping[Role, str]], bool]:
    """Joint moves with chance resolved, and whether these are all."""
    found: list[Mapping[Role, str]] = []
    for joint_move in joint_moves(state):
        try:
            found += [outcome.joint_move for outcome in state.chance_outcomes(joint_move)]
        except (TooManyOutcomesError, GameError):
            return [*found, joint_move][:_MOST_JOINT_MOVES], False
        if len(found) > _MOST_JOINT_MOVES:
            return found[:_MOST_JOINT_MOVES], False
    return found, True


def _translate(one: State, other: State, joint_move: Mapping[Role, str], names: Mapping2) -> dict[Role, str]:
    """A joint move in the words of the other game."""
    if not names.choices_only:
        return {names.role(role): names.move(move) for role, move in joint_move.items()}
    chosen = {names.role(role): names.move(move) for role, move in joint_move.items() if len(one.legal_moves(role)) > 1}
    forced = {role: legal[0] for role in other.game.roles if len(legal := other.legal_moves(role)) == 1}
    return forced | chosen


def _play(
    one: State, other: State, joint_move: Mapping[Role, str], names: Mapping2
) -> tuple[State, State] | str | None:
    """Both states after a turn; None if both games fail there, and in words what differs if one does."""
    results: list[State | None] = []
    theirs = _translate(one, other, joint_move, names)
    for state, moves in ((one, joint_move), (other, theirs)):
        try:
            results.append(state.play(moves))
        except LudensError:
            results.append(None)
    left, right = results
    if left is None or right is None:
        if left is right:
            return None
        return f"only {(one if left is not None else other).game.name} can be played on"
    if one.game.hidden:
        for role in one.game.roles:
            ours, seen = sorted(left.percepts(role)), sorted(right.percepts(names.role(role)))
            if ours != seen:
                said = [", ".join(percepts) or "nothing" for percepts in (ours, seen)]
                return f"{role} sees {said[0]} in one game and {said[1]} in the other"
    return left, right


def _differ(one: State, other: State, names: Mapping2) -> str:
    """What differs in two states; empty if nothing does."""
    first, second = one.game.name, other.game.name
    if first == second:
        first, second = "the first game", "the second game"
    if one.is_terminal != other.is_terminal:
        return f"the match is over in {first if one.is_terminal else second} only"
    if one.is_terminal:
        for role in one.game.roles:
            goals = one.goals[role], other.goals[names.role(role)]
            if goals[0] != goals[1]:
                return f"the goal of {role} is {goals[0]} in {first} and {goals[1]} in {second}"
        return ""
    for role in one.game.roles if names.choices_only else (*one.game.roles, "random"):
        ours = {names.move(move) for move in one.legal_moves(role)}
        theirs = set(map(str, other.legal_moves(names.role(role))))
        if names.choices_only and len(ours) <= 1 and len(theirs) <= 1:
            continue
        if ours != theirs:
            move = min(ours ^ theirs)
            return f"{role} may play {move} in {first if move in ours else second} only"
    return _chance_differs(one, other, names) if one.game.chance else ""


def _chance_differs(one: State, other: State, names: Mapping2) -> str:
    """Whether joint moves have other outcomes, or with other probabilities."""
    for joint_move in islice(joint_moves(one), _MOST_CHANCES):
        try:
            ours, theirs = (
                one.chance_outcomes(joint_move),
                other.chance_outcomes(_translate(one, other, joint_move, names)),
            )
        except LudensError:
            continue
        shares = [sorted(round(outcome.probability, 9) for outcome in found) for found in (ours, theirs)]
        named = [
            {
                tuple(sorted(_translate(one, other, outcome.joint_move, names).items())): outcome.probability
                for outcome in ours
            },
            {
                tuple(sorted((role, str(move)) for role, move in outcome.joint_move.items())): outcome.probability
                for outcome in theirs
            },
        ]
        if shares[0] != shares[1] or (not names.choices_only and named[0].keys() != named[1].keys()):
            made = ", ".join(f"{role} {move}" for role, move in joint_move.items())
            return f"chance gives other outcomes to {made}"
    return ""

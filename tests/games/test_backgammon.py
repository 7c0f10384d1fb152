"""Backgammon against move generation of its own, which looks at whole turns instead of at rules."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from random import Random

import pytest

import ludens
from ludens.core import GameError, random_joint_move
from ludens.gdl.game import GdlGame, GdlState

BAR = 25
Board = tuple[tuple[int, ...], tuple[int, ...]]
"""Checkers of the role that moves and of the other, by point, each counted from its own side; 0 are those off."""
Step = tuple[int, int]


@cache
def game() -> GdlGame:
    loaded = ludens.load("backgammon", wait=True)
    assert isinstance(loaded, GdlGame)
    return loaded


def steps(board: Board, die: int) -> list[tuple[Step, Board]]:
    """All ways to move one checker by one die."""
    own, other = board
    found = []
    for x in [BAR] if own[BAR] else range(1, 25):
        if not own[x]:
            continue
        y = x - die
        if y > 0 and other[25 - y] > 1:
            continue
        if y <= 0 and (any(own[7:]) or (y < 0 and any(own[x + 1 : 7]))):
            continue
        mine, theirs = list(own), list(other)
        mine[x] -= 1
        mine[max(0, y)] += 1
        if y > 0 and theirs[25 - y] == 1:
            theirs[25 - y] = 0
            theirs[BAR] += 1
        found.append(((x, die), (tuple(mine), tuple(theirs))))
    return found


def turns(board: Board, dice: tuple[int, ...]) -> list[tuple[tuple[Step, ...], Board]]:
    """All ways to play dice in this order, as many of them as possible."""
    if not dice:
        return [((), board)]
    found = [((step, *rest), end) for step, after in steps(board, dice[0]) for rest, end in turns(after, dice[1:])]
    return found or [((), board)]


def whole_turns(board: Board, dice: tuple[int, ...]) -> list[tuple[tuple[Step, ...], Board]]:
    """All legal turns: with the most dice, and the higher one if only one can be used."""
    found = [turn for order in set(permutations(dice)) for turn in turns(board, order)]
    most = max(len(moves) for moves, _ in found)
    found = [turn for turn in found if len(turn[0]) == most]
    if most == 1 and len(set(dice)) == 2:
        highest = max(moves[0][1] for moves, _ in found)
        found = [turn for turn in found if turn[0][0][1] == highest]
    return found


def board_of(state: GdlState, role: str) -> Board:
    other = next(name for name in state.game.roles if name != role)
    sides = []
    for name in (role, other):
        points = [0] * 26
        for kind, *rest in words_of(state):
            if kind == "at" and rest[0] == name:
                points[int(rest[1])] = int(rest[2])
            elif kind == "off" and rest[0] == name:
                points[0] = int(rest[1])
        sides.append(tuple(points))
    return sides[0], sides[1]


def words_of(state: GdlState) -> list[list[str]]:
    return [line.strip("()").split() for line in str(state).splitlines()]


def dice_of(state: GdlState) -> tuple[int, ...]:
    for kind, *rest in words_of(state):
        if kind == "double":
            return (int(rest[0]),) * int(rest[1])
        if kind in ("dice", "last"):
            return tuple(map(int, rest))
    return ()


def mover(state: GdlState) -> str:
    return next(words[1] for words in words_of(state) if words[0] == "control")


def expected_moves(state: GdlState) -> set[str]:
    found = whole_turns(board_of(state, mover(state)), dice_of(state))
    return {f"(move {moves[0][0]} {moves[0][1]})" for moves, _ in found if moves} or {"pass"}


def test_legal_moves_are_those_that_begin_a_legal_turn() -> None:
    rng = Random(5)
    compared = 0
    for _ in range(4):
        state = game().initial_state()
        while not state.is_terminal:
            dice = dice_of(state)
            if len(dice) == 2 and dice[0] != dice[1]:
                assert set(state.legal_moves(mover(state))) == expected_moves(state)
                compared += 1
            elif dice:
                # Of a double or the last die every move that is possible is legal; fewer dice are never used by that.
                assert set(state.legal_moves(mover(state))) >= expected_moves(state)
            state = state.sample(random_joint_move(state, rng), rng)
    assert compared > 100


@pytest.mark.slow
def test_doubles_are_always_used_as_often_as_possible() -> None:
    """Every move by a double is legal, because none ever takes another one away."""
    rng = Random(1)
    for _ in range(300):
        own, other = [0] * 26, [0] * 26
        for _ in range(15):
            own[rng.choice([*range(26), *range(7)])] += 1
            other[rng.choice([*range(26)])] += 1
        for point in range(1, 25):
            if own[point] and other[25 - point]:
                other[0] += other[25 - point]
                other[25 - point] = 0
        board = tuple(own), tuple(other)
        die = rng.randint(1, 6)
        lengths = {len(moves) for moves, _ in turns(board, (die,) * 4)}
        assert len(lengths) == 1, (board, die)


@pytest.mark.parametrize("dice", [(a, b) for a in range(1, 7) for b in range(1, a)])
def test_opening_rolls_lead_to_as_many_positions_as_whole_turns_do(dice: tuple[int, int]) -> None:
    state = game().initial_state().play({"white": f"(throw {dice[0]})", "black": f"(throw {dice[1]})"})
    board = board_of(state, "white")
    assert _reached(state, "white") == {end for _, end in whole_turns(board, dice)}


@pytest.mark.parametrize("die", range(1, 7))
def test_doubles_are_moved_four_times(die: int) -> None:
    state = game().initial_state().play({"white": "(throw 6)", "black": "(throw 5)"})
    for move in ("(move 24 6)", "(move 18 5)"):
        state = state.play({"white": move, "black": "noop"})
    state = state.play({"white": "noop", "black": f"(roll {die} {die})"})
    assert _reached(state, "black") == {end for _, end in whole_turns(board_of(state, "black"), (die,) * 4)}


def _reached(state: GdlState, role: str) -> set[Board]:
    """The boards after all ways to play a turn."""
    found, waiting, seen = set(), [state], {state}
    other = next(name for name in state.game.roles if name != role)
    while waiting:
        state = waiting.pop()
        if not dice_of(state) or mover(state) != role:
            found.add(board_of(state, role))
            continue
        for move in state.legal_moves(role):
            after = state.play({role: move, other: "noop"})
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return found


def test_the_higher_die_begins_and_equal_ones_are_thrown_again() -> None:
    state = game().initial_state()
    outcomes = state.chance_outcomes({"white": "(throw die)", "black": "(throw die)"})
    assert len(outcomes) == 36
    again = sum(o.probability for o in outcomes if state.play(o.joint_move) == state)
    white = sum(o.probability for o in outcomes if ("control", "white") in state.play(o.joint_move).facts)
    assert [again, white] == pytest.approx([1 / 6, 15 / 36])


@pytest.mark.parametrize(
    ("losers_off", "losers_point", "goals"), [(1, 6, (67, 33)), (0, 6, (83, 17)), (0, 19, (100, 0)), (0, 25, (100, 0))]
)
def test_gammons_count_twice_and_backgammons_three_times(
    losers_off: int, losers_point: int, goals: tuple[int, int]
) -> None:
    facts = [("off", "white", "15"), ("off", "black", str(losers_off)), ("at", "black", str(losers_point), "1")]
    state = game().state([*facts, ("control", "black"), ("stake", "1")])
    assert state.is_terminal
    assert (state.goals["white"], state.goals["black"]) == goals


def test_the_cube_doubles_the_stake_and_changes_hands() -> None:
    cube = ludens.load("backgammon:cube", backend="reference")
    state = cube.initial_state().play({"white": "(throw 6)", "black": "(throw 5)"})
    for move in ("(move 24 6)", "(move 18 5)"):
        state = state.play({"white": move, "black": "noop"})
    assert list(state.legal_moves("black")) == ["offer", "(roll die1 die2)"]
    offered = state.play({"black": "offer", "white": "noop"})
    assert list(offered.legal_moves("white")) == ["drop", "take"]
    assert list(offered.legal_moves("black")) == ["noop"]
    dropped = offered.play({"white": "drop", "black": "noop"})
    assert dropped.is_terminal
    assert dict(dropped.goals) == {"white": 48, "black": 52}
    taken = offered.play({"white": "take", "black": "noop"})
    assert isinstance(taken, GdlState)
    assert {("stake", "2"), ("cube", "white")} <= taken.facts
    assert list(taken.legal_moves("black")) == ["(roll die1 die2)"]


def test_backgammon_knows_no_other_parameter() -> None:
    with pytest.raises(GameError, match="no parameter but 'cube'"):
        ludens.load("backgammon:dice", wait=True)

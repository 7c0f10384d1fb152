from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

import ludens
from ludens.core import State, random_joint_move
from ludens.games.tabletop.backgammon import BAR, OFF, Board, after, steps
from tests.games.tabletop.contract import check_contract
from tests.games.tabletop.openspiel import MANY, open_spiel
from tests.peers import peer

Boards = tuple[Board, Board]


def board(**points: int) -> Board:
    """Checkers by own numbers: ``p6=2, bar=1``; the rest is off."""
    found = [0] * 26
    for name, count in points.items():
        found[{"bar": BAR, "off": OFF}.get(name) or int(name[1:])] = count
    found[OFF] = 15 - sum(found)
    return tuple(found)


def test_backgammon_keeps_the_contract() -> None:
    check_contract(ludens.load("backgammon@tabletop"), matches=2)


def test_a_checker_on_the_bar_must_enter_first() -> None:
    assert steps(board(bar=1, p6=3), board(p3=2), (3, 5)) == [(BAR, 5)]


def test_both_dice_must_be_used_if_they_can() -> None:
    # After 4/3 the 6 could not be used: the own 17 point, where it would lead, is the other's 8 point.
    own, other = board(p23=1, p4=1), board(p8=2)

    assert steps(own, other, (6, 1)) == [(23, 1)]


def test_the_higher_die_must_be_used_if_only_one_can() -> None:
    own, other = board(p12=1), board(p20=2)  # both would lead to the own 5 point, which the other holds

    assert steps(own, other, (5, 2)) == [(12, 5)]


def test_bearing_off_takes_the_highest_checker_only_if_none_is_behind() -> None:
    assert steps(board(p3=1, p2=1), board(p1=1), (6,)) == [(3, 6)]
    assert steps(board(p5=1, p2=1), board(p1=1), (3,)) == [(5, 3)]
    assert steps(board(p7=1, p2=1), board(p1=1), (2,)) == [(7, 2)]


@pytest.mark.parametrize(
    ("loser", "stake"), [(board(p1=14), 1), (board(p1=15), 2), (board(p1=14, p24=1), 3), (board(p1=14, bar=1), 3)]
)
def test_gammons_and_backgammons_count_double_and_triple(loser: Board, stake: int) -> None:
    assert (1 if loser[OFF] else 3 if any(loser[19:]) else 2) == stake


@pytest.mark.parametrize("games", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_random_matches_go_as_in_gdl(games: int) -> None:
    theirs_game, ours_game = ludens.load("backgammon@gdl"), ludens.load("backgammon@tabletop")
    for seed in range(games):
        rng = Random(seed)
        theirs: State = theirs_game.initial_state()
        ours: State = ours_game.initial_state()
        while not theirs.is_terminal:
            chosen = random_joint_move(theirs, rng)
            resolved = theirs.resolve(chosen, rng)
            for role, move in resolved.items():
                player = role.capitalize()
                words = move.strip("()").split()
                if words[0] == "move":
                    legal = [tuple(map(int, one.strip("()").split()[1:])) for one in theirs.legal_moves(role)]
                    assert len(ours.legal_moves(player)) == len(legal)
                    assert {text_of(ours, player, *step) for step in legal} == set(ours.legal_moves(player))
                    ours = ours.play({player: text_of(ours, player, int(words[1]), int(words[2]))})
                elif words[0] == "roll":
                    ours = ours.play({player: f"roll = {words[1]} {words[2]}"})
            if all(move.startswith("(throw") for move in resolved.values()):
                dice = " ".join(move.strip("()").split()[1] for move in resolved.values())
                ours = ours.play({"White": f"roll for the beginning = {dice}"})
            theirs = theirs.play(resolved)
        assert ours.is_terminal
        assert [ours.goals[role] > 50 for role in ours_game.roles] == [
            theirs.goals[role] > 50 for role in theirs_game.roles
        ]


CHECKERS = 15
THEIR_BAR = 100
"""OpenSpiel's number of the bar."""


def boards_of(theirs: Any) -> Boards:
    """Both players' checkers by own numbers, X first."""
    found = []
    for player in range(2):
        points = [theirs.board(player, point) for point in (reversed(range(24)) if player == 0 else range(24))]
        bar = theirs.board(player, THEIR_BAR)
        found.append((CHECKERS - sum(points) - bar, *points, bar))
    return found[0], found[1]


def plays(own: Board, other: Board, left: tuple[int, ...]) -> dict[Boards, list[tuple[int, int]]]:
    """Where each play leads, and a way there."""
    found: dict[Boards, list[tuple[int, int]]] = {}
    pending: list[tuple[Board, Board, tuple[int, ...], list[tuple[int, int]]]] = [(own, other, left, [])]
    seen = set()
    while pending:
        mine, theirs, dice, way = pending.pop()
        legal = steps(mine, theirs, dice)
        if not legal:
            found[mine, theirs] = way
        for source, die in legal:
            rest = list(dice)
            rest.remove(die)
            reached = (*after(mine, theirs, source, die), tuple(sorted(rest, reverse=True)))
            if reached not in seen:
                seen.add(reached)
                pending.append((*reached, [*way, (source, die)]))
    return found


def results(theirs: Any, mover: int) -> dict[Boards, Any]:
    """Where OpenSpiel's actions lead, both halves of a double together; ways to the same board count once."""
    found: dict[Boards, Any] = {}
    halves: dict[Boards, Any] = {}
    for action in theirs.legal_actions():
        child = theirs.child(action)
        is_half = not child.is_terminal() and not child.is_chance_node() and child.current_player() == mover
        (halves if is_half else found)[boards_of(child)] = child
    for half in halves.values():
        found |= results(half, mover)
    return found


def text_of(state: State, role: str, source: int, die: int) -> str:
    """What a step is called; the die is named where another one does the same."""
    start = "bar" if source == BAR else str(source)
    text = f"{start}/{max(source - die, OFF) or 'off'}"
    legal = state.legal_moves(role)
    other = f"{text} by {die}"
    return other if other in legal else text


@peer("openspiel")
@pytest.mark.parametrize("games", [4, pytest.param(MANY, marks=pytest.mark.slow)])
def test_random_matches_go_as_in_open_spiel(games: int) -> None:
    other = open_spiel().load_game("backgammon")
    game = ludens.load("backgammon@tabletop")
    rng = Random(1)
    for _ in range(games):
        theirs = other.new_initial_state()
        state: State = game.initial_state()
        while not theirs.is_terminal():
            outcome = rng.choice(theirs.chance_outcomes())[0]
            text = theirs.action_to_string(outcome)
            one, two = (int(digit) for digit in re.search(r"roll: (\d)(\d)", text).groups())  # type: ignore[union-attr]
            theirs.apply_action(outcome)
            mover = theirs.current_player()
            role = game.roles[mover]
            if "starts" in text:
                high, low = max(one, two), min(one, two)
                rolled = f"{high} {low}" if mover == 0 else f"{low} {high}"
                state = state.play({"White": f"roll for the beginning = {rolled}"})
            else:
                state = state.play({role: f"roll = {one} {two}"})
            both = boards_of(theirs)
            left = (one,) * 4 if one == two else (max(one, two), min(one, two))
            ours = plays(both[mover], both[1 - mover], left)
            reached = results(theirs, mover)
            expected = {(where[mover], where[1 - mover]) for where in reached}
            assert set(ours) == expected, f"{theirs}\n{left}"
            where = rng.choice(sorted(reached))
            for source, die in ours[where[mover], where[1 - mover]]:
                state = state.play({role: text_of(state, role, source, die)})
            theirs = reached[where]
            rule: Any = game
            assert rule.rule.board(state.table, role) == where[mover]  # type: ignore[attr-defined]
        assert state.is_terminal
        assert [state.goals[role] == 100 for role in game.roles] == [value > 0 for value in theirs.returns()]


def test_the_cube_is_offered_taken_and_dropped() -> None:
    state: State = ludens.load("backgammon:cube=on@tabletop").initial_state()
    state = state.play({"White": "roll for the beginning = 3 1"})
    state = state.play({"White": state.legal_moves("White")[0]})
    state = state.play({"White": state.legal_moves("White")[0]})
    assert state.legal_moves("Black") == ("roll", "double")

    doubled = state.play({"Black": "double"})
    assert doubled.legal_moves("White") == ("take", "drop")
    assert doubled.play({"White": "drop"}).points == {"White": -1, "Black": 1}
    taken = doubled.play({"White": "take"})
    assert taken.legal_moves("Black") == ("roll",)  # the cube is White's now
    taken = taken.play({"Black": "roll = 6 6"})
    while not taken.legal_moves("White"):
        taken = taken.play({"Black": taken.legal_moves("Black")[0]})
    assert taken.legal_moves("White") == ("roll", "double")
    again = taken.play({"White": "double"}).play({"Black": "drop"})
    assert again.points == {"White": 2, "Black": -2}


def test_backgammon_with_the_cube_keeps_the_contract() -> None:
    check_contract(ludens.load("backgammon:cube=on@tabletop"), matches=2)

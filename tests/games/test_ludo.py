from __future__ import annotations

from random import Random

import pytest

from ludens.core import GameError
from ludens.games.library import find
from ludens.gdl.reference import ReferenceState
from ludens.gdl.terms import arguments, signature
from tests.games.boards import control_of
from tests.games.shelf import shelf_game

ROLES = ("red", "green", "yellow", "blue")
RING = 24
YARD, HOME = 0, RING + 1
Men = dict[tuple[str, int], int]
"""How far each man has come."""


def men_of(state: ReferenceState) -> Men:
    places = [arguments(fact) for fact in state.facts if signature(fact) == ("at", 3)]
    numbers = {"yard": YARD, "home": HOME} | {str(place): place for place in range(1, RING + 1)}
    return {(str(role), int(str(man))): numbers[str(place)] for role, man, place in places}


def targets(men: Men, role: str, pips: int) -> Men:
    """Where each man of a role can go."""
    found = {}
    for (owner, man), place in men.items():
        to = (1 if pips == 6 else None) if place == YARD else min(place + pips, HOME) if place != HOME else None
        if owner == role and to is not None and (to == HOME or men_on(men, role, to) == []):
            found[owner, man] = to
    return found


def men_on(men: Men, role: str, place: int) -> list[tuple[str, int]]:
    return [man for man, other in men.items() if man[0] == role and other == place]


def square(role: str, place: int) -> int:
    return (place + ROLES.index(role) * RING // 4) % RING


@pytest.mark.parametrize(("men", "seed"), [(1, 0), (2, 1), (2, 2)])
def test_a_race_is_run_as_a_second_referee_says(men: int, seed: int) -> None:
    rng = Random(seed)
    state: ReferenceState = shelf_game(f"ludo:{men}").initial_state()
    expected: Men = {(role, man): YARD for role in ROLES for man in range(1, men + 1)}
    turn = 0
    while not state.is_terminal:
        role = ROLES[turn]
        assert control_of(state) == role
        others = dict.fromkeys(ROLES, "noop")
        assert state.legal_moves(role) == ("(throw die)",)
        pips = rng.randint(1, 6)
        state = state.play(others | {role: f"(throw {pips})"})
        possible = targets(expected, role, pips)
        assert set(state.legal_moves(role)) == ({f"(run {man})" for _, man in possible} or {"pass"})
        if possible:
            runner = rng.choice(sorted(possible))
            to = possible[runner]
            for other, place in list(expected.items()):
                if to != HOME and 0 < place < HOME and other[0] != role and square(other[0], place) == square(role, to):
                    expected[other] = YARD
            expected[runner] = to
            state = state.play(others | {role: f"(run {runner[1]})"})
        else:
            state = state.play(others | {role: "pass"})
        assert men_of(state) == expected
        turn = turn if pips == 6 else (turn + 1) % 4
    winners = [role for role in ROLES if all(expected[role, man] == HOME for man in range(1, men + 1))]
    assert state.goals == {role: 100 if role in winners else 0 for role in ROLES}


def test_a_match_without_a_winner_pays_for_men_at_home() -> None:
    game = shelf_game("ludo:2,20")
    away = [("at", role, man, "yard") for role in ROLES for man in ("1", "2") if (role, man) != ("red", "1")]
    state = game.state([*away, ("at", "red", "1", "home"), ("control", "blue"), ("throws", "20")])
    assert state.is_terminal
    assert state.goals == {"red": 12, "green": 0, "yellow": 0, "blue": 0}


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(GameError, match="number of men"):
        find("ludo:5").rule_sheet()

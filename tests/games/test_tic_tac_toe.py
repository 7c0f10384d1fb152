from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from ludens.core import joint_moves
from ludens.core.perft import perft
from ludens.gdl.terms import Term
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game


@pytest.mark.parametrize(("plies", "lines"), [(1, 9), (2, 72), (3, 504), (4, 3024)])
def test_perft(plies: int, lines: int) -> None:
    assert perft(shelf_game("tic_tac_toe").initial_state(), plies) == lines


@cache
def value_or_next(facts: frozenset[Term]) -> int | tuple[frozenset[Term], ...]:
    """What a position is worth for x at the end of the game; before it, the positions after each move."""
    state = shelf_game("tic_tac_toe").state(facts)
    if state.is_terminal:
        return state.goals["xplayer"]
    return tuple(state.play(move).facts for move in joint_moves(state))


def test_there_are_255168_games_with_the_known_results() -> None:
    @cache
    def games_by_value_for_x(facts: frozenset[Term]) -> Counter[int]:
        found = value_or_next(facts)
        return Counter({found: 1}) if isinstance(found, int) else sum(map(games_by_value_for_x, found), Counter())

    games = games_by_value_for_x(shelf_game("tic_tac_toe").initial_state().facts)
    assert games == {100: 131184, 0: 77904, 50: 46080}
    assert games.total() == 255168
    assert games_by_value_for_x.cache_info().currsize == 5478


def test_best_play_is_a_draw() -> None:
    @cache
    def value_for_x(facts: frozenset[Term]) -> int:
        found = value_or_next(facts)
        if isinstance(found, int):
            return found
        return (max if ("control", "xplayer") in facts else min)(map(value_for_x, found))

    assert value_for_x(shelf_game("tic_tac_toe").initial_state().facts) == 50


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(shelf_game("tic_tac_toe"), 50)

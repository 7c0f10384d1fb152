from __future__ import annotations

from collections import deque
from random import Random

from ludens.gdl.reference import ReferenceState
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game

Tiles = tuple[int, ...]
"""The tiles row by row from the top, 0 for the blank."""

START: Tiles = (0, 1, 2, 3, 4, 5, 6, 7, 8)
SOLVED: Tiles = (1, 2, 3, 4, 5, 6, 7, 8, 0)


def position(tiles: Tiles, step: int = 0) -> ReferenceState:
    cells = [("cell", str(n % 3 + 1), str(3 - n // 3), str(tile or "b")) for n, tile in enumerate(tiles)]
    return shelf_game("eight_puzzle").state([*cells, ("step", str(step))])


def slides(tiles: Tiles) -> dict[str, Tiles]:
    """Every position after one move, by the move."""
    blank = tiles.index(0)
    found = {}
    for place in range(9):
        if abs(place % 3 - blank % 3) + abs(place // 3 - blank // 3) == 1:
            after = list(tiles)
            after[blank], after[place] = tiles[place], 0
            found[f"(slide {place % 3 + 1} {3 - place // 3})"] = tuple(after)
    return found


def shortest_solution(start: Tiles) -> list[str]:
    reached: dict[Tiles, tuple[Tiles, str] | None] = {start: None}
    queue = deque([start])
    while SOLVED not in reached:
        tiles = queue.popleft()
        for move, after in slides(tiles).items():
            if after not in reached:
                reached[after] = (tiles, move)
                queue.append(after)
    moves: list[str] = []
    step = reached[SOLVED]
    while step is not None:
        moves.insert(0, step[1])
        step = reached[step[0]]
    return moves


def test_start() -> None:
    assert shelf_game("eight_puzzle").initial_state() == position(START)


def test_shortest_solution_takes_22_moves_and_wins() -> None:
    moves = shortest_solution(START)
    assert len(moves) == 22
    state = shelf_game("eight_puzzle").initial_state()
    for move in moves:
        assert not state.is_terminal
        assert state.goals == {"solver": 0}
        state = state.play({"solver": move})
    assert state.is_terminal
    assert state.goals == {"solver": 100}


def test_moves_and_what_they_do_are_those_of_the_model() -> None:
    rng = Random(2)
    for _ in range(100):
        tiles = tuple(rng.sample(range(9), 9))
        state = position(tiles)
        assert set(state.legal_moves("solver")) == set(slides(tiles))
        for move, after in slides(tiles).items():
            assert state.play({"solver": move}) == position(after, step=1)


def test_sixty_moves_are_all_there_are() -> None:
    assert not position(START, step=59).is_terminal
    assert position(START, step=60).is_terminal
    assert position(START, step=60).goals == {"solver": 0}


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(shelf_game("eight_puzzle"), 10)

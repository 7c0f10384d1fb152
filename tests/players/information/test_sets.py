"""The table of information sets."""

from __future__ import annotations

import numpy as np

from ludens.players.information.sets import Choices, InformationSets

FOREVER = float("nan")


def sets(draws: bool = False, memory: int = 2**20, expanded: int = 1) -> InformationSets:
    return InformationSets(1.0, draws, expanded, seed=7, memory=memory)


def choices(*lanes: tuple[int, list[int]]) -> Choices:
    """For each lane, the key of its set and its moves."""
    starts = np.cumsum([0, *(len(moves) for _, moves in lanes)])
    moves = np.array([move for _, moves in lanes for move in moves], np.int32)
    return Choices(np.arange(len(lanes)), np.array([key for key, _ in lanes], np.uint64), starts, moves)


def play(table: InformationSets, choice: Choices, worth: dict[int, float], role: int = 0) -> list[int]:
    """Choose and record what each move is worth; returns the moves."""
    places, edges, _ = table.choose(role, choice)
    moves = choice.moves[choice.starts[:-1] + places]
    table.back_up(edges, np.array([worth[move] for move in moves.tolist()]))
    return [int(move) for move in moves]


def tries(table: InformationSets, role: int, key: int) -> dict[int, int]:
    return {edge.move: edge.tries for edge in table.statistics(role, key)}


def test_every_move_is_tried_before_one_is_tried_again() -> None:
    table, choice = sets(), choices((5, [10, 11, 12]))
    assert sorted(play(table, choice, {10: 0.0, 11: 1.0, 12: 0.5})[0] for _ in range(3)) == [10, 11, 12]


def test_the_best_move_is_tried_most() -> None:
    for draws in (False, True):
        table, choice = sets(draws), choices(*[(5, [10, 11, 12])] * 8)
        for _ in range(200):
            play(table, choice, {10: 0.1, 11: 0.9, 12: 0.2})
        found = tries(table, 0, 5)
        assert sum(found.values()) == 1600
        assert found[11] > 1200


def test_sets_of_other_roles_and_keys_are_apart() -> None:
    table = sets()
    play(table, choices((5, [1, 2])), {1: 1.0, 2: 1.0})
    assert tries(table, 1, 5) == {}
    assert tries(table, 0, 6) == {}
    assert sum(tries(table, 0, 5).values()) == 1


def test_moves_may_come_in_another_order_and_with_others() -> None:
    table, worth = sets(), {1: 0.5, 2: 0.5, 3: 0.5}
    for moves in ([1, 2], [2, 1], [3, 1], [2, 3], [1, 2, 3]):
        play(table, choices((5, moves)), worth)
    assert set(tries(table, 0, 5)) <= {1, 2, 3}
    assert sum(tries(table, 0, 5).values()) == 5


def test_a_playout_without_an_end_is_a_visit_but_no_try() -> None:
    table, choice = sets(), choices((5, [1, 2]))
    play(table, choice, {1: FOREVER, 2: FOREVER})
    assert tries(table, 0, 5) == {}


def test_lanes_descend_below_moves_that_were_tried_in_sets_with_enough_visits() -> None:
    table, choice = sets(expanded=3), choices((5, [1, 2]))
    descends = []
    for _ in range(4):
        _, edges, goes_on = table.choose(0, choice)
        table.back_up(edges, np.array([0.5]))
        descends.append(bool(goes_on[0]))
    assert descends == [False, False, False, True]


def test_a_full_table_still_chooses_legal_moves() -> None:
    table = sets(memory=1)
    for key in range(200):
        places, edges, goes_on = table.choose(0, choices((key, [4, 5, 6])))
        assert 0 <= places[0] < 3
        if key >= 64:
            assert edges[0] == -1
            assert not goes_on[0]
        table.back_up(edges, np.array([1.0]))
    table.clear_if_half_full()
    assert tries(table, 0, 3) == {}
    assert play(table, choices((300, [4])), {4: 1.0}) == [4]


def test_regret_matching_approaches_the_equilibrium_of_a_matrix_game() -> None:
    """Both choose 1 or 2: the first wins 1.0 with 1-1, 0.5 with 2-2, else nothing; each should choose 1 in a third."""
    table, worth = sets(), {(1, 1): 1.0, (2, 2): 0.5}
    gaps = []
    for rounds in (20, 400):
        for number in range(rounds):
            chosen = [table.mix(role, choices(*[(5, [1, 2])] * 64), role == number % 2) for role in (0, 1)]
            results = np.array([worth.get((a + 1, b + 1), 0.0) for a, b in zip(*(c[0] for c in chosen), strict=True)])
            learner = number % 2
            table.learn(chosen[learner][1], chosen[learner][3], results if learner == 0 else 1.0 - results)
        gaps.append(max(abs(table.strategy(role, 5)[1] - 1 / 3) for role in (0, 1)))
    assert gaps[1] < 0.03
    assert gaps[1] < gaps[0]


def test_a_set_is_worth_what_its_strategy_is_worth_after_detours_too() -> None:
    table, choice, detours = sets(), choices((5, [1, 2])), []
    for _ in range(500):
        places, edges, _, chances = table.mix(0, choice, learns=True)
        values = np.array([1.0 - places[0]])
        table.learn(edges, chances, values)
        if places[0] == 1:
            detours.append(values[0])
    assert len(detours) > 20
    assert detours[-1] == 1.0  # the first move is always worth 1, and regret matching chooses nothing else


def test_a_set_that_was_hardly_visited_has_no_strategy() -> None:
    table = sets()
    table.mix(0, choices((5, [1, 2])), learns=False)
    assert table.strategy(0, 5) == {}
    assert table.strategy(0, 6) == {}
